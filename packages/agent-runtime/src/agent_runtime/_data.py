"""What a run left behind, as JSON data for a log or a database."""

import math
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import BaseMessage, ToolMessage
from pydantic_core import to_jsonable_python

from agent_runtime._trace import Trace


def trace_data(trace: Trace) -> dict[str, Any]:
    """The parts of a trace. What JSON has no form for is described by its `repr`."""
    return {
        "attempts": [described(attempt) for attempt in trace.attempts],
        "usage": {
            **cast("dict[str, Any]", described(trace.usage)),
            "total_tokens": trace.usage.total_tokens,
        },
        "messages": [_message_data(message) for message in trace.state.messages],
        "metadata": described(trace.state.metadata),
        "warnings": [described(warning) for warning in trace.warnings],
        "model_calls": trace.model_calls,
    }


def described(value: object) -> Any:
    """The value as JSON data; one that has no such form is described."""
    try:
        return _finite(to_jsonable_python(value, fallback=_fallback, bytes_mode="base64"))
    except Exception:  # noqa: BLE001 -- any object of the caller's: it contains itself, or will not be read
        return _repr(value)


def _message_data(message: BaseMessage) -> dict[str, Any]:
    """The message in the form that `messages_from_dict` of langchain-core reads."""
    data = {name: described(value) for name, value in message if name != "artifact"}
    if isinstance(message, ToolMessage):
        data["artifact"] = described(message.artifact)
    return {"type": message.type, "data": data}


def _finite(data: Any) -> Any:
    """The data with a text in the place of each number that JSON has no form for."""
    match data:
        case dict():
            return {key: _finite(part) for key, part in cast("dict[str, Any]", data).items()}
        case list():
            return [_finite(part) for part in cast("list[Any]", data)]
        case float() if not math.isfinite(data):
            return str(data)
        case _:
            return data


def _fallback(value: object) -> Any:
    # A read-only view of a dictionary is none to pydantic.
    return dict(cast("Mapping[Any, Any]", value)) if isinstance(value, Mapping) else _repr(value)


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 -- as above
        return f"<{type(value).__qualname__}>"
