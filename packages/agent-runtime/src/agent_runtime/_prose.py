"""A reply in prose that is the submission itself, in all but form."""

import uuid

from langchain_core.messages import ToolCall

from agent_runtime._calls import Call, Turn
from agent_runtime._json_text import decoded
from agent_runtime._offer import json_schema_of
from agent_runtime._run import Run


def with_submission(run: Run, turn: Turn) -> Turn:
    """The turn, as a call of the submit tool if it is prose that can be nothing else.

    That is one JSON object and no other word, valid for one submit tool only, all of its names
    declared there. The reply then carries the call, so that the conversation stays well-formed.
    """
    if run.strict or turn.kind != "prose":
        return turn
    arguments = decoded(turn.reply.text)
    if not isinstance(arguments, dict) or not arguments:
        return turn
    fitting = [name for name in run.targets.names if _fits(run, name, arguments)]
    if len(fitting) != 1:
        return turn
    call = ToolCall(
        name=fitting[0], args=arguments, id=f"call_{uuid.uuid4().hex}", type="tool_call"
    )
    run.ledger.warn("submission_in_prose", f"the reply was taken as a call of {fitting[0]}")
    return Turn(
        kind="calls",
        reply=turn.reply.model_copy(update={"tool_calls": [call]}),
        calls=(Call(id=str(call["id"]), name=fitting[0], args=arguments),),
    )


def _fits(run: Run, name: str, sent: dict[str, object]) -> bool:
    entry = run.targets.toolbox[name]
    arguments = run.models.current.restored(name, sent)
    declared = json_schema_of(entry.tool).get("properties", {})
    if not arguments.keys() <= declared.keys():
        return False
    try:
        checked = entry.validator.check(arguments)
    except Exception:  # noqa: BLE001 -- a validator of the caller's may raise anything; it does not fit
        return False
    return checked.args is not None
