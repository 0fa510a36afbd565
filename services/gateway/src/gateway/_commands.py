"""What the subcommands of `tercet` do."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import Tool as McpTool
from rich.console import Console
from rich.table import Table

from gateway._app import create_app
from gateway._compose import Composition, compose
from gateway._serving import address_of, listen_on, web_server
from gateway._settings import NetworkSettings
from gateway._stdio import Family, run_stdio
from tercet.mcp import serve as serve_registry

__all__ = ["call_tool", "list_tools", "serve", "speak_stdio"]


async def serve(host: str, port: int, store: Path | None, network: NetworkSettings) -> None:
    """Serve until interrupted.

    Raises:
        BindError: The address cannot be listened on.
        StoreError: The network's file cannot be used.
    """
    composed = compose(store=store, network=network)
    async with _closing(composed) as composition:
        listener = listen_on(host, port)
        _introduce(composition, address_of(listener))
        await web_server(create_app(composition)).serve(sockets=[listener])


async def speak_stdio(store: Path | None, only: Family | None, network: NetworkSettings) -> None:
    """Serve one client on standard input and output.

    Raises:
        StoreError: The network's file cannot be used.
    """
    async with _closing(compose(store=store, network=network)) as composition:
        await run_stdio(composition, only)


async def list_tools(*, url: str | None, as_json: bool) -> None:
    """Print the tools of a composition of this process, or of a running gateway."""
    async with _client(url, None) as client:
        tools: list[McpTool] = []
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += page.tools
            if (cursor := page.next_cursor) is None:
                break
    console = Console()
    if as_json:
        shown = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
        console.out(json.dumps(shown, indent=2, ensure_ascii=False), highlight=False)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("tool", no_wrap=True)
    table.add_column("reads only")
    table.add_column("what it does")
    for tool in tools:
        reads = tool.annotations is not None and tool.annotations.read_only_hint
        first_sentence = " ".join((tool.description or "").split()).split(". ", 1)[0]
        table.add_row(tool.name, "yes" if reads else "no", first_sentence.rstrip("."))
    console.print(table)
    console.print(f"{len(tools)} tools")


async def call_tool(
    name: str, arguments: Mapping[str, Any], *, url: str | None, store: Path | None
) -> bool:
    """Print the answer of one call and say whether it was a success."""
    if url is None:
        async with _closing(compose(store=store)) as composition, composition.running():
            answer = await composition.registry.call_tool(name, arguments)
            Console().print_json(answer.to_json(), ensure_ascii=False)
            return not answer.is_error
    async with _client(url, store) as client:
        result = await client.call_tool(name, dict(arguments))
        Console().print_json(data=result.structured_content, ensure_ascii=False)
        return not result.is_error


@asynccontextmanager
async def _closing(composition: Composition) -> AsyncGenerator[Composition, None]:
    try:
        yield composition
    finally:
        await composition.aclose()


@asynccontextmanager
async def _client(url: str | None, store: Path | None) -> AsyncGenerator[Client, None]:
    if url is not None:
        async with Client(url) as client:
            yield client
        return
    async with (
        _closing(compose(store=store)) as composition,
        composition.running(),
        Client(serve_registry(composition.registry)) as client,
    ):
        yield client


def _introduce(composition: Composition, address: str) -> None:
    console = Console()
    stats = composition.registry.get_stats()
    console.print(f"Tercet serves {stats['total_tools']} tools at [bold]{address}/mcp[/] (MCP)")
    for app in stats["apps"]:
        names = [tool.name for tool in composition.registry.list_tools_by_app(app)]
        console.print(f"  {app}: {', '.join(names)}", highlight=False)
    entry = {"mcpServers": {"tercet": {"type": "http", "url": f"{address}/mcp"}}}
    console.print("Connect a client with this entry, or run `tercet mcp` as its command:")
    console.print_json(data=entry)
    console.print(f"REST: {address}/mcp/tools   OpenAPI: {address}/docs   Health: {address}/health")
    console.print("Stop with Ctrl-C.")
    # Whoever reads a pipe wants to know the address now, not when the server ends.
    console.file.flush()
