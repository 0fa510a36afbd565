"""Simulated nodes without physics: each resource is what it was set to, the rest stays as it is."""

import random
from collections.abc import Mapping, Sequence

import anyio.lowlevel

from netctl._driver import Acknowledgement, Reading, Setting
from netctl._inventory import Inventory, Node, Resource
from netctl._nearest import nearest_in_range
from netctl.drivers._hardware import flat_settings, refused_by_hardware

__all__ = ["SimulatedNodes"]

_LOWEST, _HIGHEST = 1.0, 10.0


class SimulatedNodes:
    """Nodes of any kind, as a driver: what an inventory says of them is all that they are.

    A resource is set at once, and is read back exactly. Every other metric keeps a level between 1
    and 10 that the seed fixes, whatever is set: use it to try apps and tools on equipment that
    there is no model of.

    Args:
        inventory: The nodes.
        settings: What resources are set to at the start, by node id and name; one that is left out
            starts as near to 0 as its limits allow.
        seed: Fixes the levels.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        settings: Mapping[tuple[int, str], float] | None = None,
        seed: int = 0,
    ) -> None:
        given = settings or {}
        self._inventory = inventory
        self._settings = {
            node.node_id: {
                resource.name: given.get((node.node_id, resource.name), _start(resource))
                for resource in node.resources
            }
            for node in inventory.nodes
        }
        self._levels = {
            node.node_id: {metric: _level(seed, node.node_id, metric) for metric in node.metrics}
            for node in inventory.nodes
        }

    @property
    def settings(self) -> dict[tuple[int, str], float]:
        """What each resource is set to, by node id and name."""
        return flat_settings(self._settings)

    def state(self) -> dict[int, dict[str, float]]:
        """Every metric of every node."""
        return {node.node_id: self._measure(node) for node in self._inventory.nodes}

    async def predict(self, node: Node, setting: Setting) -> Mapping[str, float]:
        """What the node would measure after a change."""
        await anyio.lowlevel.checkpoint()
        metric = node.resource(setting.resource).read_back_metric
        return {**self._measure(node), metric: setting.value}

    async def read(self, node: Node) -> Sequence[Reading]:
        """What the node measures now."""
        await anyio.lowlevel.checkpoint()
        measured = self._measure(node).items()
        return tuple(Reading(metric=metric, value=value) for metric, value in measured)

    async def apply(self, node: Node, setting: Setting) -> Acknowledgement:
        """Set one resource; the node refuses what it has not, and what is out of its limits."""
        await anyio.lowlevel.checkpoint()
        if refused := refused_by_hardware(self._inventory, node.node_id, setting):
            return refused
        self._settings[node.node_id][setting.resource] = setting.value
        return Acknowledgement(accepted=True)

    def _measure(self, node: Node) -> dict[str, float]:
        settings = self._settings[node.node_id]
        told = {resource.read_back_metric: settings[resource.name] for resource in node.resources}
        return {**self._levels[node.node_id], **told}


def _start(resource: Resource) -> float:
    return nearest_in_range(0.0, minimum=resource.min, maximum=resource.max, step=resource.step)


def _level(seed: int, node_id: int, metric: str) -> float:
    # S311: a level has to be repeatable, not secret.
    return random.Random(f"{seed}/{node_id}/{metric}").uniform(_LOWEST, _HIGHEST)  # noqa: S311
