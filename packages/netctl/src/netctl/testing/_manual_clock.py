"""A clock that only a test moves."""

from collections.abc import Generator
from contextlib import contextmanager

import anyio
import anyio.lowlevel

__all__ = ["ManualClock"]

# Enough turns for tasks that wake each other to come to rest, as a rule; the rest is waited for.
_TURNS = 50


class ManualClock:
    """A clock that stands still until `advance` moves it.

    Args:
        start_s: The time of day at the start, in seconds since 1970 (UTC).
    """

    def __init__(self, start_s: float = 1_800_000_000.0) -> None:
        self._start_s = start_s
        self._elapsed_s = 0.0
        self._timers: list[tuple[float, anyio.CancelScope]] = []

    def now(self) -> float:
        """The time of day, in seconds since 1970 (UTC)."""
        return self._start_s + self._elapsed_s

    def monotonic(self) -> float:
        """Seconds since the clock was made."""
        return self._elapsed_s

    @contextmanager
    def move_on_after(self, delay_s: float) -> Generator[anyio.CancelScope, None, None]:
        """A scope that is cancelled when `advance` has moved the clock so far."""
        scope = anyio.CancelScope()
        timer = (self._elapsed_s + delay_s, scope)
        if delay_s <= 0:
            scope.cancel()
        self._timers.append(timer)
        try:
            with scope:
                yield scope
        finally:
            self._timers.remove(timer)

    async def sleep(self, delay_s: float) -> None:
        """Wait until `advance` has moved the clock so far."""
        with self.move_on_after(delay_s):
            await anyio.sleep_forever()

    async def advance(self, seconds: float) -> None:
        """Move the clock, through every timer on the way, and let the tasks come to rest."""
        target_s = self._elapsed_s + seconds
        await self.settle()
        while due := [timer for timer in self._timers if self._is_due(timer, target_s)]:
            deadline_s = min(deadline_s for deadline_s, _ in due)
            self._elapsed_s = max(self._elapsed_s, deadline_s)
            for timer_s, scope in due:
                if timer_s == deadline_s:
                    scope.cancel()
            await self.settle()
        self._elapsed_s = target_s
        await self.settle()

    async def settle(self) -> None:
        """Let all tasks run until each waits for something."""
        for _ in range(_TURNS):
            await anyio.lowlevel.checkpoint()
        await anyio.wait_all_tasks_blocked()

    @staticmethod
    def _is_due(timer: tuple[float, anyio.CancelScope], target_s: float) -> bool:
        deadline_s, scope = timer
        return deadline_s <= target_s and not scope.cancel_called
