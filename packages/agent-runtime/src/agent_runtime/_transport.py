"""Failures on the way to a model, which another try may mend."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import anyio

from agent_runtime._errors import InvalidOptionsError
from agent_runtime._numbers import is_amount, is_count

_STATUS = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_KINDS = {"APIConnectionError", "TransportError"}
"""What the clients of the providers, and the HTTP library under them, call a broken connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How often, and after which waits, a request is made again that failed on its way.

    Each wait is twice the one before. A provider that says how long to wait is obeyed, within
    `max_delay_s`.

    Raises:
        InvalidOptionsError: If a number is out of bounds.
    """

    max_retries: int = 3
    first_delay_s: float = 0.5
    max_delay_s: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    """What waits, in seconds; a test's own need not."""

    def __post_init__(self) -> None:
        good = is_count(self.max_retries, 0) and all(
            is_amount(delay_s) for delay_s in (self.first_delay_s, self.max_delay_s)
        )
        if not good or not callable(self.sleep):
            raise InvalidOptionsError(
                f"{self!r} cannot be used",
                hint="give a count of at least 0, finite seconds of at least 0, and a function",
            )

    def delay_s(self, retry: int, error: Exception) -> float:
        """Seconds to wait before a retry, which are counted from 0."""
        # From 2**64 on the limit holds anyway, and a float still does.
        grown = self.first_delay_s * 2.0 ** min(retry, 64)
        return min(self.max_delay_s, max(grown, _asked_s(error)))


def is_transport_error(error: Exception) -> bool:
    """Whether a request failed on its way, rather than because of what it asked."""
    if isinstance(error, ConnectionError | TimeoutError) or _status(error) in _STATUS:
        return True
    return not _KINDS.isdisjoint(kind.__name__ for kind in type(error).__mro__)


def _status(error: Exception) -> object:
    return getattr(error, "status_code", None)


def _asked_s(error: Exception) -> float:
    """Seconds that the provider asked to wait; 0 if it did not."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    try:
        asked_s = float(headers["retry-after"])
    except (TypeError, KeyError, ValueError):
        return 0.0
    return asked_s if is_amount(asked_s) else 0.0
