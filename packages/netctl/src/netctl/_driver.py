"""What the controller asks of equipment: read a node, change a resource, say so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from netctl._inventory import Inventory, Node
from netctl._measurements import Sample

__all__ = [
    "Acknowledgement",
    "Driver",
    "FollowingDriver",
    "NetworkListener",
    "PredictingDriver",
    "Reading",
    "Setting",
    "WatchingDriver",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One metric of a node, as the equipment tells it.

    Attributes:
        metric: Its name, with the unit at its end.
        value: A finite number.
        timestamp_s: When it was taken, in seconds since 1970 (UTC); None: when it arrived.
    """

    metric: str
    value: float
    timestamp_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One resource of a node, and the value that it shall have, in the resource's unit."""

    resource: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """The node's own word on a change: taken, or refused with its reason."""

    accepted: bool
    message: str = ""


class Driver(Protocol):
    """Speaks to equipment.

    Both methods may raise `DriverError` where a node cannot be reached. They may be called for
    different nodes at the same time; for one node, reads never overlap reads, and changes of one
    resource never overlap.
    """

    async def read(self, node: Node) -> Sequence[Reading]:
        """Everything that the node measures now."""
        ...

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Change one resource; returns when the node has answered."""
        ...


@runtime_checkable
class PredictingDriver(Driver, Protocol):
    """A driver that can also tell what a change would do, for dry runs."""

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change, by metric; nothing is changed."""
        ...


class NetworkListener(Protocol):
    """What a controller hears from a driver that tells things on its own; it never waits."""

    def node_changed(self, node_id: int, *, available: bool) -> None:
        """Hear that a node has come or gone."""
        ...

    def measured(self, samples: Iterable[Sample]) -> None:
        """Take in what nodes have measured."""
        ...


@runtime_checkable
class WatchingDriver(Driver, Protocol):
    """A driver that knows which nodes are there, and can be told things unasked."""

    async def watch(self, listener: NetworkListener) -> None:
        """Tell a listener of nodes and samples, until cancelled."""
        ...


@runtime_checkable
class FollowingDriver(Driver, Protocol):
    """A driver that knows the inventory itself, and follows a reload of it."""

    def follow(self, inventory: Inventory) -> None:
        """Know another inventory from now on; nobody asks anything of it meanwhile."""
        ...
