"""The bridge to MCP endpoints: in this process, over streamable HTTP, in both protocol eras."""

import socket
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import pytest
import uvicorn
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
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
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from typing_extensions import override

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    ExtractError,
    McpConnectionError,
    McpToolError,
    TargetNotFoundError,
    extract,
)
from agent_runtime.mcp import Endpoint, mcp_tools
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

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


@pytest.mark.parametrize("mode", MODES)
async def test_tools_are_used_over_streamable_http(mode: Mode) -> None:
    headers: list[dict[str, str]] = []
    model = ScriptedModel(
        [call("net_fails"), call("net_multiply", {"x": 2}), call("net_multiply", {"x": 2, "y": 21})]
    )
    with anyio.fail_after(20):
        async with (
            http_endpoint(server_of(), headers) as running,
            mcp_tools(
                f"{running.address}/mcp",
                prefix="net_",
                mode=mode,
                headers={"authorization": "Bearer t"},
            ) as tools,
        ):
            agent = Agent(model=model, tools=tools)
            result = await extract(agent, "go", until_tool_success="net_multiply")
    assert result.value == 42
    assert [a.outcome for a in result.attempts] == ["invalid", "accepted"]
    told = [m for m in result.messages if isinstance(m, ToolMessage)]
    assert (told[0].status, told[0].text) == ("error", "no such node\ntry n1")
    assert "/y" in told[1].text
    assert {h["authorization"] for h in headers} == {"Bearer t"}
    if mode == "auto":
        assert headers[-1]["mcp-protocol-version"] == "2026-07-28"
    else:
        assert headers[-1]["mcp-protocol-version"] == "2025-11-25"


@pytest.mark.parametrize("mode", MODES)
async def test_every_page_of_tools_is_taken_in_process(mode: Mode) -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of(), mode=mode) as tools:
            assert [tool.name for tool in tools] == [
                *("multiply", "nothing", "plain", "silent", "fails"),
                *("fails_structured", "fails_silently", "mixed", "lies"),
            ]
            multiply = tools[0]
            assert multiply.description == "Multiply two numbers."
            assert multiply.args_schema == MULTIPLY
            assert multiply.metadata == {
                "mcp": {
                    "tool": "multiply",
                    "title": None,
                    "annotations": {"read_only_hint": True, "title": "Times"},
                }
            }
            assert tools[-1].description == "A tool that breaks its word"
            assert (await answer(tools, "multiply", x=2, y=3)).artifact == 6


async def test_answers_become_content_and_artifact() -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of()) as tools:
            structured = await answer(tools, "plain", a=1)
            assert (structured.content, structured.artifact) == (
                '{"got":{"a":1}}',
                {"got": {"a": 1}},
            )
            silent = await answer(tools, "silent")
            assert (silent.content, silent.artifact) == ("done", None)
            mixed = await answer(tools, "mixed")
            assert mixed.content == [
                {"type": "text", "text": "see"},
                {"type": "image", "base64": "aW1n", "mime_type": "image/png"},
                {"type": "file", "base64": "YXU=", "mime_type": "audio/wav"},
                {"type": "text", "text": "r: x://r (text/csv)"},
                {"type": "text", "text": "S: x://s"},
                {"type": "text", "text": "inner"},
                {"type": "file", "base64": "Ymxv", "mime_type": "application/octet-stream"},
            ]


async def test_an_explicit_null_result_is_a_value() -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of("nothing")) as tools:
            agent = Agent(model=ScriptedModel([call("nothing")]), tools=tools)
            assert (await extract(agent, "go", until_tool_success="nothing")).value is None


async def test_every_kind_of_failure_is_an_error_message() -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of(*ANSWERS, "unheard_of")) as tools:
            for name, words in (
                ("fails", "no such node\ntry n1"),
                ("fails_structured", '{"code":7}'),
                ("fails_silently", "fails/silently failed and did not say why"),
                ("unheard_of", "unheard_of failed: Unknown tool: unheard_of"),
                ("lies", "lies failed: Invalid structured content returned by tool lies"),
            ):
                message = await answer(tools, name)
                assert message.status == "error"
                assert message.text.startswith(words)


async def test_arguments_may_have_names_that_langchain_core_uses_itself() -> None:
    seen: list[Any] = []
    with anyio.fail_after(10):
        async with mcp_tools(server_of("plain", seen=seen)) as tools:
            await answer(tools, "plain", config=1, run_manager=2, callbacks=3, self=4)
            with pytest.raises(TypeError, match="dictionary"):
                await tools[0].ainvoke("text")
    arguments = {"config": 1, "run_manager": 2, "callbacks": 3, "self": 4}
    assert seen == [("plain", arguments)]


