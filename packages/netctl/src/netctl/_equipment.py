"""The one way to the equipment: bounded in time, one read at a time for each node."""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard, TypeVar, cast

import anyio

from netctl._clock import Clock
from netctl._driver import (
    Acknowledgement,
    Driver,
    NetworkListener,
    PredictingDriver,
    Setting,
    WatchingDriver,
)
from netctl._errors import DriverError, DriverTimeoutError
from netctl._inventory import Inventory, Node
from netctl._log import get_logger
from netctl._measurement_store import MeasurementStore
from netctl._mutex import Mutex
from netctl._number import is_finite_number
from netctl._words import short_words

__all__ = ["Equipment"]

_log = get_logger("netctl.equipment")
T = TypeVar("T")


@dataclass(eq=False, slots=True)
class _Turn:
    """A read that has not begun: who comes until then shares it.

    Attributes:
        done: Set when it is over; without a sequence and an error, who was to read gave up.
        sequence: The number of its sample.
        error: Why there is none.
    """

    done: anyio.Event = field(default_factory=anyio.Event)
    sequence: int | None = None
    error: DriverError | None = None


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
        self._reading = {node_id: Mutex() for node_id in inventory.node_ids}
        # Of each node, the read that waits for the one that is under way.
        self._turns: dict[int, _Turn] = {}
        self._failures: dict[int, int] = dict.fromkeys(inventory.node_ids, 0)
        # How often nodes and driver were exchanged: what was asked before is not told after it.
        self._exchanges = 0
        self._watching: anyio.CancelScope | None = None

    @property
    def driver(self) -> Driver:
        """What speaks to the nodes now."""
        return self._driver

    def exchange(self, inventory: Inventory, driver: Driver) -> Callable[[], None]:
        """Speak to another inventory's nodes, through a driver; returns how to undo this.

        Only pollers may be reading; what they are told by the former driver is left out.
        """
        former = self._inventory, self._driver, self._reading, self._failures
        node_ids = inventory.node_ids
        self._set(
            inventory,
            driver,
            {node_id: self._reading.get(node_id) or Mutex() for node_id in node_ids},
            {node_id: self._failures.get(node_id, 0) for node_id in node_ids},
        )
        return lambda: self._set(*former)

    def _set(
        self,
        inventory: Inventory,
        driver: Driver,
        reading: dict[int, Mutex],
        failures: dict[int, int],
    ) -> None:
        watched, self._driver = self._driver, driver
        self._inventory, self._reading, self._failures = inventory, reading, failures
        self._exchanges += 1
        if watched is not driver and self._watching is not None:
            self._watching.cancel()

    @property
    def failures(self) -> dict[int, int]:
        """How often each node could not be read, so far."""
        return dict(self._failures)

    async def read(self, node: Node) -> int:
        """Read a node now, into the store, and give the number of its sample; 0: it told nothing.

        Raises:
            DriverError: If it could not be read in time.
        """
        reading = self._reading[node.node_id]
        if not reading.locked():
            async with reading:
                return await self._take(node)
        while (turn := self._turns.get(node.node_id)) is not None:
            # Its read has not begun, so that what it tells is news to this caller as well: however
            # many ask a slow node, they wait for two reads at the most.
            await turn.done.wait()
            if turn.error is not None:
                raise turn.error
            if turn.sequence is not None:
                return turn.sequence
        turn = self._turns[node.node_id] = _Turn()
        try:
            async with reading:
                del self._turns[node.node_id]
                turn.sequence = await self._take(node)
                return turn.sequence
        except DriverError as error:
            turn.error = error
            raise
        finally:
            if self._turns.get(node.node_id) is turn:
                del self._turns[node.node_id]
            turn.done.set()

    async def _take(self, node: Node) -> int:
        exchanges = self._exchanges
        try:
            readings = await self._bounded(node, "read", lambda: self._read(node))
        except DriverError:
            if exchanges == self._exchanges:
                self._failures[node.node_id] += 1
            raise
        # Of a node as it was before a reload, and perhaps is no more.
        return self._store.record(node.node_id, readings) if exchanges == self._exchanges else 0

    async def _read(self, node: Node) -> list[Any]:
        answer = cast("object", await self._driver.read(node))
        # Looked through here, where what a driver raises is a failed read.
        return list(cast("Iterable[Any]", answer)) if isinstance(answer, Iterable) else [answer]

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

    async def watch(self, listener: NetworkListener) -> None:
        """Have a driver that can tell of nodes and samples unasked, for ever."""
        while True:
            with anyio.CancelScope() as self._watching:
                await self._watch(self._driver, listener)

    async def _watch(self, driver: Driver, listener: NetworkListener) -> None:
        while isinstance(driver, WatchingDriver):
            try:
                await driver.watch(listener)
            # As everywhere here: a driver's crash must not reach the controller.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("driver failed", what="watch")
            await self._clock.sleep(self._timeout_s)
        await anyio.sleep_forever()

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change a resource of a node, and hear what the node says.

        Raises:
            DriverError: If the node could not be reached, or its answer is none.
            DriverTimeoutError: If it did not answer in time.
        """
        answer = cast(
            "object", await self._bounded(node, "apply", lambda: self._driver.apply(node, setting))
        )
        if not _is_acknowledgement(answer):
            raise DriverError(f"node {node.node_id} answered a change with {short_words(answer)}")
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
        if not isinstance(cast("object", told), Mapping):
            _log.warning("change not predicted", node_id=node.node_id, error=short_words(told))
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


def _is_acknowledgement(answer: object) -> TypeGuard[Acknowledgement]:
    """Whether it is a clear yes or no: what is neither must not pass for a yes."""
    if not isinstance(answer, Acknowledgement):
        return False
    accepted, message = cast("object", answer.accepted), cast("object", answer.message)
    return isinstance(accepted, bool) and isinstance(message, str)
