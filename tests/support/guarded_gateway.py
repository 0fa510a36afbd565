"""A gateway that asks for tokens, on a free loopback port, and clients that show them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from httpx2 import AsyncClient
from mcp import Client
from mcp.client import Transport
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client

from gateway import (
    AccessSettings,
    Composition,
    NetworkSettings,
    compose,
    create_app,
    create_token,
    listen_on,
    serving,
)
from tercet.mcp import McpTasks


@dataclass
class Guarded:
    """A gateway that asks for tokens, on a free loopback port."""

    composition: Composition
    tokens: Path
    address: str
    headers: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def token(
        self,
        name: str,
        role: str,
        *,
        tenant: str = "lab",
        apps: tuple[str, ...] | None = None,
    ) -> str:
        made = create_token(self.tokens, name, tenant=tenant, role=role, apps=apps)  # pyright: ignore[reportArgumentType] -- roles come from parameters
        self.headers[name] = {"authorization": f"Bearer {made}"}
        return made

    @asynccontextmanager
    async def rest(self, name: str | None = None) -> AsyncGenerator[AsyncClient]:
        headers = self.headers[name] if name else {}
        async with AsyncClient(base_url=self.address, headers=headers) as http:
            yield http

    @asynccontextmanager
    async def mcp(
        self, name: str, mode: str = "auto", on_question: ElicitationFnT | None = None
    ) -> AsyncGenerator[Client]:
        async with (
            self.wire(name) as wire,
            Client(wire, mode=mode, elicitation_callback=on_question) as client,
        ):
            yield client

    @asynccontextmanager
    async def wire(self, name: str) -> AsyncGenerator[Transport]:
        async with AsyncClient(headers=self.headers[name]) as http:
            yield streamable_http_client(f"{self.address}/mcp", http_client=http)


@asynccontextmanager
async def guarding(
    tokens: Path,
    access: AccessSettings | None = None,
    network: NetworkSettings | None = None,
    tasks: McpTasks | None = None,
) -> AsyncGenerator[Guarded]:
    """Serve with tokens for the length of a block; there is one of the admin `root`."""
    root = create_token(tokens, "root", tenant="lab", role="admin")
    composition = compose(network=network)
    app = create_app(composition, access or AccessSettings(tokens=tokens), tasks=tasks)
    async with serving(app, listen_on("127.0.0.1", 0)) as address:
        yield Guarded(composition, tokens, address, {"root": {"authorization": f"Bearer {root}"}})
    await composition.aclose()
