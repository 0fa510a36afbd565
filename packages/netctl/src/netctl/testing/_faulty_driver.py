"""A driver that wraps another and fails as a test wants it to."""

from collections.abc import Container, Mapping, Sequence
from typing import Literal

import anyio

from netctl._driver import Acknowledgement, Driver, PredictingDriver, Reading, Setting
from netctl._errors import DriverError
from netctl._inventory import Node

__all__ = ["Fault", "FaultyDriver"]

Fault = Literal["unreachable", "silent", "crash", "refuse", "ignore"]
"""unreachable: says that the node is not there. silent: never answers. crash: raises what no driver
should. refuse: the node says no. ignore: the node says yes and does nothing."""


class FaultyDriver:
    """A driver whose reads and changes can be made to fail.

    Attributes:
        read_fault: How reads fail; None: they do not. `refuse` and `ignore` have no effect here.
        apply_fault: How changes fail; None: they do not.
        faulty_nodes: The nodes that fail; None: all of them.
        gate: While it is an event, changes wait for it before they reach the node.
        waiting: Set when a change has begun to wait for the gate.
        reads: The nodes that were read, in order.
        applied: The changes that reached a node and were taken, with the node.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.read_fault: Fault | None = None
        self.apply_fault: Fault | None = None
        self.faulty_nodes: Container[int] | None = None
        self.gate: anyio.Event | None = None
        self.waiting = anyio.Event()
        self.reads: list[int] = []
        self.applied: list[tuple[int, Setting]] = []

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures, unless reads fail."""
        self.reads.append(node.node_id)
        await self._fail(self._fault(self.read_fault, node), node)
        return await self._driver.read(node)

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change a resource, unless changes fail."""
        if self.gate is not None:
            self.waiting.set()
            await self.gate.wait()
        fault = self._fault(self.apply_fault, node)
        await self._fail(fault, node)
        if fault == "refuse":
            return Acknowledgement(accepted=False, message="not today")
        if fault == "ignore":
            return Acknowledgement(accepted=True)
        self.applied.append((node.node_id, setting))
        return await self._driver.apply(node, setting)

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure, unless reads fail or the driver within cannot tell."""
        await self._fail(self._fault(self.read_fault, node), node)
        if isinstance(self._driver, PredictingDriver):
            return await self._driver.predict(node, setting)
        raise DriverError(f"the driver of node {node.node_id} cannot predict")

    def _fault(self, fault: Fault | None, node: Node) -> Fault | None:
        healthy = self.faulty_nodes is not None and node.node_id not in self.faulty_nodes
        return None if healthy else fault

    @staticmethod
    async def _fail(fault: Fault | None, node: Node) -> None:
        match fault:
            case "unreachable":
                raise DriverError(f"node {node.node_id} is unreachable")
            case "silent":
                await anyio.sleep_forever()
            case "crash":
                raise KeyError("a bug in the driver")
            case _:
                pass
