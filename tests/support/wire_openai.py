"""OpenAI's chat completions, as a server writes them."""

import json
from collections.abc import Iterator
from typing import Any

from wire import INPUT_TOKENS, OUTPUT_TOKENS, WireFailure, WireReply, pieces

PATH = "/v1/chat/completions"
_COMMON = {"id": "chatcmpl-1", "created": 1, "model": "gpt-wire"}
_USAGE = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}


def whole(reply: WireReply, first_id: int) -> dict[str, Any]:
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": args}}
        for number, (name, args) in enumerate(reply.calls, first_id)
    ]
    refused = reply.end == "refusal"
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if refused or calls else reply.text,
        "refusal": reply.text if refused else None,
        **({"tool_calls": calls} if calls else {}),
    }
    choice = {"index": 0, "message": message, "finish_reason": _reason(reply)}
    return {**_COMMON, "object": "chat.completion", "choices": [choice], "usage": _USAGE}


def events(reply: WireReply, first_id: int) -> Iterator[str]:
    yield _event({"role": "assistant", "content": ""})
    said = "refusal" if reply.end == "refusal" else "content"
    for piece in pieces(reply.text):
        yield _event({said: piece})
    for index, (name, args) in enumerate(reply.calls):
        begun = {"index": index, "id": f"call_{first_id + index}", "type": "function"}
        yield _event({"tool_calls": [{**begun, "function": {"name": name, "arguments": ""}}]})
        for piece in pieces(args):
            yield _event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield _event({}, _reason(reply))
    yield _data({**_COMMON, "object": "chat.completion.chunk", "choices": [], "usage": _USAGE})
    yield "data: [DONE]\n\n"


def overloaded() -> str:
    return _data({"error": {"message": "overloaded", "type": "server_error", "code": None}})


def failure(answer: WireFailure) -> dict[str, Any]:
    return {"error": {"message": answer.message, "type": "error", "param": None, "code": None}}


def _reason(reply: WireReply) -> str:
    if reply.end == "length":
        return "length"
    return "tool_calls" if reply.calls else "stop"


def _event(delta: dict[str, Any], reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return _data({**_COMMON, "object": "chat.completion.chunk", "choices": [choice]})


def _data(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"
