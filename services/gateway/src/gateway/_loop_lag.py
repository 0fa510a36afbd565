"""How late the event loop is with what is due: what holds up every request at once."""

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

__all__ = ["LoopLag"]

_PERIOD_S = 0.5
_SAMPLES = 60


class LoopLag:
    """Asks to be woken again and again, and notes how much later it was.

    Args:
        period_s: After which time it asks to be woken.
        clock: A steady clock, in seconds.
        sleep: Waits for so many seconds.
    """

    def __init__(
        self,
        *,
        period_s: float = _PERIOD_S,
        clock: Callable[[], float] = anyio.current_time,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._period_s = period_s
        self._clock = clock
        self._sleep = sleep
        self._lags_s: deque[float] = deque(maxlen=_SAMPLES)

    @property
    def samples(self) -> int:
        """How many times were measured that still count."""
        return len(self._lags_s)

    @property
    def most_s(self) -> float:
        """The most of about the last half minute, in seconds; 0 before anything was measured.

        Who reads it now and then would miss, of the last time alone, nearly all that happens.
        """
        return max(self._lags_s, default=0.0)

    @asynccontextmanager
    async def watching(self) -> AsyncGenerator[None, None]:
        """Measure for the length of a block."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch)
            yield
            tasks.cancel_scope.cancel()

    async def _watch(self) -> None:
        while True:
            due_s = self._clock() + self._period_s
            await self._sleep(self._period_s)
            self._lags_s.append(max(0.0, self._clock() - due_s))