async def test_only_the_tools_asked_for_are_taken() -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of(), only=["fails", "multiply"], prefix="a.b_") as tools:
            assert [tool.name for tool in tools] == ["a_b_multiply", "a_b_fails"]
        for wanted, hint in (("multiplu", '"multiply"'), ("zzz", "it has multiply")):
            with pytest.raises(McpToolError, match=f"no tool '{wanted}'") as caught:
                async with mcp_tools(server_of(), only=[wanted]):
                    pytest.fail("must not be entered")
            assert hint in caught.value.hint


async def test_two_tools_that_would_get_one_name_are_refused() -> None:
    with anyio.fail_after(10):
        with pytest.raises(McpToolError, match="a_b"):
            async with mcp_tools(server_of("a.b", "a/b")):
                pytest.fail("must not be entered")


async def test_a_list_of_tools_that_never_ends_is_refused() -> None:
    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[], next_cursor="again")

    with anyio.fail_after(10):
        with pytest.raises(McpConnectionError, match="never ends"):
            async with mcp_tools(Server("loop", on_list_tools=list_tools)):
                pytest.fail("must not be entered")


@pytest.mark.parametrize("mode", MODES)
async def test_what_the_block_raises_passes_through_as_it_is(mode: Mode) -> None:
    error = LookupError("mine")
    with anyio.fail_after(10):
        with pytest.raises(LookupError) as caught:
            async with mcp_tools(server_of(), mode=mode):
                raise error
        assert caught.value is error
        with pytest.raises(TargetNotFoundError):
            async with mcp_tools(server_of("plain"), mode=mode) as tools:
                await extract(Agent(model=ScriptedModel([]), tools=tools), "go", until_tool="x")


async def test_a_client_that_is_connected_is_used_and_left_open() -> None:
    with anyio.fail_after(10):
        async with Client(server_of()) as client:
            for _ in range(2):
                async with mcp_tools(client, only=["multiply"]) as tools:
                    assert (await answer(tools, "multiply", x=1, y=1)).artifact == 1
            assert (await client.list_tools()).tools
        async with mcp_tools(Client(server_of()), only=["multiply"]) as tools:
            assert (await answer(tools, "multiply", x=1, y=1)).artifact == 1
        closed = tools
        assert (await answer(closed, "multiply", x=1, y=1)).status == "error"


async def test_headers_without_an_address_are_refused() -> None:
    with pytest.raises(AgentDefinitionError, match="'desk' in this process"):
        async with mcp_tools(server_of(), headers={"a": "b"}):
            pytest.fail("must not be entered")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("mode", MODES)
async def test_an_address_where_nothing_listens_is_named_without_its_password(mode: Mode) -> None:
    port = free_port()
    with anyio.fail_after(10):
        with pytest.raises(McpConnectionError) as caught:
            async with mcp_tools(f"http://user:secret@127.0.0.1:{port}/mcp?key=k", mode=mode):
                pytest.fail("must not be entered")
    error = caught.value
    assert error.type == "mcp_connection_failed"
    assert isinstance(error, ConnectionError)
    assert f"'http://127.0.0.1:{port}/mcp'" in str(error)
    assert "secret" not in str(error)
    assert "connection attempts failed" in str(error)
    assert "start the server" in error.hint


@pytest.mark.parametrize("mode", MODES)
async def test_other_endpoints_that_cannot_be_reached_are_named_too(mode: Mode) -> None:
    unreachable: list[tuple[Endpoint, str]] = [
        ("no address", "'no address'"),
        (StdioServerParameters(command="no-such-command"), "the command 'no-such-command'"),
        (
            StdioServerParameters(command=sys.executable, args=["-c", "raise SystemExit(3)"]),
            "Connection closed",
        ),
        (streamable_http_client(f"http://127.0.0.1:{free_port()}/mcp"), "the transport's server"),
        (Client(f"http://127.0.0.1:{free_port()}/mcp", mode=mode), "the client's server"),
    ]
    for endpoint, words in unreachable:
        with anyio.fail_after(20):
            with pytest.raises(McpConnectionError, match=words) as caught:
                async with mcp_tools(endpoint, mode=mode):
                    pytest.fail("must not be entered")
        assert caught.value.hint


