"""How much each tenant may ask of the gateway, so that none can exhaust what the others need."""

import math
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio
from pydantic import BaseModel, ConfigDict, Field

__all__ = ["TenantGate", "TenantLimits", "TooMuchError"]


class TenantLimits(BaseModel):
    """What one tenant may ask for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls_per_minute: int = Field(
        default=600, ge=1, description="Also how many at once after rest."
    )
    calls_at_once: int = Field(default=16, ge=1, description="How many may run.")
    calls_waiting: int = Field(default=32, ge=0, description="How many may wait for their turn.")
    wait_s: float = Field(
        default=5.0, ge=0, allow_inf_nan=False, description="How long one waits, in seconds."
    )
    streams: int = Field(default=20, ge=1, description="How many streams of events.")


class TooMuchError(Exception):
    """A tenant asks for more than it may.

    Attributes:
        retry_after_s: When it is worth trying again, in whole seconds.
    """

    def __init__(self, message: str, *, retry_after_s: float) -> None:
        super().__init__(message)
        self.retry_after_s = max(1, math.ceil(retry_after_s))


@dataclass(slots=True)
class _Use:
    """What one tenant uses now."""

    slots: anyio.Semaphore
    allowance: float
    counted_at_s: float
    waiting: int = 0
    streams: int = 0


class TenantGate:
    """Counts what the tenants of one process use.

    It remembers every tenant that it ever let in: those that tokens name.

    Args:
        limits: What each may use.
        clock: A steady clock, in seconds.
    """

    def __init__(
        self, limits: TenantLimits, *, clock: Callable[[], float] = anyio.current_time
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._uses: dict[str, _Use] = {}

    @asynccontextmanager
    async def call(self, tenant: str) -> AsyncGenerator[None, None]:
        """Let a call of a tenant in, possibly after a wait, for the length of a block.

        Raises:
            TooMuchError: It comes too often, or too many wait already or for too long.
        """
        use = self._use(tenant)
        self._spend(use)
        try:
            use.slots.acquire_nowait()
        except anyio.WouldBlock:
            await self._wait(use)
        try:
            yield
        finally:
            use.slots.release()

    @contextmanager
    def stream(self, tenant: str) -> Generator[None, None, None]:
        """Let a stream of a tenant in for the length of a block.

        Raises:
            TooMuchError: It comes too often, or the tenant has as many as it may.
        """
        use = self._use(tenant)
        self._spend(use)
        if use.streams >= self._limits.streams:
            raise TooMuchError(
                f"this tenant has {self._limits.streams} streams of events; end one first",
                retry_after_s=self._limits.wait_s,
            )
        use.streams += 1
        try:
            yield
        finally:
            use.streams -= 1

    def _use(self, tenant: str) -> _Use:
        if tenant not in self._uses:
            self._uses[tenant] = _Use(
                slots=anyio.Semaphore(self._limits.calls_at_once),
                allowance=float(self._limits.calls_per_minute),
                counted_at_s=self._clock(),
            )
        return self._uses[tenant]

    def _spend(self, use: _Use) -> None:
        now_s, per_minute = self._clock(), self._limits.calls_per_minute
        refill = (now_s - use.counted_at_s) * per_minute / 60.0
        use.allowance = min(float(per_minute), use.allowance + refill)
        use.counted_at_s = now_s
        # The slack keeps a call that is due from being refused by rounding.
        if use.allowance < 1.0 - 1e-9:
            raise TooMuchError(
                f"this tenant may make {per_minute} calls a minute",
                retry_after_s=(1.0 - use.allowance) * 60.0 / per_minute,
            )
        use.allowance -= 1.0

    async def _wait(self, use: _Use) -> None:
        limits = self._limits
        if use.waiting < limits.calls_waiting:
            use.waiting += 1
            try:
                with anyio.move_on_after(limits.wait_s):
                    await use.slots.acquire()
                    return
            finally:
                use.waiting -= 1
        raise TooMuchError(
            f"{limits.calls_at_once} calls of this tenant run already, and no more can wait",
            retry_after_s=limits.wait_s,
        )
