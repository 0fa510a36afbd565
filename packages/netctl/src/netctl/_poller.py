"""Reads every node once in a while, each in a task of its own."""

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

    async def run(self, node_id: int) -> None:
        """Read one node for ever: a slow node slows nobody else."""
        while True:
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