async def test_a_server_that_is_no_mcp_server_is_named_with_what_to_do() -> None:
    async def forbidden(_: Request) -> PlainTextResponse:
        return PlainTextResponse("who are you", status_code=401)

    app = Starlette(routes=[Route("/mcp", forbidden, methods=["GET", "POST"])])
    with anyio.fail_after(10):
        async with serving(app) as running:
            with pytest.raises(McpConnectionError) as caught:
                async with mcp_tools(f"{running.address}/mcp"):
                    pytest.fail("must not be entered")
    assert "authorization" in caught.value.hint


async def test_a_server_that_does_not_answer_is_given_up_in_time() -> None:
    leave = anyio.Event()

    async def silent(_: Request) -> PlainTextResponse:
        await leave.wait()
        return PlainTextResponse("late")

    app = Starlette(routes=[Route("/mcp", silent, methods=["GET", "POST"])])
    with anyio.fail_after(20):
        async with serving(app) as running:
            with pytest.raises(McpConnectionError, match=r"no answer within 0\.1 s"):
                async with mcp_tools(f"{running.address}/mcp", connect_timeout_s=0.1):
                    pytest.fail("must not be entered")
            leave.set()


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_can_be_cancelled_and_the_connection_goes_on(mode: Mode) -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of("waits", "multiply"), mode=mode) as tools:
            model = ScriptedModel([call("waits"), call("multiply", {"x": 1, "y": 5})])
            agent = Agent(model=model, tools=tools, tool_timeout_s=0.5)
            result = await extract(agent, "go", until_tool_success="multiply")
    assert result.value == 5
    assert "did not finish within" in result.messages[2].text


async def test_a_call_takes_no_longer_than_it_may() -> None:
    with anyio.fail_after(10):
        async with mcp_tools(server_of("waits"), call_timeout_s=0.05) as tools:
            message = await answer(tools, "waits")
    assert message.status == "error"
    assert "waits failed" in message.text


async def test_the_block_can_be_cancelled() -> None:
    with anyio.fail_after(10):
        with anyio.move_on_after(0.05) as scope:
            async with mcp_tools(server_of("waits")) as tools:
                await answer(tools, "waits")
    assert scope.cancelled_caught


async def test_a_server_that_goes_away_is_told_by_the_next_call() -> None:
    headers: list[dict[str, str]] = []
    with anyio.fail_after(20):
        async with (
            http_endpoint(server_of("multiply"), headers) as running,
            mcp_tools(f"{running.address}/mcp", headers={}) as tools,
        ):
            assert (await answer(tools, "multiply", x=1, y=1)).artifact == 1
            await running.stop()
            agent = Agent(model=ScriptedModel([call("multiply", {"x": 1, "y": 1})]), tools=tools)
            with pytest.raises(ExtractError) as caught:
                await extract(agent, "go", until_tool_success="multiply", max_runs=1)
            assert caught.value.attempts[0].outcome == "rejected"
            assert "multiply failed" in str(caught.value)


async def test_an_answer_that_is_no_valid_mcp_is_an_error_message() -> None:
    results: dict[str, Any] = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "odd", "version": "1"},
        },
        "tools/list": {"tools": [{"name": "odd", "inputSchema": ANY}]},
        "tools/call": {"content": "not a list"},
    }

    async def by_hand(request: Request) -> Response:
        message = await request.json()
        if "id" not in message:
            return Response(status_code=202)
        body = {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]}
        return JSONResponse(body)

    app = Starlette(routes=[Route("/mcp", by_hand, methods=["POST"])])
    with anyio.fail_after(10):
        async with (
            serving(app) as running,
            mcp_tools(f"{running.address}/mcp", mode="legacy") as tools,
        ):
            message = await answer(tools, "odd")
    assert (message.status, message.text) == ("error", "odd gave an answer that is no valid MCP")


STDIO_SERVER = """
import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

async def list_tools(context, params):
    return ListToolsResult(tools=[Tool(name="echo", input_schema={"type": "object"})])

async def call_tool(context, params):
    words = TextContent(type="text", text="heard")
    return CallToolResult(content=[words], structured_content=params.arguments)

async def main():
    server = Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""


async def test_tools_of_a_command_are_used_over_its_standard_streams() -> None:
    command = StdioServerParameters(command=sys.executable, args=["-c", STDIO_SERVER])
    with anyio.fail_after(30):
        async with mcp_tools(command) as tools:
            agent = Agent(model=ScriptedModel([call("echo", {"a": 1})]), tools=tools)
            result = await extract(agent, "go", until_tool_success="echo")
    assert (result.value, result.tool_message.content) == ({"a": 1}, "heard")
