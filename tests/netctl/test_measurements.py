"""Readings: last value, age and quality; reading consumes nothing; nothing is invented."""

from typing import Any

import pytest

from netctl import (
    Controller,
    Inventory,
    Measurement,
    MeasurementsHandler,
    NetworkApp,
    NoDataError,
    Reading,
    Sample,
    UnknownNameError,
    aic_app,
)
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio


@aic_app(name="Reader")
class Reader(NetworkApp):
    aic_app_id = 7
    control_loop_update_time = 2.0
    read_measurements = {8: ["output_power_dbm"], 3: [MeasurementsHandler.ALL_MEASUREMENTS]}  # noqa: RUF012 -- as an app writes it

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def process(self, measurements: Any) -> None:
        self.seen.append(measurements)


class Scripted:
    """A driver that answers reads with whatever the test says."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers = answers

    async def read(self, node: Any) -> Any:
        del node
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def apply(self, node: Any, setting: Any) -> Any:
        raise NotImplementedError


ONE_NODE = Inventory.model_validate(
    {"nodes": [{"node_id": 1, "name": "amplifier", "kind": "amplifier", "metrics": ["power_dbm"]}]}
)


@aic_app(name="OneNode")
class OneNode(NetworkApp):
    aic_app_id = 1
    read_measurements = {1: ["power_dbm"]}  # noqa: RUF012 -- as an app writes it


def scripted(answers: list[Any], **options: Any) -> tuple[Controller, ManualClock]:
    clock = ManualClock()
    controller = Controller(ONE_NODE, Scripted(answers), clock=clock, **options)
    controller.add(OneNode())
    return controller, clock


async def last(controller: Controller) -> Measurement:
    return (await controller.measurements("OneNode"))[1]["power_dbm"]


async def test_what_was_never_measured_has_no_data() -> None:
    controller, _ = scripted([[]])
    async with controller:
        assert await last(controller) == Measurement(
            node_id=1,
            metric="power_dbm",
            value=None,
            timestamp_s=None,
            age_s=None,
            sequence=0,
            quality="no_data",
        )


async def test_a_reading_carries_value_time_age_sequence_and_quality() -> None:
    controller, clock = scripted([[Reading(metric="power_dbm", value=1.5)], []])
    async with controller:
        await clock.settle()
        await clock.advance(0.25)

        assert (await last(controller)).to_dict() == {
            "value": 1.5,
            "timestamp_s": clock.now() - 0.25,
            "age_s": 0.25,
            "sequence": 1,
            "quality": "good",
        }


async def test_a_reading_grows_stale_and_keeps_its_value() -> None:
    controller, clock = scripted([[Reading(metric="power_dbm", value=1.5)], []], stale_after_s=2)
    async with controller:
        await clock.settle()
        await clock.advance(1.5)
        assert (await last(controller)).quality == "good"

        await clock.advance(0.5)

        measurement = await last(controller)
        assert (measurement.quality, measurement.value) == ("stale", 1.5)


async def test_the_equipments_own_time_counts_for_the_age() -> None:
    clock = ManualClock()
    reading = Reading(metric="power_dbm", value=1.5, timestamp_s=clock.now() - 4.0)
    controller, clock = scripted([[reading]])
    async with controller:
        measurement = await last(controller)

    assert measurement.age_s == pytest.approx(4.0)
    assert measurement.quality == "stale"


async def test_a_reading_from_the_future_is_new_not_negative() -> None:
    clock = ManualClock()
    reading = Reading(metric="power_dbm", value=1.5, timestamp_s=clock.now() + 9.0)
    controller, clock = scripted([[reading]])
    async with controller:
        assert (await last(controller)).age_s == 0.0


@pytest.mark.parametrize(
    "answer",
    [
        None,
        17,
        "text",
        {"x": 1},
        [1, 2, 3],
        [Reading(metric="power_dbm", value=float("nan"))],
        [Reading(metric="power_dbm", value=float("inf"))],
        [Reading(metric="power_dbm", value=10**400)],
        [Reading(metric="power_dbm", value=True)],
        [Reading(metric="power_dbm", value="1.5")],  # pyright: ignore[reportArgumentType] -- a fault
        [Reading(metric="colour", value=1.0)],
        [Reading(metric=[], value=1.0)],  # pyright: ignore[reportArgumentType] -- a fault
        [Reading(metric="power_dbm", value=1.0, timestamp_s=float("nan"))],
    ],
    ids=repr,
)
async def test_a_malformed_sample_is_left_out_and_counted(answer: Any, logs: Any) -> None:
    good = [Reading(metric="power_dbm", value=2.0)]
    controller, clock = scripted([answer, good])
    async with controller:
        await clock.settle()
        assert controller.refused_readings >= 1

        assert (await last(controller)).value == 2.0

    assert {(log["event"], log["node_id"]) for log in logs} == {("readings refused", 1)}


async def test_a_good_reading_beside_a_malformed_one_is_kept() -> None:
    controller, _ = scripted(
        [[Reading(metric="colour", value=1.0), Reading(metric="power_dbm", value=3.0)]]
    )
    async with controller:
        assert (await last(controller)).value == 3.0


async def test_history_is_bounded_and_in_order() -> None:
    answers = [[Reading(metric="power_dbm", value=float(number))] for number in range(6)]
    controller, clock = scripted(answers, history_length=3)
    async with controller:
        await clock.advance(4.0)

        history = controller.history(1, "power_dbm")

    assert [measurement.value for measurement in history] == [2.0, 3.0, 4.0]
    assert [measurement.sequence for measurement in history] == [3, 4, 5]
    with pytest.raises(UnknownNameError, match="no node 2"):
        controller.history(2, "power_dbm")


async def test_all_measurements_reach_the_app_end_to_end(benches: Any) -> None:
    app = Reader()
    bench = benches(app)
    async with bench.controller:
        await bench.clock.settle()
        await bench.controller.set_state("Reader", "running")
        await bench.clock.settle()
        measured = await bench.controller.measurements("Reader")

    (sample,) = app.seen[0][3]
    assert sample == bench.line.state()[3]
    assert set(measured[3]) == set(bench.line.state()[3])
    assert set(measured[8]) == {"output_power_dbm"}


async def test_process_gets_each_sample_once_and_looking_consumes_nothing(benches: Any) -> None:
    app = Reader()
    bench = benches(app, poll_period_s=0.75)
    async with bench.controller:
        await bench.controller.set_state("Reader", "running")
        await bench.clock.settle()
        for _ in range(3):
            await bench.controller.measurements("Reader")
        await bench.clock.advance(4.25)

    # Cycles at 0, 2 and 4 s; polls each 0.75 s from 0 s on, and three looks at 0 s.
    first, second, third = app.seen
    assert len(first[8]) + len(second[8]) == 3 + 3
    assert len(third[8]) == 3
    assert list(third) == [8, 3]
    assert len(third) == 2
    assert third.latest(8, "output_power_dbm").quality == "good"


async def test_measurements_need_good_data_or_say_why_not(benches: Any) -> None:
    app = Reader()
    bench = benches(app)
    bench.driver.read_fault = "unreachable"
    async with bench.controller:
        await bench.controller.set_state("Reader", "running")
        await bench.clock.settle()
        bench.driver.read_fault = None
        await bench.clock.advance(2.0)
        bench.driver.read_fault = "unreachable"
        await bench.clock.advance(4.0)

    blind, seeing, _, late = app.seen
    with pytest.raises(NoDataError, match=r"no fresh output_power_dbm \(no_data\)"):
        blind.require(8, "output_power_dbm")
    assert seeing.require(8, "output_power_dbm") == bench.line.state()[8]["output_power_dbm"]
    with pytest.raises(NoDataError, match=r"\(stale, 4.0 s old\)"):
        late.require(8, "output_power_dbm")
    with pytest.raises(NoDataError, match="no fresh osnr_db"):
        seeing.require(8, "osnr_db")
    assert repr(blind) == "Measurements({8: (), 3: ()})"


async def test_measurements_of_a_node_that_the_app_does_not_read_are_refused(benches: Any) -> None:
    bench = benches(Reader())
    async with bench.controller:
        assert set(await bench.controller.measurements("Reader", 8)) == {8}
        with pytest.raises(UnknownNameError, match="does not read node 4") as caught:
            await bench.controller.measurements("Reader", 4)

    assert caught.value.hint == "it reads [8, 3]"


async def test_a_silent_node_holds_up_no_other(benches: Any) -> None:
    bench = benches(Reader(), driver_timeout_s=100.0)
    bench.driver.read_fault = "silent"
    bench.driver.faulty_nodes = {8}
    async with bench.controller:
        await bench.clock.advance(3.5)

    assert bench.driver.reads.count(8) == 1
    assert bench.driver.reads.count(3) == 4


async def test_failed_reads_are_counted_by_node(benches: Any) -> None:
    bench = benches(Reader(), driver_timeout_s=0.5)
    bench.driver.read_fault = "silent"
    async with bench.controller:
        await bench.clock.advance(2.0)

    # A read takes half a second to time out, the next poll comes a second after that.
    assert bench.controller.failed_reads == dict.fromkeys((3, 4, 5, 6, 7, 8), 2)


async def test_nodes_that_tell_nothing_fresh_though_they_are_asked_are_named() -> None:
    controller, clock = scripted([[]], stale_after_s=2.0)
    async with controller:
        await clock.advance(1.9)
        assert controller.silent_nodes == ()

        await clock.advance(0.2)
        assert controller.silent_nodes == (1,)

        controller.record_many([Sample(1, {"power_dbm": 1.5})])
        assert controller.silent_nodes == ()
        await clock.advance(2.1)
        assert controller.silent_nodes == (1,)
    assert controller.silent_nodes == ()
