"""One worker process, from the side of who asks it."""

import signal
from contextlib import suppress

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream

from tercet import _worker
from tercet._worker import HEADER, HEARD, LENGTH

__all__ = ["WorkerEndedError", "WorkerProcess"]

_GONE = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.IncompleteRead)
# How long a process may take to end whose pipe is closed, in seconds.
_LAST_WORDS_S = 1.0


class WorkerEndedError(Exception):
    """The process ended before it answered.

    Attributes:
        heard: It had got the call; where not, nothing of it was done.
        exit_code: What it ended with; minus the number of the signal that killed it.
    """

    def __init__(self, *, heard: bool, exit_code: int) -> None:
        super().__init__(f"a worker process ended with {exit_code}")
        self.heard = heard
        self.exit_code = exit_code

    @property
    def cause(self) -> str:
        """What ended it, in words."""
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        try:
            return signal.Signals(-self.exit_code).name
        except ValueError:
            return f"signal {-self.exit_code}"


class WorkerProcess:
    """A process that computes one call at a time."""

    def __init__(self, process: Process, calls: ByteSendStream, answers: ByteReceiveStream) -> None:
        self._process = process
        self._calls = calls
        self._answers = BufferedByteReceiveStream(answers)

    @classmethod
    async def start(cls, memory_bytes: int) -> "WorkerProcess":
        """Start one; it takes its first call at once, and imports what it needs meanwhile.

        Raises:
            OSError: The system starts no more processes.
        """
        # Standard error is shared, so that what a worker has to say is seen.
        process = await anyio.open_process(_worker.command(memory_bytes), stderr=None)
        assert process.stdin is not None  # noqa: S101 -- pipes are the default
        assert process.stdout is not None  # noqa: S101 -- likewise
        return cls(process, process.stdin, process.stdout)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it was running when last heard of."""
        return self._process.returncode is None

    async def answer(self, call: bytes) -> tuple[bytes, bytes, bool]:
        """Have a call computed: what kind of answer, the answer, and whether the worker then ends.

        Raises:
            WorkerEndedError: The process ended first.
        """
        heard = False
        # A call that is too large is answered before it was taken whole: that answer counts.
        with suppress(*_GONE):
            await self._calls.send(LENGTH.pack(len(call)))
            await self._calls.send(call)
        try:
            while True:
                header = await self._answers.receive_exactly(HEADER.size)
                kind, spent, size = HEADER.unpack(header)
                if kind != HEARD:
                    return kind, await self._answers.receive_exactly(size), spent
                heard = True
        except _GONE as error:
            await self.end(kill=False)
            raise WorkerEndedError(heard=heard, exit_code=self._process.returncode or 0) from error

    async def end(self, *, kill: bool = True) -> None:
        """See the process off: when this returns, it computes nothing any more.

        Args:
            kill: At once; where not, its pipe is closed already, and its exit code is wanted.
        """
        with anyio.CancelScope(shield=True):
            if kill:
                with suppress(ProcessLookupError):
                    self._process.kill()
            else:
                with anyio.move_on_after(_LAST_WORDS_S):
                    await self._process.wait()
                if self.running:
                    await self.end()
                    return
            await self._process.wait()
            with suppress(OSError):
                await self._process.aclose()
