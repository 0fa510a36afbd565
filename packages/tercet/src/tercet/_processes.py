"""CPU-bound work in processes that can be stopped."""

import math
import os
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar, cast

import anyio

from tercet._errors import (
    LimitExceededError,
    TercetError,
    ToolTimeoutError,
    UnavailableError,
)
from tercet._moving import error_of, moved, pack_function
from tercet._turns import FairTurns
from tercet._worker import ERROR, MEMORY
from tercet._worker_process import WorkerEndedError, WorkerProcess

__all__ = ["ProcessWorkers", "WorkerCrashError"]

T = TypeVar("T")

_MEBIBYTE = 1024 * 1024
# What the kernel sends to a process when memory runs short, and whoever wants to be sure.
_KILLED = -9


class WorkerCrashError(TercetError):
    """A worker process crashed while it computed a call: a defect of the code that it ran."""


class ProcessWorkers:
    """Runs CPU-bound work in worker processes; the `runner` of a registry.

    Use it as an async context manager, on the event loop that the calls are made on. A worker is
    started when there is a call for it, and stays for later ones. Cancelling a call kills the
    process that computes it, and so does its deadline: when the call has ended, nothing computes
    any more. A worker that crashes is one failed call. Workers end with this process, however that
    ends.

    What is run has to be a function of a module, or a `functools.partial` of one, with arguments
    and a result that can be pickled; functions inside functions and those of `__main__` cannot.

    Args:
        count: How many processes there are at most, and so calls that are computed at once; as
            many as this process has processors, if None. Further calls wait their turn.
        memory_bytes: What a worker may take beside its own code and data. A call for which that is
            too little fails with LIMIT_EXCEEDED. Holds on Linux only.
        deadline_s: How long one call may be computed at most, in seconds; that of the call itself
            holds in any case.
    """

    def __init__(
        self,
        count: int | None = None,
        *,
        memory_bytes: int = 1024 * _MEBIBYTE,
        deadline_s: float = math.inf,
    ) -> None:
        self._count = _processors() if count is None else count
        if self._count < 1:
            raise ValueError(f"{count} workers compute nothing; there has to be one at least")
        self._memory_bytes = memory_bytes
        self._deadline_s = deadline_s
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._turns: FairTurns | None = None

    async def __aenter__(self) -> Self:
        """Be ready; no process is started yet."""
        if self._turns is not None:
            raise RuntimeError("these workers run already; make others for another event loop")
        self._turns = FairTurns(self._count)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every worker, also those that compute."""
        self._turns = None
        self._idle.clear()
        for worker in [*self._all]:
            await self._end(worker)

    @property
    def _running(self) -> bool:
        return self._turns is not None

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that there are now, in order."""
        return sorted(worker.pid for worker in self._all if worker.running)

    @property
    def computing(self) -> int:
        """How many calls are computed now."""
        return 0 if self._turns is None else self._turns.taken

    @property
    def waiting(self) -> int:
        """How many calls wait their turn."""
        return 0 if self._turns is None else self._turns.waiting

    async def __call__(self, function: Callable[[], T], *, tenant: str = "") -> T:
        """Run a function of no arguments and give what it returns, or raise what it raises.

        Args:
            function: What is run.
            tenant: For whom: where calls wait, tenants take turns.

        Raises:
            LimitExceededError: It took more memory than a worker may have.
            ToolTimeoutError: It took longer than a call may be computed.
            UnavailableError: The workers are not running, or the process was killed.
            WorkerCrashError: The process crashed.
            TypeError: The function, an argument or the result cannot be moved between processes.
        """
        if self._turns is None:
            raise _closed()
        call, answer = pack_function(function), None
        async with self._turns.turn(tenant):
            with anyio.move_on_after(self._deadline_s):
                answer = await self._computed(call)
        if answer is None:
            raise ToolTimeoutError(
                f"computing took longer than {self._deadline_s:g} s and was stopped",
                hint="ask for less, or have the deadline of a computation raised",
            )
        kind, payload = answer
        if kind == MEMORY:
            raise LimitExceededError(
                f"computing took more memory than the {self._memory_bytes} bytes that there are "
                "for it",
                hint="ask for less: a lower order, fewer variables or fewer points",
            )
        if kind == ERROR:
            raise error_of(payload)
        return cast("T", moved(payload))

    async def _computed(self, call: bytes) -> tuple[bytes, bytes]:
        # The worker that was used last: what a call needs is most likely still at hand in it.
        while self._idle:
            worker = self._idle.pop()
            try:
                return await self._answered(worker, call)
            except WorkerEndedError as error:
                # One that had ended while nobody asked anything of it is no failure of this call.
                if error.heard:
                    raise _ended(error) from error
        if not self._running:
            raise _closed()
        worker = await self._started()
        try:
            return await self._answered(worker, call)
        except WorkerEndedError as error:
            raise _ended(error) from error

    async def _answered(self, worker: WorkerProcess, call: bytes) -> tuple[bytes, bytes]:
        is_free = False
        try:
            kind, payload, spent = await worker.answer(call)
            is_free = self._running and not spent
        finally:
            if is_free:
                self._idle.append(worker)
            else:
                await self._end(worker)
        return kind, payload

    async def _started(self) -> WorkerProcess:
        try:
            # A process that is only half started could not be ended.
            with anyio.CancelScope(shield=True):
                self._all.add(worker := await WorkerProcess.start(self._memory_bytes))
                return worker
        except OSError as error:
            raise UnavailableError(
                f"no worker process can be started: {error.strerror}", hint="try again later"
            ) from error
        raise AssertionError("a shield is not cancelled")  # pragma: no cover -- it is not

    async def _end(self, worker: WorkerProcess) -> None:
        await worker.end()
        self._all.discard(worker)


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _closed() -> UnavailableError:
    return UnavailableError(
        "nothing is computed any more, or not yet: the workers are not running",
        hint="try again once the service runs",
    )


def _ended(error: WorkerEndedError) -> TercetError:
    if error.exit_code == _KILLED:
        return UnavailableError(
            "the process that computed the call was killed from outside",
            hint="try again; if it happens again ask for less, the machine may be short of memory",
        )
    return WorkerCrashError(f"a worker process crashed while it computed: {error.cause}")
