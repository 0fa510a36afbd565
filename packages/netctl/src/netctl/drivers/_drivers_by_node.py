"""Equipment of several sorts under one controller: each node has the driver of its sort."""

from collections.abc import Mapping, Sequence

from netctl._driver import Acknowledgement, Driver, PredictingDriver, Reading, Setting
from netctl._errors import DriverError
from netctl._inventory import Node

__all__ = ["DriversByNode"]


class DriversByNode:
    """A driver that hands each node on to the driver that speaks to it.

    Args:
        drivers: The driver of each node, by node id. Drivers that tell of nodes unasked
            (`WatchingDriver`) are asked like all others, and not watched.
    """

    def __init__(self, drivers: Mapping[int, Driver]) -> None:
        self._drivers = dict(drivers)

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """The drivers, each once."""
        return tuple({id(driver): driver for driver in self._drivers.values()}.values())

    def has(self, node_id: int, driver: Driver) -> bool:
        """Whether a node has that driver."""
        return self._drivers.get(node_id) is driver

    def of(self, node: Node) -> Driver:
        """The driver of a node.

        Raises:
            DriverError: If it has none.
        """
        driver = self._drivers.get(node.node_id)
        if driver is None:
            raise DriverError(
                f"node {node.node_id} has no driver", hint="give DriversByNode one for it"
            )
        return driver

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures now."""
        return await self.of(node).read(node)

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change one resource."""
        return await self.of(node).apply(node, setting)

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change; nothing where its driver cannot tell."""
        driver = self.of(node)
        return await driver.predict(node, setting) if isinstance(driver, PredictingDriver) else {}
