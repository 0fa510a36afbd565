"""Whole stories that went wrong in controllers before this one, and laws over random stories."""

from itertools import pairwise
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import Controller, MeasurementsHandler, NetworkApp, Outcome, aic_app
from netctl.apps.line import LineApp, line_controller, simulated_line
from netctl.testing import ManualClock
from netctl.tools import bind
from tercet import ToolRegistry


@aic_app(name="Careless")
class Careless(NetworkApp):
    """Has no validator, and asks for 500 dB whenever it runs."""

    aic_app_id = 3
    control_loop_update_time = 1.0
    read_measurements = dict.fromkeys((8,), (MeasurementsHandler.ALL_MEASUREMENTS,))
    control_functions = dict.fromkeys((8,), ("SET_GAIN",))

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def process(self, measurements: Any) -> None:
        del measurements
        self.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 500.0}}))

    def on_outcome(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


@pytest.mark.anyio
async def test_500_db_reach_no_node_on_any_way(benches: Any) -> None:
    app = Careless()
    bench, registry = benches(LineApp(), app), ToolRegistry()
    bind(bench.controller, registry)
    arguments = {"node_id": 8, "target_gain": 500.0}
    async with bench.controller:
        for name in ("NetworkApp1", "Careless"):
            asked = await bench.controller.execute(name, "SET_GAIN", arguments, origin="rest")
            called = await registry.call_tool(f"{name}_set_gain", arguments)
            await bench.controller.set_state(name, "running")
            assert (asked.status, asked.nearest) == ("rejected", 35.0)
            assert called.status == "error"
            assert called.details[0].nearest == 35.0
        await bench.clock.advance(3.5)

    assert [outcome.code for outcome in app.outcomes] == ["out_of_limits"] * 4
    assert "maximum of 35.0 dB of booster_gain_db on node 8" in (app.outcomes[0].reason or "")
    assert bench.driver.applied == []


@pytest.mark.anyio
async def test_a_running_loop_never_leaves_a_reader_without_data(benches: Any) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await bench.controller.set_state("NetworkApp1", "running")
        for _ in range(50):
            answer = await registry.call_tool("NetworkApp1_get_measurements", {})
            assert answer.status == "success"
            readings = [
                reading
                for node in answer.data.result["measurements"].values()
                for reading in node.values()
            ]
            assert len(readings) == 43
            assert all(reading["value"] is not None for reading in readings)
            assert all(reading["age_s"] == 0.0 for reading in readings)
            await bench.clock.advance(0.3)


@aic_app(name="Fickle")
class Fickle(NetworkApp):
    """Crashes when told to, and notes when it cycles."""

    aic_app_id = 6
    control_loop_update_time = 2.0

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.crashing = False
        self.inside = 0
        self.cycles: list[float] = []
        self.overlaps = 0

    async def process(self, measurements: Any) -> None:
        del measurements
        self.overlaps += self.inside
        self.inside += 1
        self.cycles.append(self.clock.monotonic())
        try:
            await anyio.lowlevel.checkpoint()
            if self.crashing:
                raise ValueError
        finally:
            self.inside -= 1


steps = st.lists(
    st.sampled_from(["running", "paused", "stopped", "crash", "heal", "short", "long"]),
    max_size=30,
)


@given(steps)
def test_no_story_makes_an_app_cycle_twice_at_once_or_faster_than_its_period(
    story: list[str],
) -> None:
    async def live() -> Fickle:
        clock = ManualClock()
        controller, app = line_controller(clock=clock), Fickle(clock)
        controller.add(app)
        async with controller:
            for step in story:
                match step:
                    case "crash" | "heal":
                        app.crashing = step == "crash"
                    case "short" | "long":
                        await clock.advance(0.7 if step == "short" else 5.0)
                    case _:
                        await controller.set_state("Fickle", step)
                        cycles = len(app.cycles)
                        if step != "running":
                            await clock.advance(7.0)
                            assert len(app.cycles) == cycles
            status = controller.status("Fickle")
            assert status.cycles == len(app.cycles)
        return app

    app = anyio.run(live)

    assert app.overlaps == 0
    assert all(later - earlier >= 2.0 - 1e-6 for earlier, later in pairwise(app.cycles))


json_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.floats(-5.0, 40.0),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(json_values, st.one_of(st.just(8), json_values))
def test_whatever_is_asked_is_either_verified_within_the_limits_or_changes_nothing(
    target_gain: Any, node_id: Any
) -> None:
    async def ask() -> tuple[Outcome, float]:
        inventory, line = simulated_line()
        controller = Controller(inventory, line)
        controller.add(LineApp())
        async with controller:
            outcome = await controller.execute(
                "NetworkApp1", "SET_GAIN", {"node_id": node_id, "target_gain": target_gain}
            )
        return outcome, line.state()[8]["booster_gain_db"]

    outcome, gain_db = anyio.run(ask)

    if outcome.status == "verified":
        assert 0.0 <= gain_db <= 25.0
        assert gain_db == target_gain
    else:
        assert outcome.status == "rejected"
        assert outcome.reason
        assert gain_db == 12.0
