"""What kind of reply the model gave, and the tool calls in it."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    InvalidToolCall,
    ToolCall,
    message_chunk_to_message,
)

_CUT_OFF = frozenset({
    "length",
    "max_output_tokens",
    "max_tokens",
    "model_context_window_exceeded",
    "model_length",
})  # fmt: skip
"""The words of the providers for: the reply was cut off."""

_DECLINED = frozenset({
    "blocklist",
    "content_filter",
    "content_filtered",
    "guardrail_intervened",
    "prohibited_content",
    "recitation",
    "refusal",
    "safety",
    "spii",
})  # fmt: skip
"""The words of the providers for: the model, or a filter, declined."""

_REASONS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
"""Where the providers put the word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call."""

    id: str
    name: str
    args: Mapping[str, Any] | None
    """The arguments for the tool; None if they are no JSON object."""
    text: str = ""
    """The arguments as text, if they could not be parsed."""
    sent: Mapping[str, Any] | None = None
    """The arguments as sent, if they were sent in another form."""

    @property
    def raw_args(self) -> Mapping[str, Any] | str:
        """The arguments as sent; the bare text if it could not be parsed."""
        if self.args is None:
            return self.text
        return self.args if self.sent is None else self.sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A reply, classified."""

    kind: Literal["calls", "prose", "truncated", "refused"]
    reply: AIMessage
    """The reply, with an id of its own for every call."""
    calls: tuple[Call, ...]
    """Every call, in order; those that could not be parsed come last."""


def classify(reply: AIMessage) -> Turn:
    """The kind of a reply. A cut-off reply is `truncated` even where its calls look complete.

    A stream that was cut in the middle of the arguments can be completed into arguments that parse
    and are wrong, so the provider's word decides, not the look of the calls.
    """
    reply = _normalised(reply)
    reasons = _reasons(reply)
    calls = (
        *(_call(call) for call in reply.tool_calls),
        *(_broken(call) for call in reply.invalid_tool_calls),
    )
    if reasons & _DECLINED or _has_refusal(reply):
        return Turn(kind="refused", reply=reply, calls=calls)
    if reasons & _CUT_OFF:
        return Turn(kind="truncated", reply=reply, calls=calls)
    return Turn(kind="calls" if calls else "prose", reply=reply, calls=calls)


def _reasons(reply: AIMessage) -> set[str]:
    metadata = cast("dict[str, Any]", reply.response_metadata)
    words = [metadata.get(key) for key in _REASONS]
    details = metadata.get("incomplete_details")
    if isinstance(details, Mapping):
        words.append(cast("Mapping[str, Any]", details).get("reason"))
    # Some providers give an enumeration: its text may be "FinishReason.MAX_TOKENS".
    return {str(word).rsplit(".", 1)[-1].lower() for word in words if word is not None}


def _has_refusal(reply: AIMessage) -> bool:
    if reply.additional_kwargs.get("refusal"):
        return True
    return any(
        isinstance(block, dict) and block.get("type") == "refusal" for block in reply.content
    )


def _call(call: ToolCall) -> Call:
    return Call(id=cast("str", call["id"]), name=call["name"], args=call["args"])


def _broken(call: InvalidToolCall) -> Call:
    text = call["args"] or ""
    return Call(id=cast("str", call["id"]), name=call["name"] or "", args=None, text=text)


def _normalised(reply: AIMessage) -> AIMessage:
    """The reply as a whole message; absent arguments are empty, and every call has its own id."""
    if isinstance(reply, AIMessageChunk):
        reply = _whole(reply)
    calls = list(reply.tool_calls)
    broken: list[InvalidToolCall] = []
    for invalid in reply.invalid_tool_calls:
        if invalid["name"] and (invalid["args"] or "").strip() in {"", "null"}:
            calls.append(
                ToolCall(name=invalid["name"], args={}, id=invalid["id"], type="tool_call")
            )
        else:
            broken.append(invalid)
    taken: set[str] = set()
    fresh_calls = [cast("ToolCall", {**call, "id": _own_id(call["id"], taken)}) for call in calls]
    fresh_broken = [
        cast("InvalidToolCall", {**call, "id": _own_id(call["id"], taken)}) for call in broken
    ]
    if fresh_calls == reply.tool_calls and fresh_broken == reply.invalid_tool_calls:
        return reply
    return reply.model_copy(update={"tool_calls": fresh_calls, "invalid_tool_calls": fresh_broken})


def _whole(reply: AIMessageChunk) -> AIMessage:
    """The message that chunks add up to, with only those calls whose arguments are complete.

    langchain-core completes what was cut off, so that half of a text looks like all of it.
    """
    whole = cast("AIMessage", message_chunk_to_message(reply))
    calls: list[ToolCall] = []
    broken: list[InvalidToolCall] = []
    for chunk in reply.tool_call_chunks:
        name, text, own_id = chunk["name"] or "", chunk["args"] or "", chunk["id"]
        try:
            args: object = json.loads(text, strict=False) if text.strip() else {}
        except (ValueError, RecursionError):
            args = None
        if isinstance(args, dict):
            fields = cast("dict[str, Any]", args)
            calls.append(ToolCall(name=name, args=fields, id=own_id, type="tool_call"))
        else:
            broken.append(
                InvalidToolCall(
                    name=name,
                    args=text,
                    id=own_id,
                    error="not a JSON object",
                    type="invalid_tool_call",
                )
            )
    return whole.model_copy(update={"tool_calls": calls, "invalid_tool_calls": broken})


def _own_id(given: str | None, taken: set[str]) -> str:
    own = given if given and given not in taken else f"call_{uuid.uuid4().hex}"
    taken.add(own)
    return own
