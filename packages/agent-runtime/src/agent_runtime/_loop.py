"""The loop: budget, bind, call, classify, execute, verdict.

One pass is one model reply. Every way that a pass can go either continues with something said to
the model, or ends the run by a result or a typed error; there is no third.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_runtime import _failures as failures
from agent_runtime import _feedback as feedback
from agent_runtime._call_model import call_model
from agent_runtime._calls import Call, Turn, classify
from agent_runtime._checkpoint import Checkpoint
from agent_runtime._decisions import Decisions
from agent_runtime._events import Nudged, Retried, RetryReason
from agent_runtime._hooks import after_model, before_model, reason_to_pause
from agent_runtime._inner_tool import Inside
from agent_runtime._ledger import Ledger, refusal
from agent_runtime._prose import with_submission
from agent_runtime._result import ExtractResult, result_of
from agent_runtime._review import calls_to_review
from agent_runtime._round import execute_round
from agent_runtime._run import Run


async def run_to_target(run: Run) -> ExtractResult[Any]:
    """Run until a submission is accepted.

    Raises:
        ExtractError: If it ends otherwise; the subclass says how.
    """
    while True:
        _check_budgets(run)
        if reason := _retry_reason(run.ledger):
            await run.observers.notify(Retried(run=run.ledger.runs + 1, reason=reason))
        await before_model(run)
        reply = await call_model(run)
        turn = with_submission(run, classify(await after_model(run, reply)))
        turn = _restored_turn(run, turn)
        pending, pause = (), ""
        # Asked before the reply joins the conversation: a hook that fails leaves no call open.
        if turn.kind == "calls":
            pending = await calls_to_review(run, turn.calls)
            # What waits for a decision stands still anyway.
            pause = "" if pending else await reason_to_pause(run, turn.reply)
        run.ledger.take(turn.reply, turn.calls)
        match turn.kind:
            case "refused":
                run.ledger.close_round("the reply was declined")
                raise failures.refused(run, _refusal_text(turn))
            case "truncated":
                _answer_cut_off(run, turn)
            case "prose":
                await _nudge(run)
            case "calls":
                if pending or pause:
                    raise failures.interrupted(run, turn.calls, pending, reason=pause)
                result = await _execute(run, turn.calls, {}, {})
                if result is not None:
                    return result
        run.ledger.last_turn = turn.kind


def _check_budgets(run: Run) -> None:
    """Make sure that another reply may be asked for.

    Raises:
        ExtractError: If a budget of the run is spent, or of a run that it is inside of.
    """
    if kind := run.budget.spent(run.ledger):
        raise failures.out_of_budget(run, kind)
    for outer in run.outers():
        if kind := outer.budget.metered(outer.ledger.usage):
            raise failures.out_of_outer_budget(run, outer, kind)


async def resume_to_target(
    run: Run, checkpoint: Checkpoint, decisions: Decisions
) -> ExtractResult[Any]:
    """Execute the calls that a run was interrupted or paused at, as it was decided, and run on.

    Raises:
        ExtractError: As `run_to_target`.
    """
    own, inside = decisions, dict[str, Inside]()
    if (inner := checkpoint.inside) is not None:
        own = checkpoint.decided
        inside[inner.call_id] = Inside(checkpoint=inner.checkpoint, decisions=decisions)
    result = await _execute(run, checkpoint.calls, own, inside)
    if result is not None:
        return result
    run.ledger.last_turn = "calls"
    return await run_to_target(run)


async def _execute(
    run: Run, calls: Sequence[Call], decisions: Decisions, inside: Mapping[str, Inside]
) -> ExtractResult[Any] | None:
    """Execute the calls of one reply: the result, if they brought it."""
    done = await execute_round(run, calls, decisions, inside)
    if done.accepted is not None:
        return result_of(run, *done.accepted)
    if done.submitted and run.stop == "on_call":
        raise failures.rejected(run)
    return None


def _restored_turn(run: Run, turn: Turn) -> Turn:
    calls = tuple(_restored(run, call) for call in turn.calls)
    return turn if calls == turn.calls else replace(turn, calls=calls)


def _restored(run: Run, call: Call) -> Call:
    """The call with the arguments that the tool takes, if the model was shown another form."""
    if call.args is None:
        return call
    args = run.models.current.restored(call.name, call.args)
    return (
        call if args is call.args or args == call.args else replace(call, args=args, sent=call.args)
    )


def _retry_reason(ledger: Ledger) -> RetryReason | None:
    """What came of the submission in the last reply, if there was one."""
    if ledger.last_turn == "truncated":
        return "truncated"
    last = ledger.attempts[-1] if ledger.attempts else None
    if last is None or last.run != ledger.runs or last.outcome == "accepted":
        return None
    return last.outcome


def _answer_cut_off(run: Run, turn: Turn) -> None:
    """Say what happened; nothing of a cut-off reply is executed. The second in a row ends it."""
    for call in turn.calls:
        run.ledger.answer(call, refusal(call, feedback.cut_off_call()))
        if call.name in run.targets.forms:
            run.ledger.attempt(call, "truncated", answer=feedback.cut_off_call())
    run.ledger.close_round()
    if run.ledger.last_turn == "truncated":
        raise failures.truncated(run)
    if not turn.calls:
        run.ledger.tell(feedback.cut_off(run.targets.names))


async def _nudge(run: Run) -> None:
    """Tell the model to call the submit tool, while the budget for that lasts."""
    if run.ledger.nudges >= run.budget.max_nudges:
        raise failures.not_called(run)
    text = feedback.nudge(run.targets.names)
    run.ledger.nudges += 1
    run.ledger.tell(text)
    await run.observers.notify(Nudged(run=run.ledger.runs, text=text))


def _refusal_text(turn: Turn) -> str:
    return str(turn.reply.additional_kwargs.get("refusal") or turn.reply.text)
