"""MCP servers that are not there, do not answer, go away, or break the protocol."""

import sys
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_desk import ANY, MODES, Mode, answer, free_port, http_endpoint, server_of, serving
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from agent_runtime import (
    Agent,
    ExtractError,
    McpConnectionError,
    extract,
)
from agent_runtime.mcp import Endpoint, mcp_tools
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


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
