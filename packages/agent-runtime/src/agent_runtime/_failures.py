"""How a run that ends without a value says so."""

from collections.abc import Mapping, Sequence

from agent_runtime._calls import Call
from agent_runtime._checkpoint import Checkpoint, InnerCheckpoint, PendingCall
from agent_runtime._decisions import Decisions
from agent_runtime._errors import (
    AttemptsExhaustedError,
    BudgetExceededError,
    BudgetKind,
    DeadlineExceededError,
    ExtractError,
    ProviderError,
    RefusedError,
    RunInterruptedError,
    RunPausedError,
    TargetNotCalledError,
    TargetRejectedError,
    TruncatedError,
)
from agent_runtime._problems import shorten
from agent_runtime._run import Run
from agent_runtime._transport import TransportFailure, transport_failure

_CAUSE_CHARACTERS = 1_000

_AFTER_FAILURE: Mapping[TransportFailure, str] = {
    "rate_limited": "wait, then go on from the state",
    "overloaded": "wait, then go on from the state",
    "timeout": "try again, or raise the model's timeout",
    "provider_error": "the cause is chained; the state is kept",
}


def out_of_budget(run: Run, kind: BudgetKind) -> ExtractError:
    """A budget was spent: named after what it was spent on."""
    ledger, limit = run.ledger, getattr(run.budget, kind)
    submit = _either(run)
    spent = f"{kind}={limit} {_how_spent(run, kind)}"
    if ledger.submissions:
        return AttemptsExhaustedError(
            f"{submit} was not accepted in {ledger.submissions} attempts, and {spent}; "
            f"the last answer was: {_last_answer(run)}",
            kind=kind,
            hint=f"raise {kind}, or make the schema, its descriptions or the tool's errors clearer",
            trace=ledger.trace(),
        )
    if kind == "max_runs" and ledger.last_turn == "prose":
        return not_called(run)
    if kind == "max_runs" and ledger.last_turn == "truncated":
        return truncated(run)
    return BudgetExceededError(
        f"{submit} was not called, and {spent}",
        kind=kind,
        hint=f"raise {kind}, or ask for less before the submission",
        trace=ledger.trace(),
    )


def out_of_outer_budget(run: Run, outer: Run, kind: BudgetKind) -> ExtractError:
    """A budget was spent of a run that this one is inside of."""
    limit = getattr(outer.budget, kind)
    return BudgetExceededError(
        f"{kind}={limit} of the run that called this agent {_how_spent(outer, kind)}",
        kind=kind,
        hint=f"raise {kind} of that run, or give the sub-agent less to do",
        trace=run.ledger.trace(),
    )


def not_called(run: Run) -> ExtractError:
    """The model kept answering in prose."""
    ledger = run.ledger
    return TargetNotCalledError(
        f"the model answered in prose and did not call {_either(run)} "
        f"(nudged {ledger.nudges} times, {ledger.runs} replies)",
        hint="say in the prompt that the result is submitted by this tool, set tool_choice on the "
        "model, or raise max_nudges",
        trace=ledger.trace(),
    )


def rejected(run: Run) -> ExtractError:
    """The submission that was to end the run was not accepted."""
    return TargetRejectedError(
        f"{_either(run)} was called and did not accept: {_last_answer(run)}",
        hint="use until_tool_success to let the model correct itself",
        trace=run.ledger.trace(),
    )


def truncated(run: Run) -> ExtractError:
    """The replies were cut off."""
    return TruncatedError(
        f"the model's reply was cut off at its token limit before {_either(run)} was complete",
        hint="raise the model's output token limit, or ask for a smaller result",
        trace=run.ledger.trace(),
    )


def refused(run: Run, reason: str) -> ExtractError:
    """The model declined."""
    detail = f": {shorten(reason, _CAUSE_CHARACTERS)}" if reason else ""
    return RefusedError(
        f"the model or its provider declined{detail}",
        hint="repeating the same request is unlikely to help: change the prompt or the model",
        trace=run.ledger.trace(),
    )


def interrupted(
    run: Run,
    calls: Sequence[Call],
    pending: tuple[PendingCall, ...],
    *,
    reason: str = "",
    inside: InnerCheckpoint | None = None,
    decided: Decisions | None = None,
) -> ExtractError:
    """Calls wait for a decision, or those of a run inside one of them; with a reason, for none."""
    ledger = run.ledger
    checkpoint = Checkpoint(
        trace=ledger.trace(),
        nudges=ledger.nudges,
        tool_errors=ledger.tool_errors,
        last_turn=ledger.last_turn,
        elapsed_s=ledger.elapsed_s,
        stop=run.stop,
        targets=run.targets.names,
        calls=tuple(calls),
        pending=pending,
        inside=inside,
        answers=tuple(ledger.answers.values()),
        decided=dict(decided or {}),
    )
    if reason:
        return RunPausedError(
            f"the run was paused: {shorten(reason, _CAUSE_CHARACTERS)}",
            reason=reason,
            checkpoint=checkpoint,
            hint="pass error.checkpoint to resume; there is nothing to decide",
        )
    return RunInterruptedError(
        f"{', '.join(call.tool_name for call in pending)} waits for a decision",
        checkpoint=checkpoint,
        hint="pass error.checkpoint to resume, with a decision for each of its pending calls",
    )


def too_late(run: Run, deadline_s: float) -> ExtractError:
    """The deadline passed."""
    return DeadlineExceededError(
        f"no value was submitted within {deadline_s:g} s ({run.ledger.runs} replies)",
        hint="raise deadline_s, or give slow tools a tool_timeout_s",
        trace=run.ledger.trace(),
    )


def unexpected_response(run: Run, reply: object) -> ExtractError:
    """The model returned something that is no model message."""
    return ProviderError(
        f"the model returned a {type(reply).__name__}, not an AIMessage",
        kind="unexpected_response",
        hint="pass a chat model, without an output parser behind it",
        trace=run.ledger.trace(),
    )


def provider_failed(run: Run, error: Exception) -> ExtractError:
    """The model call raised."""
    detail = shorten(str(error), _CAUSE_CHARACTERS)
    kind = transport_failure(error) or "provider_error"
    return ProviderError(
        f"the model call failed: {type(error).__name__}: {detail}",
        kind=kind,
        hint=_AFTER_FAILURE[kind],
        trace=run.ledger.trace(),
    )


def _how_spent(run: Run, kind: BudgetKind) -> str:
    """That a budget is spent, or that this cannot be known."""
    usage = run.ledger.usage
    match kind:
        case "max_cost_usd" if usage.replies_without_cost:
            return f"cannot be watched: {usage.replies_without_cost} replies had no known cost"
        case "max_input_tokens" | "max_output_tokens" | "max_total_tokens" if (
            usage.replies_without_usage
        ):
            return f"cannot be watched: {usage.replies_without_usage} replies reported no tokens"
        case "max_cost_usd":
            return f"is spent, by {usage.cost_usd:g}"
        case _:
            return "is spent"


def _either(run: Run) -> str:
    return " or ".join(repr(name) for name in run.targets.names)


def _last_answer(run: Run) -> str:
    answers = [attempt.answer for attempt in run.ledger.attempts if attempt.answer]
    return shorten(answers[-1], _CAUSE_CHARACTERS) if answers else "none"
