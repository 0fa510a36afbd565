"""The tools of all apps, kept in step with them."""

from collections.abc import Callable, Iterable
from typing import Literal

from netctl._controller import Controller
from netctl.tools._control import control_tools
from netctl.tools._measurement import measurement_tools
from netctl.tools._operation import operation_tools
from netctl.tools._operator import operator_tools
from netctl.tools._state import state_tools
from tercet import AnyTool, ToolRegistry

__all__ = ["app_tools", "bind", "network_tools"]


def app_tools(controller: Controller, app: str) -> list[AnyTool]:
    """The tools of one app.

    Raises:
        UnknownNameError: If there is no app of that name.
    """
    declaration = controller.app(app)
    return [
        *control_tools(controller, declaration),
        *measurement_tools(controller, declaration),
        *state_tools(controller, declaration),
        *operation_tools(controller, declaration),
    ]


def network_tools(controller: Controller) -> list[AnyTool]:
    """The tools of all apps that a controller has now."""
    return [tool for app in controller.apps for tool in app_tools(controller, app.name)]


def bind(
    controller: Controller,
    registry: ToolRegistry,
    *,
    operator: bool = True,
    approve_by_person: bool = False,
) -> Callable[[], None]:
    """Keep a registry's tools those of a controller and its apps; returns how to end this.

    An app whose tools clash with others' is not added to the controller. After a reload, the tools
    of an app are exchanged if anything of them looks different.

    Args:
        controller: The controller.
        registry: Where its tools are kept.
        operator: Whether the tools of the whole network are among them; of several controllers
            in one registry, only one can have them.
        approve_by_person: As of `operator_tools`.

    Raises:
        ToolDefinitionError: If a tool's name is taken.
    """
    tools = {app.name: app_tools(controller, app.name) for app in controller.apps}
    whole = operator_tools(controller, approve_by_person=approve_by_person) if operator else []
    registry.register_tools([*whole, *(tool for group in tools.values() for tool in group)])

    def follow(event: Literal["added", "removed"], app: str) -> None:
        if event == "added":
            added = app_tools(controller, app)
            registry.register_tools(added)
            tools[app] = added
        else:
            registry.unregister_tools(tool.name for tool in tools.pop(app))

    def follow_reload() -> None:
        anew = {app.name: app_tools(controller, app.name) for app in controller.apps}
        kept = {app for app, group in anew.items() if _look(group) == _look(tools.get(app, []))}
        going = [tool.name for app in tools.keys() - kept for tool in tools[app]]
        coming = [tool for app, group in anew.items() if app not in kept for tool in group]
        registry.replace_tools(going, coming)
        former = dict(tools)
        tools.clear()
        tools.update({app: former[app] if app in kept else group for app, group in anew.items()})

    unsubscribe = controller.subscribe(follow, reloaded=follow_reload)

    def unbind() -> None:
        unsubscribe()
        for app in tuple(tools):
            follow("removed", app)
        registry.unregister_tools(tool.name for tool in whole)

    return unbind


def _look(tools: Iterable[AnyTool]) -> list[tuple[object, ...]]:
    """What callers see of tools: those that look alike do alike, of an app that is there."""
    return [
        (
            tool.name,
            tool.description,
            tool.kind,
            tool.effect,
            tool.scopes,
            tool.input_schema,
            tool.output_schema,
            tool.facts,
        )
        for tool in tools
    ]
