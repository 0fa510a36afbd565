"""MCP over standard input and output, for clients that start their own server.

Standard output carries JSON-RPC and nothing else: the SDK's transport takes the descriptor for
itself and points the rest of the process, print included, at standard error.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from mcp import stdio_server

from gateway._compose import Composition
from gateway._instructions import INSTRUCTIONS
from tercet import ALL_SCOPES, CallContext
from tercet.mcp import McpTasks, serve

__all__ = ["Family", "run_stdio"]

Family = Literal["taylor", "network"]

_SCOPES: Mapping[Family | None, frozenset[str]] = MappingProxyType(
    {
        None: frozenset({ALL_SCOPES}),
        "taylor": frozenset({"taylor"}),
        "network": frozenset({"network", "network:write"}),
    }
)


async def run_stdio(
    composition: Composition, only: Family | None = None, *, tasks: McpTasks | None = None
) -> None:
    """Serve one client on standard input and output until it closes them.

    Args:
        composition: What is served.
        only: The one family of tools that is offered; both where there is none.
        tasks: What carries long calls on as tasks; one with the default limits where there is none.
    """
    caller, carried = CallContext(scopes=_SCOPES[only]), tasks or McpTasks()
    server = serve(
        composition.registry,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
        context_of=lambda _: caller,
        tasks=carried,
    )
    async with composition.running(), carried, stdio_server() as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())
