"""One connection to an MCP endpoint, held by a task of its own."""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import anyio
import httpx2
from anyio.abc import TaskStatus
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer, Server

from agent_runtime._errors import McpConnectionError
from agent_runtime.mcp._followed import FollowedTasks
from agent_runtime.mcp._questions import QuestionHandler, elicitation_of

Endpoint = str | StdioServerParameters | Server[Any] | MCPServer | Transport | Client
"""An HTTP address, a command to start, a server object in this process, a transport or a client."""

Mode = Literal["auto", "legacy"]

_REQUEST_TIMEOUT_S = 30.0
_STREAM_TIMEOUT_S = 300.0
"""A server may think for minutes before the next event of an open stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How to reach an endpoint."""

    endpoint: Endpoint
    mode: Mode
    headers: Mapping[str, str] | None
    connect_timeout_s: float
    call_timeout_s: float | None
    on_question: QuestionHandler | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Client, None]:
        """The connected client. What the block raises passes through as it is.

        The connection lives in a task of its own: in the task of the block, its task groups would
        wrap what the block raises in exception groups, and its collapse would cancel the block.

        Raises:
            McpConnectionError: If there is no connection within the time.
        """
        if isinstance(self.endpoint, Client) and is_connected(self.endpoint):
            yield self.endpoint
            return
        failure: Exception | None = None
        stop = anyio.Event()
        async with anyio.create_task_group() as tasks:
            try:
                try:
                    with anyio.fail_after(self.connect_timeout_s):
                        client = cast("Client", await tasks.start(self._hold, stop))
                except Exception as error:
                    # The border to the protocol's client, which raises groups of anything.
                    raise self.failed(error) from error
                yield client
            except Exception as error:  # noqa: BLE001 -- kept, and raised outside of the task group
                failure = error
            finally:
                stop.set()
        if failure is not None:
            raise failure

    async def _hold(
        self, stop: anyio.Event, *, task_status: TaskStatus[Client] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        connected, followed = False, FollowedTasks()
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(await self._client(stack, followed))
                task_status.started(client)
                connected = True
                async with anyio.create_task_group() as group:
                    group.start_soon(followed.give_up)
                    await stop.wait()
                    followed.close()
        except Exception:
            if not connected:
                raise
            # A connection that breaks later is told by each call made on it.

    async def _client(self, stack: AsyncExitStack, followed: FollowedTasks) -> Client:
        endpoint = self.endpoint
        if isinstance(endpoint, Client):
            return endpoint
        if isinstance(endpoint, str) and self.headers is not None:
            timeout = httpx2.Timeout(_REQUEST_TIMEOUT_S, read=_STREAM_TIMEOUT_S)
            http = httpx2.AsyncClient(headers=dict(self.headers), timeout=timeout)
            endpoint = streamable_http_client(
                endpoint, http_client=await stack.enter_async_context(http)
            )
        return Client(
            endpoint,
            mode=self.mode,
            read_timeout_seconds=self.call_timeout_s,
            elicitation_callback=self.on_question and elicitation_of(self.on_question),
            extensions=[followed],
        )

    def failed(self, error: Exception) -> McpConnectionError:
        """The typed form of whatever kept the connection from being made."""
        if isinstance(error, TimeoutError):
            detail = f"no answer within {self.connect_timeout_s:g} s"
        else:
            detail = "; ".join(dict.fromkeys(_words(cause) for cause in _causes(error)))
        return McpConnectionError(
            f"no MCP connection to {name_of(self.endpoint)}: {detail}", hint=_hint(self.endpoint)
        )


def is_connected(client: Client) -> bool:
    """Whether the caller has entered the client already."""
    try:
        _ = client.session
    except RuntimeError:
        return False
    return True


def name_of(endpoint: Endpoint) -> str:
    """The endpoint for a message, without credentials."""
    match endpoint:
        case str():
            parts = urlsplit(endpoint)
            host = parts.netloc.rpartition("@")[2]
            return repr(f"{parts.scheme}://{host}{parts.path}" if host else endpoint)
        case StdioServerParameters():
            return f"the command {endpoint.command!r}"
        case Server() | MCPServer():
            return f"the server {endpoint.name!r} in this process"
        case Client():
            return "the client's server"
        case _:
            return "the transport's server"


def _hint(endpoint: Endpoint) -> str:
    if isinstance(endpoint, str):
        return (
            "start the server, and check the address, which ends in /mcp as a rule; if the server "
            "asks for a token, pass headers={'authorization': 'Bearer …'}"
        )
    if isinstance(endpoint, StdioServerParameters):
        return "check that the command can be run, and that it speaks MCP on its standard output"
    return "check that the server answers"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exceptions in a group of groups."""
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _causes(inner)
    else:
        yield error


def _words(error: BaseException) -> str:
    text = error.error.message if isinstance(error, MCPError) else str(error)
    return text or type(error).__name__
