"""Requests name this service by a name of its own, and come from no foreign web page."""

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway._problem import problem

__all__ = ["KnownNames"]

_NAMING = (b"host", b"origin")
_MOST_KNOWN = 64


class KnownNames:
    """Refuses foreign Host (421) and Origin (403) headers on every path."""

    def __init__(self, app: ASGIApp, *, names: TransportSecuritySettings) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(names)
        # What was found good: clients name the service in few ways, and in the same way each time.
        self._good: set[tuple[tuple[bytes, bytes], ...]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            naming = tuple((n, value) for n, value in scope["headers"] if n in _NAMING)
            if naming not in self._good:
                refusal = await self._check.validate_request(Request(scope))
                if refusal is not None:
                    answer = problem(refusal.status_code, bytes(refusal.body).decode())
                    await answer(scope, receive, send)
                    return
                if len(self._good) < _MOST_KNOWN:
                    self._good.add(naming)
        await self._app(scope, receive, send)
