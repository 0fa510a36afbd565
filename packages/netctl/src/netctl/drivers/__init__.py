"""Drivers: each speaks to one sort of equipment."""

from netctl.drivers._drivers_by_node import DriversByNode
from netctl.drivers._plant import plant_settings, simulated_plant, start_settings
from netctl.drivers._simulated_cells import SimulatedCells
from netctl.drivers._simulated_line import SimulatedLine
from netctl.drivers._simulated_nodes import SimulatedNodes

__all__ = [
    "DriversByNode",
    "SimulatedCells",
    "SimulatedLine",
    "SimulatedNodes",
    "plant_settings",
    "simulated_plant",
    "start_settings",
]
