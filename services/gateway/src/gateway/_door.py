"""The door: no request reaches a face before it is known who sent it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import structlog
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway._credentials import CredentialError, Credentials
from gateway._header import header_of, headers_of
from gateway._identity import LOCAL, Identity, identify
from gateway._problem import not_allowed, problem

__all__ = ["METADATA_PATH", "METADATA_PATHS", "OPEN_PATHS", "Door", "is_stream"]

_log = structlog.get_logger("gateway")

METADATA_PATH = "/.well-known/oauth-protected-resource"
_RESOURCE = "/mcp"
METADATA_PATHS = (METADATA_PATH, f"{METADATA_PATH}{_RESOURCE}")
OPEN_PATHS = frozenset({"/health"})
_RECHECK_S = 1.0


class Door:
    """Asks every request for a bearer token, and lets a stranger see the health only.

    Where there are no credentials, everybody is the owner of this machine.

    Args:
        app: What is behind the door.
        credentials: What is taken, the first that knows a token decides.
        issuers: Who gives signed tokens, for clients to find.
        public_url: The base URL by which clients know this service; None: the one they asked.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        credentials: Sequence[Credentials],
        issuers: Sequence[str] = (),
        public_url: str | None = None,
    ) -> None:
        self._app = app
        self._credentials = credentials
        self._issuers = issuers
        self._public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Nothing else is let through: no face speaks another protocol.
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and not self._credentials:
            identify(scope, LOCAL)
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._ask(scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in METADATA_PATHS:
            asked = scope["method"] in ("GET", "HEAD")
            answer = JSONResponse(self._metadata(scope)) if asked else not_allowed(("GET", "HEAD"))
            await answer(scope, receive, send)
            return
        given = _token_of(scope)
        try:
            identity = None if given is None else await self._find(given)
        except CredentialError as error:
            # Where they come from is the operator's affair.
            _log.error("tokens cannot be checked", reason=str(error))
            await problem(503, "tokens cannot be checked now; tell the operator")(
                scope, receive, send
            )
            return
        if identity is None or given is None:
            await self._meet_stranger(scope, receive, send, wrong=given is not None)
            return
        identify(scope, identity)
        if is_stream(scope):
            await self._while_valid(lambda: self._still(given, identity), scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _find(self, given: str) -> Identity | None:
        for credentials in self._credentials:
            if (identity := await credentials.find(given)) is not None:
                return identity
        return None

    async def _still(self, given: str, identity: Identity) -> bool:
        try:
            return await self._find(given) == identity
        except CredentialError:
            return False

    async def _meet_stranger(
        self, scope: Scope, receive: Receive, send: Send, *, wrong: bool
    ) -> None:
        if scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        error = ', error="invalid_token"' if wrong else ""
        detail = (
            "this token is not valid: it is unknown, has expired or was revoked"
            if wrong
            else "this needs a bearer token, as the header Authorization: Bearer tercet_…"
        )
        source = (
            f"get one from {', '.join(self._issuers)}"
            if self._issuers
            else "the operator makes one with: tercet token create"
        )
        answer = problem(401, f"{detail}; {source}")
        metadata = f"{self._base_url(scope)}{METADATA_PATH}{_RESOURCE}"
        answer.headers["www-authenticate"] = f'Bearer resource_metadata="{metadata}"{error}'
        await answer(scope, receive, send)

    async def _while_valid(
        self, valid: Callable[[], Awaitable[bool]], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve a stream, which can outlive its token, for as long as that is good."""
        begun = ended = False

        async def note(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        async with anyio.create_task_group() as group:

            async def watch() -> None:
                while await valid():  # noqa: ASYNC110 -- neither a file nor an issuer tells
                    await anyio.sleep(_RECHECK_S)
                group.cancel_scope.cancel()

            group.start_soon(watch)
            await self._app(scope, receive, note)
            group.cancel_scope.cancel()
        if begun and not ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _base_url(self, scope: Scope) -> str:
        # The Host header was checked before.
        return self._public_url or str(HTTPConnection(scope).base_url).rstrip("/")

    def _metadata(self, scope: Scope) -> dict[str, Any]:
        about: dict[str, Any] = {
            "resource": f"{self._base_url(scope)}{_RESOURCE}",
            "resource_name": "Tercet gateway",
            "bearer_methods_supported": ["header"],
        }
        if self._issuers:
            about["authorization_servers"] = [*self._issuers]
        return about


def is_stream(scope: Mapping[str, Any]) -> bool:
    """Say whether a request asks for a stream of events, which lasts until its client leaves."""
    path = scope["path"]
    if path == "/mcp/sse":
        return True
    if path not in ("/mcp", "/mcp/"):
        return False
    if scope["method"] == "GET":
        return "text/event-stream" in (header_of(scope, b"accept") or "")
    # The header has to agree with the body, or the server refuses the request.
    return header_of(scope, b"mcp-method") == "subscriptions/listen"


def _token_of(scope: Scope) -> str | None:
    """Give the bearer token of a request; from the header alone, for a URL ends up in logs."""
    values = headers_of(scope, b"authorization")
    if not values:
        return None
    scheme, _, token = values[0].partition(" ")
    if len(values) > 1 or scheme.lower() != "bearer":
        return ""
    return token.strip()
