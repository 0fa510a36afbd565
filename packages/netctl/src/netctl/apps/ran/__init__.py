"""The base station of a street, and the app that shares its radio among its slices."""

from netctl.apps.ran._app import RanApp
from netctl.apps.ran._station import ran_controller, ran_inventory, simulated_ran

__all__ = ["RanApp", "ran_controller", "ran_inventory", "simulated_ran"]
