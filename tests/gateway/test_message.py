"""The raw JSON-RPC endpoint, and the Python names of the documented interface."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from httpx2 import AsyncClient
from mcp import Client, StdioServerParameters

from gateway import Composition
from gateway.aic import MCPServer, MCPTool, MCPToolRegistry
from tercet import ToolDefinitionError

pytestmark = pytest.mark.anyio

GAIN = {"name": "NetworkApp1_set_gain", "arguments": {"node_id": 8, "target_gain": 13.0}}


async def ask(http: AsyncClient, method: str, params: Any = None, *, request_id: Any = 1) -> Any:
    body = {"jsonrpc": "2.0", "id": request_id, "method": method}
    reply = await http.post(
        "/mcp/message", json=body if params is None else body | {"params": params}
    )
    assert reply.status_code == 200
    return reply.json()


@pytest.mark.parametrize("request_id", [1, 0, -7, "abc", ""])
async def test_an_answer_has_the_id_of_its_request(http: AsyncClient, request_id: Any) -> None:
    answer = await ask(http, "ping", request_id=request_id)

    assert answer == {"jsonrpc": "2.0", "id": request_id, "result": {}}


async def test_the_documented_methods_are_answered(
    http: AsyncClient, composition: Composition
) -> None:
    hello = await ask(
        http,
        "initialize",
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    )
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert hello["result"]["serverInfo"]["name"] == "tercet"

    listed = await ask(http, "tools/list", {})
    assert "NetworkApp1_set_gain" in {tool["name"] for tool in listed["result"]["tools"]}

    called = await ask(http, "tools/call", GAIN)
    assert called["result"]["structuredContent"]["data"]["result"]["status"] == "verified"
    assert not called["result"]["isError"]
    assert composition.line.state()[8]["booster_gain_db"] == 13.0

    refused = await ask(http, "tools/call", {**GAIN, "arguments": {"node_id": 3}})
    assert refused["result"]["isError"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/lost", {}, -32601),
        ("initialized", {}, -32601),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 7}, -32602),
        ("tools/call", {"name": "no_such_tool"}, -32602),
    ],
)
async def test_a_method_that_fails_says_how_by_its_code(
    http: AsyncClient, method: str, params: Any, code: int
) -> None:
    assert (await ask(http, method, params))["error"]["code"] == code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": NaN}}', -32700),
        (b'{"jsonrpc": "2.0", "id": 1' + b"0" * 5_000 + b', "method": "ping"}', -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32600),
    ],
)
async def test_what_is_no_message_is_told_so(http: AsyncClient, body: bytes, code: int) -> None:
    reply = await http.post("/mcp/message", content=body)

    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == code


async def test_half_a_character_is_answered_and_never_a_crash(http: AsyncClient) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}'
    reply = await http.post("/mcp/message", content=body)

    assert reply.status_code in (200, 400)
    assert reply.json()["error"]["code"] in (-32700, -32601)


@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "no/such"]
)
async def test_a_notification_is_taken_without_a_word(http: AsyncClient, method: str) -> None:
    reply = await http.post("/mcp/message", json={"jsonrpc": "2.0", "method": method})

    assert (reply.status_code, reply.content) == (202, b"")


async def test_a_request_without_an_id_changes_nothing(
    http: AsyncClient, composition: Composition
) -> None:
    before = composition.line.state()
    body = {"jsonrpc": "2.0", "method": "tools/call", "params": GAIN}

    assert (await http.post("/mcp/message", json=body)).status_code == 202
    await anyio.wait_all_tasks_blocked()

    assert composition.line.state() == before


# --- the Python names ------------------------------------------------------------------------


async def double(arguments: dict[str, Any]) -> Any:
    return {"twice": 2 * arguments["number"]}


def make_tool(name: str = "Maths_double") -> MCPTool:
    schema = {"type": "object", "properties": {"number": {"type": "number"}}}
    return MCPTool(
        name, "Double a number", {**schema, "required": ["number"]}, double, "Maths", "control"
    )


async def test_a_tool_is_registered_listed_counted_and_called() -> None:
    registry = MCPToolRegistry()
    registry.register_tool(make_tool())

    assert make_tool().to_mcp_format()["name"] == "Maths_double"
    assert (
        registry.list_tools()
        == registry.list_tools_by_app("Maths")
        == [make_tool().to_mcp_format()]
    )
    assert registry.list_tools_by_app("Other") == []
    assert registry.get_stats() == {
        "total_tools": 1,
        "total_apps": 1,
        "apps": ["Maths"],
        "tools_by_type": {"control": 1, "measurement": 0, "state": 0, "agent_controlled": 0},
    }
    assert await registry.call_tool("Maths_double", {"number": 4}) == {
        "success": True,
        "result": {"twice": 8},
    }
    assert await registry.call_tool("unknown_tool", {}) == {
        "success": False,
        "error": "Tool 'unknown_tool' not found",
    }
    assert (await registry.call_tool("Maths_double", {"numbre": 4}))["success"] is False
    with pytest.raises(ToolDefinitionError):
        registry.register_tool(make_tool())


async def test_the_server_handles_one_request_after_another() -> None:
    registry = MCPToolRegistry()
    registry.register_tool(make_tool())
    server = MCPServer(registry.registry)
    call = {"name": "Maths_double", "arguments": {"number": 3}}

    answers = [
        await server.handle_request(
            {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": call}
        )
        for n in range(2)
    ]
    for answer in answers:
        assert answer is not None
        assert answer["result"]["structuredContent"]["data"]["result"] == {"twice": 6}
    assert await server.handle_request({"jsonrpc": "2.0", "method": "notifications/x"}) is None
    wrong = await server.handle_request(["no message"])
    assert wrong is not None
    assert wrong["error"]["code"] == -32600


PROGRAM = """
import anyio
from gateway import compose
from gateway.aic import StdioMCPServer
anyio.run(StdioMCPServer(compose().registry).run)
"""


async def test_the_stdio_server_serves_a_client(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(PROGRAM)
    command = StdioServerParameters(command=sys.executable, args=[str(program)])
    async with Client(command) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]

    assert "NetworkApp1_get_state" in names
    assert json.dumps(names)
