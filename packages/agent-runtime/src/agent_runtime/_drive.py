"""Puts a run together and drives it until it ends or its deadline passes."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio

from agent_runtime import _failures as failures
from agent_runtime._agent import Agent
from agent_runtime._bind import Binders, Models, bind
from agent_runtime._errors import InvalidOptionsError
from agent_runtime._ledger import Ledger
from agent_runtime._loop import run_to_target
from agent_runtime._middleware import Observes
from agent_runtime._observers import Observers
from agent_runtime._options import Options
from agent_runtime._result import ExtractResult
from agent_runtime._review import check_reviewed_tools
from agent_runtime._run import Run
from agent_runtime._state import Conversation, State
from agent_runtime._targets import Targets

Go = Callable[[Run], Awaitable[ExtractResult[Any]]]
"""What a run does once it is put together."""


async def run_once(
    agent: Agent,
    conversation: Conversation,
    options: Options,
    targets: Targets,
    *,
    binders: Binders | None = None,
) -> ExtractResult[Any]:
    """One run, with options that were checked.

    Raises:
        ExtractError: If the run ends without a value.
    """
    ledger = Ledger(state_of(conversation))
    run = prepare(agent, ledger, options, targets, binders=binders)
    return await drive(run, options.deadline_s, run_to_target)


def prepare(
    agent: Agent,
    ledger: Ledger,
    options: Options,
    targets: Targets,
    *,
    binders: Binders | None = None,
    streaming: bool = False,
    outer: Run | None = None,
) -> Run:
    """A run that goes on from what is in the ledger, perhaps inside a call of another.

    `binders` are those of an earlier run with the same agent and targets, if there was one.

    Raises:
        InvalidOptionsError: If the model cannot be given the tools, or a tool that is to be
            reviewed is not there.
    """
    check_reviewed_tools(agent, targets)
    observing = [m.on_event for m in agent.middleware if isinstance(m, Observes)]
    observers = Observers([*options.callbacks, *observing], partial(ledger.warn, "observer_failed"))
    return Run(
        agent=agent,
        targets=targets,
        stop=options.stop,
        batch_policy=options.batch_policy,
        strict=options.strict,
        budget=options.budget,
        cost_of=options.cost_of,
        ledger=ledger,
        observers=observers,
        models=Models(bind(agent, targets) if binders is None else binders),
        backoff=options.backoff,
        streaming=streaming,
        outer=outer,
    )


async def drive(run: Run, deadline_s: float | None, go: Go) -> ExtractResult[Any]:
    """What `go` comes to, before the run has taken `deadline_s` seconds in all.

    Raises:
        ExtractError: If the run ends without a value.
    """
    if deadline_s is None:
        return await go(run)
    left_s = deadline_s - run.ledger.elapsed_s
    if left_s > 0:
        with anyio.move_on_after(left_s):
            return await go(run)
    run.ledger.close_round("the deadline of the run passed")
    raise failures.too_late(run, deadline_s)


def state_of(conversation: Conversation) -> State:
    """The state that a conversation means.

    Raises:
        InvalidOptionsError: If it cannot be read, or is empty.
    """
    try:
        state = State.of(conversation)
    except (ValueError, TypeError, NotImplementedError) as error:
        raise InvalidOptionsError(
            f"the conversation cannot be read: {error}",
            hint="pass a prompt, a list of messages, or a State",
        ) from error
    if not state.messages:
        raise InvalidOptionsError(
            "the conversation is empty", hint="pass a prompt or at least one message"
        )
    return state
