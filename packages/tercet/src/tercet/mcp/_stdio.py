"""One client on standard input and output."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import anyio
from mcp import stdio_server
from mcp.server import Server

__all__ = ["run_stdio"]


def run_stdio(
    server: Server[Any], *, workers: AbstractAsyncContextManager[Any] | None = None
) -> None:
    """Serve one client on standard input and output until it closes them.

    Standard output carries JSON-RPC and nothing else: the SDK's transport takes the descriptor for
    itself and points the rest of the process, print included, at standard error.

    Args:
        server: What is served.
        workers: What computes for its tools, such as `ProcessWorkers`; ended with the server.
    """

    async def run() -> None:
        async with workers or nullcontext(), stdio_server() as (requests, answers):
            await server.run(requests, answers, server.create_initialization_options())

    anyio.run(run)
