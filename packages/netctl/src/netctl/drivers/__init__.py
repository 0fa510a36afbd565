"""Drivers: each speaks to one sort of equipment."""

from netctl.drivers._simulated_line import SimulatedLine

__all__ = ["SimulatedLine"]
