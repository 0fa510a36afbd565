"""Anthropic's messages, as a server writes them."""

import json
from collections.abc import Iterator
from typing import Any

from wire import INPUT_TOKENS, OUTPUT_TOKENS, WireFailure, WireReply, pieces

PATH = "/v1/messages"
_COMMON = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-wire"}
_USAGE = {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS}
_REASONS = {"length": "max_tokens", "refusal": "refusal"}


def whole(reply: WireReply, first_id: int) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    for number, (name, args) in enumerate(reply.calls, first_id):
        block = {"type": "tool_use", "id": f"call_{number}", "name": name}
        blocks.append({**block, "input": json.loads(args)})
    return {**_COMMON, "content": blocks, "stop_reason": _reason(reply), "usage": _USAGE}


def events(reply: WireReply, first_id: int) -> Iterator[str]:
    begun = {**_COMMON, "content": [], "stop_reason": None, "usage": {**_USAGE, "output_tokens": 1}}
    yield _event("message_start", message=begun)
    yield _event("ping")
    if reply.text:
        yield from _block(0, {"type": "text", "text": ""}, "text_delta", "text", reply.text)
    for number, (name, args) in enumerate(reply.calls):
        block = {"type": "tool_use", "id": f"call_{first_id + number}", "name": name, "input": {}}
        index = number + bool(reply.text)
        yield from _block(index, block, "input_json_delta", "partial_json", args)
    yield _event("message_delta", delta={"stop_reason": _reason(reply)}, usage=_USAGE)
    yield _event("message_stop")


def _block(
    index: int, block: dict[str, Any], delta_type: str, field: str, text: str
) -> Iterator[str]:
    yield _event("content_block_start", index=index, content_block=block)
    for piece in pieces(text):
        delta = {"type": delta_type, field: piece}
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def overloaded() -> str:
    return _event("error", error={"type": "overloaded_error", "message": "overloaded"})


def failure(answer: WireFailure) -> dict[str, Any]:
    kind = "overloaded_error" if answer.status == 529 else "error"
    return {"type": "error", "error": {"type": kind, "message": answer.message}}


def _reason(reply: WireReply) -> str:
    return _REASONS.get(reply.end) or ("tool_use" if reply.calls else "end_turn")


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"
