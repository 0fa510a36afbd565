"""The simulated plant of an inventory: physics where there is a model, else nodes without any."""

import math
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from netctl._driver import Driver
from netctl._errors import DeclarationError
from netctl._inventory import Inventory, Node
from netctl._nearest import nearest_in_range
from netctl.drivers._drivers_by_node import DriversByNode
from netctl.drivers._meter import meters_of
from netctl.drivers._simulated_cells import SimulatedCells
from netctl.drivers._simulated_line import SimulatedLine
from netctl.drivers._simulated_nodes import SimulatedNodes

__all__ = ["plant_settings", "simulated_plant", "start_settings"]

_CHANNELS = 8
_START_GAIN_DB = 15.0
_ALL_PERCENT = 100.0
_MOST_DB = 100.0
"""Beyond it, no amplifier and no attenuator follows the laws of a line."""


@runtime_checkable
class _Set(Protocol):
    """A simulator that says what its resources are set to."""

    @property
    def settings(self) -> Mapping[tuple[int, str], float]: ...


def simulated_plant(
    inventory: Inventory,
    *,
    seed: int = 0,
    settings: Mapping[tuple[int, str], float] | None = None,
) -> DriversByNode:
    """A driver of simulated equipment for every node of an inventory, deterministic with a seed.

    Amplifiers and ROADMs whose links form one chain are a `SimulatedLine`, nodes with a cell are
    `SimulatedCells`. Nodes that no model covers, as those with metrics that it cannot measure, are
    `SimulatedNodes`: what is set on them changes nothing else.

    Args:
        inventory: The nodes, with their data sheets.
        seed: Fixes whatever a simulator draws.
        settings: What resources are set to, by node id and name, as `plant_settings` of another
            plant gives it; one that is left out starts as in `start_settings`. Like real
            equipment, it stays what it was set to where the inventory's limits have changed.
    """
    settings = start_settings(inventory, settings or {})
    others: Driver = SimulatedNodes(inventory, settings=settings, seed=seed)
    drivers = dict.fromkeys(inventory.node_ids, others)
    drivers |= _line(inventory, settings)
    drivers |= _cells(inventory, settings, seed)
    return DriversByNode(drivers)


def plant_settings(plant: Driver) -> dict[tuple[int, str], float]:
    """What the resources of simulated equipment are set to now, by node id and name.

    Args:
        plant: A simulator, or `DriversByNode` of several; what other drivers have is not known.
    """
    settings: dict[tuple[int, str], float] = {}
    for driver in plant.drivers if isinstance(plant, DriversByNode) else (plant,):
        if isinstance(driver, _Set):
            # Simulators without a model know all nodes, also those that others have.
            mine = driver.settings
            if isinstance(plant, DriversByNode):
                mine = {key: mine[key] for key in mine if plant.has(key[0], driver)}
            settings |= mine
    return settings


def start_settings(
    inventory: Inventory, known: Mapping[tuple[int, str], float] | None = None
) -> dict[tuple[int, str], float]:
    """What resources of a plant are set to at the start, by node id and name.

    Gains are 15 dB and a slice's share is half of an even one, so that each can be raised before
    another one is lowered; all else is 0; each as near to it as its limits allow.

    Args:
        inventory: The nodes.
        known: What resources are set to already; a slice that comes to others has no share yet.
    """
    given = known or {}
    return {
        (node.node_id, resource.name): given[node.node_id, resource.name]
        if (node.node_id, resource.name) in given
        else nearest_in_range(
            _wanted(node, resource.name, given),
            minimum=resource.min,
            maximum=resource.max,
            step=resource.step,
        )
        for node in inventory.nodes
        for resource in node.resources
    }


def _wanted(node: Node, resource: str, given: Mapping[tuple[int, str], float]) -> float:
    if any(stage.resource == resource for stage in node.stages):
        return _START_GAIN_DB
    slices = () if node.cell is None else node.cell.slices
    shared = any((node.node_id, part.resource) in given for part in slices)
    if any(part.resource == resource for part in slices) and not shared:
        return _ALL_PERCENT / (2 * len(slices))
    return 0.0


def _line(inventory: Inventory, settings: Mapping[tuple[int, str], float]) -> dict[int, Driver]:
    nodes = [node for node in inventory.nodes if _is_optical(node)]
    ids = {node.node_id for node in nodes}
    links = [link for link in inventory.links if {link.source, link.target} <= ids]
    part = Inventory(nodes=tuple(nodes), links=tuple(links))
    try:
        line: Driver = SimulatedLine(part, settings=settings, channels=_CHANNELS)
    except DeclarationError:
        # No chain: there is no light to follow.
        return {}
    return dict.fromkeys(ids, line)


def _cells(
    inventory: Inventory, settings: Mapping[tuple[int, str], float], seed: int
) -> dict[int, Driver]:
    nodes = tuple(node for node in inventory.nodes if node.cell is not None)
    try:
        cells: Driver = SimulatedCells(Inventory(nodes=nodes), settings=settings, seed=seed)
    except DeclarationError:
        # Limits that no cell could start within, as shares of 60 % at the least for two slices.
        return {}
    return dict.fromkeys([node.node_id for node in nodes], cells)


def _is_optical(node: Node) -> bool:
    """Whether a line's model covers the node, with everything that it measures."""
    measured = {metric for metric, _ in meters_of(node, channels=_CHANNELS)}
    return (
        node.kind in ("amplifier", "roadm")
        and measured == set(node.metrics)
        and all(math.fabs(end) <= _MOST_DB for r in node.resources for end in (r.min, r.max))
    )
