"""Executes one tool call: validate, run, and answer, whatever happens."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import ToolException
from pydantic import ValidationError

from agent_runtime import _feedback as feedback
from agent_runtime._calls import Call
from agent_runtime._events import ToolFinished, ToolStarted
from agent_runtime._ledger import refusal
from agent_runtime._problems import Problem
from agent_runtime._run import Run
from agent_runtime._submitted import Submitted, artifact_value
from agent_runtime._toolbox import Entry
from agent_runtime._trace import Outcome
from agent_runtime._validate_pydantic import problems_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """What became of one call."""

    outcome: Outcome
    message: ToolMessage
    args: Mapping[str, Any] | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the answer is an error."""
        return self.outcome != "accepted"


async def execute(run: Run, call: Call) -> Executed:
    """Execute one call and answer it. Only cancellation and the like are raised."""
    executed = await _execute(run, call)
    run.ledger.answer(call, executed.message)
    await run.observers.notify(
        ToolFinished(
            run=run.ledger.runs, tool_name=call.name, call_id=call.id, message=executed.message
        )
    )
    return executed


async def _execute(run: Run, call: Call) -> Executed:
    entry = run.targets.toolbox.get(call.name)
    if entry is None:
        return _error("invalid", call, feedback.unknown_tool(call.name, run.targets.toolbox))
    if call.args is None:
        return _error("unparsable", call, feedback.unparsable(call.name, call.text))
    try:
        checked = entry.validator.check(call.args)
    except Exception as error:  # noqa: BLE001 -- a validator of the caller's may raise anything
        return _error("invalid", call, feedback.failed(error))
    if checked.args is None:
        text = feedback.invalid(call.name, checked.problems)
        return _error("invalid", call, text, problems=checked.problems)
    for name in checked.ignored:
        run.ledger.warn("unknown_argument", f"{call.name} was sent {name!r}, which it ignores")
    await run.observers.notify(
        ToolStarted(run=run.ledger.runs, tool_name=call.name, call_id=call.id, args=checked.args)
    )
    return await _run_body(run, call, entry, checked.args)


async def _run_body(run: Run, call: Call, entry: Entry, args: Mapping[str, Any]) -> Executed:
    # langchain-core validates once more, so the body gets what was sent; a copy, because a body
    # may change its arguments, and what the model sent is on record.
    sent = ToolCall(
        name=call.name, args=copy.deepcopy(dict(call.args or {})), id=call.id, type="tool_call"
    )
    timeout_s = run.agent.tool_timeout_s
    try:
        with anyio.move_on_after(timeout_s):
            answer = await entry.tool.ainvoke(sent, config=run.observers.config())
            return _answered(call, entry, args, answer)
    except ToolException as error:
        return _error("rejected", call, str(error) or feedback.failed(error), args=args)
    except ValidationError as error:
        problems = problems_of(error)
        text = feedback.refused(call.name, problems)
        return _error("rejected", call, text, args=args, problems=problems)
    except Exception as error:  # noqa: BLE001 -- the border: whatever a tool raises is an answer
        return _error("rejected", call, feedback.failed(error), args=args)
    return _error("rejected", call, feedback.timed_out(call.name, timeout_s or 0.0), args=args)


def _answered(call: Call, entry: Entry, args: Mapping[str, Any], answer: Any) -> Executed:
    """The verdict on what a tool returned."""
    if isinstance(answer, Submitted):
        answer = ToolMessage(answer.text, artifact=answer, tool_call_id=call.id)
    if not isinstance(answer, ToolMessage):
        kind = type(answer).__name__
        return _error(
            "rejected", call, f"the tool returned a {kind}, which is no answer", args=args
        )
    present, value = artifact_value(answer.artifact)
    # An explicit None stays wrapped in the message: bare, it would mean that there is no value.
    artifact = Submitted(None) if present and value is None else value
    # A body may build its own message: it still answers this call.
    message = answer.model_copy(
        update={"tool_call_id": call.id, "name": call.name, "artifact": artifact}
    )
    if message.status == "error":
        return Executed(outcome="rejected", message=message, args=args)
    if entry.args_of is not None:
        args = entry.args_of(value)
    return Executed(outcome="accepted", message=message, args=args)


def _error(
    outcome: Outcome,
    call: Call,
    text: str,
    *,
    args: Mapping[str, Any] | None = None,
    problems: tuple[Problem, ...] = (),
) -> Executed:
    return Executed(outcome=outcome, message=refusal(call, text), args=args, problems=problems)
