"""The tools of the whole network: its changes, its trail, its nodes, its switch."""

from netctl._controller import Controller
from netctl.tools._audit import audit_tools
from netctl.tools._changes import change_tools
from netctl.tools._decisions import decision_tools
from netctl.tools._topology import topology_tools
from tercet import AnyTool

__all__ = ["operator_tools"]


def operator_tools(controller: Controller) -> list[AnyTool]:
    """The tools of a controller that are no single app's."""
    return [
        *change_tools(controller),
        *decision_tools(controller),
        *audit_tools(controller),
        *topology_tools(controller),
    ]
