"""`tercet mcp`: a client that starts its own server, and a standard output that stays clean."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

COMMAND = str(Path(sys.executable).with_name("tercet"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_starts_lists_and_calls(mode: Any) -> None:
    async with Client(StdioServerParameters(command=COMMAND, args=["mcp"]), mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"parse_expression_to_mtf", "NetworkApp1_set_gain"} <= names
        state = await client.call_tool("NetworkApp1_set_state", {"state": "running"})
        assert not state.is_error
        wrong = await client.call_tool("NetworkApp1_set_state", {"state": "runing"})
        assert wrong.is_error


@pytest.mark.parametrize(
    ("only", "there", "absent"),
    [
        ("taylor", "invert_taylor_map", "NetworkApp1_set_gain"),
        ("network", "NetworkApp1_set_gain", "invert_taylor_map"),
    ],
)
async def test_one_family_alone_is_offered_on_request(only: str, there: str, absent: str) -> None:
    command = StdioServerParameters(command=COMMAND, args=["mcp", "--only", only])
    async with Client(command) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert there in names
        assert absent not in names


async def test_the_taylor_tools_are_a_server_of_their_own() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "tpsa_core.tools.mcp_server"]
    )
    async with Client(command) as client:
        assert "invert_taylor_map" in {t.name for t in (await client.list_tools()).tools}
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"da-expert", "sandalwood-da-expert"}
        expert: Any = await client.get_prompt("sandalwood-da-expert", {"task": "find the tune"})
        assert "The task: find the tune" in expert.messages[0].content.text


async def test_standard_output_carries_json_rpc_and_nothing_else() -> None:
    requests = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {
                "name": "NetworkApp1_set_gain",
                "arguments": {"node_id": 8, "target_gain": 13},
            },
        },
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "parse_expression_to_mtf", "arguments": {"expression": 1}},
        },
    ]
    seen: dict[int, Any] = {}
    with anyio.fail_after(30):
        async with await anyio.open_process([COMMAND, "mcp"], stderr=None) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for request in requests:
                await process.stdin.send(json.dumps(request).encode() + b"\n")
            received = b""
            while len(seen) < 3:
                received += await process.stdout.receive()
                *lines, received = received.split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    assert message["jsonrpc"] == "2.0"
                    if "id" in message:
                        seen[message["id"]] = message
            await process.stdin.aclose()
            assert await process.wait() == 0
    assert seen[2]["result"]["structuredContent"]["data"]["result"]["status"] == "verified"
    assert seen[3]["result"]["isError"]
