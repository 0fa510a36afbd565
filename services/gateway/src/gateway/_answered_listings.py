"""Listings of tools that were answered before: their bytes are kept, and sent again.

Every client begins with a listing, and to write hundreds of schemas as JSON takes longer than most
calls.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway._header import header_of
from gateway._identity import identity_of
from gateway._whole_body import replaying
from tercet import ToolRegistry

__all__ = ["AnsweredListings"]

_MOST_KNOWN = 64
_MOST_BODY_BYTES = 4 * 1024
_MOST_ANSWER_BYTES = 1024 * 1024
_DECIDING = (b"accept", b"content-type")

_Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    headers: list[tuple[bytes, bytes]]
    result: bytes


class AnsweredListings:
    """Answers a request for a listing of tools as it was answered before.

    An answer depends on nothing but the tools there are, which of them the caller may see, and what
    the request says; of that its id alone is not part of the result.

    Args:
        app: Answers what is not known.
        registry: Has the tools.
    """

    def __init__(self, app: ASGIApp, registry: ToolRegistry) -> None:
        self._app = app
        self._known: OrderedDict[_Key, _Answer] = OrderedDict()
        self._generation = 0
        registry.subscribe(self._forget)

    def _forget(self) -> None:
        # Whatever is on its way at this moment is of the tools before, and is not kept.
        self._generation += 1
        self._known.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST" or header_of(scope, b"mcp-method") != "tools/list":
            await self._app(scope, receive, send)
            return
        message = await receive()
        body: bytes = message.get("body", b"")
        receive = replaying(body, receive)
        asked = _asked(body)
        if message["type"] != "http.request" or message.get("more_body") or asked is None:
            await self._app(scope, receive, send)
            return
        request_id, rest = asked
        key = _key_of(scope, rest)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            await _send(known, request_id, send)
            return
        generation, kept = self._generation, _Kept(send)
        await self._app(scope, receive, kept)
        answer = kept.answer(request_id)
        if answer is not None and generation == self._generation:
            self._known[key] = answer
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)


class _Kept:
    """Hands messages on, and keeps an answer that comes in one piece."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        if len(self._messages) <= 2:  # noqa: PLR2004 -- a head, a body, and one too many
            self._messages.append(message)
        await self._send(message)

    def answer(self, request_id: str | int) -> _Answer | None:
        """Give what to send the next time; None: this was no plain result."""
        if len(self._messages) != 2:  # noqa: PLR2004 -- a head and a body
            return None
        head, rest = self._messages
        body: bytes = rest.get("body", b"")
        before = _before(request_id)
        if (
            head.get("status") != 200  # noqa: PLR2004 -- OK
            or rest.get("more_body")
            or not body.startswith(before)
            or len(body) > _MOST_ANSWER_BYTES
        ):
            return None
        headers = [header for header in head["headers"] if header[0] != b"content-length"]
        return _Answer(headers=headers, result=body[len(before) :])


def _asked(body: bytes) -> tuple[str | int, str] | None:
    """Give the id of a request for a listing, and all else that it says."""
    if len(body) > _MOST_BODY_BYTES:
        return None
    try:
        message: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    said = cast("dict[str, Any]", message)
    request_id = said.pop("id", None)
    plain = isinstance(request_id, str) or type(request_id) is int
    return (request_id, json.dumps(said)) if plain and said.get("method") == "tools/list" else None


def _key_of(scope: Mapping[str, Any], rest: str) -> _Key:
    identity = identity_of(scope)
    deciding = [h for h in scope["headers"] if h[0] in _DECIDING or h[0].startswith(b"mcp-")]
    return (identity.role, identity.apps, rest, *deciding)


def _before(request_id: str | int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":' % json.dumps(request_id).encode()


async def _send(answer: _Answer, request_id: str | int, send: Send) -> None:
    body = _before(request_id) + answer.result
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": 200, "headers": [*answer.headers, length]})
    await send({"type": "http.response.body", "body": body})
