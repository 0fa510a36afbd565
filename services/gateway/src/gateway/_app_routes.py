"""The REST face of the control applications: list them, look into them, set and command them.

What changes something goes through the app's own tool, like a call from any other face; only the
words of the answer are of this interface, which is older than the tools.
"""

import difflib
from typing import Annotated, Any, get_args

from fastapi import APIRouter, HTTPException, Path, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from gateway._call_reply import reply_of
from gateway._identity import Caller
from gateway._problem import PROBLEMS_OF_TOOLS, problem_of, problems
from netctl import AppDeclaration, AppState, Controller
from tercet import AnyTool, CallContext, Envelope, ErrorCode, ToolRegistry

__all__ = ["app_routes"]

_STATES: tuple[AppState, ...] = get_args(AppState)


def _whole(value: object) -> object:
    """Take a number of JSON alone: a text or a truth value is none, whatever it reads as."""
    if isinstance(value, str | bool):
        raise ValueError("a whole number is needed")  # noqa: TRY004 -- pydantic words it
    return value


_NodeId = Annotated[int, BeforeValidator(_whole)]
_AppName = Annotated[
    str,
    Path(description="The app's name, as the list of apps has it.", examples=["NetworkApp1"]),
]


class AppSummary(BaseModel):
    """An app in the list of all apps."""

    name: str
    state: AppState
    node_id: int = Field(description="The app's own number.")
    cell_ids: list[int] = Field(description="The nodes that it reads or sets.")
    time_interval: float = Field(description="The period of its loop, in seconds.")


class AppList(BaseModel):
    """All apps, and how many."""

    apps: list[AppSummary]
    total: int


class AppInfo(BaseModel):
    """What an app declares."""

    app_name: str
    aic_app_id: int
    cell_ids: list[int]
    control_loop_update_time: float
    read_measurements: dict[int, list[str]]
    control_functions: dict[int, list[str]]


class AppStateReply(BaseModel):
    """The state of an app."""

    app: str
    state: AppState


class StateChangeReply(AppStateReply):
    """The state that an app has now, and had before."""

    previous_state: AppState


class StateRequest(BaseModel):
    """The state that an app shall have."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"state": "running"}]}
    )

    # Which states there are is the tool's to check: its answer is older than this model.
    state: str = Field(
        description="running, paused or stopped",
        max_length=32,
        json_schema_extra={"enum": [*_STATES]},
    )


class ControlRequest(BaseModel):
    """A command."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"node_id": 8, "command": "SET_GAIN", "payload": {"target_gain": 13.0}}]
        },
    )

    node_id: _NodeId
    command: str = Field(description="Its name, such as SET_GAIN.", max_length=64)
    payload: dict[str, Any] = Field(description="Its arguments, but for the node.")


class AppMeasurements(BaseModel):
    """The last fresh values of each node, by metric; null where there are none."""

    app: str
    measurements: dict[int, dict[str, float] | None]


class ControlReply(BaseModel):
    """What became of a command; `reason` is there where there is one."""

    app: str
    node_id: int
    command: dict[str, Any]
    status: str
    reason: str | None = None


def app_routes(controller: Controller, registry: ToolRegistry) -> APIRouter:
    """Give the routes of `/apps`."""
    routes = APIRouter(prefix="/apps", tags=["apps"])
    _add_views(routes, controller, registry)
    _add_actions(routes, controller, registry)
    return routes


def _add_views(routes: APIRouter, controller: Controller, registry: ToolRegistry) -> None:
    @routes.get("")
    async def list_apps(caller: Caller) -> AppList:
        """List the apps, in the order in which they were added."""
        apps = [
            AppSummary(
                name=app.name,
                state=controller.status(app.name).state,
                node_id=app.app_id,
                cell_ids=_nodes(app),
                time_interval=app.period_s,
            )
            for app in map(controller.app, _visible_apps(controller, registry, caller))
        ]
        return AppList(apps=apps, total=len(apps))

    @routes.get("/{app_name}/info", responses=problems(404))
    async def show_app(app_name: _AppName, caller: Caller) -> AppInfo:
        """Show what an app declares."""
        app = _declaration_of(controller, registry, app_name, caller)
        return AppInfo(
            app_name=app.name,
            aic_app_id=app.app_id,
            cell_ids=_nodes(app),
            control_loop_update_time=app.period_s,
            read_measurements=_read_metrics(controller, app),
            control_functions=_commands_of_nodes(app),
        )

    @routes.get("/{app_name}/state", responses=problems(404))
    async def get_state(app_name: _AppName, caller: Caller) -> AppStateReply:
        """Show whether an app's loop runs."""
        app = _declaration_of(controller, registry, app_name, caller)
        return AppStateReply(app=app.name, state=controller.status(app.name).state)


