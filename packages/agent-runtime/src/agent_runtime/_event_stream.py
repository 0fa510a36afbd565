"""A run, as an iterator over its events that ends with its result."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from agent_runtime._drive import Go, drive
from agent_runtime._errors import ExtractError
from agent_runtime._events import Event
from agent_runtime._options import Options
from agent_runtime._result import ExtractResult
from agent_runtime._run import Run

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Generic[T]):
    """The run has its value; this is the last event."""

    kind: ClassVar[Literal["finished"]] = "finished"
    result: ExtractResult[T]


@asynccontextmanager
async def event_stream(
    options: Options, prepared: Callable[[Options], Run], go: Go
) -> AsyncGenerator[AsyncIterator[Event | Finished[Any]]]:
    """The events of the run that `prepared` makes of the options, while the block is not left.

    Raises:
        ExtractError: What `prepared` raises, from entering the block; what the run ends with, from
            the iterator.
    """
    send, receive = anyio.create_memory_object_stream[Event | Finished[Any] | ExtractError]()

    async def work() -> None:
        with send:
            try:
                result = await drive(run, options.deadline_s, go)
            except ExtractError as error:
                await send.send(error)
            else:
                await send.send(Finished(result=result))

    failure: Exception | None = None
    with receive, send:
        run = prepared(replace(options, callbacks=[*options.callbacks, send.send]))
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
