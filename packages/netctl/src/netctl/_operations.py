"""Calls of in-loop operations: queued, then executed exactly once or provably never."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio

from netctl._clock import Clock
from netctl._declaration import OperationDeclaration
from netctl._errors import NetctlError, OperationTimeoutError, QueueFullError

__all__ = ["OperationCall", "OperationQueue", "OperationReply"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReply:
    """What an operation answered.

    Attributes:
        result: A JSON value.
        request_id: The name of the call, also in the log.
    """

    result: Any
    request_id: str

    def to_dict(self) -> dict[str, Any]:
        """The documented reply."""
        return {"result": self.result, "request_id": self.request_id}


@dataclass(eq=False, slots=True, kw_only=True)
class OperationCall:
    """One call on its way: the caller waits, the loop executes.

    Attributes:
        operation: What is called.
        arguments: Arguments that fit its schema.
        request_id: The call's name.
        scope: What the loop executes it in; cancelled when the caller gives up.
        given_up: Why its caller no longer waits, once it does not.
        ended: Set when it has a result or an error, and nothing of it runs any more.
    """

    operation: OperationDeclaration
    arguments: Mapping[str, Any]
    request_id: str
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    given_up: NetctlError | None = None
    ended: anyio.Event = field(default_factory=anyio.Event)
    phase: Literal["queued", "started", "ended"] = "queued"
    result: Any = None
    error: NetctlError | None = None

    def succeed(self, result: Any) -> None:
        """End the call with a result."""
        self.result = result
        self._end()

    def fail(self, error: NetctlError) -> None:
        """End the call with an error; one that has ended stays as it is."""
        if self.phase != "ended":
            self.error = error
            self._end()

    def _end(self) -> None:
        self.phase = "ended"
        self.ended.set()


class OperationQueue:
    """The calls that wait for an app's loop, oldest first.

    Args:
        clock: Measures timeouts.
        most: How many may wait at the same time.
    """

    def __init__(self, clock: Clock, *, most: int = 100) -> None:
        self._clock = clock
        self._most = most
        self._calls: deque[OperationCall] = deque()

    def __len__(self) -> int:
        return len(self._calls)

    def append(self, call: OperationCall) -> None:
        """Queue a call.

        Raises:
            QueueFullError: If too many wait already.
        """
        if len(self._calls) >= self._most:
            raise QueueFullError(
                f"{len(self._calls)} operations wait for the app's loop",
                hint="try again when some have ended",
            )
        self._calls.append(call)

    def start_next(self) -> OperationCall | None:
        """The oldest call, now started, if any waits."""
        if not self._calls:
            return None
        call = self._calls.popleft()
        call.phase = "started"
        return call

    def fail_all(self, error: NetctlError) -> None:
        """End every call that waits."""
        while self._calls:
            self._calls.popleft().fail(error)

    async def wait(self, call: OperationCall, *, timeout_s: float) -> OperationReply:
        """Wait for a call to end.

        However waiting ends, the call has then ended too: what was still queued is removed, what
        was being executed is cancelled and has stopped.

        Raises:
            OperationTimeoutError: If it did not end in time.
            NetctlError: If it ended with an error.
        """
        try:
            with self._clock.move_on_after(timeout_s):
                await call.ended.wait()
        finally:
            if call.phase != "ended":
                await self._withdraw(call, timeout_s)
        if call.error is not None:
            raise call.error
        return OperationReply(result=call.result, request_id=call.request_id)

    async def _withdraw(self, call: OperationCall, timeout_s: float) -> None:
        call.given_up = OperationTimeoutError(
            f"Timeout waiting for operation {call.operation.name!r} "
            f"(request_id={call.request_id}, timeout={timeout_s:g}s).",
            hint="nothing of it will execute later; read the state, then try again",
        )
        if call.phase == "queued":
            self._calls.remove(call)
            call.fail(call.given_up)
        else:
            call.scope.cancel()
            # It ends at its next await, or once a command that it has sent is answered.
            with anyio.CancelScope(shield=True):
                await call.ended.wait()
