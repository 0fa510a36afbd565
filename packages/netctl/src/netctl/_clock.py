"""Time as a value: periods and timeouts that a test can drive."""

import time
from contextlib import AbstractContextManager
from typing import Protocol

import anyio

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """What the controller knows of time."""

    def now(self) -> float:
        """The time of day, in seconds since 1970 (UTC): for timestamps."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump: for ages and periods."""
        ...

    def move_on_after(self, delay_s: float) -> AbstractContextManager[anyio.CancelScope]:
        """A scope that is cancelled when so many seconds have passed inside it."""
        ...

    async def sleep(self, delay_s: float) -> None:
        """Wait for so many seconds."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """The time of day, in seconds since 1970 (UTC)."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    def move_on_after(self, delay_s: float) -> AbstractContextManager[anyio.CancelScope]:
        """A scope that is cancelled when so many seconds have passed inside it."""
        return anyio.move_on_after(delay_s)

    async def sleep(self, delay_s: float) -> None:
        """Wait for so many seconds."""
        await anyio.sleep(delay_s)
