"""The Python names of the controller's documented interface, over the contract's own classes.

`MCPToolRegistry` and `MCPTool` word what `tercet.ToolRegistry` and `tercet.Tool` know; `MCPServer`
and `StdioMCPServer` hand messages to the one MCP server that serves every other face.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Literal, cast

import anyio
import anyio.lowlevel
from mcp import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from gateway._call_reply import reply_of
from tercet import AnyTool, CallContext, Tool, ToolRegistry
from tercet.mcp import serve

__all__ = ["MCPServer", "MCPTool", "MCPToolRegistry", "StdioMCPServer", "ToolType"]

ToolType = Literal["control", "measurement", "state", "agent_controlled"]
_TOOL_TYPES: tuple[ToolType, ...] = ("control", "measurement", "state", "agent_controlled")
_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600


class MCPTool:
    """A single tool.

    Args:
        name: Its name.
        description: What it does.
        input_schema: JSON Schema of its arguments; what does not fit never reaches the handler.
        handler: Given the arguments, answers a JSON value.
        app_name: The app that it belongs to.
        tool_type: What sort of tool it is.

    Raises:
        ToolDefinitionError: The name or the schema is not usable.
    """

    def __init__(  # noqa: PLR0917 -- the documented order
        self,
        name: str,
        description: str,
        input_schema: Mapping[str, Any],
        handler: Callable[[dict[str, Any]], Awaitable[Any]],
        app_name: str,
        tool_type: ToolType,
    ) -> None:
        async def call(context: CallContext, arguments: dict[str, Any]) -> Any:
            del context
            return await handler(arguments)

        self.tool: AnyTool = Tool.from_schema(
            name=name,
            description=description,
            input_schema=input_schema,
            function=call,
            app=app_name,
            kind=tool_type,
            effect="read" if tool_type == "measurement" else "write",
        )

    def to_mcp_format(self) -> dict[str, Any]:
        """Give `{name, description, inputSchema}`."""
        return self.tool.to_mcp_format()


class MCPToolRegistry:
    """The tools of a registry, in the documented words.

    Args:
        registry: Whose tools these are; None: a new registry, with none.
    """

    def __init__(self, registry: ToolRegistry | None = None) -> None:
        self.registry = ToolRegistry() if registry is None else registry

    def register_tool(self, tool: MCPTool) -> None:
        """Register a tool.

        Raises:
            ToolDefinitionError: Another tool has its name.
        """
        self.registry.register_tool(tool.tool)

    def list_tools(self) -> list[dict[str, Any]]:
        """List all tools in MCP format."""
        return [tool.to_mcp_format() for tool in self.registry.list_tools()]

    def list_tools_by_app(self, app_name: str) -> list[dict[str, Any]]:
        """List the tools of one app in MCP format."""
        return [tool.to_mcp_format() for tool in self.registry.list_tools_by_app(app_name)]

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], caller: CallContext | None = None
    ) -> dict[str, Any]:
        """Execute a tool; gives what `POST /mcp/tools/call` answers.

        Args:
            name: The tool's name.
            arguments: Its arguments.
            caller: Who calls; None: the owner of this machine.
        """
        context = caller or CallContext()
        tool = self.registry.find(name, context)
        answer = await self.registry.call_tool(name, arguments, context)
        return reply_of(name, tool, arguments, answer)

    def get_stats(self, caller: CallContext | None = None) -> dict[str, Any]:
        """Count the tools that a caller may see: in all, by app and by type."""
        stats = self.registry.get_stats(caller)
        # The documented types are there even where they count nothing.
        by_type = {**dict.fromkeys(_TOOL_TYPES, 0), **stats["tools_by_type"]}
        return {**stats, "tools_by_type": by_type}


class MCPServer:
    """Answers single MCP messages, with no session: any of them may be the first.

    Args:
        registry: Whose tools are served.
        options: What `tercet.mcp.serve` takes besides.
    """

    def __init__(self, registry: ToolRegistry, **options: Any) -> None:
        self._server = serve(registry, **options)

    async def handle_request(self, request: Any) -> dict[str, Any] | None:
        """Handle one JSON-RPC message, as parsed JSON; None: it was a notification.

        What is no message gets an error: it is never raised.
        """
        return await self.handle_text(json.dumps(request).encode())

    async def handle_text(
        self, text: bytes, state: Mapping[str, Any] | None = None
    ) -> dict[str, Any] | None:
        """Handle one JSON-RPC message as it came over a wire; None: it was a notification.

        Args:
            text: The message.
            state: What the `context_of` of this server finds as the state of the request.
        """
        try:
            message = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            return _failure(None, _PARSE_ERROR, f"Parse error: {str(error)[:200]}")
        fault = _fault(message)
        if fault is not None:
            return _failure(_id_of(message), _INVALID_REQUEST, f"Invalid Request: {fault}")
        body = await self._post(text, dict(state or {}))
        # A message without an id is a notification: nobody reads what is answered to it.
        return json.loads(body) if body and "id" in message else None

    async def _post(self, text: bytes, state: dict[str, Any]) -> bytes:
        """Hand a message to the server's own transport, in this process, and give the answer."""
        parts: list[bytes] = []
        sender, receiver = anyio.create_memory_object_stream[MutableMapping[str, Any]](1)
        # After this there is nothing more to receive: the sender does not go away before its task.
        sender.send_nowait({"type": "http.request", "body": text, "more_body": False})

        async def send(message: MutableMapping[str, Any]) -> None:
            await anyio.lowlevel.checkpoint()
            parts.append(message.get("body", b""))

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "state": state,
            "headers": [(b"content-type", b"application/json"), (b"accept", b"application/json")],
        }
        manager = StreamableHTTPSessionManager(app=self._server, stateless=True, json_response=True)
        async with sender, receiver, manager.run():
            await manager.handle_request(scope, receiver.receive, send)
        return b"".join(parts)


class StdioMCPServer:
    """Serves one client on standard input and output, which carry JSON-RPC and nothing else.

    Args:
        registry: Whose tools are served.
        options: What `tercet.mcp.serve` takes besides.
    """

    def __init__(self, registry: ToolRegistry, **options: Any) -> None:
        self._server = serve(registry, **options)

    async def run(self) -> None:
        """Serve until the client closes its end."""
        async with stdio_server() as (requests, answers):
            options = self._server.create_initialization_options()
            await self._server.run(requests, answers, options)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _fault(message: object) -> str | None:
    """Why a JSON value is no JSON-RPC message of a client, if it is none."""
    if not isinstance(message, dict):
        return "a message is an object"
    parts = cast("dict[str, Any]", message)
    if parts.get("jsonrpc") != "2.0":
        return 'jsonrpc is not "2.0"'
    if not isinstance(parts.get("method"), str):
        return "method is not a text"
    if "id" in parts and _id_of(parts) is None:
        return "id is neither a text nor a whole number"
    if not isinstance(parts.get("params", {}), dict):
        return "params is not an object"
    return None


def _id_of(message: object) -> str | int | None:
    given: object = cast("dict[str, Any]", message).get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None


def _failure(message_id: str | int | None, code: int, words: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": words}}
