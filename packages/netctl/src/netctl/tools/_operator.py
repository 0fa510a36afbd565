"""The tools of the whole network: its changes, its trail, its nodes, its switch."""

from netctl._controller import Controller
from netctl.tools._audit import audit_tools
from netctl.tools._changes import change_tools
from netctl.tools._decisions import decision_tools
from netctl.tools._topology import topology_tools
from tercet import AnyTool

__all__ = ["operator_tools"]


def operator_tools(controller: Controller, *, approve_by_person: bool = False) -> list[AnyTool]:
    """The tools of a controller that are no single app's.

    Args:
        controller: The controller.
        approve_by_person: Whether nothing is approved that no person has confirmed; else a person
            is only asked where the caller's client can ask one.
    """
    return [
        *change_tools(controller),
        *decision_tools(controller, by_person=approve_by_person),
        *audit_tools(controller),
        *topology_tools(controller),
    ]
