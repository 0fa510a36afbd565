"""The info page of the MCP endpoint, on the endpoint's own path.

A browser or a script that asks `GET /mcp/` gets JSON that says what is here; an MCP client never
sends such a request without accepting an event stream.
"""

from collections.abc import Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["InfoOrMcp"]


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
