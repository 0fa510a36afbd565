"""While a reload waits, or is under way: calls wait or are left alone, and nothing is half done."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest
from reloaded_networks import Disk, up_to

from netctl import (
    ControllerClosedError,
    DeclarationError,
    NetworkApp,
    ReloadError,
    StoreError,
    aic_app,
)
from netctl.apps.line import LineApp, line_inventory
from netctl.policies import NeedApproval
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio


def nothing(*_: Any) -> dict[str, float]:
    return {}


@asynccontextmanager
async def reload_waits(bench: Any, set_gain: Any, max_db: float) -> AsyncGenerator[Any, None]:
    """A block in which a reload waits for a command; both end behind it."""
    bench.driver.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(partial(set_gain, bench.controller, 13.0, amp_type="preamp"))
            await bench.driver.waiting.wait()
            group.start_soon(bench.controller.reload, up_to(max_db))
            await bench.clock.settle()
            yield group
            await bench.clock.settle()
            assert bench.controller.inventory == line_inventory()
            bench.driver.gate.set()
    await bench.clock.settle()
    assert bench.controller.inventory == up_to(max_db)


async def test_an_approval_that_comes_meanwhile_is_given_by_the_new_limits(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(LineApp(), policies=[NeedApproval(above=3.0)])
    outcomes: list[Any] = []

    async def approve(change_id: int) -> None:
        outcomes.append(await bench.controller.changes.approve(change_id, subject="bob"))

    async with bench.controller:
        waiting = await set_gain(bench.controller, 20.0, subject="alice")
        async with reload_waits(bench, set_gain, 14.0) as group:
            group.start_soon(approve, waiting.change_id)
    assert [outcome.code for outcome in outcomes] == ["out_of_limits"]


async def test_a_command_of_a_task_that_an_app_has_for_itself_waits_like_all_others(
    benches: Any, ticking: Any, set_gain: Any
) -> None:
    bench, app = ticking(benches)
    bench.controller.add(LineApp())
    outcomes: list[Any] = []

    async def send() -> None:
        outcomes.append(await app.send_command("SET_GAIN", {"node_id": 8, "target_gain": 20.0}))

    async with bench.controller, reload_waits(bench, set_gain, 14.0) as group:
        group.start_soon(send)
    assert [outcome.code for outcome in outcomes] == ["out_of_limits"]


async def test_what_is_to_be_taken_back_meanwhile_is_taken_back_afterwards(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(LineApp(), poll_period_s=1000.0)
    async with bench.controller:
        await set_gain(bench.controller, 10.0, confirm_within_s=2.0)
        async with reload_waits(bench, set_gain, 11.0):
            reads = len(bench.driver.reads)
            await bench.clock.advance(3.0)
            assert len(bench.driver.reads) == reads
        # What it was before is beyond what is allowed now.
        assert bench.controller.overdue_changes == (1,)
        (change,) = [one for one in await bench.controller.changes.list() if one.change_id == 1]
    assert "exceeds maximum of 11.0" in change.confirmation_fault
    assert bench.gain_db() == 10.0


async def test_an_app_that_is_added_meanwhile_stays(
    benches: Any, set_gain: Any, ticker: Any
) -> None:
    bench, app = benches(LineApp()), ticker()
    app.clock = bench.clock
    async with bench.controller:
        async with reload_waits(bench, set_gain, 14.0):
            bench.controller.add(app)
        assert [known.name for known in bench.controller.apps] == ["NetworkApp1", "Ticker"]
        assert app.inventory == up_to(14.0)


async def test_an_app_can_be_halted_and_the_switch_pulled_while_a_reload_waits(
    benches: Any, ticking: Any, set_gain: Any
) -> None:
    bench, app = ticking(benches)
    app.gate = anyio.Event()
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                # The app's cycle never ends by itself.
                group.start_soon(bench.controller.reload, up_to(14.0))
                await bench.clock.settle()
                assert bench.controller.inventory == line_inventory()
                await bench.controller.set_read_only(True)
                await bench.controller.set_state("Ticker", "stopped")
        assert bench.controller.inventory == up_to(14.0)
        assert bench.controller.status("Ticker").state == "stopped"
        assert (await set_gain(bench.controller, 13.0, app="Ticker")).code == "read_only"


async def test_two_reloads_at_once_take_place_one_after_the_other(bench: Any) -> None:
    async with anyio.create_task_group() as group:
        for max_db in (14.0, 16.0, 18.0):
            group.start_soon(bench.controller.reload, up_to(max_db))
    assert bench.controller.inventory == up_to(18.0)


# --- a reload that is given up ---------------------------------------------------------------


async def test_a_reload_that_is_cancelled_while_it_waits_changes_nothing(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(set_gain, bench.controller, 20.0)
            await bench.driver.waiting.wait()
            with anyio.CancelScope() as scope:
                group.start_soon(_cancel, scope, bench.clock)
                await bench.controller.reload(up_to(14.0))
            assert scope.cancelled_caught
            bench.driver.gate.set()
        assert (await set_gain(bench.controller, 21.0)).status == "verified"
    assert bench.controller.inventory == line_inventory()


async def _cancel(scope: anyio.CancelScope, clock: ManualClock) -> None:
    await clock.settle()
    scope.cancel()


async def test_a_waiting_call_that_is_cancelled_is_not_waited_for(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(set_gain, bench.controller, 20.0)
            await bench.driver.waiting.wait()
            group.start_soon(bench.controller.reload, up_to(14.0))
            await bench.clock.settle()
            with anyio.CancelScope() as scope:
                group.start_soon(_cancel, scope, bench.clock)
                await set_gain(bench.controller, 13.0)
            bench.driver.gate.set()
        await bench.controller.reload(up_to(16.0))
    assert len(bench.driver.applied) == 1


async def test_a_call_that_is_let_in_and_cancelled_at_once_is_not_waited_for(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(LineApp(), store=(disk := Disk()))
    async with bench.controller:
        disk.gate = anyio.Event()

        async def reload_and_cancel(waiting: list[asyncio.Task[Any]]) -> None:
            await bench.controller.reload(up_to(14.0))
            # Only asyncio's own cancellation reaches a task that is let in, but has not gone on.
            waiting[0].cancel()

        waiting: list[asyncio.Task[Any]] = []
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(reload_and_cancel, waiting)
                await disk.waiting.wait()
                waiting.append(asyncio.create_task(set_gain(bench.controller, 13.0)))
                await bench.clock.settle()
                disk.gate.set()
            with pytest.raises(asyncio.CancelledError):
                await waiting[0]
            await bench.controller.reload(up_to(16.0))
    assert bench.driver.applied == []


async def test_a_reload_that_is_cancelled_half_way_is_done_whole(
    benches: Any, set_gain: Any, ticker: Any
) -> None:
    @aic_app(name="Leaver")
    class Leaver(NetworkApp):
        aic_app_id = 88

    disk, leaver = Disk(), Leaver()
    bench = benches(LineApp(), leaver, store=disk)
    async with bench.controller:
        await bench.clock.settle()
        disk.gate, app = anyio.Event(), ticker()
        app.clock = bench.clock
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:

                async def reload() -> None:
                    await bench.controller.reload(up_to(14.0), apps=[LineApp(), app])

                async def in_reload() -> None:
                    await disk.waiting.wait()
                    with pytest.raises(ReloadError, match="being reloaded"):
                        bench.controller.add(ticker())
                    with pytest.raises(ReloadError, match="being reloaded"):
                        bench.controller.register_command("SET_X", nothing)
                    scope.cancel()
                    await bench.clock.settle()
                    assert disk.gate is not None
                    disk.gate.set()

                group.start_soon(in_reload)
                with anyio.CancelScope() as scope:
                    await reload()

        assert bench.controller.inventory == up_to(14.0)
        assert [entry.kind for entry in disk.entries] == ["reload"]
        assert (await set_gain(bench.controller, 20.0)).code == "out_of_limits"
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        assert app.cycles
        with pytest.raises(DeclarationError, match="belongs to no controller"):
            _ = leaver.inventory


async def test_an_app_that_is_halted_half_way_is_halted_also_if_the_rest_is_undone(
    benches: Any, ticking: Any
) -> None:
    @aic_app(name="Ticker")
    class Newer(NetworkApp):
        aic_app_id = 2

    disk = Disk()
    bench, app = ticking(benches, store=disk)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        disk.gate, disk.broken = anyio.Event(), True

        async def fail(doing: Any) -> None:
            with pytest.raises(StoreError):
                await doing

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(fail, bench.controller.reload(up_to(14.0), apps=[Newer()]))
                await disk.waiting.wait()
                group.start_soon(fail, bench.controller.set_state("Ticker", "stopped"))
                await bench.clock.settle()
                disk.gate.set()
        await bench.clock.advance(10.0)
        assert bench.controller.status("Ticker").state == "stopped"
    assert app.cycles == [0.0]


async def test_a_controller_that_ends_while_a_reload_waits_ends(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    app.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:

            async def reload() -> None:
                with pytest.raises(ControllerClosedError):
                    await bench.controller.reload(up_to(14.0))

            async with bench.controller:
                await bench.controller.set_state("Ticker", "running")
                await bench.clock.settle()
                group.start_soon(reload)
                await bench.clock.settle()
    assert bench.controller.inventory == line_inventory()
