"""Executes one tool call: validate, run, and answer, whatever happens."""

import copy
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import anyio
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from pydantic import ValidationError

from agent_runtime import _feedback as feedback
from agent_runtime._calls import Call
from agent_runtime._decisions import Answer, Decision, Edit, Reject
from agent_runtime._errors import RunInterruptedError
from agent_runtime._events import ToolFinished, ToolStarted
from agent_runtime._inner_tool import InnerTool, Inside
from agent_runtime._ledger import refusal
from agent_runtime._problems import Problem
from agent_runtime._repair import judge
from agent_runtime._run import Run
from agent_runtime._state import State
from agent_runtime._submit_tool import ParseArgs
from agent_runtime._submitted import Submitted, artifact_value
from agent_runtime._toolbox import ArgsOf, Entry
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


async def execute(
    run: Run,
    call: Call,
    decision: Decision | None,
    inside: Inside | None,
    *,
    may_wait: bool,
) -> Executed:
    """Execute one call and answer it. Only cancellation and the like are raised.

    Raises:
        RunInterruptedError: If a run inside the call waits for a decision or is paused, and it
            may.
    """
    try:
        executed = await _decided(run, call, decision, inside)
    except RunInterruptedError:
        if may_wait:
            raise
        executed = _error("rejected", call, feedback.left_waiting())
    run.ledger.answer(call, executed.message)
    if not executed.failed and isinstance(delta := executed.message.artifact, State):
        # With the answer, not with its round: a call that was answered is never executed again.
        run.ledger.state = run.ledger.state.with_metadata(delta.metadata)
    await run.observers.notify(
        ToolFinished(
            run=run.ledger.runs, tool_name=call.name, call_id=call.id, message=executed.message
        )
    )
    return executed


async def _decided(
    run: Run, call: Call, decision: Decision | None, inside: Inside | None
) -> Executed:
    """Execute a call, as far as a reviewer decided so."""
    match decision:
        case Reject(reason):
            return _error("rejected", call, feedback.declined(reason))
        case Answer(text):
            message = ToolMessage(text, tool_call_id=call.id, name=call.name)
            return Executed(outcome="accepted", message=message)
        case Edit(args):
            executed = await _execute(run, replace(call, args=args), inside)
            note = feedback.edited(args)
            return replace(executed, message=_with_note(note, executed.message))
        case _:
            return await _execute(run, call, inside)


def _with_note(note: str, message: ToolMessage) -> ToolMessage:
    """The message with a note in front of what the tool said."""
    content = message.content
    if isinstance(content, str):
        noted: Any = f"{note}\n\n{content}"
    else:
        noted = [{"type": "text", "text": note}, *content]
    return message.model_copy(update={"content": noted})


async def _execute(run: Run, call: Call, inside: Inside | None) -> Executed:
    entry = run.targets.toolbox.get(call.name)
    if entry is None:
        return _error("invalid", call, feedback.unknown_tool(call.name, run.targets.toolbox))
    if call.args is None:
        return _error("unparsable", call, feedback.unparsable(call.name, call.text))
    judged = _judge(run, call, entry, call.args)
    if isinstance(judged, Executed):
        return judged
    sent, args = judged
    if entry.parse_args is not None:
        parsed = await _parse(run, call, entry.parse_args, args)
        if isinstance(parsed, Executed):
            return parsed
        sent = args = parsed
    tool = entry.parsed_tool or entry.tool
    if isinstance(tool, InnerTool):
        tool = tool.within(run, inside)
    return await _run_body(run, call, entry, tool, (sent, args))


