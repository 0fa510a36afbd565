"""Whose turn it is where there are more calls than workers."""

from collections.abc import Callable

import anyio
import pytest
from heavy_work import whoami

from tercet import ProcessWorkers

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


async def test_where_calls_wait_tenants_take_turns() -> None:
    ended: list[str] = []
    async with ProcessWorkers(1) as workers:

        async def compute(tenant: str) -> None:
            await workers(whoami, tenant=tenant)
            ended.append(tenant)

        async with anyio.create_task_group() as tasks:
            # The first has the only place; the others wait in this order.
            for tenant in ("big", "big", "big", "big", "small", "other", "small"):
                tasks.start_soon(compute, tenant)
                await anyio.wait_all_tasks_blocked()
            assert (workers.computing, workers.waiting) == (1, 6)
    assert ended == ["big", "big", "small", "other", "big", "small", "big"]


async def test_a_place_that_comes_to_a_call_that_is_gone_goes_to_the_next() -> None:
    ended: list[str] = []
    gone = anyio.CancelScope()
    async with ProcessWorkers(1) as workers:

        async def compute(tenant: str, then: Callable[[], None] = lambda: None) -> None:
            await workers(whoami, tenant=tenant)
            ended.append(tenant)
            then()

        async with anyio.create_task_group() as tasks:

            async def leave() -> None:
                with gone:
                    await compute("gone")

            # In the same step of the loop the place is passed on, and its new owner leaves.
            tasks.start_soon(compute, "first", gone.cancel)
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(leave)
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(compute, "last")
        assert gone.cancelled_caught
        assert (workers.computing, workers.waiting) == (0, 0)
        assert await workers(whoami) == workers.pids[0]
    assert ended == ["first", "last"]
