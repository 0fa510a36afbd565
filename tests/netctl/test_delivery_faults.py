"""Whatever a driver does, what is said of a command is true."""

from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from netctl import Accept, Acknowledgement, Controller, Reading

pytestmark = pytest.mark.anyio

METRIC = "booster_gain_db"


class Odd:
    """A driver of the line whose answers a test replaces."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.readings: Any = None
        self.answer: Any = None
        self.effect: Any = None
        self.before_read: Any = None

    async def read(self, node: Any) -> Any:
        if self.before_read is not None:
            await self.before_read(node)
        real = await self.driver.read(node)
        return real if self.readings is None else self.readings(node, real)

    async def apply(self, node: Any, setting: Any) -> Any:
        answer = await self.driver.apply(node, setting)
        return answer if self.answer is None else self.answer

    async def predict(self, node: Any, setting: Any) -> Any:
        del node, setting
        return self.effect


@pytest.fixture
def odd(benches: Any, guarded: Any) -> Any:
    """A controller of a driver with odd answers, not entered."""

    def make(**options: Any) -> tuple[Controller, Odd, Any]:
        bench = benches()
        driver = Odd(bench.driver)
        controller = Controller(bench.line.inventory, driver, clock=bench.clock, **options)
        controller.add(guarded(Accept()))
        return controller, driver, bench

    return make


def breaking(node: Any, real: Any) -> Iterator[Any]:
    del node
    yield real[0]
    raise RuntimeError("lost in the middle")


async def test_readings_that_break_off_are_a_failed_read_and_polling_goes_on(
    odd: Any, set_gain: Any
) -> None:
    controller, driver, bench = odd()
    async with controller:
        await bench.clock.settle()
        driver.readings = breaking
        outcome = await set_gain(controller, 15, app="Guarded")
        await bench.clock.advance(3.0)
        failed = controller.failed_reads[3]
        driver.readings = None
        assert (await set_gain(controller, 15, app="Guarded")).status == "verified"

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert failed >= 3


async def test_a_driver_that_breaks_after_the_change_leaves_no_change_open(
    odd: Any, set_gain: Any
) -> None:
    controller, driver, bench = odd()

    def breaks_once_set(node: Any, real: Any) -> Any:
        gains = {reading.metric: reading.value for reading in real}
        return breaking(node, real) if gains.get(METRIC) == 15 else real

    driver.readings = breaks_once_set
    async with controller:
        await bench.clock.settle()
        outcome = await set_gain(controller, 15, app="Guarded")
        (change,) = await controller.changes.list()

    assert (outcome.status, outcome.code) == ("applied", "read_back_unavailable")
    assert change.outcome == outcome


class Value(float):
    """A number that cannot be calculated with."""

    def __float__(self) -> float:
        raise RuntimeError("a bug in a number")


async def test_what_nobody_foresaw_after_the_change_leaves_no_change_open_and_its_end_unknown(
    odd: Any, set_gain: Any, logs: Any
) -> None:
    controller, driver, bench = odd()

    def breaks_once_set(node: Any, real: Any) -> Any:
        del node
        gains = {reading.metric: reading.value for reading in real}
        return [Reading(metric=METRIC, value=Value(15.0))] if gains.get(METRIC) == 15 else real

    driver.readings = breaks_once_set
    async with controller:
        await bench.clock.settle()
        outcome = await set_gain(controller, 15, app="Guarded")
        (change,) = await controller.changes.list()

    assert (outcome.status, outcome.code) == ("failed", "outcome_unknown")
    assert change.outcome == outcome
    assert "delivery failed" in [log["event"] for log in logs]


class Wordless:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


async def test_an_answer_without_words_is_told_by_its_type(odd: Any, set_gain: Any) -> None:
    controller, driver, _ = odd()
    driver.answer = Wordless()
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert "answered a change with a Wordless without words" in (outcome.reason or "")


@pytest.mark.parametrize("accepted", ["no", 1, None])
async def test_an_acknowledgement_that_is_no_clear_yes_is_no_success(
    odd: Any, set_gain: Any, accepted: Any
) -> None:
    controller, driver, _ = odd()
    driver.answer = Acknowledgement(accepted=accepted)
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert "did not confirm" in (outcome.reason or "")


async def test_the_reason_of_a_node_is_bounded(odd: Any, set_gain: Any) -> None:
    controller, driver, _ = odd()
    driver.answer = Acknowledgement(accepted=False, message="no " * 100_000)
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert outcome.code == "refused_by_node"
    assert len(outcome.reason or "") < 1_000


@pytest.mark.parametrize("effect", [None, 3, ["gain"]])
async def test_a_prediction_that_is_none_is_left_out(odd: Any, set_gain: Any, effect: Any) -> None:
    controller, driver, _ = odd()
    driver.effect = effect
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded", dry_run=True)

    assert (outcome.status, outcome.predicted_effect) == ("planned", None)


async def test_a_reading_that_the_node_took_long_ago_reads_nothing_back(
    odd: Any, set_gain: Any
) -> None:
    controller, driver, bench = odd(stale_after_s=3.0)

    def old(node: Any, real: Any) -> Any:
        del node
        taken_s = bench.clock.now() - 60.0
        return [Reading(metric=r.metric, value=r.value, timestamp_s=taken_s) for r in real]

    driver.readings = old
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert outcome.reason == ("node 8 tells a booster_gain_db that is 60.0 s old; nothing was sent")


async def test_a_read_that_began_before_the_change_reads_nothing_back(
    odd: Any, set_gain: Any
) -> None:
    controller, driver, bench = odd()
    async with controller:
        await bench.clock.settle()
        started, go, reads = anyio.Event(), anyio.Event(), 0

        async def hold(node: Any) -> None:
            nonlocal reads
            reads += node.node_id == 8
            if node.node_id == 8 and reads == 2:
                started.set()
                await go.wait()

        def mute(node: Any, real: Any) -> Any:
            # The first read is the plan's, the second the poller's, the third is to read back.
            hidden = node.node_id == 8 and reads >= 3
            return [r for r in real if not (hidden and r.metric == METRIC)]

        driver.before_read, driver.readings = hold, mute
        bench.driver.gate = anyio.Event()
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await set_gain(controller, 15, app="Guarded"))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.driver.waiting.wait()
            await bench.clock.advance(1.0)
            await started.wait()
            bench.driver.gate.set()
            await bench.clock.settle()
            go.set()

    (outcome,) = outcomes
    assert (outcome.status, outcome.code) == ("applied", "read_back_unavailable")