def _judge(
    run: Run, call: Call, entry: Entry, raw_args: Mapping[str, Any]
) -> tuple[dict[str, Any], Mapping[str, Any]] | Executed:
    """What to send to the tool and the validated arguments, or why nothing is sent."""
    try:
        judged = judge(entry, raw_args, strict=run.strict)
    except Exception as error:  # noqa: BLE001 -- a validator of the caller's may raise anything
        return _error("invalid", call, feedback.failed(error))
    for repair in judged.repairs:
        text = f"{call.name} was sent {repair.before} at {repair.path}, taken as {repair.after}"
        run.ledger.warn("argument_repaired", text, path=repair.path)
    checked = judged.checked
    if checked.args is None:
        text = feedback.invalid(call.name, checked.problems)
        return _error("invalid", call, text, problems=checked.problems)
    for name in checked.ignored:
        run.ledger.warn("unknown_argument", f"{call.name} was sent {name!r}, which it ignores")
    # langchain-core validates once more, so the body gets what was sent; a copy, because a body
    # may change its arguments, and what the model sent is on record.
    return copy.deepcopy(dict(judged.sent)), checked.args


async def _parse(
    run: Run, call: Call, parse_args: ParseArgs, args: Mapping[str, Any]
) -> dict[str, Any] | Executed:
    """What the caller's own step makes of valid arguments, or its refusal."""
    try:
        with anyio.move_on_after(run.agent.tool_timeout_s):
            parsed = parse_args(copy.deepcopy(dict(args)))
            if inspect.isawaitable(parsed):
                parsed = await parsed
            if isinstance(parsed, str):
                return _error("invalid", call, feedback.not_parsed(call.name, parsed))
            if not isinstance(cast("object", parsed), Mapping):
                raise TypeError(  # noqa: TRY301 -- one handler words every failure of the step
                    f"parse_args returned a {type(parsed).__name__}, not a mapping or a string"
                )
            return dict(parsed)
    except Exception as error:  # noqa: BLE001 -- the border: whatever it raises is an answer
        return _raised("invalid", call, error)
    return _late(run, "invalid", call)


async def _run_body(
    run: Run,
    call: Call,
    entry: Entry,
    tool: BaseTool,
    judged: tuple[dict[str, Any], Mapping[str, Any]],
) -> Executed:
    sent, args = judged
    await run.observers.notify(
        ToolStarted(run=run.ledger.runs, tool_name=call.name, call_id=call.id, args=args)
    )
    try:
        with anyio.move_on_after(run.agent.tool_timeout_s):
            tool_call = ToolCall(name=call.name, args=dict(sent), id=call.id, type="tool_call")
            answer = await tool.ainvoke(tool_call, config=run.observers.config())
            return _answered(call, entry.args_of, args, answer)
    except Exception as error:
        # The border: whatever a tool raises is an answer, unless a run inside waits for one.
        if isinstance(error, RunInterruptedError) and isinstance(tool, InnerTool):
            raise
        return _raised("rejected", call, error, args=args)
    return _late(run, "rejected", call, args=args)


def _raised(
    outcome: Outcome, call: Call, error: Exception, *, args: Mapping[str, Any] | None = None
) -> Executed:
    """The answer that an exception of the caller's own code is."""
    match error:
        case ToolException():
            return _error(outcome, call, str(error) or feedback.failed(error), args=args)
        case ValidationError():
            problems = problems_of(error)
            text = feedback.refused(call.name, problems)
            return _error(outcome, call, text, args=args, problems=problems)
        case _:
            return _error(outcome, call, feedback.failed(error), args=args)


def _late(
    run: Run, outcome: Outcome, call: Call, *, args: Mapping[str, Any] | None = None
) -> Executed:
    text = feedback.timed_out(call.name, run.agent.tool_timeout_s or 0.0)
    return _error(outcome, call, text, args=args)


def _answered(call: Call, args_of: ArgsOf | None, args: Mapping[str, Any], answer: Any) -> Executed:
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
    message = answer
    if (answer.tool_call_id, answer.name) != (call.id, call.name) or (
        artifact is not answer.artifact
    ):
        # A body may build its own message: it still answers this call.
        message = answer.model_copy(
            update={"tool_call_id": call.id, "name": call.name, "artifact": artifact}
        )
    if message.status == "error":
        return Executed(outcome="rejected", message=message, args=args)
    if isinstance(value, State) and value.messages:
        return _error("rejected", call, feedback.said_beside(call.name), args=args)
    if args_of is not None:
        args = args_of(value)
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
