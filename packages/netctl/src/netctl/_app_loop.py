"""The loop of one app: one task for as long as the app is there, whatever its states."""

import json
import math
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, get_args

import anyio

from netctl._app import AppPort, NetworkApp, QueuedCommand
from netctl._clock import Clock
from netctl._declaration import AppDeclaration
from netctl._errors import AppNotRunningError, NetctlError, OperationFailedError
from netctl._gate import ReloadGate
from netctl._log import get_logger
from netctl._measurements import Measurements
from netctl._operations import OperationCall, OperationQueue, OperationReply
from netctl._outcome import Outcome
from netctl._resolve import resolve
from netctl._words import error_words

__all__ = ["APP_STATES", "AppLoop", "AppState", "AppStatus", "LoopServices", "StateChange"]

AppState = Literal["running", "paused", "stopped"]
APP_STATES: tuple[AppState, ...] = get_args(AppState)
_LONGEST_BACKOFF_S = 60.0
_LONGEST_FAREWELL_S = 5.0
# A wait may end this much early by rounding; without the slack it would be waited for again.
_SLACK_S = 1e-6
_log = get_logger("netctl.loop")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppStatus:
    """How an app is.

    Attributes:
        app: Its name.
        state: Whether its loop is to run.
        cycles: How often `process` was called.
        crashes: How often `process` raised.
        crashes_in_a_row: How often it raised since it last did not.
        last_crash: What it raised last; the log has the traceback.
        overruns: How often a cycle was not done when the next was due.
        rejected_commands: How many queued commands were not verified.
        next_cycle_in_s: Seconds to the next cycle; None: it does not run.
    """

    app: str
    state: AppState
    cycles: int
    crashes: int
    crashes_in_a_row: int
    last_crash: str | None
    overruns: int
    rejected_commands: int
    next_cycle_in_s: float | None


class StateChange(TypedDict):
    """The documented reply to a change of state."""

    app: str
    state: str
    previous_state: str


