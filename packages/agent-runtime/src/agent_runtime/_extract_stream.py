"""`extract`, with the events of the run as they happen."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar, Unpack, overload

from agent_runtime._agent import Agent
from agent_runtime._drive import prepare, state_of
from agent_runtime._event_stream import Finished, event_stream
from agent_runtime._events import Event
from agent_runtime._extract import Wanted
from agent_runtime._ledger import Ledger
from agent_runtime._loop import run_to_target
from agent_runtime._options import ExtractOptions, Options, checked_options
from agent_runtime._run import Run
from agent_runtime._state import Conversation
from agent_runtime._targets import resolve_targets

T = TypeVar("T")


@overload
def extract_stream(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> AbstractAsyncContextManager[AsyncIterator[Event | Finished[T]]]: ...


@overload
def extract_stream(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> AbstractAsyncContextManager[AsyncIterator[Event | Finished[Any]]]: ...


@asynccontextmanager
async def extract_stream(
    agent: Agent,
    conversation: Conversation,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> AsyncGenerator[AsyncIterator[Event | Finished[Any]]]:
    """Run the agent as `extract` does, and iterate over what happens.

    The model is read as it writes, if it can: a `PartialValue` comes for each part of a submission
    once it is complete. The last event is `Finished`, with the same result as `extract`; a run that
    ends without one raises from the iterator. Leaving the block early cancels the run, and nothing
    of it goes on. The run waits for the iterator, so a slow reader takes from the deadline.

    Args:
        agent: The agent.
        conversation: As for `extract`.
        until_tool_success: As for `extract`.
        until_tool: As for `extract`.
        **options: As for `extract`.

    Raises:
        ExtractError: As `extract`: from entering the block if the options cannot be used, else from
            the iterator.

    Example::

        async with extract_stream(agent, "Report.", until_tool_success=Report) as events:
            async for event in events:
                match event:
                    case PartialValue(path=path, value=value):
                        show(path, value)
                    case Finished(result=result):
                        use(result.value)
    """
    checked = checked_options(until_tool_success, until_tool, options)
    targets = resolve_targets(agent, checked.wanted)

    def prepared(watched: Options) -> Run:
        return prepare(agent, Ledger(state_of(conversation)), watched, targets, streaming=True)

    async with event_stream(checked, prepared, run_to_target) as events:
        yield events
