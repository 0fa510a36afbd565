"""HTTP/1.1 on one connection: quick to read, and with an end to all that a client can drag out."""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway._whole_body import WHOLE_BODY

__all__ = ["HEAD_TIMEOUT_S", "MOST_HEAD_BYTES", "MOST_WAITING", "PatientHttp"]

HEAD_TIMEOUT_S = 15.0
MOST_HEAD_BYTES = 64 * 1024
MOST_WAITING = 16
# A chunk of a body is announced by five bytes at least, and may be one byte long.
_MOST_AROUND = 8


class PatientHttp(HttpToolsProtocol):
    """HTTP/1.1 by llhttp, with the bounds that it has none of by itself.

    - From the start of a connection, and from the end of each answer, the next request's head has
      `HEAD_TIMEOUT_S` to be there. The server's own timeout starts anew with each byte.
    - What is no body, such as a head, is not gathered beyond `MOST_HEAD_BYTES`.
    - Fields that follow a body (trailers) are no headers: whoever checked the headers, in front of
      this server or in it, has not seen them.
    - At most `MOST_WAITING` requests wait for the answer to the one before them.
    - An offer to go on in another protocol is not taken up, and the request is read as it is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None
        self._offered = self._resuming = False
        self._around_bytes = 0
        self._body_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what came, within the bounds."""
        self._around_bytes += len(data)
        self._unset_keepalive_if_required()
        try:
            self._feed(data)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
            return
        if self._around_bytes > MOST_HEAD_BYTES + _MOST_AROUND * self._body_bytes:
            self.transport.close()
        self._watch()

    def on_message_begin(self) -> None:
        """Begin with a request."""
        if not self._resuming:
            super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin with the answer, or have it wait."""
        if self._resuming:
            return
        self._offered = self.parser.should_upgrade()
        # What raises here is answered by 400, and ends the connection.
        if len(self.pipeline) >= MOST_WAITING:
            raise ValueError(f"more than {MOST_WAITING} requests wait for an answer")
        if self._around_bytes > MOST_HEAD_BYTES and self._head_bytes() > MOST_HEAD_BYTES:
            raise ValueError(f"a head is longer than {MOST_HEAD_BYTES} bytes")
        super().on_headers_complete()
        # The request keeps its own list: what comes later goes nowhere.
        self.headers = []

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self._around_bytes -= len(body)
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End with a request: what follows it is counted anew."""
        if self._offered:
            # It is not: the parser leaves out the body.
            return
        self._around_bytes = self._body_bytes = 0
        self.scope["extensions"] = {WHOLE_BODY: {}}
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def _head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            self._go_on(data[offer.args[0] :])

    def _go_on(self, rest: bytes) -> None:
        """Read the rest of a request that offers another protocol: the parser took it for that."""
        headers = self.scope["headers"]
        framing = [h for h in headers if h[0] in (b"content-length", b"transfer-encoding")]
        lines = (b"%b: %b\r\n" % header for header in framing)
        self.parser = httptools.HttpRequestParser(self)
        self._offered, self._resuming = False, True
        # A head as short as can be: how the body comes.
        self.parser.feed_data(b"POST / HTTP/1.1\r\n%b\r\n" % b"".join(lines))
        self._resuming = False
        self._feed(rest)

    def _watch(self) -> None:
        if self._answering() or self.transport.is_closing():
            self._stop()
        elif self._patience is None:
            self._patience = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _stop(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _answering(self) -> bool:
        # The library's annotation does not say that there is none at first.
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete
