"""The info page of the MCP endpoint, on the endpoint's own path.

A browser or a script that asks `GET /mcp/` gets JSON that says what is here; an MCP client never
sends such a request without accepting an event stream.
"""

from collections.abc import Callable, Collection

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway._header import header_of
from gateway._problem import not_allowed, problem
from gateway._rest import ServerInfo

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
    """Answers a plain GET with the info page, and hands what MCP knows to its transport.

    Args:
        transport: The transport of MCP.
        info: Says what is served to whom.
        sessions: Whether there are sessions, which a client can end by DELETE.
    """

    def __init__(
        self, transport: ASGIApp, info: Callable[[Scope], ServerInfo], *, sessions: bool = False
    ) -> None:
        self._transport = transport
        self._info = info
        self._methods = ("GET", "HEAD", "POST", *(("DELETE",) if sessions else ()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answering(scope)(scope, receive, send)

    def _answering(self, scope: Scope) -> ASGIApp:
        method = scope["method"]
        if method not in self._methods:
            # The transport would name methods that it then refuses.
            return not_allowed(self._methods)
        if method in ("GET", "HEAD") and not _takes_events(scope):
            return JSONResponse(self._info(scope).model_dump())
        if method == "POST" and not _is_json(header_of(scope, b"content-type") or ""):
            return problem(415, "MCP is spoken in JSON; send it as application/json")
        return self._transport


def _takes_events(scope: Scope) -> bool:
    return "text/event-stream" in (header_of(scope, b"accept") or "")


def _is_json(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() == "application/json"
