"""A lock that costs little where nobody else wants it, which is nearly always."""

from types import TracebackType

import anyio

__all__ = ["Mutex"]


class Mutex:
    """One task at a time, in the order of coming.

    Unlike `anyio.Lock`, taking it while it is free is no place where a task is cancelled: use it
    where something that can be cancelled follows, or where nothing may be.
    """

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = anyio.Lock(fast_acquire=True)

    def locked(self) -> bool:
        """Whether somebody has it."""
        return self._lock.locked()

    async def __aenter__(self) -> None:
        try:
            self._lock.acquire_nowait()
        except anyio.WouldBlock:
            await self._lock.acquire()

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._lock.release()
