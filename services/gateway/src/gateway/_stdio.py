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
from tercet.mcp import serve

__all__ = ["Family", "run_stdio"]

Family = Literal["taylor", "network"]

_SCOPES: Mapping[Family | None, frozenset[str]] = MappingProxyType(
    {
        None: frozenset({ALL_SCOPES}),
        "taylor": frozenset({"taylor"}),
        "network": frozenset({"network", "network:write"}),
    }
)


async def run_stdio(composition: Composition, only: Family | None = None) -> None:
    """Serve one client on standard input and output until it closes them.

    Args:
        composition: What is served.
        only: The one family of tools that is offered; both where there is none.
    """
    caller = CallContext(scopes=_SCOPES[only])
    server = serve(
        composition.registry,
        instructions=INSTRUCTIONS,
        prompts=() if only == "network" else composition.prompts,
        context_of=lambda _: caller,
    )
    async with composition.running(), stdio_server() as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())
