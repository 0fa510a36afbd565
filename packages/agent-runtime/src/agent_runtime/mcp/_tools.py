"""The tools of an MCP endpoint, for an agent."""

from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager

import anyio
from langchain_core.tools import StructuredTool
from mcp import Client
from mcp.types import Tool

from agent_runtime._errors import AgentDefinitionError, McpToolError
from agent_runtime._problems import nearest
from agent_runtime.mcp._connection import Connection, Endpoint, Mode, name_of
from agent_runtime.mcp._questions import QuestionHandler
from agent_runtime.mcp._tool import to_langchain


@asynccontextmanager
async def mcp_tools(
    endpoint: Endpoint,
    *,
    prefix: str = "",
    only: Collection[str] | None = None,
    mode: Mode = "auto",
    headers: Mapping[str, str] | None = None,
    connect_timeout_s: float = 30.0,
    call_timeout_s: float | None = None,
    on_question: QuestionHandler | None = None,
) -> AsyncGenerator[list[StructuredTool], None]:
    """The tools of an MCP endpoint, over one connection that is held while the block runs.

    A tool's artifact is its structured answer; of an envelope
    `{"status": "success", "data": {"result": …}}` it is the result. An answer that is an error
    becomes a tool message with `status="error"`. Annotations are in `tool.metadata["mcp"]`.
    A server may carry a long call on as a task: it is followed to its end, and cancelled with the
    call. What the block raises passes through as it is.

    Args:
        endpoint: Where the tools are. A client that is connected already is used and left open.
        prefix: Put in front of every name, to keep the tools of several servers apart.
        only: The names, as on the server, of the tools to take; all if None.
        mode: `auto` finds out what protocol the server speaks, `legacy` begins with the older
            handshake at once. A client keeps its own.
        headers: Sent with every request to an HTTP address.
        connect_timeout_s: Seconds until the connection must be made, and again until the tools
            must be listed.
        call_timeout_s: Seconds that one request may take; no limit if None. A client keeps its
            own.
        on_question: Puts a question of the server to a person, such as whether to approve a
            change; servers do not ask if None. A client keeps its own.

    Raises:
        McpConnectionError: If the endpoint cannot be reached, or does not answer as MCP.
        McpToolError: If a name in `only` is not there, or two names become one.
        AgentDefinitionError: If headers are given for anything but an address.
    """
    if headers is not None and not isinstance(endpoint, str):
        raise AgentDefinitionError(
            f"headers are for an HTTP address, not for {name_of(endpoint)}",
            hint="pass the address, or a client that has the headers",
        )
    connection = Connection(
        endpoint=endpoint,
        mode=mode,
        headers=headers,
        connect_timeout_s=connect_timeout_s,
        call_timeout_s=call_timeout_s,
        on_question=on_question,
    )
    async with connection.open() as client:
        try:
            with anyio.fail_after(connect_timeout_s):
                listed = await _list(client)
        except Exception as error:
            # The border to the protocol's client, as when connecting.
            raise connection.failed(error) from error
        yield _named(client, _selected(listed, only, endpoint), prefix)


async def _list(client: Client) -> list[Tool]:
    """All pages of the list; one page again means that the server never ends."""
    tools: list[Tool] = []
    seen: set[str] = set()
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools.extend(page.tools)
        cursor = page.next_cursor
        if not cursor:
            return tools
        if cursor in seen:
            raise ValueError(f"the list of tools never ends: page {cursor!r} came twice")
        seen.add(cursor)


def _selected(tools: list[Tool], only: Collection[str] | None, endpoint: Endpoint) -> list[Tool]:
    """The tools that are asked for."""
    if only is None:
        return tools
    there = [tool.name for tool in tools]
    for name in only:
        if name not in there:
            close = nearest(name, there)
            raise McpToolError(
                f"{name_of(endpoint)} has no tool {name!r}",
                hint=f"did you mean {close}?" if close else f"it has {', '.join(there) or 'none'}",
            )
    return [tool for tool in tools if tool.name in only]


def _named(client: Client, tools: list[Tool], prefix: str) -> list[StructuredTool]:
    """The tools under names that models accept."""
    named: dict[str, StructuredTool] = {}
    for tool in tools:
        made = to_langchain(client, tool, prefix)
        if made.name in named:
            raise McpToolError(
                f"two tools would be named {made.name!r}, the second being {tool.name!r}",
                hint="take one of them, by only=[…], or use a shorter prefix",
            )
        named[made.name] = made
    return list(named.values())
