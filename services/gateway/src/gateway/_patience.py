"""Connections on which no whole request comes are closed: a slow client holds nothing for long."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_TIMEOUT_S", "PatientHttp"]

HEAD_TIMEOUT_S = 15.0


class PatientHttp(H11Protocol):
    """HTTP/1.1 with an end to waiting for a request's head.

    The server's own timeout starts anew with each byte, so that a byte now and then keeps a
    connection forever. This one does not: from the start of a connection, and from the end of each
    answer, the next request's head has so long to be there.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Stop waiting where a request is there."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

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
