"""The shipped base station: its inventory, a simulator of it, and its controller."""

from importlib.resources import as_file, files
from typing import Any

from netctl._controller import Controller
from netctl._inventory import Inventory
from netctl._inventory_file import load_inventory
from netctl._ran_commands import RAN_COMMANDS
from netctl.apps.ran._app import RanApp
from netctl.drivers import SimulatedCells

__all__ = ["ran_controller", "ran_inventory", "simulated_ran"]

_SETTINGS = {
    (21, "tx_power_dbm"): 10.0,
    (21, "embb_prb_share_percent"): 40.0,
    (21, "urllc_prb_share_percent"): 20.0,
    (21, "mmtc_prb_share_percent"): 10.0,
}


def ran_inventory() -> Inventory:
    """The inventory that comes with the app: one base station with a cell of three slices."""
    with as_file(files("netctl.apps.ran") / "inventory.toml") as path:
        return load_inventory(path)


def simulated_ran(*, seed: int = 0) -> tuple[Inventory, SimulatedCells]:
    """The inventory, and a simulator of it.

    Args:
        seed: Fixes where the six users stand.
    """
    inventory = ran_inventory()
    return inventory, SimulatedCells(inventory, settings=_SETTINGS, seed=seed)


def ran_controller(*, seed: int = 0, **options: Any) -> Controller:
    """A controller of the simulated base station, with its app added and stopped.

    Args:
        seed: Fixes where the six users stand.
        options: What `Controller` takes by keyword.
    """
    inventory, cells = simulated_ran(seed=seed)
    controller = Controller(inventory, cells, commands=RAN_COMMANDS, **options)
    controller.add(RanApp())
    return controller
