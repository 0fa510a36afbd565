"""The REST face: list tools, look one up, call one."""

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from gateway._attendance import while_attended
from gateway._identity import Caller
from gateway._problem import problems
from gateway.aic import MCPToolRegistry
from tercet import CallContext, ToolRegistry

__all__ = ["ServerInfo", "info_of", "tool_routes"]

# Names that cannot be are answered like those that are not there: 404. So the domain is told, and
# not checked beforehand.
_AppName = Annotated[
    str,
    Path(
        description="An app of the network, `network`, `taylor`, `objects` or another.",
        examples=["NetworkApp1"],
    ),
]
_ToolName = Annotated[
    str,
    Path(
        description="The tool's name.",
        examples=["NetworkApp1_set_gain"],
        json_schema_extra={"pattern": "^[A-Za-z0-9_-]{1,64}$"},
    ),
]


class ToolStats(BaseModel):
    """How many tools a caller may see."""

    total_tools: int
    total_apps: int
    apps: list[str]
    tools_by_type: dict[str, int]


class ServerInfo(BaseModel):
    """What this server is, and what it serves to a caller."""

    name: str
    version: str
    protocol: str
    transport: str
    stats: ToolStats


class CallRequest(BaseModel):
    """A call of a tool."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"name": "NetworkApp1_set_state", "arguments": {"state": "running"}}]
        },
    )

    name: str = Field(description="The tool's name.", max_length=64)
    arguments: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="Its arguments, as its schema says."
    )


class CallSuccess(BaseModel):
    """What a tool answered; refusals of a command are results too."""

    success: Literal[True]
    result: Any


class CallFailure(BaseModel):
    """Why there is no result."""

    success: Literal[False]
    error: str


class ToolFormat(BaseModel):
    """A tool as MCP lists it."""

    name: str
    description: str
    inputSchema: dict[str, Any]  # noqa: N815 -- the documented name


class ToolList(BaseModel):
    """Tools, and how many."""

    tools: list[ToolFormat]
    count: int


class AppToolList(ToolList):
    """The tools of one app."""

    app: str


class ToolSchema(ToolFormat):
    """A tool with the app it belongs to and its type."""

    app: str
    type: str


def info_of(registry: ToolRegistry, caller: CallContext, *, version: str) -> ServerInfo:
    """Say what this server is and what it serves to a caller."""
    return ServerInfo(
        name="aic-controller",
        version=version,
        protocol="MCP",
        transport="HTTP/SSE",
        stats=ToolStats(**MCPToolRegistry(registry).get_stats(caller)),
    )


def tool_routes(registry: ToolRegistry) -> APIRouter:
    """Give the routes below `/mcp/` that are plain HTTP."""
    routes = APIRouter(prefix="/mcp", tags=["tools"])

    @routes.get("/tools")
    async def list_tools(caller: Caller) -> ToolList:
        """List all tools, by name."""
        tools = [ToolFormat(**tool.to_mcp_format()) for tool in registry.list_tools(caller)]
        return ToolList(tools=tools, count=len(tools))

    @routes.get("/tools/{app_name}", responses=problems(404))
    async def list_tools_of_app(app_name: _AppName, caller: Caller) -> AppToolList:
        """List the tools of one app, by name."""
        found = registry.list_tools_by_app(app_name, caller)
        if not found:
            raise HTTPException(404, f"No tools found for app '{app_name[:80]}'")
        tools = [ToolFormat(**tool.to_mcp_format()) for tool in found]
        return AppToolList(app=app_name, tools=tools, count=len(tools))

    @routes.get("/schema/{tool_name}", responses=problems(404))
    async def show_schema(tool_name: _ToolName, caller: Caller) -> ToolSchema:
        """Show one tool's schema, app and type."""
        tool = registry.find(tool_name, caller)
        if tool is None:
            raise HTTPException(404, f"Tool '{tool_name[:80]}' not found")
        return ToolSchema(**tool.to_mcp_format(), app=tool.app, type=tool.kind)

    @routes.post(
        "/tools/call", response_model=CallSuccess | CallFailure, responses=problems(400, 422)
    )
    async def call_tool(asked: CallRequest, caller: Caller, request: Request) -> dict[str, Any]:
        """Call a tool. Whatever the tool answers, the status is 200 and the body says it."""
        call = partial(MCPToolRegistry(registry).call_tool, asked.name, asked.arguments, caller)
        tool = registry.find(asked.name, caller)
        # A command to equipment is carried out, whether or not its sender stays to hear of it.
        if tool is None or not tool.session:
            return await call()
        return await while_attended(request, call)

    return routes
