"""Stage 5, arbitration: of the commands for one resource, one at a time."""

from bisect import insort
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

import anyio

from netctl._outcome import CommandRequest
from netctl._pipeline._limits import Target

__all__ = ["Arbiter", "SerialArbiter"]


class Arbiter(Protocol):
    """Decides who may set a resource, and when."""

    def claim(self, request: CommandRequest, target: Target) -> AbstractAsyncContextManager[None]:
        """Hold the resource; or raise `CommandRefusedError` to say who holds it."""
        ...


@dataclass(order=True, slots=True)
class _Waiter:
    rank: int
    ticket: int
    turn: anyio.Event = field(compare=False)


class SerialArbiter:
    """One command at a time for each resource; who waits with the highest priority is next.

    Equal priorities are served in the order in which they came.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, str], list[_Waiter]] = {}
        self._tickets = count()

    @asynccontextmanager
    async def claim(self, request: CommandRequest, target: Target) -> AsyncGenerator[None, None]:
        """Wait for the resource's turn, and hold it."""
        await self._acquire(target.key, -request.priority)
        try:
            yield
        finally:
            self._release(target.key)

    async def _acquire(self, key: tuple[int, str], rank: int) -> None:
        if key not in self._waiting:
            self._waiting[key] = []
            return
        waiter = _Waiter(rank=rank, ticket=next(self._tickets), turn=anyio.Event())
        insort(self._waiting[key], waiter)
        try:
            await waiter.turn.wait()
        except BaseException:
            if waiter.turn.is_set():
                self._release(key)
            else:
                self._waiting[key].remove(waiter)
            raise

    def _release(self, key: tuple[int, str]) -> None:
        # The key stays while the next one holds it, so that the table only has busy resources.
        if self._waiting[key]:
            self._waiting[key].pop(0).turn.set()
        else:
            del self._waiting[key]
