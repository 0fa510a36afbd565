"""Takes up what an operator has changed: the file of the network, and its installed apps."""

import signal
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import anyio.to_thread
import structlog

from gateway._network import NetworkFile, stamp_of
from netctl import (
    Controller,
    ControllerClosedError,
    NetctlError,
    ReloadError,
    ReloadReport,
    StoreError,
)
from netctl.drivers import plant_settings, simulated_plant

__all__ = ["ReloadOutcome", "Reloading", "beside", "reloading_at_hangup"]

_log = structlog.get_logger("gateway")

ReloadOutcome = Literal["done", "unchanged", "failed"]
"""What became of a reload; one that failed has changed nothing."""

_LONGEST_REASON = 500
_PERIOD_S = 1.0
_PAUSE_S = 30.0
"""How long to wait before trying again what failed though the file has no fault."""


class Reloading:
    """Keeps a running network that of its file.

    Attributes:
        fault: Why what is running is not what the file says; None: it is, as far as is known.

    Args:
        controller: What runs the network.
        file: The file, as the controller was made of it.
        note: Told what became of each reload.
        watches: Whether the file is looked at once a second.
    """

    def __init__(
        self,
        controller: Controller,
        file: NetworkFile,
        note: Callable[[ReloadOutcome], None],
        *,
        watches: bool,
    ) -> None:
        self._controller = controller
        self._file = file
        self._note = note
        self._watches = watches
        self._turn = anyio.Lock()
        # As the file was when it was taken up, or found to have faults.
        self._seen = file.stamp
        self._retry_at_s: float | None = None
        self.fault: str | None = None

    async def run(self) -> None:
        """Take the file up whenever it has changed, if it is watched, and what has to be again."""
        former = self._seen
        while True:
            await anyio.sleep(_PERIOD_S)
            stamp = await anyio.to_thread.run_sync(stamp_of, self._file.path)
            # Who writes it is done once it has stayed the same for a look.
            settled, former = stamp == former, stamp
            if settled and self._is_due(stamp):
                async with self._turn:
                    # Somebody may just have done so.
                    if self._is_due(stamp):
                        await self._take_up("gateway/watch")

    async def reload(self, subject: str) -> None:
        """Take up the file and the installed apps as they are now, or nothing of them.

        Args:
            subject: Who asks for it, for the audit trail.
        """
        async with self._turn:
            await self._take_up(subject)

    async def _take_up(self, subject: str) -> None:
        stamp = await anyio.to_thread.run_sync(stamp_of, self._file.path)
        self._retry_at_s = None
        try:
            report = await self._reload(subject)
        except (ControllerClosedError, ReloadError, StoreError) as error:
            # Nothing is wrong with the file: it is tried again.
            self._retry_at_s = anyio.current_time() + _PAUSE_S
            self._fail(str(error), error.hint)
        except NetctlError as error:
            self._fail(str(error), error.hint)
        # An installed app is foreign code: the network goes on, whatever it raises.
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- see above
            _log.exception("reload crashed", file=str(self._file.path))
            self._fail(f"{type(error).__name__}: {error}"[:_LONGEST_REASON], "see the log")
        else:
            self.fault = None
            self._note("done" if report.changed else "unchanged")
        self._seen = stamp

    async def _reload(self, subject: str) -> ReloadReport:
        inventory = await anyio.to_thread.run_sync(self._file.inventory)
        same = inventory == self._controller.inventory
        with self._file.apps() as (apps, commands):
            return await self._controller.reload(
                inventory,
                None
                if same
                else lambda plant: simulated_plant(inventory, settings=plant_settings(plant)),
                apps=apps,
                commands=commands,
                subject=subject,
                source=self._file.path.name,
            )

    def _is_due(self, stamp: tuple[int, int, int] | None) -> bool:
        if self._retry_at_s is not None and anyio.current_time() >= self._retry_at_s:
            return True
        return self._watches and stamp != self._seen

    def _fail(self, reason: str, hint: str | None) -> None:
        self.fault = reason
        self._note("failed")
        _log.error(
            "network not reloaded: it goes on as it was",
            file=str(self._file.path),
            reason=reason,
            hint=hint,
        )


@asynccontextmanager
async def reloading_at_hangup(reloading: Reloading | None) -> AsyncGenerator[None, None]:
    """Reload at each SIGHUP for the length of a block, where there is such a signal.

    Args:
        reloading: Reloads; None: the network is the shipped one, and the signal does nothing.
    """
    if not hasattr(signal, "SIGHUP"):  # pragma: no cover -- where there is no such signal
        yield
        return
    with anyio.open_signal_receiver(signal.SIGHUP) as hangups:

        async def listen() -> None:
            async for _ in hangups:
                if reloading is None:
                    _log.warning("nothing to reload", hint="name a network: --network-inventory")
                else:
                    await reloading.reload("gateway/hangup")

        async with beside(listen):
            yield


@asynccontextmanager
async def beside(work: Callable[[], Coroutine[Any, Any, None]]) -> AsyncGenerator[None, None]:
    """Do something for the length of a block; what the block raises leaves as it is."""
    fault: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(work)
        try:
            yield
        # The group would wrap it.
        except Exception as error:  # noqa: BLE001 -- it is raised below
            fault = error
        group.cancel_scope.cancel()
    if fault is not None:
        raise fault
