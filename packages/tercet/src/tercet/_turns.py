"""Whose turn it is: a few places, and many who want one, of which some ask more than others."""

from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel

__all__ = ["FairTurns"]


class FairTurns:
    """Gives places to tenants in rotation, and to the calls of one tenant in their order.

    Args:
        places: How many there are.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._taken = 0
        # The tenant whose turn is next comes first; each has calls that wait.
        self._waiting: OrderedDict[str, deque[anyio.Event]] = OrderedDict()

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return self._taken

    @property
    def waiting(self) -> int:
        """How many calls wait for one."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, tenant: str) -> AsyncGenerator[None, None]:
        """Have a place for the length of a block, after a wait where there is none."""
        # A call that is gone already takes no place: what would serve it may serve the next.
        await anyio.lowlevel.checkpoint_if_cancelled()
        if self._free:
            self._free -= 1
        else:
            await self._wait(tenant)
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._pass_on()

    async def _wait(self, tenant: str) -> None:
        called = anyio.Event()
        self._waiting.setdefault(tenant, deque()).append(called)
        try:
            await called.wait()
        except BaseException:
            if called.is_set():
                # The place was given to a call that is gone.
                self._pass_on()
            else:
                self._forget(tenant, called)
            raise

    def _pass_on(self) -> None:
        """Give a place that has become free to the tenant whose turn it is."""
        if not self._waiting:
            self._free += 1
            return
        tenant, calls = self._waiting.popitem(last=False)
        calls.popleft().set()
        if calls:
            self._waiting[tenant] = calls

    def _forget(self, tenant: str, called: anyio.Event) -> None:
        calls = self._waiting[tenant]
        calls.remove(called)
        if not calls:
            del self._waiting[tenant]