class TakeSnapshot(Protocol):
    """Gives what an app reads."""

    def __call__(self, *, consume: bool) -> Measurements:
        """Give it, and if it is consumed, remember that the app has seen its samples."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopServices:
    """What a loop needs of its controller.

    Attributes:
        clock: Measures periods.
        gate: Closed while the network is reloaded.
        refresh: Reads the app's nodes now.
        snapshot: Gives what the app reads.
        send: Takes a queued command through the pipeline.
        withdraw: Puts on record that a queued command is not going to be sent.
    """

    clock: Clock
    gate: ReloadGate
    refresh: Callable[[], Awaitable[None]]
    snapshot: TakeSnapshot
    send: Callable[[QueuedCommand], Awaitable[Outcome]]
    withdraw: Callable[[QueuedCommand], Awaitable[Outcome]]


class AppLoop:
    """Runs one app.

    There is one task, `run`, and it never ends on its own; states only tell it what to do. So
    there is never a second loop, whatever the sequence of states.
    """

    def __init__(
        self, app: NetworkApp, declaration: AppDeclaration, port: AppPort, services: LoopServices
    ) -> None:
        self._app = app
        self._declaration = declaration
        self._port = port
        self._services = services
        self._clock = services.clock
        self._queue = OperationQueue(services.clock)
        self._state: AppState = "stopped"
        self._wake = anyio.Event()
        self._cycle: anyio.CancelScope | None = None
        self._idle = anyio.Event()
        self._idle.set()
        self._next_due_s = -math.inf
        self._cycles = self._crashes = self._crashes_in_a_row = self._overruns = 0
        self._rejected_commands = 0
        self._last_crash: str | None = None

    @property
    def status(self) -> AppStatus:
        """How the app is."""
        wait_s = max(0.0, self._next_due_s - self._clock.monotonic())
        return AppStatus(
            app=self._declaration.name,
            state=self._state,
            cycles=self._cycles,
            crashes=self._crashes,
            crashes_in_a_row=self._crashes_in_a_row,
            last_crash=self._last_crash,
            overruns=self._overruns,
            rejected_commands=self._rejected_commands,
            next_cycle_in_s=wait_s if self._state == "running" else None,
        )

    def wake(self) -> None:
        """Tell the loop that there is something to do."""
        self._wake.set()

    def set_state(self, state: AppState) -> AppState:
        """Change the state at once, and return the previous one.

        For any state but running, a cycle that is under way is cancelled, and operations that wait
        are refused; `settle` waits until that is done.
        """
        previous, self._state = self._state, state
        if state != "running":
            self._halt()
        self.wake()
        return previous

    async def settle(self) -> None:
        """Wait until what is under way has stopped."""
        await self._idle.wait()

    async def call(self, call: OperationCall, *, timeout_s: float) -> OperationReply:
        """Have the loop execute an operation, promptly, and wait for it.

        Raises:
            AppNotRunningError: If the app does not run, or stops running before it ends.
            NetctlError: If the operation fails, or does not end in time.
        """
        if self._state != "running":
            raise self._not_running()
        self._queue.append(call)
        self.wake()
        return await self._queue.wait(call, timeout_s=timeout_s)

    async def run(self) -> None:
        """Do what the state says, for ever."""
        try:
            while True:
                self._wake = wake = anyio.Event()
                await self._turn()
                with self._clock.move_on_after(self._wait_s()):
                    await wake.wait()
        finally:
            self._state = "stopped"
            self._queue.fail_all(self._not_running())
            with self._clock.move_on_after(_LONGEST_FAREWELL_S) as farewell:
                farewell.shield = True
                await self._withdraw_commands()

    def _halt(self) -> None:
        self._queue.fail_all(self._not_running())
        if self._cycle is not None:
            self._cycle.cancel()

    def _may_turn(self) -> bool:
        """Whether a pass may begin: not while the network is reloaded, or is going to be.

        Who called an operation before is waited for there, so that what is queued is executed.
        """
        gate = self._services.gate
        return self._state == "running" and (
            not gate.closed or (len(self._queue) > 0 and gate.inside > 0)
        )

    def _wait_s(self) -> float:
        if not self._may_turn():
            return math.inf
        return max(0.0, self._next_due_s - self._clock.monotonic())

    async def _turn(self) -> None:
        """One pass: whatever is due now, nothing if nothing is."""
        if self._may_turn():
            self._idle = anyio.Event()
            try:
                with (
                    self._services.gate.passage().joined(),
                    anyio.CancelScope() as self._cycle,
                ):
                    await self._tell_of_nodes()
                    await self._process_if_due()
                    await self._execute_operations()
                    await self._send_commands()
            finally:
                self._cycle = None
                self._idle.set()
        await self._withdraw_commands()

    async def _tell_of_nodes(self) -> None:
        for node_id in tuple(self._port.news):
            with self._contained():
                await resolve(self._app.on_node(node_id, self._port.news.pop(node_id)))

    @contextmanager
    def _contained(self) -> Generator[None, None, None]:
        try:
            yield
        # As in process: an app's crash must not reach its loop.
        except Exception as error:  # noqa: BLE001 -- see above
            self._crashes += 1
            self._last_crash = error_words(error)
            _log.exception("app crashed", app=self._declaration.name, crashes=self._crashes)

    async def _process_if_due(self) -> None:
        now_s = self._clock.monotonic()
        if now_s < self._next_due_s - _SLACK_S:
            return
        period_s = self._declaration.period_s
        started_on_time_s = self._next_due_s if now_s - self._next_due_s < period_s else now_s
        self._next_due_s = started_on_time_s + period_s
        self._cycles += 1
        try:
            await resolve(self._app.process(self._services.snapshot(consume=True)))
            self._crashes_in_a_row = 0
        # An app is foreign code: its crash ends its cycle, neither its loop nor its neighbours.
        except Exception as error:  # noqa: BLE001 -- see above
            self._crashes += 1
            self._crashes_in_a_row += 1
            self._last_crash = error_words(error)
            _log.exception("app crashed", app=self._declaration.name, crashes=self._crashes)
            longest_s = max(period_s, _LONGEST_BACKOFF_S)
            backoff_s = min(period_s * 2.0 ** min(self._crashes_in_a_row - 1, 30), longest_s)
            self._next_due_s = self._clock.monotonic() + backoff_s
        ended_s = self._clock.monotonic()
        if ended_s >= self._next_due_s:
            # Cycles that were missed are left out, not made up for.
            missed = math.floor((ended_s - self._next_due_s) / period_s) + 1
            self._overruns += 1
            self._next_due_s += missed * period_s

    async def _execute_operations(self) -> None:
        if not len(self._queue):
            return
        await self._services.refresh()
        while (call := self._queue.start_next()) is not None:
            try:
                with call.scope:
                    await self._execute(call)
            finally:
                # Without an end only if its caller gave up, or the cycle is being cancelled.
                call.fail(call.given_up or self._not_running())

    async def _execute(self, call: OperationCall) -> None:
        handler = getattr(self._app, call.operation.method)
        try:
            measurements = self._services.snapshot(consume=False)
            answer = await resolve(handler(dict(call.arguments), measurements))
            # A copy: an app may go on with what it answered.
            result = json.loads(json.dumps(answer, allow_nan=False))
        except NetctlError as error:
            call.fail(error)
        # An operation is foreign code: its caller is told that it crashed, the log why.
        except Exception:  # noqa: BLE001 -- see above
            _log.exception("operation crashed", request_id=call.request_id)
            call.fail(
                OperationFailedError(
                    f"operation {call.operation.name!r} crashed (request_id={call.request_id})",
                    hint="the log has the traceback under the request_id",
                )
            )
        else:
            call.succeed(result)

    async def _send_commands(self) -> None:
        # Those that are queued now: what an app queues when it hears of one waits for the next
        # pass, after what else is due.
        for _ in range(len(self._port.queued)):
            outcome = await self._services.send(self._port.queued.popleft())
            if outcome.status != "verified":
                self._rejected_commands += 1
            with self._contained():
                await resolve(self._app.on_outcome(outcome))

    async def _withdraw_commands(self) -> None:
        while self._state != "running" and self._port.queued:
            await self._services.withdraw(self._port.queued.popleft())

    def _not_running(self) -> AppNotRunningError:
        return AppNotRunningError(self._declaration.name, self._state)
