"""Work that goes on only while the client waits for it."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["while_attended"]

T = TypeVar("T")

_GONE = 499


async def while_attended(request: Request, work: Callable[[], Awaitable[T]]) -> T:
    """Do some work for a request whose body was read, and stop once its client has gone away.

    Args:
        request: Whose client it is.
        work: Says by its answer what went wrong, and raises nothing.

    Raises:
        HTTPException: It has; nobody reads the answer.
    """
    done: list[T] = []
    async with anyio.create_task_group() as tasks:

        async def attend() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(attend)
        done.append(await work())
        tasks.cancel_scope.cancel()
    if not done:
        raise HTTPException(_GONE, "the client went away")
    return done[0]
