"""The REST face: list tools, look one up, call one."""

from functools import partial
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from gateway._attendance import while_attended
from gateway._identity import Caller
from gateway.aic import MCPToolRegistry
from tercet import CallContext, ToolRegistry

__all__ = ["info_of", "tool_routes"]


class CallRequest(BaseModel):
    """A call of a tool."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="The tool's name.", max_length=64)
    arguments: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="Its arguments, as its schema says."
    )


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


def info_of(registry: ToolRegistry, caller: CallContext, *, version: str) -> dict[str, Any]:
    """Say what this server is and what it serves to a caller."""
    return {
        "name": "aic-controller",
        "version": version,
        "protocol": "MCP",
        "transport": "HTTP/SSE",
        "stats": MCPToolRegistry(registry).get_stats(caller),
    }


def tool_routes(registry: ToolRegistry) -> APIRouter:
    """Give the routes below `/mcp/` that are plain HTTP."""
    routes = APIRouter(prefix="/mcp", tags=["tools"])

    @routes.get("/tools")
    async def list_tools(caller: Caller) -> ToolList:
        """List all tools, by name."""
        tools = [ToolFormat(**tool.to_mcp_format()) for tool in registry.list_tools(caller)]
        return ToolList(tools=tools, count=len(tools))

    @routes.get("/tools/{app_name}")
    async def list_tools_of_app(app_name: str, caller: Caller) -> AppToolList:
        """List the tools of one app, by name."""
        found = registry.list_tools_by_app(app_name, caller)
        if not found:
            raise HTTPException(404, f"No tools found for app '{app_name[:80]}'")
        tools = [ToolFormat(**tool.to_mcp_format()) for tool in found]
        return AppToolList(app=app_name, tools=tools, count=len(tools))

    @routes.get("/schema/{tool_name}")
    async def show_schema(tool_name: str, caller: Caller) -> ToolSchema:
        """Show one tool's schema, app and type."""
        tool = registry.find(tool_name, caller)
        if tool is None:
            raise HTTPException(404, f"Tool '{tool_name[:80]}' not found")
        return ToolSchema(**tool.to_mcp_format(), app=tool.app, type=tool.kind)

    @routes.post("/tools/call")
    async def call_tool(asked: CallRequest, caller: Caller, request: Request) -> dict[str, Any]:
        """Call a tool. Whatever the tool answers, the status is 200 and the body says it."""
        call = partial(MCPToolRegistry(registry).call_tool, asked.name, asked.arguments, caller)
        tool = registry.find(asked.name, caller)
        # A command to equipment is carried out, whether or not its sender stays to hear of it.
        if tool is None or not tool.session:
            return await call()
        return await while_attended(request, call)

    return routes
