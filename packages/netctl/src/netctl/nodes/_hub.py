"""Where nodes register: the driver of all nodes of one process."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import anyio

from netctl._clock import Clock, SystemClock
from netctl._driver import Acknowledgement, NetworkListener, Reading, Setting
from netctl._errors import DeclarationError, DriverError
from netctl._inventory import Inventory, Node
from netctl._log import get_logger
from netctl._measurements import Sample
from netctl._number import is_finite_number
from netctl._words import short_words
from netctl.nodes._link import NodeLink

__all__ = ["NodeHub"]

_log = get_logger("netctl.nodes")


class NodeHub:
    """The driver of nodes that register themselves, in this process.

    A request reaches the one node of that id and no other. A node that registers again takes the
    place of its former self at once; one that is silent for its heartbeat is dead, and whatever
    is asked of it fails at once until it registers again.

    Args:
        inventory: The nodes that may register, with what they measure and what can be set.
        clock: Measures heartbeats.
    """

    def __init__(self, inventory: Inventory, *, clock: Clock | None = None) -> None:
        self._inventory = inventory
        self._clock = clock or SystemClock()
        self._links: dict[int, NodeLink] = {}
        self._listener: NetworkListener | None = None
        self._news = anyio.Event()

    def follow(self, inventory: Inventory) -> None:
        """Have other nodes from now on: those that are gone, or were changed, leave.

        A changed node may register again at once, with what the inventory now says of it.
        """
        former, self._inventory = self._inventory, inventory
        for link in tuple(self._links.values()):
            known = link.node_id in inventory.node_ids
            if not known or inventory.node(link.node_id) != former.node(link.node_id):
                why = "is described anew" if known else "is no more in the inventory"
                self._end(link, why)

    @property
    def node_ids(self) -> tuple[int, ...]:
        """The nodes that are registered and alive, in ascending order."""
        self._bury()
        return tuple(sorted(self._links))

    def register(
        self,
        node_id: int,
        *,
        measurements: Iterable[str],
        controls: Iterable[str] = (),
        heartbeat_s: float = 2.0,
    ) -> NodeLink:
        """Take a node in, with what it can do.

        Args:
            node_id: Its id in the inventory.
            measurements: The metrics that it measures.
            controls: The resources that can be set on it.
            heartbeat_s: After how long a silence it is dead.

        Raises:
            UnknownNameError: If the inventory has no such node.
            DeclarationError: If it claims what the inventory does not know, or its heartbeat is
                no time.
        """
        if type(node_id) is not int:
            raise DeclarationError(
                f"{short_words(node_id)} is no node id", hint="give a whole number"
            )
        node = self._inventory.node(node_id)
        resources = [resource.name for resource in node.resources]
        _check_claims(node_id, "measures", measurements, node.metrics)
        claimed = _check_claims(node_id, "controls", controls, resources)
        if not is_finite_number(heartbeat_s) or heartbeat_s <= 0:
            raise DeclarationError(
                f"the heartbeat of node {node_id} is {short_words(heartbeat_s)}, "
                "not a number of seconds above 0",
                hint="give a number of seconds",
            )
        former = self._links.get(node_id)
        if former is not None:
            former.close("has registered again", replaced=True)
        link = NodeLink(
            node_id,
            controls=claimed,
            heartbeat_s=heartbeat_s,
            clock=self._clock,
            measured=lambda values: self._push(node_id, values),
            left=lambda link: self._end(link, "has left"),
        )
        self._links[node_id] = link
        self._tell(node_id, available=True)
        self._news.set()
        return link

    async def read(self, node: Node) -> Sequence[Reading]:
        """Have the node measure now."""
        answer = await self._link(node.node_id).ask(None)
        if not isinstance(answer, Mapping):
            raise DriverError(f"node {node.node_id} measured {short_words(answer)}")
        values = cast("Mapping[Any, Any]", answer)
        return tuple(Reading(metric=metric, value=value) for metric, value in values.items())

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Have the node change a resource, and hear whether it did."""
        link = self._link(node.node_id)
        if setting.resource not in link.controls:
            return Acknowledgement(
                accepted=False, message=f"{setting.resource} is none of its controls"
            )
        return _acknowledged(await link.ask(setting))

    async def watch(self, listener: NetworkListener) -> None:
        """Tell a listener of the nodes that are there, come, measure, leave and die, for ever.

        Raises:
            DriverError: If another controller listens already.
        """
        if self._listener is not None:
            raise DriverError("a hub serves one controller", hint="give each controller its own")
        self._listener = listener
        try:
            for node_id in self.node_ids:
                listener.node_changed(node_id, available=True)
            while True:
                self._news = anyio.Event()
                self._bury()
                wait_s = min((link.dies_in_s for link in self._links.values()), default=math.inf)
                with self._clock.move_on_after(wait_s):
                    await self._news.wait()
        finally:
            self._listener = None

    def _link(self, node_id: int) -> NodeLink:
        self._bury()
        link = self._links.get(node_id)
        if link is None:
            raise DriverError(
                f"node {node_id} is not registered, or was silent for its heartbeat",
                hint="start it again; it registers by itself",
            )
        return link

    def _bury(self) -> None:
        """End every registration that was silent for too long."""
        for link in tuple(self._links.values()):
            if link.dies_in_s <= 0:
                _log.warning("node is silent", node_id=link.node_id, heartbeat_s=link.heartbeat_s)
                self._end(link, "was silent for its heartbeat")

    def _end(self, link: NodeLink, why: str) -> None:
        if self._links.get(link.node_id) is link:
            del self._links[link.node_id]
            link.close(why)
            self._tell(link.node_id, available=False)

    def _push(self, node_id: int, values: Mapping[str, float]) -> None:
        if self._listener is not None:
            self._listener.measured([Sample(node_id, values)])

    def _tell(self, node_id: int, *, available: bool) -> None:
        if self._listener is not None:
            self._listener.node_changed(node_id, available=available)


def _check_claims(
    node_id: int, what: str, claimed: Iterable[str], known: Sequence[str]
) -> tuple[str, ...]:
    names = tuple(claimed)
    if unknown := [name for name in names if name not in known]:
        raise DeclarationError(
            f"node {node_id} {what} {short_words(unknown[0])}, which the inventory does not say",
            hint=f"it has {list(known)!r}",
        )
    return names


def _acknowledged(answer: object) -> Acknowledgement:
    """What a node's answer to a command means; only a clear yes is one."""
    match answer:
        case Acknowledgement():
            return answer
        case True | (True, None):
            return Acknowledgement(accepted=True)
        case False:
            return Acknowledgement(accepted=False)
        case (False, str(reason)):
            return Acknowledgement(accepted=False, message=reason)
        case _:
            raise DriverError(f"the node answered a command with {short_words(answer)}")
