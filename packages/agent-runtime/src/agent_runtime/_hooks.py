"""Runs the hooks of the middleware around each model call."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar, cast

from langchain_core.messages import AIMessage

from agent_runtime._checkpoint import PendingCall
from agent_runtime._errors import ExtractError, MiddlewareError
from agent_runtime._middleware import AfterModel, BeforeModel, PausesRuns, ReviewsCalls
from agent_runtime._run import Run
from agent_runtime._state import State

_Value = TypeVar("_Value", State, AIMessage, bool, str)


async def before_model(run: Run) -> None:
    """Let each middleware, in order, see and replace the state."""
    for middleware in run.agent.middleware:
        if isinstance(middleware, BeforeModel):
            state = run.ledger.state
            hook = f"before_model of {type(middleware).__name__}"
            run.ledger.state = await _ask(run, hook, partial(middleware.before_model, state), state)


async def after_model(run: Run, reply: AIMessage) -> AIMessage:
    """Let each middleware, in reverse order, see and replace the reply."""
    for middleware in reversed(run.agent.middleware):
        if isinstance(middleware, AfterModel):
            hook = f"after_model of {type(middleware).__name__}"
            ask = partial(middleware.after_model, run.ledger.state, reply)
            reply = await _ask(run, hook, ask, reply)
    return reply


def has_reviewers(run: Run) -> bool:
    """Whether any middleware may let a call wait."""
    return any(isinstance(middleware, ReviewsCalls) for middleware in run.agent.middleware)


async def needs_review(run: Run, call: PendingCall) -> bool:
    """Whether any middleware lets this call wait for a decision."""
    for middleware in run.agent.middleware:
        if isinstance(middleware, ReviewsCalls):
            hook = f"needs_review of {type(middleware).__name__}"
            ask = partial(middleware.needs_review, run.ledger.state, call)
            if await _ask(run, hook, ask, current=False):
                return True
    return False


async def reason_to_pause(run: Run, reply: AIMessage) -> str:
    """Why the run is to be paused before the calls of this reply; empty if it is not."""
    for middleware in run.agent.middleware:
        if isinstance(middleware, PausesRuns):
            state = run.ledger.state.with_messages([*run.ledger.state.messages, reply])
            hook = f"should_pause of {type(middleware).__name__}"
            if reason := await _ask(run, hook, partial(middleware.should_pause, state), ""):
                return reason
    return ""


async def _ask(
    run: Run, hook: str, ask: Callable[[], Awaitable[_Value | None]], current: _Value
) -> _Value:
    """What the hook answers, or the current value if that is None."""
    kind = type(current) if isinstance(current, State | bool | str) else AIMessage
    try:
        returned = cast("object", await ask())
        if returned is None:
            return current
        if not isinstance(returned, kind):
            raise TypeError(  # noqa: TRY301 -- one handler words every failure of a hook
                f"it returned a {type(returned).__name__}, not a {kind.__name__} or None"
            )
    except ExtractError:
        raise
    except Exception as error:
        # The border to the caller's own code.
        raise MiddlewareError(
            f"{hook} failed: {type(error).__name__}: {error}",
            hint="the middleware is part of the agent: correct it, or leave it out",
            trace=run.ledger.trace(),
        ) from error
    return cast("_Value", returned)