def _add_actions(routes: APIRouter, controller: Controller, registry: ToolRegistry) -> None:
    async def call(
        app_name: str, tool: str, arguments: dict[str, Any], caller: CallContext
    ) -> Envelope:
        _declaration_of(controller, registry, app_name, caller)
        return await registry.call_tool(f"{app_name}_{tool}", arguments, caller)

    @routes.put(
        "/{app_name}/state",
        response_model=StateChangeReply,
        responses={**problems(400), **PROBLEMS_OF_TOOLS},
    )
    async def set_state(app_name: _AppName, request: StateRequest, caller: Caller) -> Response:
        """Set an app running, paused or stopped."""
        answer = await call(app_name, "set_state", {"state": request.state}, caller)
        if answer.status == "error":
            return problem_of(answer, invalid=400)
        return JSONResponse(answer.data.result)

    @routes.get(
        "/{app_name}/measurements", response_model=AppMeasurements, responses=PROBLEMS_OF_TOOLS
    )
    async def get_measurements(app_name: _AppName, caller: Caller) -> Response:
        """Read what an app reads, anew; a value that is too old is left out, none is invented."""
        if not _declaration_of(controller, registry, app_name, caller).metrics:
            return JSONResponse({"app": app_name, "measurements": {}})
        answer = await call(app_name, "get_measurements", {}, caller)
        if answer.status == "error":
            return problem_of(answer)
        values = _fresh_values(answer.data.result)
        return JSONResponse({"app": app_name, "measurements": values})

    @routes.post(
        "/{app_name}/control",
        response_model=ControlReply,
        responses={**problems(400), **PROBLEMS_OF_TOOLS},
    )
    async def control(app_name: _AppName, request: ControlRequest, caller: Caller) -> Response:
        """Send a command in an app's name; the status says what is true of it now."""
        app = _declaration_of(controller, registry, app_name, caller)
        tool = _tool_of(registry, app.name, request.command, caller)
        arguments = {**request.payload, "node_id": request.node_id}
        answer = await registry.call_tool(tool.name, arguments, caller)
        return _command_reply(tool, arguments, answer)


def _visible_apps(controller: Controller, registry: ToolRegistry, caller: CallContext) -> list[str]:
    reached = {tool.app for tool in registry.list_tools(caller)}
    return [app.name for app in controller.apps if app.name in reached]


def _declaration_of(
    controller: Controller, registry: ToolRegistry, app_name: str, caller: CallContext
) -> AppDeclaration:
    visible = _visible_apps(controller, registry, caller)
    if app_name not in visible:
        near = difflib.get_close_matches(app_name[:80], visible, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {visible}"
        raise HTTPException(404, f"there is no app {app_name[:80]!r}; {hint}")
    return controller.app(app_name)


def _read_metrics(controller: Controller, app: AppDeclaration) -> dict[int, list[str]]:
    return {
        node_id: list(controller.inventory.node(node_id).metrics if names is None else names)
        for node_id, names in app.metrics.items()
    }


def _commands_of_nodes(app: AppDeclaration) -> dict[int, list[str]]:
    controlled = sorted({node_id for nodes in app.commands.values() for node_id in nodes})
    return {
        node_id: [name for name, nodes in app.commands.items() if node_id in nodes]
        for node_id in controlled
    }


def _fresh_values(result: Any) -> dict[str, dict[str, float] | None]:
    return {
        node_id: {
            metric: reading["value"]
            for metric, reading in readings.items()
            if reading["quality"] == "good"
        }
        or None
        for node_id, readings in result["measurements"].items()
    }


def _command_reply(tool: AnyTool, arguments: dict[str, Any], answer: Envelope) -> Response:
    if answer.status == "success":
        result = answer.data.result
        reply = {name: result[name] for name in ("app", "node_id", "command", "status")}
        if result["reason"] is not None:
            reply["reason"] = result["reason"]
        return JSONResponse(reply)
    if answer.error_code is ErrorCode.REJECTED:
        return JSONResponse(reply_of(tool.name, tool, arguments, answer)["result"])
    return problem_of(answer)


def _nodes(app: AppDeclaration) -> list[int]:
    controlled = {node_id for nodes in app.commands.values() for node_id in nodes}
    return sorted(controlled.union(app.metrics))


def _tool_of(registry: ToolRegistry, app: str, command: str, caller: CallContext) -> AnyTool:
    """The tool of an app's command."""
    commands = {
        tool.facts["command"]: tool
        for tool in registry.list_tools_by_app(app, caller)
        if tool.kind == "control"
    }
    if command not in commands:
        raise HTTPException(
            404, f"app {app!r} has no command {command[:64]!r}; it has {sorted(commands)}"
        )
    return commands[command]
