"""What a script is made of."""

import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A tool call in a script; `call` makes one."""

    name: str
    args: Mapping[str, Any] | str
    call_id: str | None = None


def call(
    name: str, args: Mapping[str, Any] | str | None = None, *, call_id: str | None = None
) -> ScriptedCall:
    """A call of the tool `name`.

    Args:
        name: The tool's name; it need not exist.
        args: Its arguments. A string is sent as it is: malformed JSON, or no object at all.
        call_id: Its id; one is made up if it is missing.
    """
    return ScriptedCall(name, {} if args is None else args, call_id)


Reply = str | AIMessage | ScriptedCall | Sequence[ScriptedCall] | BaseException
"""One reply: prose, a message, one or several tool calls, or an exception to raise."""

Entry = Reply | Callable[[Sequence[BaseMessage]], Reply | Awaitable[Reply]]
"""A reply, or a function, sync or async, that gives one for the messages so far."""


def message_of(reply: object) -> AIMessage:
    """The message that a reply means.

    Raises:
        BaseException: If the reply is one.
        TypeError: If it is nothing that a script may hold.
    """
    match reply:
        case BaseException():
            raise reply
        case str():
            return AIMessage(reply)
        case AIMessage():
            return reply.model_copy(deep=True)
        case ScriptedCall():
            return _calling([reply])
        case _ if calls := _several(reply):
            return _calling(calls)
        case _:
            raise TypeError(f"{reply!r} is no reply: give text, a message, calls or an exception")


def _several(reply: object) -> Sequence[ScriptedCall]:
    """The calls in a list of calls; nothing if it is anything else."""
    parts = cast("Sequence[object]", reply) if isinstance(reply, list | tuple) else ()
    calls = [part for part in parts if isinstance(part, ScriptedCall)]
    return calls if len(calls) == len(parts) else []


def _calling(calls: Sequence[ScriptedCall]) -> AIMessage:
    good: list[ToolCall] = []
    broken: list[InvalidToolCall] = []
    for scripted in calls:
        own_id = scripted.call_id or f"call_{uuid.uuid4().hex[:12]}"
        if isinstance(scripted.args, str):
            broken.append(
                InvalidToolCall(
                    name=scripted.name,
                    args=scripted.args,
                    id=own_id,
                    error="not a JSON object",
                    type="invalid_tool_call",
                )
            )
        else:
            # Through JSON, as over a wire: a script cannot send what a model could not.
            args = json.loads(json.dumps(scripted.args))
            good.append(ToolCall(name=scripted.name, args=args, id=own_id, type="tool_call"))
    return AIMessage("", tool_calls=good, invalid_tool_calls=broken)
