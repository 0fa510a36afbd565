"""MCP over standard input and output, for clients that start their own server.

Standard output carries JSON-RPC and nothing else: the SDK's transport takes the descriptor for
itself and points the rest of the process, print included, at standard error.
"""

from mcp import stdio_server

from gateway._compose import Composition
from gateway._instructions import INSTRUCTIONS
from tercet.mcp import serve

__all__ = ["run_stdio"]


async def run_stdio(composition: Composition) -> None:
    """Serve one client on standard input and output until it closes them."""
    server = serve(composition.registry, instructions=INSTRUCTIONS)
    async with composition.running(), stdio_server() as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())
