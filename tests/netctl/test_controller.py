"""Apps that come and go, and states: exactly one loop for each app."""

from itertools import pairwise
from typing import Any

import anyio
import pytest

from netctl import (
    AppNotRunningError,
    ControllerClosedError,
    InvalidStateError,
    NetctlError,
    UnknownNameError,
)
from netctl.apps.line import LineApp, line_controller

pytestmark = pytest.mark.anyio


# --- states ----------------------------------------------------------------------------------


async def test_a_change_of_state_answers_as_documented(bench: Any) -> None:
    controller = bench.controller

    assert controller.status("NetworkApp1").state == "stopped"
    assert await controller.set_state("NetworkApp1", "running") == {
        "app": "NetworkApp1",
        "state": "running",
        "previous_state": "stopped",
    }
    assert (await controller.set_state("NetworkApp1", "running"))["previous_state"] == "running"
    assert (await controller.set_state("NetworkApp1", "paused"))["previous_state"] == "running"
    assert (await controller.set_state("NetworkApp1", "stopped"))["previous_state"] == "paused"


async def test_a_state_that_does_not_exist_is_refused(bench: Any) -> None:
    with pytest.raises(InvalidStateError, match="no state 'RUNNING'") as caught:
        await bench.controller.set_state("NetworkApp1", "RUNNING")

    assert caught.value.hint == "use one of ['running', 'paused', 'stopped']"
    assert bench.controller.status("NetworkApp1").state == "stopped"


