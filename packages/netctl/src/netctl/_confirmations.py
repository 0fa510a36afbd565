"""Takes back what nobody confirmed in time: a task beside the poller while it is entered."""

import anyio

from netctl._change import Change
from netctl._clock import Clock
from netctl._command import CommandSet
from netctl._command_desk import EVERY_ROLE, Caller, CommandDesk
from netctl._errors import NetctlError
from netctl._gate import ReloadGate
from netctl._log import get_logger
from netctl._undoing import undoing_arguments

__all__ = ["Confirmations"]

_log = get_logger("netctl.confirmations")

_ITSELF = Caller(subject="netctl/confirmation", origin="python", roles=EVERY_ROLE)
# The time of day may be set meanwhile: it is looked at again, however long there is to wait.
_LONGEST_SLEEP_S = 60.0
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
# What a sleep may end too early by rounding.
_SLACK_S = 1e-3


class Confirmations:
    """Sets a resource back when the time to confirm its change is over.

    What fails is tried again, at first after 1 s, then after ever longer pauses of up to 60 s;
    each in a task of its own, so that a silent node keeps no other change from being taken back.

    Args:
        desk: Takes the undoing commands through the pipeline.
        commands: What can be asked of nodes.
        clock: Tells when a time is over.
        gate: Closed while the network is reloaded.
    """

    def __init__(
        self, desk: CommandDesk, commands: CommandSet, clock: Clock, gate: ReloadGate
    ) -> None:
        self._desk = desk
        self._changes = desk.records.changes
        self._commands = commands
        self._clock = clock
        self._gate = gate
        self._under_way: set[int] = set()
        self._news: anyio.Event | None = None
        desk.records.when_unconfirmed = self._wake

    @property
    def overdue(self) -> tuple[int, ...]:
        """The numbers of the changes whose time is over, and that are not taken back yet."""
        return tuple(
            change.change_id for change in self._changes.unconfirmed if self._left_s(change) <= 0
        )

    async def run(self) -> None:
        """Take back, for ever, whatever nobody confirms in time."""
        self._under_way.clear()
        async with anyio.create_task_group() as group:
            while True:
                self._news = anyio.Event()
                sleep_s: float | None = None
                for change in self._changes.unconfirmed:
                    if change.change_id in self._under_way:
                        continue
                    left_s = self._left_s(change)
                    if left_s <= 0:
                        self._under_way.add(change.change_id)
                        group.start_soon(self._take_back, change.change_id)
                    else:
                        sleep_s = min(left_s, sleep_s or _LONGEST_SLEEP_S)
                await self._rest(self._news, sleep_s)

    async def _rest(self, news: anyio.Event, sleep_s: float | None) -> None:
        if sleep_s is None:
            await news.wait()
            return
        with self._clock.move_on_after(sleep_s):
            await news.wait()

    async def _take_back(self, change_id: int) -> None:
        pause_s = _FIRST_PAUSE_S
        try:
            while self._changes.is_unconfirmed(change_id):
                async with self._gate.passage():
                    fault = await self._try(self._changes.get(change_id))
                if not self._desk.records.note_fault(change_id, fault):
                    return
                _log.warning("change not taken back", change_id=change_id, reason=fault)
                await self._clock.sleep(pause_s)
                pause_s = min(2.0 * pause_s, _LONGEST_PAUSE_S)
        finally:
            self._under_way.discard(change_id)

    async def _try(self, change: Change) -> str:
        """Undo a change, and say what became of that."""
        try:
            outcome = await self._desk.execute(
                change.outcome.app,
                change.outcome.request.command,
                undoing_arguments(change.outcome, self._commands),
                caller=_ITSELF,
                dry_run=False,
                rollback_of=change.change_id,
                takes_back=True,
            )
        except NetctlError as error:
            return str(error)
        # A handler is foreign code: what it does wrong must not end the task for all others.
        except Exception:  # noqa: BLE001 -- see above
            _log.exception("taking back crashed", change_id=change.change_id)
            return "an unexpected error; the log has the traceback"
        return outcome.reason or outcome.status

    def _left_s(self, change: Change) -> float:
        """How long a change may still be confirmed, in seconds; not above 0: its time is over."""
        return (change.confirm_by_s or 0.0) - self._clock.now() - _SLACK_S

    def _wake(self) -> None:
        if self._news is not None:
            self._news.set()
