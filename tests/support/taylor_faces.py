"""The ways to one set of tools, all as one function: a tool and its arguments, and the envelope."""

import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from httpx2 import AsyncClient
from langchain_core.messages import ToolCall, ToolMessage
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic_core import to_jsonable_python

from gateway import (
    AccessSettings,
    TenantLimits,
    compose,
    create_app,
    create_token,
    serving,
)
from tercet import CallContext, ToolError, ToolErrorResponse, ToolRegistry
from tercet.langchain import to_langchain
from tercet.mcp import serve

Face = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


@asynccontextmanager
async def faces_of(
    registry: ToolRegistry, caller: CallContext, settings: Mapping[type[Any], Any]
) -> AsyncGenerator[dict[str, Face]]:
    """Every face in this process, for one caller."""
    made: dict[str, Face] = {
        "function": _by_function(registry, caller, settings),
        "registry": _by_registry(registry, caller),
        "langchain": _by_langchain(registry, caller),
    }
    server = serve(registry, context_of=lambda _: caller)
    async with AsyncExitStack() as stack:
        for mode in ("auto", "legacy"):
            client = await stack.enter_async_context(Client(server, mode=mode))
            made[f"mcp {mode}"] = _by_mcp(client)
        yield made


@asynccontextmanager
async def face_over_http(registry: ToolRegistry) -> AsyncGenerator[dict[str, Face]]:
    """A gateway that serves the registry, asked by the local caller."""
    app = create_app(replace(compose(), registry=registry))
    async with (
        serving(app, _listener()) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield {"http": _by_mcp(client)}


@asynccontextmanager
async def face_of_a_tenant(
    registry: ToolRegistry, tenant: str, tokens: Path
) -> AsyncGenerator[dict[str, Face]]:
    """A gateway that serves the registry, asked by an admin of a tenant, with a token."""
    token = create_token(tokens, "admin", tenant=tenant, role="admin")
    limits = TenantLimits(calls_per_minute=100_000)
    app = create_app(
        replace(compose(), registry=registry), AccessSettings(tokens=tokens, limits=limits)
    )
    headers = {"authorization": f"Bearer {token}"}
    async with (
        serving(app, _listener()) as url,
        AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield {"http": _by_mcp(client)}


def _listener() -> socket.socket:
    # Named as TCP, so that asyncio sends each answer at once and does not wait for the last
    # one's receipt, which takes 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


def _by_function(
    registry: ToolRegistry, caller: CallContext, settings: Mapping[type[Any], Any]
) -> Face:
    async def ask(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        context = replace(caller, objects=registry.objects, settings=settings)
        try:
            result = await registry.get(name)(context, **arguments)
        except ToolError as error:
            return ToolErrorResponse.of(error).to_dict()
        data = {"result": to_jsonable_python(result), "metadata": {"operation": name}}
        return {"status": "success", "data": data}

    return ask


def _by_registry(registry: ToolRegistry, caller: CallContext) -> Face:
    async def ask(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return (await registry.call_tool(name, arguments, caller)).to_dict()

    return ask


def _by_langchain(registry: ToolRegistry, caller: CallContext) -> Face:
    tools = {tool.name: tool for tool in to_langchain(registry, caller)}

    async def ask(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        call = ToolCall(name=name, args=arguments, id="1", type="tool_call")
        message = await tools[name].ainvoke(call)
        assert isinstance(message, ToolMessage)
        content: Any = message.content
        answer = json.loads(content if isinstance(content, str) else content[0]["text"])
        if answer["status"] == "success":
            assert message.artifact == answer["data"]["result"]
        return answer

    return ask


def _by_mcp(client: Client) -> Face:
    async def ask(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        answer = await client.call_tool(name, arguments)
        content: Any = answer.content[0]
        assert json.loads(content.text) == answer.structured_content
        envelope: Any = answer.structured_content
        assert answer.is_error == (envelope["status"] == "error")
        return envelope

    return ask
