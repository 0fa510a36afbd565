"""Failures on the way to a model, which another try may mend."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import anyio

from agent_runtime._errors import InvalidOptionsError
from agent_runtime._numbers import is_amount, is_count

TransportFailure = Literal["rate_limited", "overloaded", "timeout", "provider_error"]

_BY_STATUS: Mapping[object, TransportFailure] = {
    408: "timeout",
    409: "provider_error",
    425: "provider_error",
    429: "rate_limited",
    500: "provider_error",
    502: "provider_error",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_BY_WORD: Mapping[object, TransportFailure] = {
    "api_error": "provider_error",
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "server_error": "provider_error",
    "timeout_error": "timeout",
}
"""What the providers call an error within a stream, whose status was good when it began."""
_BY_CLASS: Mapping[str, TransportFailure] = {
    "APIConnectionError": "provider_error",
    "APITimeoutError": "timeout",
    "ModelAPIError": "provider_error",
    "ModelConnectionError": "provider_error",
    "ModelRateLimitError": "rate_limited",
    "ModelTimeoutError": "timeout",
    "TimeoutException": "timeout",
    "TransportError": "provider_error",
}
"""What the clients of the providers, langchain-core, and the HTTP library under them call it."""

_FIRST_ERROR_STATUS = 400


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


def transport_failure(error: Exception) -> TransportFailure | None:
    """How a request failed on its way; None if what it asked was at fault."""
    status: object = getattr(error, "status_code", None)
    if isinstance(status, int) and status >= _FIRST_ERROR_STATUS:
        return _BY_STATUS.get(status)
    if (failure := _BY_WORD.get(_word(error))) is not None:
        return failure
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ConnectionError):
        return "provider_error"
    names = (kind.__name__ for kind in type(error).__mro__)
    return next((_BY_CLASS[name] for name in names if name in _BY_CLASS), None)


def _word(error: Exception) -> str:
    """What the provider called the error; empty if it did not."""
    body: object = getattr(error, "body", None)
    for part in (_field(body, "error"), body):
        if isinstance(word := _field(part, "type"), str):
            return word
    return ""


def _field(value: object, name: str) -> object:
    return cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None


def _asked_s(error: Exception) -> float:
    """Seconds that the provider asked to wait; 0 if it did not."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    try:
        asked_s = float(headers["retry-after"])
    except (TypeError, KeyError, ValueError):
        return 0.0
    return asked_s if is_amount(asked_s) else 0.0
