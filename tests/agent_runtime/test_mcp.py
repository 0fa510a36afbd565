"""The bridge to MCP endpoints: in this process, over streamable HTTP, in both protocol eras."""

import sys
from typing import Any

import anyio
import pytest
from langchain_core.messages import ToolMessage
from mcp import Client, StdioServerParameters
from mcp.server import Server
from mcp.types import (
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp_desk import ANSWERS, MODES, MULTIPLY, Context, Mode, answer, http_endpoint, server_of

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    McpConnectionError,
    McpToolError,
    TargetNotFoundError,
    extract,
)
from agent_runtime.mcp import mcp_tools
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


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
