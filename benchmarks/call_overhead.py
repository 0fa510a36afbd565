"""What one call costs: the function alone, through the registry, and over MCP in memory.

Run with `uv run python benchmarks/call_overhead.py`. The peer of the MCP row is a bare low-level
server of the SDK with the same function and no validation, in the same run; the rounds of all rows
alternate, so that the machine's mood strikes them alike.
"""

import json
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio
from mcp import Client
from mcp.server import Server, ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from mcp.types import Tool as McpTool
from pydantic import Field

from tercet import ToolRegistry, tool
from tercet.mcp import serve

ROUNDS, CALLS = 15, 200
ARGUMENTS = {"x": 2.0, "y": 3.0}


@tool(app="bench", kind="taylor", effect="read")
async def multiply(
    x: Annotated[float, Field(description="A number.")],
    y: Annotated[float, Field(description="A number.")],
) -> float:
    """Multiply two numbers."""
    return x * y


def bare_server() -> Server[Any]:
    """Give the peer: the SDK's low-level server around the same function, and nothing else."""

    async def list_tools(
        _: ServerRequestContext[Any, Any], __: PaginatedRequestParams | None
    ) -> ListToolsResult:
        # With an output schema too, since the client checks every answer against it.
        listed = McpTool(
            name="multiply",
            description="m",
            input_schema=multiply.input_schema,
            output_schema={"type": "object", "properties": {"result": {"type": "number"}}},
        )
        return ListToolsResult(tools=[listed])

    async def call_tool(
        _: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        given: dict[str, Any] = params.arguments or {}
        value = {"result": await multiply(**given)}
        return CallToolResult(
            content=[TextContent(type="text", text=json.dumps(value))], structured_content=value
        )

    return Server(
        "bare",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda _: multiply.input_schema,
    )


async def cpu_us(call: Callable[[], Awaitable[object]]) -> float:
    """Measure the process's CPU time of one call, in microseconds."""
    start = time.process_time_ns()
    for _ in range(CALLS):
        await call()
    return (time.process_time_ns() - start) / CALLS / 1_000


async def main() -> None:
    """Measure and print."""
    registry = ToolRegistry([multiply])
    async with Client(serve(registry)) as ours, Client(bare_server()) as bare:
        rows: dict[str, Callable[[], Awaitable[object]]] = {
            "the function": lambda: multiply(**ARGUMENTS),
            "through the registry": lambda: registry.call_tool("multiply", ARGUMENTS),
            "MCP in memory, bare SDK server": lambda: bare.call_tool("multiply", ARGUMENTS),
            "MCP in memory, this registry": lambda: ours.call_tool("multiply", ARGUMENTS),
        }
        times: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, call in rows.items():
                times[name].append(await cpu_us(call))
    print(f"{'CPU time of one call':34} {'median':>9} {'lowest':>9}  (µs)")
    for name, values in times.items():
        print(f"{name:34} {statistics.median(values):9.1f} {min(values):9.1f}")
    ours_us, bare_us = (statistics.median(times[name]) for name in list(rows)[3:1:-1])
    print(f"this registry over MCP / bare SDK server: {ours_us / bare_us:.2f}")


if __name__ == "__main__":
    anyio.run(main)
