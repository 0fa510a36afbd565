"""The entrance: options in, a result or a typed error out."""

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar, Unpack, cast, overload

import anyio
from anyio.from_thread import start_blocking_portal

from agent_runtime import _failures as failures
from agent_runtime._agent import Agent
from agent_runtime._bind import Binder
from agent_runtime._errors import InvalidOptionsError
from agent_runtime._ledger import Ledger
from agent_runtime._loop import run_to_target
from agent_runtime._middleware import Observes
from agent_runtime._observers import Observers
from agent_runtime._options import ExtractOptions, Options, checked_options
from agent_runtime._result import ExtractResult
from agent_runtime._run import Run
from agent_runtime._state import Conversation, State
from agent_runtime._targets import Target, Targets, resolve_targets

T = TypeVar("T")
Wanted = Target | Sequence[Target]


@overload
async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


async def extract(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """Run the agent until it has submitted a value.

    Args:
        agent: The agent.
        conversation: A prompt, messages, or the state of an earlier run.
        until_tool_success: The submit tool: the run ends when it accepts a call; until then its
            errors go back to the model. The name of a tool on the agent, a tool or function, or
            a schema (a pydantic model, dataclass, typed dictionary, any type that pydantic knows,
            or a JSON Schema), for which a tool is made; or a list of these.
        until_tool: The same, but the first call ends the run: by its value, or by a
            `TargetRejectedError` if the tool did not accept it.
        **options: See `ExtractOptions`.

    Raises:
        ExtractError: If the run ends without a value; the subclass, `type` and `trace` say how.
            Cancellation is not an error of the run: it propagates.
    """
    checked = checked_options(until_tool_success, until_tool, options)
    return await run_once(agent, conversation, checked, resolve_targets(agent, checked.wanted))


async def run_once(
    agent: Agent, conversation: Conversation, options: Options, targets: Targets
) -> ExtractResult[Any]:
    """One run, with options that were checked.

    Raises:
        ExtractError: If the run ends without a value.
    """
    run = _prepare(agent, conversation, options, targets)
    with anyio.move_on_after(options.deadline_s):
        return await run_to_target(run)
    # Only a passed deadline leads here.
    run.ledger.close_round("the deadline of the run passed")
    raise failures.too_late(run, cast("float", options.deadline_s))


@overload
def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


def extract_sync(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """`extract`, for code that is not asynchronous.

    It runs in a thread with an event loop of its own, so it also works where a loop is running
    already, such as a notebook; it blocks until the result is there.
    """
    call = partial(
        extract,
        agent,
        conversation,
        until_tool_success=until_tool_success,
        until_tool=until_tool,
        **options,
    )
    with start_blocking_portal() as portal:
        return portal.call(call)


class Extract:
    """`extract`, for callers that want the value alone."""

    @staticmethod
    async def run(
        agent: Agent,
        state: Conversation,
        *,
        until_tool_success: Wanted | None = None,
        until_tool: Wanted | None = None,
        **options: Unpack[ExtractOptions],
    ) -> Any:
        """The value that the agent submitted.

        Raises:
            ExtractError: As `extract`.
        """
        result = await extract(
            agent, state, until_tool_success=until_tool_success, until_tool=until_tool, **options
        )
        return result.value


def _prepare(agent: Agent, conversation: Conversation, options: Options, targets: Targets) -> Run:
    ledger = Ledger(state_of(conversation))
    observing = [m.on_event for m in agent.middleware if isinstance(m, Observes)]
    observers = Observers([*options.callbacks, *observing], partial(ledger.warn, "observer_failed"))
    return Run(
        agent=agent,
        targets=targets,
        stop=options.stop,
        batch_policy=options.batch_policy,
        strict=options.strict,
        budget=options.budget,
        ledger=ledger,
        observers=observers,
        binder=Binder(agent, targets),
    )


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
