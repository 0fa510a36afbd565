"""The line's controller, ready to be entered."""

from typing import Any

from netctl._controller import Controller
from netctl.apps.line._app import LineApp
from netctl.apps.line._line import simulated_line

__all__ = ["line_controller"]


def line_controller(*, noise_db: float = 0.0, seed: int = 0, **options: Any) -> Controller:
    """A controller of the simulated line, with its app added and stopped.

    Args:
        noise_db: Standard deviation of the error of each power and OSNR reading.
        seed: Where the errors' sequence starts.
        options: What `Controller` takes by keyword.
    """
    inventory, line = simulated_line(noise_db=noise_db, seed=seed)
    controller = Controller(inventory, line, **options)
    controller.add(LineApp())
    return controller
