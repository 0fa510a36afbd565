"""The line of three amplifiers and three ROADMs, and the apps that control its end and trim it."""

from netctl.apps.line._app import LineApp
from netctl.apps.line._controller import line_controller
from netctl.apps.line._line import line_inventory, simulated_line
from netctl.apps.line._power_model import power_model
from netctl.apps.line._trim import LineTrimApp

__all__ = [
    "LineApp",
    "LineTrimApp",
    "line_controller",
    "line_inventory",
    "power_model",
    "simulated_line",
]
