"""The simulated plant of an inventory: physics where there is a model, else nodes without any."""

import math
from collections.abc import Mapping

from netctl._driver import Driver
from netctl._errors import DeclarationError
from netctl._inventory import Inventory, Node
from netctl._nearest import nearest_in_range
from netctl.drivers._drivers_by_node import DriversByNode
from netctl.drivers._meter import meters_of
from netctl.drivers._simulated_cells import SimulatedCells
from netctl.drivers._simulated_line import SimulatedLine
from netctl.drivers._simulated_nodes import SimulatedNodes

__all__ = ["simulated_plant", "start_settings"]

_CHANNELS = 8
_START_GAIN_DB = 15.0
_ALL_PERCENT = 100.0
_MOST_DB = 100.0
"""Beyond it, no amplifier and no attenuator follows the laws of a line."""


def simulated_plant(inventory: Inventory, *, seed: int = 0) -> DriversByNode:
    """A driver of simulated equipment for every node of an inventory, deterministic with a seed.

    Amplifiers and ROADMs whose links form one chain are a `SimulatedLine`, nodes with a cell are
    `SimulatedCells`. Nodes that no model covers, as those with metrics that it cannot measure, are
    `SimulatedNodes`: what is set on them changes nothing else. All start with `start_settings`.

    Args:
        inventory: The nodes, with their data sheets.
        seed: Fixes whatever a simulator draws.
    """
    settings = start_settings(inventory)
    others: Driver = SimulatedNodes(inventory, settings=settings, seed=seed)
    drivers = dict.fromkeys(inventory.node_ids, others)
    drivers |= _line(inventory, settings)
    drivers |= _cells(inventory, settings, seed)
    return DriversByNode(drivers)


def start_settings(inventory: Inventory) -> dict[tuple[int, str], float]:
    """What resources of a plant are set to at the start, by node id and name.

    Gains are 15 dB and a slice's share is half of an even one, so that each can be raised before
    another one is lowered; all else is 0; each as near to it as its limits allow.
    """
    return {
        (node.node_id, resource.name): nearest_in_range(
            _wanted(node, resource.name),
            minimum=resource.min,
            maximum=resource.max,
            step=resource.step,
        )
        for node in inventory.nodes
        for resource in node.resources
    }


def _wanted(node: Node, resource: str) -> float:
    if any(stage.resource == resource for stage in node.stages):
        return _START_GAIN_DB
    slices = () if node.cell is None else node.cell.slices
    if any(part.resource == resource for part in slices):
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
