"""Reads every node once in a while, each in a task of its own."""

from collections.abc import Iterable

import anyio
from anyio.abc import TaskGroup

from netctl._clock import Clock
from netctl._equipment import Equipment
from netctl._errors import DeclarationError

__all__ = ["Poller", "check_period"]


class Poller:
    """Reads nodes, so that there are readings before anybody asks.

    Args:
        equipment: The way to the nodes.
        clock: Measures the period.
        period_s: How often each node is read.
    """

    def __init__(self, equipment: Equipment, clock: Clock, period_s: float) -> None:
        self._equipment = equipment
        self._clock = clock
        self._period_s = period_s
        self._group: TaskGroup | None = None
        self._lives: dict[int, anyio.CancelScope] = {}

    def enter(self, group: TaskGroup, node_ids: Iterable[int]) -> None:
        """Read nodes from now on, in a group."""
        self._group = group
        self.follow(node_ids)

    def leave(self) -> None:
        """Begin to read no more nodes: the group is going to end."""
        self._group = None
        self._lives.clear()

    def follow(self, node_ids: Iterable[int]) -> None:
        """Read these nodes and no others: who is read already goes on in its period."""
        if self._group is None:
            return
        wanted = tuple(node_ids)
        for node_id in self._lives.keys() - wanted:
            self._lives.pop(node_id).cancel()
        for node_id in wanted:
            if node_id not in self._lives:
                life = self._lives[node_id] = anyio.CancelScope()
                self._group.start_soon(self._run, node_id, life)

    async def _run(self, node_id: int, life: anyio.CancelScope) -> None:
        """Read one node for ever: a slow node slows nobody else."""
        with life:
            # It may have gone in the moment in which its period was over.
            while self._lives.get(node_id) is life:
                await self._equipment.try_read(node_id)
                await self._clock.sleep(self._period_s)


def check_period(name: str, seconds: float) -> None:
    """See that a period or a timeout is above 0.

    Raises:
        DeclarationError: If it is not.
    """
    if not seconds > 0:
        raise DeclarationError(
            f"{name} is {seconds!r}, not above 0", hint="give a number of seconds"
        )
