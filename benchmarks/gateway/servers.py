"""One server that offers `multiply`, by the name of what it is built with; prints its address."""

import gc
import json
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import uvicorn
from fastapi import FastAPI
from mcp.server import MCPServer, Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.routing import Route

from tercet import tool


@tool(app="bench", kind="taylor", effect="read", scopes=["taylor"])
async def multiply(
    x: Annotated[float, Field(description="A number.")],
    y: Annotated[float, Field(description="A number.")],
) -> float:
    """Multiply two numbers."""
    return x * y


def gateway(token_file: Path, tools: int = 0) -> Any:
    """All features on: tokens, limits, metrics, health, REST beside it.

    Args:
        token_file: Gets a token.
        tools: How many there are at least; those more than the gateway has are all alike.
    """
    from gateway import (  # noqa: PLC0415 -- only where it is measured
        AccessSettings,
        TenantLimits,
        compose,
        create_app,
        create_token,
    )

    token = create_token(token_file, "bench", tenant="bench", role="admin")
    composition = compose()
    composition.registry.register_tool(multiply)
    registry = composition.registry
    more = [replace(multiply, name=f"multiply_{n:03}") for n in range(tools - len(registry))]
    registry.register_tools(more)
    limits = TenantLimits(calls_per_minute=100_000_000, calls_at_once=256, calls_waiting=1_000)
    print(token, flush=True)
    return create_app(composition, AccessSettings(tokens=token_file, limits=limits))


def bare_sdk(_: Path) -> Any:
    """The SDK's low-level server around the same function, and nothing else."""

    async def list_tools(*_: Any) -> ListToolsResult:
        listed = Tool(name="multiply", description="m", input_schema=multiply.input_schema)
        return ListToolsResult(tools=[listed])

    async def call_tool(_: Any, params: Any) -> CallToolResult:
        value = {"result": await multiply(**params.arguments)}
        text = TextContent(type="text", text=json.dumps(value))
        return CallToolResult(content=[text], structured_content=value)

    server: Server[Any] = Server(
        "bare",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda _: multiply.input_schema,
    )
    manager = StreamableHTTPSessionManager(app=server, stateless=True)
    return Starlette(
        routes=[Route("/mcp", endpoint=StreamableHTTPASGIApp(manager))],
        lifespan=lambda _: manager.run(),
    )


def mcp_server(_: Path) -> Any:
    """The SDK's own way to declare tools."""
    server = MCPServer("bench")

    @server.tool()
    async def multiply(x: float, y: float) -> float:
        """Multiply two numbers."""
        return x * y

    return server.streamable_http_app(stateless_http=True)


def fastmcp(_: Path) -> Any:
    from fastmcp import FastMCP  # noqa: PLC0415 -- only where it is installed

    server = FastMCP("bench")

    @server.tool
    async def multiply(x: float, y: float) -> float:
        """Multiply two numbers."""
        return x * y

    return server.http_app(stateless_http=True)


class Factors(BaseModel):
    x: float
    y: float


def fastapi(_: Path) -> Any:
    """A route that does the same, without the protocol."""
    app = FastAPI()

    @app.post("/mcp")
    async def route(factors: Factors) -> dict[str, float]:
        return {"result": factors.x * factors.y}

    return app


SERVERS: dict[str, Callable[[Path], Any]] = {
    "bare SDK server": bare_sdk,
    "same, by h11": bare_sdk,
    "gateway": gateway,
    "gateway with 500 tools": partial(gateway, tools=500),
    "MCPServer": mcp_server,
    "fastmcp": fastmcp,
    "FastAPI route": fastapi,
}


async def main(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = SERVERS[name](Path(folder) / "tokens.json")
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        # As `tercet serve` does, and alike for all.
        gc.collect()
        gc.freeze()
        await _web_server(name, app).serve(sockets=[listener])


def _web_server(name: str, app: Any) -> uvicorn.Server:
    if name.startswith("gateway"):
        from gateway._serving import web_server  # noqa: PLC0415 -- only where it is measured

        return web_server(app)
    # The others get the same parser of HTTP; without `httptools` uvicorn takes h11.
    parser = "h11" if name.endswith("by h11") else "httptools"
    return uvicorn.Server(uvicorn.Config(app, http=parser, log_level="error", access_log=False))


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
