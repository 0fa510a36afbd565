"""Who may ask: programs of this machine, and no web page of somebody else's.

A page in a browser can reach loopback. The Host check stops a foreign name that was pointed at
this machine (DNS rebinding), the Origin check a foreign page that posts here.
"""

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway._problem import problem

__all__ = ["SAME_MACHINE", "SameMachine"]

SAME_MACHINE = TransportSecuritySettings(
    allowed_hosts=["127.0.0.1", "127.0.0.1:*", "localhost", "localhost:*", "[::1]", "[::1]:*"],
    allowed_origins=[
        *("http://127.0.0.1", "http://localhost", "http://[::1]"),
        *("http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"),
    ],
)
"""The names by which this machine knows itself."""


class SameMachine:
    """Refuses foreign Host (421) and Origin (403) headers on every path."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(SAME_MACHINE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = await self._check.validate_request(Request(scope))
            if refusal is not None:
                answer = problem(refusal.status_code, bytes(refusal.body).decode())
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)
