"""`extract`, with the events of the run as they happen."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar, Unpack, overload

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from agent_runtime._agent import Agent
from agent_runtime._drive import run_once
from agent_runtime._errors import ExtractError
from agent_runtime._events import Event
from agent_runtime._extract import Wanted
from agent_runtime._options import ExtractOptions, checked_options
from agent_runtime._result import ExtractResult
from agent_runtime._state import Conversation
from agent_runtime._targets import resolve_targets

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Generic[T]):
    """The run has its value; this is the last event."""

    kind: ClassVar[Literal["finished"]] = "finished"
    result: ExtractResult[T]


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
    send, receive = anyio.create_memory_object_stream[Event | Finished[Any] | ExtractError]()
    watched = replace(checked, callbacks=[*checked.callbacks, send.send])

    async def work() -> None:
        with send:
            try:
                result = await run_once(agent, conversation, watched, targets, streaming=True)
            except ExtractError as error:
                await send.send(error)
            else:
                await send.send(Finished(result=result))

    failure: Exception | None = None
    with receive, send:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work)
            try:
                async with aclosing(_events(receive)) as events:
                    yield events
            except Exception as error:  # noqa: BLE001 -- kept, and raised outside of the task group
                failure = error
            tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def _events(
    receive: MemoryObjectReceiveStream[Event | Finished[Any] | ExtractError],
) -> AsyncGenerator[Event | Finished[Any]]:
    async for event in receive:
        if isinstance(event, ExtractError):
            raise event
        yield event
