"""Bodies are taken whole, or not at all: within a size, within a time, and uncompressed."""

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway._header import header_of
from gateway._problem import problem

__all__ = ["BODY_TIMEOUT_S", "MOST_BODY_BYTES", "WHOLE_BODY", "WholeBody", "replaying"]

MOST_BODY_BYTES = 4 * 1024 * 1024
BODY_TIMEOUT_S = 20.0
WHOLE_BODY = "tercet.whole_body"
"""The extension in the scope of a request whose body was there before an app was asked."""


class WholeBody:
    """Hands a request on once its body is there, so that no face waits for a slow client.

    Args:
        app: Gets the requests.
        timeout_s: How long a body may take, in seconds.
    """

    def __init__(self, app: ASGIApp, *, timeout_s: float = BODY_TIMEOUT_S) -> None:
        self._app = app
        self._timeout_s = timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if header_of(scope, b"content-encoding") not in (None, "identity"):
            # Never unpacked: a small body could become a huge one.
            await problem(415, "compressed bodies are not taken; send it as it is")(
                scope, receive, send
            )
            return
        try:
            _refuse_announced(header_of(scope, b"content-length") or "")
            if WHOLE_BODY in scope.get("extensions", ()):
                # There is nothing to wait for, and so no clock to start and stop.
                body = await _gather(receive)
            else:
                with anyio.fail_after(self._timeout_s):
                    body = await _gather(receive)
        except TimeoutError:
            detail = f"the body did not arrive within {self._timeout_s:g} s"
            await _refuse(408, detail, scope, receive, send)
        except _TooLargeError:
            detail = f"the body is too large; {MOST_BODY_BYTES} bytes fit"
            await _refuse(413, detail, scope, receive, send)
        else:
            if body is not None:
                await self._app(scope, replaying(body, receive), send)


class _TooLargeError(Exception):
    """The body is larger than is taken."""


async def _gather(receive: Receive) -> bytes | None:
    """Give the body; None where the client has gone away.

    Raises:
        _TooLargeError: It is too large.
    """
    parts, size, more = list[bytes](), 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BODY_BYTES:
            raise _TooLargeError
        more = message.get("more_body", False)
    return b"".join(parts)


def _refuse_announced(length: str) -> None:
    # By its digits first: converting a long text is work that a client could ask for.
    if not (length.isascii() and length.isdigit()):
        return
    if len(length) > len(str(MOST_BODY_BYTES)) + 1 or int(length) > MOST_BODY_BYTES:
        raise _TooLargeError


async def _refuse(status: int, detail: str, scope: Scope, receive: Receive, send: Send) -> None:
    answer = problem(status, detail)
    # What is left of the body is not read.
    answer.headers["connection"] = "close"
    await answer(scope, receive, send)


def replaying(body: bytes, receive: Receive) -> Receive:
    """Give a body that was taken as if it came now, and then what comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
