"""What the subcommands of `tercet` do."""

import gc
import json
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Tool as McpTool
from rich.console import Console
from rich.table import Table

from gateway._access import AccessSettings
from gateway._app import create_app
from gateway._compose import Composition, compose
from gateway._reloading import reloading_at_hangup
from gateway._serving import BindError, address_of, is_any_address, listen_on, web_server
from gateway._settings_file import GatewaySettings
from gateway._stdio import Family, run_stdio
from gateway._terminal_questions import terminal_questions
from tercet.mcp import McpTasks
from tercet.mcp import serve as serve_registry

if TYPE_CHECKING:
    from gateway._tracing import Tracing

__all__ = ["RemoteError", "call_tool", "list_tools", "serve", "speak_stdio"]

_TOKEN_VARIABLE = "TERCET_TOKEN"  # noqa: S105 -- its name, not a token
"""Names the token for a running gateway; no option, for others see a process's arguments."""


class RemoteError(Exception):
    """A running gateway cannot be used; the message says why and what to do."""


async def serve(settings: GatewaySettings) -> None:
    """Serve until interrupted.

    Raises:
        BindError: The address cannot be listened on.
        DeclarationError: An installed app, or the inventory, cannot be used.
        InventoryError: The inventory cannot be read.
        PluginError: A plugin of the network cannot be connected.
        StoreError: The network's file cannot be used.
        TokenFileError: The token file cannot be used.
        TracingError: What traces take is not installed.
    """
    access = settings.access()
    async with _composed(settings) as (composition, tracing):
        listener = listen_on(settings.host, settings.port, authenticated=access.asks)
        with listener:
            if access.public_url is None and is_any_address(listener):
                raise BindError(
                    f"{settings.host} is no name by which clients can ask for this service; say "
                    "the one they use by --public-url"
                )
            named = access.named(address_of(listener))
            app = create_app(
                composition,
                named,
                tasks=McpTasks(settings.task.limits()),
                around=tracing and tracing.around,
            )
            # What is there now stays: to look through it again and again for what nobody needs
            # any more would stop every call for a tenth of a second each time.
            gc.collect()
            gc.freeze()
            # Who is told that it serves may send a signal at once.
            async with reloading_at_hangup(composition.reloading):
                _introduce(composition, named)
                await web_server(app).serve(sockets=[listener])


async def speak_stdio(settings: GatewaySettings, only: Family | None) -> None:
    """Serve one client on standard input and output.

    Raises:
        DeclarationError: As `serve`, and so are all others.
        InventoryError: See there.
        StoreError: See there.
        TracingError: See there.
    """
    async with _composed(settings) as (composition, _):
        await run_stdio(composition, only, tasks=McpTasks(settings.task.limits()))


@asynccontextmanager
async def _composed(
    settings: GatewaySettings,
) -> AsyncGenerator[tuple[Composition, "Tracing | None"]]:
    """A composition by the settings, and what traces it, if anything does."""
    tracing = settings.trace.tracing()
    composed = compose(
        store=settings.store,
        network=settings.network,
        taylor=settings.taylor,
        workers=settings.workers,
        session=settings.session,
        observers=() if tracing is None else (tracing,),
    )
    try:
        async with _closing(composed) as composition:
            yield composition, tracing
    finally:
        if tracing is not None:
            await tracing.aclose()


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


async def _greet(http: httpx2.AsyncClient, url: str) -> None:
    """Ask a gateway for its info page first, whose refusal can be told in one line."""
    try:
        answer = await http.get(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise RemoteError(f"cannot reach {url}: {error}") from error
    if answer.status_code == HTTPStatus.UNAUTHORIZED:
        raise RemoteError(
            f"the gateway at {url} asks for a token that is valid; put it into the environment "
            f"variable {_TOKEN_VARIABLE}"
        )
    if answer.is_error:
        raise RemoteError(f"the gateway at {url} answers {answer.status_code}")


@asynccontextmanager
async def _client(url: str | None, store: Path | None) -> AsyncGenerator[Client, None]:
    if url is not None:
        token = os.environ.get(_TOKEN_VARIABLE)
        headers = {"authorization": f"Bearer {token}"} if token else {}
        timeout = httpx2.Timeout(30.0, read=300.0)
        async with httpx2.AsyncClient(headers=headers, timeout=timeout) as http:
            await _greet(http, url)
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, elicitation_callback=terminal_questions()) as client:
                yield client
        return
    async with (
        _closing(compose(store=store)) as composition,
        composition.running(),
        Client(serve_registry(composition.registry)) as client,
    ):
        yield client


def _introduce(composition: Composition, access: AccessSettings) -> None:
    console, address = Console(), access.public_url
    stats = composition.registry.get_stats()
    console.print(f"Tercet serves {stats['total_tools']} tools at [bold]{address}/mcp[/] (MCP)")
    for app in stats["apps"]:
        names = [tool.name for tool in composition.registry.list_tools_by_app(app)]
        console.print(f"  {app}: {', '.join(names)}", highlight=False)
    server: dict[str, Any] = {"type": "http", "url": f"{address}/mcp"}
    if access.asks:
        server["headers"] = {"Authorization": f"Bearer ${{{_TOKEN_VARIABLE}}}"}
    entry = {"mcpServers": {"tercet": server}}
    console.print("Connect a client with this entry, or run `tercet mcp` as its command:")
    console.print_json(data=entry)
    console.print(f"REST: {address}/mcp/tools   OpenAPI: {address}/docs   Health: {address}/health")
    console.print("Stop with Ctrl-C.")
    # Whoever reads a pipe wants to know the address now, not when the server ends.
    console.file.flush()
