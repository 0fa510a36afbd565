"""Calls that stand still at a chosen point of their way, to be withdrawn there."""

from collections.abc import Callable
from typing import Any

import anyio

from tercet import CallContext, ObjectRegistry, ToolRegistry, program_tool, run_in_thread
from tercet.testing import RecordingObserver


class Hold:
    """Counts the points where a call waits for something else, and stops it at one of them."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.reached = anyio.Event()

    async def passing(self) -> None:
        """Stand still for ever, where this is the point."""
        self._left -= 1
        if not self._left:
            self.reached.set()
            await anyio.sleep_forever()


class HeldStore:
    """An object store whose operations are such points, before anything is done."""

    def __init__(self, store: Any, hold: Hold) -> None:
        self._store, self._hold = store, hold

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operation = getattr(self._store, name)

        async def held(*arguments: Any) -> Any:
            await self._hold.passing()
            return await operation(*arguments)

        return held


async def withdrawn_at(
    registry: ToolRegistry,
    objects: ObjectRegistry,
    call: tuple[str, dict[str, Any]],
    number: int,
    settings: list[Any],
) -> tuple[bool, RecordingObserver]:
    """Withdraw a call at its point of that number; false if it ended before it.

    `registry` gives the tool, which runs over the same objects.
    """
    hold, observer = Hold(number), RecordingObserver()
    store: Any = HeldStore(objects.store, hold)

    async def runner(function: Callable[[], Any], *, tenant: str) -> Any:
        await hold.passing()
        return await run_in_thread(function, tenant=tenant)

    held = ToolRegistry(
        [tool for tool in registry if tool.name != "run_program"],
        objects=objects.over(store),
        observers=[observer],
        runner=runner,
        settings=settings,
    )
    held.register_tool(program_tool(held))
    ended = anyio.Event()

    async def ask() -> None:
        await held.call_tool(*call, CallContext())
        ended.set()

    async with anyio.create_task_group() as tasks:

        async def watch(event: anyio.Event) -> None:
            await event.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch, hold.reached)
        tasks.start_soon(watch, ended)
        tasks.start_soon(ask)
    return hold.reached.is_set(), observer
