"""`resume`, with the events of the run as they happen."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, TypeVar, Unpack, cast, overload

from agent_runtime._agent import Agent
from agent_runtime._checkpoint import Checkpoint
from agent_runtime._decisions import Decisions
from agent_runtime._event_stream import Finished, event_stream
from agent_runtime._events import Event
from agent_runtime._extract import Wanted
from agent_runtime._loop import resume_to_target
from agent_runtime._options import ExtractOptions, checked_options
from agent_runtime._resume import prepare_resumed

T = TypeVar("T")


@overload
def resume_stream(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> AbstractAsyncContextManager[AsyncIterator[Event | Finished[T]]]: ...


@overload
def resume_stream(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> AbstractAsyncContextManager[AsyncIterator[Event | Finished[Any]]]: ...


@asynccontextmanager
async def resume_stream(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> AsyncGenerator[AsyncIterator[Event | Finished[Any]]]:
    """Go on as `resume` does, and iterate over what happens, as with `extract_stream`.

    The calls that waited are told of by `ToolStarted` and `ToolFinished`; their parts, which the
    model wrote before the run was interrupted, are not told again. Leaving the block early cancels
    the run; calls that were executed until then stay executed.

    Args:
        agent: The agent, or one made in the same way.
        checkpoint: From a `RunInterruptedError`.
        decisions: One for each of its pending calls, by call id.
        until_tool_success: As for `extract`.
        until_tool: As for `extract`.
        **options: As for `extract`.

    Raises:
        InvalidOptionsError: As `resume`, from entering the block.
        InvalidDecisionsError: Likewise.
        ExtractError: As `resume`, from the iterator.
    """
    checked = checked_options(until_tool_success, until_tool, options)
    # A copy, so that what is carried out is what was checked; what is no mapping is refused there.
    given = dict(decisions) if isinstance(cast("object", decisions), Mapping) else decisions
    prepared = partial(prepare_resumed, agent, checkpoint, given, streaming=True)
    go = partial(resume_to_target, checkpoint=checkpoint, decisions=given)
    async with event_stream(checked, prepared, go) as events:
        yield events
