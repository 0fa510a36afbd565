"""Executes all calls of one reply, and says whether the run has its value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import ToolMessage

from agent_runtime import _feedback as feedback
from agent_runtime._calls import Call
from agent_runtime._checkpoint import InnerCheckpoint
from agent_runtime._decisions import Decisions
from agent_runtime._errors import RunInterruptedError, RunPausedError
from agent_runtime._execute import Executed, execute
from agent_runtime._failures import interrupted
from agent_runtime._inner_tool import Inside
from agent_runtime._ledger import refusal
from agent_runtime._run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What became of the calls of one reply."""

    accepted: tuple[Call, Executed] | None
    """The submission that was accepted."""
    submitted: bool
    """Whether any submission was made, accepted or not."""


async def execute_round(
    run: Run, calls: Sequence[Call], decisions: Decisions, inside: Mapping[str, Inside]
) -> Round:
    """Execute the calls one after the other, and answer every one of them in call order.

    Those that were reviewed are executed as `decisions` say; those that were executed before the
    run was interrupted `inside` another call are not executed again.

    One after the other, because calls of one reply may build on each other: a write, then a read.
    The first submission that is accepted is the last that is made.

    Raises:
        RunInterruptedError: If a run inside a call waits for a decision, or is paused.
    """
    answered = run.ledger.answers
    accepted: tuple[Call, Executed] | None = None
    failures = [
        (call, answered[call.id])
        for call in calls
        if call.id in answered
        and call.name not in run.targets.forms
        and answered[call.id].status == "error"
    ]
    for call in _in_order(run, calls):
        if call.id in answered:
            continue
        submission = call.name in run.targets.forms
        if submission and (reason := _held_back(run, failures, accepted=accepted is not None)):
            run.ledger.answer(call, refusal(call, reason))
            continue
        try:
            executed = await execute(
                run,
                call,
                decisions.get(call.id),
                inside.get(call.id),
                may_wait=accepted is None,
            )
        except RunInterruptedError as error:
            inner = InnerCheckpoint(call_id=call.id, checkpoint=error.checkpoint)
            raise interrupted(
                run,
                calls,
                error.checkpoint.pending,
                reason=error.reason if isinstance(error, RunPausedError) else "",
                inside=inner,
                decided=decisions,
            ) from error
        if submission:
            _record(run, call, executed)
            accepted = None if executed.failed else (call, executed)
        elif executed.failed:
            failures.append((call, executed.message))
            run.ledger.tool_errors += 1
    run.ledger.close_round()
    if accepted is not None:
        for call, message in failures:
            run.ledger.warn("sibling_error", f"{call.name} failed: {message.text}")
    submitted = any(attempt.run == run.ledger.runs for attempt in run.ledger.attempts)
    return Round(accepted=accepted, submitted=submitted)


def _in_order(run: Run, calls: Sequence[Call]) -> Sequence[Call]:
    """The calls in the order of execution: as sent, but submissions last if they depend on all."""
    if run.batch_policy == "finish":
        return calls
    return sorted(calls, key=lambda call: call.name in run.targets.forms)


def _held_back(run: Run, failures: Sequence[tuple[Call, ToolMessage]], *, accepted: bool) -> str:
    """Why a submission is not to be made now; empty if it is."""
    if accepted:
        run.ledger.warn("duplicate_target_call", "a submission after the accepted one was ignored")
        return feedback.already_submitted()
    if run.budget.attempts_left(run.ledger) == 0:
        return feedback.attempts_spent()
    if run.batch_policy == "require_all_ok" and failures:
        return feedback.sibling_failed([call.name for call, _ in failures])
    return ""


def _record(run: Run, call: Call, executed: Executed) -> None:
    run.ledger.attempt(
        call,
        executed.outcome,
        args=executed.args,
        problems=executed.problems,
        answer=executed.message.text,
    )