@pytest.mark.parametrize("state", ["paused", "stopped"])
async def test_only_a_running_app_cycles_and_once_each_period(
    benches: Any, state: str, ticking: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        await bench.clock.advance(5.0)
        assert app.cycles == []

        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(5.0)
        await bench.controller.set_state("Ticker", state)
        await bench.clock.advance(20.0)

    assert app.cycles == [5.0, 7.0, 9.0]


async def test_a_hundred_fast_stops_and_starts_leave_one_loop(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        await bench.clock.settle()
        for _ in range(100):
            await bench.controller.set_state("Ticker", "running")
            await anyio.lowlevel.checkpoint()
            await bench.controller.set_state("Ticker", "stopped")
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(8.0)

    assert app.cycles == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert app.most_inside == 1


async def test_concurrent_starts_leave_one_loop(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        async with anyio.create_task_group() as group:
            for state in ["running", "stopped", "paused", "running"] * 5:
                group.start_soon(bench.controller.set_state, "Ticker", state)
        await bench.clock.advance(4.0)

    assert app.cycles == [0.0, 2.0, 4.0]
    assert app.most_inside == 1


async def test_once_stopped_an_app_does_nothing_any_more(benches: Any, ticking: Any) -> None:
    bench, app = ticking(benches)
    app.gate = anyio.Event()
    app.queue = [("SET_GAIN", {"node_id": 8, "value": {"target_gain": 1.0}})]
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        assert app.inside == 1

        await bench.controller.set_state("Ticker", "stopped")

        assert app.inside == 0
        app.gate.set()
        await bench.clock.advance(10.0)
    assert bench.driver.applied == []


async def test_states_need_an_entered_controller(benches: Any, ticking: Any) -> None:
    bench, _ = ticking(benches)
    with pytest.raises(ControllerClosedError, match="is not entered"):
        await bench.controller.set_state("Ticker", "running")
    with pytest.raises(ControllerClosedError):
        await bench.controller.execute("Ticker", "SET_GAIN", {})
    with pytest.raises(ControllerClosedError):
        await bench.controller.call_operation("Ticker", "rest", {})
    with pytest.raises(ControllerClosedError):
        await bench.controller.measurements("Ticker")


# --- crashes and overruns --------------------------------------------------------------------


async def test_a_crash_ends_its_cycle_and_the_next_ones_come_ever_later(
    benches: Any, logs: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    app.fault = IndexError("list index out of range")
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(14.5)

        status = bench.controller.status("Ticker")
        assert app.cycles == [0.0, 2.0, 6.0, 14.0]
        assert (status.state, status.cycles, status.crashes) == ("running", 4, 4)
        assert status.crashes_in_a_row == 4
        assert status.last_crash == "IndexError: list index out of range"
        assert status.next_cycle_in_s == 15.5
        assert [log["event"] for log in logs] == ["app crashed"] * 4

        app.fault = None
        await bench.clock.advance(17.5)
        status = bench.controller.status("Ticker")
        assert app.cycles[4:] == [30.0, 32.0]
        assert (status.crashes, status.crashes_in_a_row) == (4, 0)


async def test_backoff_has_an_end(benches: Any, logs: Any, ticking: Any) -> None:
    bench, app = ticking(benches, poll_period_s=1000.0)
    app.fault = ValueError()
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(400.0)

    gaps = [later - earlier for earlier, later in pairwise(app.cycles)]
    assert gaps[:6] == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0]
    assert set(gaps[5:]) == {60.0}
    assert len(logs) == len(app.cycles)


async def test_a_crash_leaves_operations_and_other_apps_alone(benches: Any, ticker: Any) -> None:
    app = ticker()
    bench = benches(app, LineApp())
    app.clock, app.fault = bench.clock, ValueError()
    async with bench.controller:
        for name in ("Ticker", "NetworkApp1"):
            await bench.controller.set_state(name, "running")
        await bench.clock.advance(4.0)

        assert (await bench.controller.call_operation("Ticker", "rest", {})).result == "rested"
        assert bench.controller.status("NetworkApp1").cycles == 3


async def test_cycles_that_take_too_long_are_counted_and_not_made_up_for(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    app.gate = anyio.Event()
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(5.0)
        app.gate.set()
        app.gate = None
        await bench.clock.advance(3.5)

        assert app.cycles == [0.0, 6.0, 8.0]
        assert bench.controller.status("Ticker").overruns == 1


# --- coming and going ------------------------------------------------------------------------


async def test_an_app_can_come_and_go_while_the_controller_runs(bench: Any, ticker: Any) -> None:
    events: list[tuple[str, str]] = []

    def listen(event: str, app: str) -> None:
        events.append((event, app))

    unsubscribe = bench.controller.subscribe(listen)
    app = ticker()
    app.clock = bench.clock
    bench.controller.add(app)
    await bench.controller.set_state("Ticker", "running")
    await bench.clock.settle()

    await bench.controller.remove("Ticker")
    await bench.clock.advance(10.0)

    assert app.cycles == [0.0]
    assert events == [("added", "Ticker"), ("removed", "Ticker")]
    with pytest.raises(UnknownNameError, match="no app 'Ticker'") as caught:
        bench.controller.status("Ticker")
    assert caught.value.hint == "there are ['NetworkApp1']"
    with pytest.raises(NetctlError, match="belongs to no controller"):
        app.add_command(("SET_GAIN", {"node_id": 8}))
    unsubscribe()
    bench.controller.add(app)
    assert len(events) == 2


async def test_an_app_removed_before_its_loop_began_never_runs(bench: Any, ticker: Any) -> None:
    app = ticker()
    bench.controller.add(app)
    await bench.controller.remove("Ticker")
    await bench.clock.advance(5.0)

    assert app.cycles == []


async def test_a_listener_that_raises_keeps_an_app_out(bench: Any, ticker: Any) -> None:
    def refuse(event: str, app: str) -> None:
        raise ValueError(event + app)

    app = ticker()
    unsubscribe = bench.controller.subscribe(refuse)
    with pytest.raises(ValueError, match="addedTicker"):
        bench.controller.add(app)
    unsubscribe()

    assert [declared.name for declared in bench.controller.apps] == ["NetworkApp1"]
    bench.controller.add(app)


async def test_leaving_the_controller_stops_everything_and_it_can_be_entered_again(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        with pytest.raises(ControllerClosedError, match="entered already"):
            await bench.controller.__aenter__()
    assert bench.controller.status("Ticker").state == "stopped"
    await bench.clock.advance(10.0)
    assert app.cycles == [0.0]

    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
    assert app.cycles == [0.0, 10.0]


async def test_an_error_in_the_body_leaves_the_controller_as_it_is(
    benches: Any, ticking: Any
) -> None:
    bench, _ = ticking(benches)
    with pytest.raises(KeyError):
        async with bench.controller:
            raise KeyError("x")


async def test_cancelling_the_body_leaves_the_controller(benches: Any, ticking: Any) -> None:
    bench, _ = ticking(benches)
    with anyio.CancelScope() as scope:
        async with bench.controller:
            scope.cancel()
            await anyio.sleep_forever()

    assert scope.cancelled_caught
    with pytest.raises(AppNotRunningError):
        async with bench.controller:
            await bench.controller.call_operation("Ticker", "rest", {})


def test_a_controller_can_be_made_before_there_is_an_event_loop() -> None:
    controller = line_controller(driver_timeout_s=1.0)

    async def main() -> str:
        async with controller:
            await controller.set_state("NetworkApp1", "running")
            outcome = await controller.execute(
                "NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": 13.0}
            )
            return outcome.status

    assert anyio.run(main) == "verified"


async def test_several_controllers_fit_in_one_process(benches: Any) -> None:
    one, two = benches(LineApp()), benches(LineApp())
    async with one.controller, two.controller:
        await one.controller.execute("NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": 5.0})
        await one.controller.set_state("NetworkApp1", "running")

        assert (one.gain_db(), two.gain_db()) == (5.0, 12.0)
        assert two.controller.status("NetworkApp1").state == "stopped"
