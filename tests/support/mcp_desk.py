"""An MCP server with a tool for each kind of answer, in this process and over HTTP."""

import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import uvicorn
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)
from typing_extensions import override

Mode = Literal["auto", "legacy"]
Context = ServerRequestContext[Any, Any]

ANY: dict[str, Any] = {"type": "object"}
MULTIPLY = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "config": {}},
    "required": ["x", "y"],
    "additionalProperties": False,
}


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def envelope(result: Any) -> CallToolResult:
    data = {"result": result, "metadata": {"operation": "x"}}
    return CallToolResult(
        content=[text(f"result {result}")],
        structured_content={"status": "success", "data": data},
    )


ANSWERS: dict[str, Callable[[dict[str, Any]], CallToolResult]] = {
    "multiply": lambda a: envelope(a["x"] * a["y"]),
    "nothing": lambda _: envelope(None),
    "plain": lambda a: CallToolResult(content=[], structured_content={"got": a}),
    "silent": lambda _: CallToolResult(content=[]),
    "fails": lambda _: CallToolResult(
        content=[text("no such node"), text("try n1")], is_error=True
    ),
    "fails.structured": lambda _: CallToolResult(
        content=[], structured_content={"code": 7}, is_error=True
    ),
    "fails/silently": lambda _: CallToolResult(content=[], is_error=True),
    "mixed": lambda _: CallToolResult(
        content=[
            text("see"),
            ImageContent(type="image", data="aW1n", mime_type="image/png"),
            AudioContent(type="audio", data="YXU=", mime_type="audio/wav"),
            ResourceLink(type="resource_link", uri="x://r", name="r", mime_type="text/csv"),
            ResourceLink(type="resource_link", uri="x://s", name="s", title="S"),
            EmbeddedResource(
                type="resource", resource=TextResourceContents(uri="x://t", text="inner")
            ),
            EmbeddedResource(
                type="resource", resource=BlobResourceContents(uri="x://b", blob="Ymxv")
            ),
        ]
    ),
    "lies": lambda _: CallToolResult(content=[text("x")], structured_content={"n": "three"}),
}
DECLARED = {
    "multiply": Tool(
        name="multiply",
        description="Multiply two numbers.",
        input_schema=MULTIPLY,
        annotations=ToolAnnotations(read_only_hint=True, title="Times"),
    ),
    "lies": Tool(
        name="lies",
        title="A tool that breaks its word",
        input_schema=ANY,
        output_schema={"type": "object", "properties": {"n": {"type": "integer"}}},
    ),
}


async def wait_for_ever(_: dict[str, Any]) -> CallToolResult:
    await anyio.sleep_forever()
    return envelope(0)


def server_of(
    *names: str,
    page: int = 3,
    seen: list[Any] | None = None,
    waiting: Callable[[dict[str, Any]], Awaitable[CallToolResult]] = wait_for_ever,
) -> Server[Any]:
    """A low-level server with the named tools; all that are known by default."""
    tools = [DECLARED.get(n) or Tool(name=n, input_schema=ANY) for n in names or ANSWERS]

    async def list_tools(_: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        start = int((params and params.cursor) or 0)
        more = str(start + page) if start + page < len(tools) else None
        return ListToolsResult(tools=tools[start : start + page], next_cursor=more)

    async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
        arguments = dict(params.arguments or {})
        if seen is not None:
            seen.append((params.name, arguments))
        if params.name == "waits":
            return await waiting(arguments)
        if params.name not in ANSWERS:
            raise MCPError(code=-32602, message=f"Unknown tool: {params.name}")
        return ANSWERS[params.name](arguments)

    return Server("desk", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def answer(tools: list[Any], name: str, **arguments: Any) -> ToolMessage:
    """What `name` answers, called as langchain-core calls tools."""
    tool: BaseTool = next(tool for tool in tools if tool.name == name)
    return await tool.ainvoke(ToolCall(name=name, args=arguments, id="1", type="tool_call"))


class TellingServer(uvicorn.Server):
    """Tells when it listens, and when it has stopped."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self.address = address
        self.up, self.down = anyio.Event(), anyio.Event()

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        self.down.set()

    async def stop(self) -> None:
        self.should_exit = True
        await self.down.wait()


@asynccontextmanager
async def serving(app: Any) -> AsyncGenerator[TellingServer, None]:
    """An ASGI application on a free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="none")
        server = TellingServer(config, address)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listener])
            await server.up.wait()
            try:
                yield server
            finally:
                server.should_exit = True


@asynccontextmanager
async def http_endpoint(
    server: Server[Any], headers: list[dict[str, str]]
) -> AsyncGenerator[TellingServer, None]:
    """A streamable HTTP endpoint that notes the headers of each request."""
    manager = StreamableHTTPSessionManager(app=server, stateless=True)
    endpoint = StreamableHTTPASGIApp(manager)

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        headers.append({k.decode(): v.decode() for k, v in scope["headers"]})
        await endpoint(scope, receive, send)

    async with manager.run(), serving(noting) as running:
        yield running


MODES: list[Mode] = ["auto", "legacy"]


def free_port() -> int:
    """A port of this machine where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
