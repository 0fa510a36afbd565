"""The line of three amplifiers and three ROADMs, and the app that controls its end."""

from netctl.apps.line._app import LineApp
from netctl.apps.line._controller import line_controller
from netctl.apps.line._line import line_inventory, simulated_line
from netctl.apps.line._power_model import power_model

__all__ = ["LineApp", "line_controller", "line_inventory", "power_model", "simulated_line"]
