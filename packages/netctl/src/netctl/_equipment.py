"""The one way to the equipment: bounded in time, one read at a time for each node."""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar, cast

import anyio

from netctl._clock import Clock
from netctl._driver import Acknowledgement, Driver, PredictingDriver, Setting
from netctl._errors import DriverError, DriverTimeoutError
from netctl._inventory import Inventory, Node
from netctl._log import get_logger
from netctl._measurement_store import MeasurementStore
from netctl._number import is_finite_number

__all__ = ["Equipment"]

_log = get_logger("netctl.equipment")
T = TypeVar("T")


class Equipment:
    """The nodes of an inventory, through a driver that is not trusted.

    Whatever a driver does, its caller gets an answer or a `DriverError` within the timeout.

    Args:
        inventory: The nodes.
        driver: Speaks to them.
        store: Keeps what is read.
        clock: Measures the timeout.
        timeout_s: How long a node may take to answer.
    """

    def __init__(
        self,
        inventory: Inventory,
        driver: Driver,
        store: MeasurementStore,
        clock: Clock,
        *,
        timeout_s: float,
    ) -> None:
        self._inventory = inventory
        self._driver = driver
        self._store = store
        self._clock = clock
        self._timeout_s = timeout_s
        # Overlapping reads could store an older sample over a newer one.
        self._reading = {node_id: anyio.Lock() for node_id in inventory.node_ids}
        self._failures: dict[int, int] = dict.fromkeys(inventory.node_ids, 0)

    @property
    def failures(self) -> dict[int, int]:
        """How often each node could not be read, so far."""
        return dict(self._failures)

    async def read(self, node: Node) -> None:
        """Read a node now, into the store.

        Raises:
            DriverError: If it could not be read in time.
        """
        async with self._reading[node.node_id]:
            try:
                readings = await self._bounded(node, "read", lambda: self._driver.read(node))
            except DriverError:
                self._failures[node.node_id] += 1
                raise
            self._store.record(node.node_id, readings)

    async def try_read(self, node_id: int) -> None:
        """Read one node; if it cannot be read, it keeps its last readings."""
        node = self._inventory.node(node_id)
        try:
            await self.read(node)
        except DriverError as error:
            _log.warning("node not read", node_id=node.node_id, error=str(error))

    async def refresh(self, node_ids: Iterable[int]) -> None:
        """Read several nodes at the same time; what cannot be read keeps its last readings."""
        async with anyio.create_task_group() as group:
            for node_id in node_ids:
                group.start_soon(self.try_read, node_id)

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change a resource of a node, and hear what the node says.

        Raises:
            DriverError: If the node could not be reached, or its answer is none.
            DriverTimeoutError: If it did not answer in time.
        """
        answer = cast(
            "object", await self._bounded(node, "apply", lambda: self._driver.apply(node, setting))
        )
        if not isinstance(answer, Acknowledgement):
            raise DriverError(f"node {node.node_id} answered a change with {answer!r:.80}")
        return answer

    async def predict(self, node: Node, setting: Setting) -> dict[str, float] | None:
        """What a node would measure after a change; None: its driver cannot tell."""
        driver = self._driver
        if not isinstance(driver, PredictingDriver):
            return None
        try:
            told = await self._bounded(node, "predict", lambda: driver.predict(node, setting))
        except DriverError as error:
            _log.warning("change not predicted", node_id=node.node_id, error=str(error))
            return None
        return {name: told[name] for name in node.metrics if is_finite_number(told.get(name))}

    async def _bounded(
        self, node: Node, what: str, call: Callable[[], Coroutine[Any, Any, T]]
    ) -> T:
        with self._clock.move_on_after(self._timeout_s):
            try:
                return await call()
            except DriverError:
                raise
            # A driver is foreign code: whatever it raises means that the node was not reached.
            except Exception as error:
                _log.exception("driver failed", node_id=node.node_id, what=what)
                raise DriverError(
                    f"the driver failed to {what} node {node.node_id}",
                    hint="the log has the driver's own error",
                ) from error
        raise DriverTimeoutError(
            f"node {node.node_id} did not answer within {self._timeout_s:g} s",
            hint="check that the node is reachable",
        )
