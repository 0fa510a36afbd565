"""The entry for a desktop client, as the page gives it: it starts a server that answers."""

import json
import re
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

PAGE = Path(__file__).parents[2] / "docs" / "taylor-tools.md"
COMMANDS = str(Path(sys.executable).parent)


def entry() -> tuple[str, list[str]]:
    """The command and the arguments of the page, with the folder of this environment's commands."""
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server.keys() == {"command", "args"}
    assert "PATH/TO/.venv/bin" in server["command"]
    return server["command"].replace("PATH/TO/.venv/bin", COMMANDS), server["args"]


def other() -> tuple[str, list[str]]:
    """The command that the page names for an environment without the gateway."""
    found = re.search(r"`PATH/TO/\.venv/bin/(\w+)` with `(\[.*?\])`", PAGE.read_text())
    assert found
    return str(Path(COMMANDS, found[1])), json.loads(found[2])


@pytest.mark.parametrize("server", [entry, other])
async def test_a_client_starts_the_server_of_the_page_and_computes(server: Any) -> None:
    command, args = server()
    async with Client(StdioServerParameters(command=command, args=args)) as client:
        assert "invert_taylor_map" in {tool.name for tool in (await client.list_tools()).tools}
        made = await client.call_tool(
            "parse_expression_to_mtf", {"expression": "exp(x1)", "dimension": 1, "max_order": 4}
        )
        structured: Any = made.structured_content
        ref = structured["data"]["result"]["ref"]
        value = await client.call_tool("evaluate_mtf", {"mtf_ref": ref, "point": [0.5]})
        # 1 + 1/2 + 1/8 + 1/48 + 1/384.
        answer: Any = value.structured_content
        assert answer["data"]["result"] == pytest.approx(1.6484375, abs=1e-15)


async def test_standard_output_carries_the_protocol_and_nothing_else() -> None:
    command, args = entry()
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    calls = [
        ("parse_expression_to_mtf", {"expression": "x1", "dimension": 1, "max_order": 2}),
        # What matplotlib says when it is loaded must not be in the way.
        ("plot_mtf", {"mtf_ref": "mtf_0", "x": {"variable": 1, "lower": 0, "upper": 1}}),
        ("evaluate_mtf", {"mtf_ref": "nobody", "point": [1]}),
    ]
    seen: list[Any] = []
    with anyio.fail_after(50):
        async with await anyio.open_process([command, *args], stderr=None) as process:
            stdin, stdout = process.stdin, process.stdout
            assert stdin is not None
            assert stdout is not None
            lines = _lines(stdout)

            async def ask(method: str, params: Any) -> None:
                request = {"jsonrpc": "2.0", "id": len(seen), "method": method, "params": params}
                await stdin.send(json.dumps(request).encode() + b"\n")
                seen.append(json.loads(await anext(lines)))

            await ask("initialize", hello)
            for name, arguments in calls:
                await ask("tools/call", {"name": name, "arguments": arguments})
            await stdin.aclose()
            assert await process.wait() == 0
            assert [line async for line in lines] == []
    assert [(answer["jsonrpc"], answer["id"]) for answer in seen] == [("2.0", n) for n in range(4)]
    assert [answer["result"].get("isError") for answer in seen] == [None, False, False, True]


async def _lines(stream: Any) -> AsyncGenerator[bytes]:
    left = b""
    async for chunk in stream:
        *whole, left = (left + chunk).split(b"\n")
        for line in whole:
            yield line
    assert left == b""
