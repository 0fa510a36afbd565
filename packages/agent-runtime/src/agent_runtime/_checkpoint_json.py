"""Checkpoints as JSON text."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, cast

from langchain_core.messages import BaseMessage, ToolMessage, messages_from_dict
from pydantic import BaseModel, Field, NonNegativeInt
from pydantic_core import to_jsonable_python

from agent_runtime._calls import Call
from agent_runtime._checkpoint import Checkpoint, InnerCheckpoint, PendingCall
from agent_runtime._decisions import Answer, Approve, Decision, Edit, Reject
from agent_runtime._errors import CheckpointError
from agent_runtime._problems import shorten
from agent_runtime._state import State
from agent_runtime._trace import Attempt, RunWarning, Trace
from agent_runtime._usage import Usage

_CAUSE_CHARACTERS = 1_000
_DECISIONS: Mapping[str, Callable[..., Decision]] = {
    kind.__name__: kind for kind in (Answer, Approve, Edit, Reject)
}


class _Document(BaseModel, extra="forbid"):
    """The form of the text."""

    version: Literal[1]
    messages: list[dict[str, Any]]
    metadata: dict[str, Any]
    usage: Usage
    attempts: tuple[Attempt, ...]
    warnings: tuple[RunWarning, ...]
    model_calls: NonNegativeInt
    nudges: NonNegativeInt
    tool_errors: NonNegativeInt
    last_turn: str
    elapsed_s: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    stop: Literal["on_success", "on_call"]
    targets: tuple[str, ...]
    calls: tuple[Call, ...]
    pending: tuple[PendingCall, ...]
    inside: "_Inside | None"
    answers: list[dict[str, Any]]
    decided: dict[str, tuple[str, dict[str, Any]]]


class _Inside(BaseModel, extra="forbid"):
    call_id: str
    checkpoint: _Document


def dump_checkpoint(checkpoint: Checkpoint) -> str:
    """The checkpoint as JSON text, for another process to resume.

    The validated arguments of earlier attempts are kept in their JSON form. A value beside the
    text of an earlier tool message that is no plain JSON is left out, and that is a warning of the
    resumed run: only the program, not the model, could have read it. A `State` there is left out
    without one, since what it changes was changed. Half of a surrogate pair, which no provider can
    be sent, becomes a question mark.

    Raises:
        CheckpointError: If a message, or the metadata of the state, holds what JSON cannot.
    """
    try:
        document = _document(checkpoint)
        whole = json.dumps(document, allow_nan=False, ensure_ascii=False)
        return whole.encode(errors="replace").decode()
    except (ValueError, TypeError, RecursionError) as error:
        raise CheckpointError(
            f"the checkpoint cannot be written as JSON: {shorten(str(error), _CAUSE_CHARACTERS)}",
            hint="keep plain JSON data in messages and in the metadata of the state, or resume "
            "in the same process",
        ) from error


def load_checkpoint(text: str | bytes) -> Checkpoint:
    """The checkpoint that `dump_checkpoint` wrote.

    Read it only from where nobody else can write: it says what was spent and what is to be called.

    Raises:
        CheckpointError: If the text is no checkpoint of this version.
    """
    try:
        return _checkpoint(_Document.model_validate_json(text))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CheckpointError(
            f"this is no checkpoint: {shorten(str(error), _CAUSE_CHARACTERS)}",
            hint="give text that dump_checkpoint wrote",
        ) from error


def _document(checkpoint: Checkpoint) -> dict[str, Any]:
    trace, inside = checkpoint.trace, checkpoint.inside
    lost: list[RunWarning] = []
    messages = [_message(message, lost) for message in trace.state.messages]
    answers = [_message(message, lost) for message in checkpoint.answers]
    return {
        "version": 1,
        "messages": messages,
        "metadata": dict(trace.state.metadata),
        "usage": _plain(trace.usage),
        "attempts": _plain(trace.attempts),
        "warnings": _plain([*trace.warnings, *lost]),
        "model_calls": trace.model_calls,
        "nudges": checkpoint.nudges,
        "tool_errors": checkpoint.tool_errors,
        "last_turn": checkpoint.last_turn,
        "elapsed_s": checkpoint.elapsed_s,
        "stop": checkpoint.stop,
        "targets": checkpoint.targets,
        "calls": _plain(checkpoint.calls),
        "pending": _plain(checkpoint.pending),
        "inside": inside
        and {"call_id": inside.call_id, "checkpoint": _document(inside.checkpoint)},
        "answers": answers,
        "decided": {
            call_id: (type(decision).__name__, _plain(decision))
            for call_id, decision in checkpoint.decided.items()
        },
    }


def _checkpoint(document: _Document) -> Checkpoint:
    """What a document says.

    Raises:
        ValueError: If it waits for calls that it does not have; or as langchain-core raises for
            what is no message.
        KeyError: If a decision has an unknown name.
        TypeError: If a decision lacks what it decides.
    """
    inside = document.inside and InnerCheckpoint(
        call_id=document.inside.call_id, checkpoint=_checkpoint(document.inside.checkpoint)
    )
    known = {call.id for call in document.calls}
    waiting = [inside.call_id] if inside else [pending.call_id for pending in document.pending]
    strays = [call_id for call_id in waiting if call_id not in known]
    if strays:
        raise ValueError(f"it waits for {strays}, which are none of its calls")
    return Checkpoint(
        trace=Trace(
            attempts=document.attempts,
            state=State(map(_loaded, document.messages), metadata=document.metadata),
            usage=document.usage,
            warnings=document.warnings,
            model_calls=document.model_calls,
        ),
        nudges=document.nudges,
        tool_errors=document.tool_errors,
        last_turn=document.last_turn,
        elapsed_s=document.elapsed_s,
        stop=document.stop,
        targets=document.targets,
        calls=document.calls,
        pending=document.pending,
        inside=inside,
        answers=tuple(map(_answer, document.answers)),
        decided={
            call_id: _DECISIONS[name](**fields)
            for call_id, (name, fields) in document.decided.items()
        },
    )


def _plain(value: Any) -> Any:
    """Records as JSON data; what JSON has no form for is described."""
    return json.loads(json.dumps(value, default=_described))


def _described(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Any, Any]", value))
    try:
        return to_jsonable_python(value, fallback=repr, bytes_mode="base64")
    except ValueError:  # text in it that UTF-8 has no form for
        return repr(value)


def _message(message: BaseMessage, lost: list[RunWarning]) -> dict[str, Any]:
    data = message.model_dump(mode="json", exclude={"artifact"})
    artifact: Any = message.artifact if isinstance(message, ToolMessage) else None
    if artifact is not None and not isinstance(artifact, State):
        if _survives(artifact):
            data["artifact"] = artifact
        else:
            text = f"what {message.name} produced beside its text is no JSON, and was left out"
            lost.append(RunWarning(kind="artifact_left_out", message=text))
    return {"type": message.type, "data": data}


def _survives(value: Any) -> bool:
    """Whether a value comes back from JSON as it was."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (ValueError, TypeError, RecursionError):
        return False


def _answer(message: dict[str, Any]) -> ToolMessage:
    answer = _loaded(message)
    if not isinstance(answer, ToolMessage):
        raise TypeError(f"a {answer.type} message answers no call")
    return answer


def _loaded(message: dict[str, Any]) -> BaseMessage:
    return messages_from_dict([message])[0]
