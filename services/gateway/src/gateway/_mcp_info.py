"""The info page of the MCP endpoint, on the endpoint's own path.

A browser or a script that asks `GET /mcp/` gets JSON that says what is here; an MCP client never
sends such a request without accepting an event stream.
"""

from collections.abc import Callable, Collection
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["AtPaths", "InfoOrMcp"]


class AtPaths:
    """Answers some exact paths by itself, and hands all others on.

    The framework's way to a route, with what it sets up for dependencies and forms on it, is longer
    than a whole call over MCP has use for. Nor is it a mount, which answers `/mcp` with a redirect
    that clients do not follow.

    Args:
        app: Gets the other requests.
        paths: The paths.
        endpoint: Answers them.
    """

    def __init__(self, app: ASGIApp, *, paths: Collection[str], endpoint: ASGIApp) -> None:
        self._app = app
        self._paths = frozenset(paths)
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        own = scope["type"] == "http" and scope["path"] in self._paths
        await (self._endpoint if own else self._app)(scope, receive, send)


class InfoOrMcp:
    """Answers a plain GET with the info page, and hands everything else to the MCP transport."""

    def __init__(self, transport: ASGIApp, info: Callable[[Scope], dict[str, Any]]) -> None:
        self._transport = transport
        self._info = info

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accept = Headers(scope=scope).get("accept", "") if scope["type"] == "http" else ""
        if scope.get("method") in ("GET", "HEAD") and "text/event-stream" not in accept:
            await JSONResponse(self._info(scope))(scope, receive, send)
        else:
            await self._transport(scope, receive, send)
