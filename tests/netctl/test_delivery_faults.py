"""Whatever a driver, an arbiter or a caller does, what is said of a command is true."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import pytest

from netctl import Accept, Acknowledgement, Controller, DriverError, Reading, SerialArbiter
from netctl.apps.line import LineApp
from netctl.policies import NeedApproval

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


class Forgetful(SerialArbiter):
    """An arbiter with a bug that shows once a command was sent."""

    def sent(self, request: Any, target: Any) -> None:
        del request, target
        raise RuntimeError("a bug of the arbiter")


async def test_an_arbiter_that_crashes_afterwards_does_not_hide_what_was_done(
    odd: Any, set_gain: Any
) -> None:
    controller, _, bench = odd(arbiter=Forgetful())
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")
        (change,) = await controller.changes.list()

    assert outcome.status == change.outcome.status == "verified"
    assert bench.gain_db() == 15.0


class Mute:
    """An arbiter that swallows what goes wrong inside it."""

    @asynccontextmanager
    async def claim(self, request: Any, target: Any) -> AsyncGenerator[None, None]:
        del request, target
        with suppress(DriverError):
            yield


async def test_an_arbiter_that_swallows_a_refusal_is_an_error_not_a_success(
    odd: Any, set_gain: Any, logs: Any
) -> None:
    controller, _, bench = odd(arbiter=Mute())
    bench.driver.read_fault = "unreachable"
    async with controller:
        outcome = await set_gain(controller, 15, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "internal_error")
    assert "command crashed" in [log["event"] for log in logs]


async def test_changes_that_wait_for_approval_do_not_keep_others_from_being_sent(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(Accept()), policies=[NeedApproval(above=2.0)])
    async with bench.controller as controller:
        for number in range(1_000):
            asked = await set_gain(controller, 15, app="Guarded", idempotency_key=str(number))
            assert asked.status == "pending_approval"
        full = await set_gain(controller, 15, app="Guarded")
        small = await set_gain(controller, 13, app="Guarded")

    assert full.reason == "1000 changes wait already"
    assert small.status == "verified"


async def test_a_caller_that_asyncio_itself_cancels_is_not_told_that_nothing_was_sent(
    bench: Any, set_gain: Any
) -> None:
    # The event loop's own cancellation passes every shield of anyio, as in `asyncio.wait_for`.
    bench.driver.gate = anyio.Event()
    call = asyncio.ensure_future(set_gain(bench.controller, 15))
    await bench.driver.waiting.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    (record,) = bench.controller.audit.records
    (change,) = await bench.controller.changes.list()
    assert (record.outcome.status, record.outcome.code) == ("failed", "outcome_unknown")
    assert change.outcome == record.outcome


# --- many who ask one node -------------------------------------------------------------------


class Slow:
    """A driver whose node 8 answers reads when the test lets it, or never."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.gates: list[anyio.Event] = []
        self.slow = False

    async def read(self, node: Any) -> Any:
        if self.slow and node.node_id == 8:
            self.gates.append(anyio.Event())
            await self.gates[-1].wait()
        return await self.driver.read(node)

    async def apply(self, node: Any, setting: Any) -> Any:
        return await self.driver.apply(node, setting)


@pytest.fixture
async def slow(benches: Any) -> Any:
    """A controller whose node 8 is slow, entered, with one read under way."""
    bench = benches()
    driver = Slow(bench.driver)
    controller = Controller(bench.line.inventory, driver, clock=bench.clock, poll_period_s=1000.0)
    controller.add(LineApp())
    async with controller:
        await bench.clock.settle()
        driver.slow = True
        yield controller, driver, bench.clock


async def test_many_who_ask_a_silent_node_wait_for_two_reads_at_the_most(slow: Any) -> None:
    controller, driver, clock = slow
    answered: list[Any] = []

    async def ask() -> None:
        answered.append(await controller.measurements("NetworkApp1", 8))

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(ask)
        # Twice the driver's timeout of five seconds.
        await clock.advance(10.0)
        assert len(answered) == 50
    assert len(driver.gates) == controller.failed_reads[8] == 2


async def test_who_asks_while_a_node_is_read_gets_a_read_that_begins_later(slow: Any) -> None:
    controller, driver, clock = slow
    order: list[str] = []

    async def ask(name: str) -> None:
        await controller.measurements("NetworkApp1", 8)
        order.append(name)

    async with anyio.create_task_group() as group:
        for name in ("first", "second", "third"):
            group.start_soon(ask, name)
            await clock.settle()
        driver.gates[0].set()
        await clock.settle()
        assert (order, len(driver.gates)) == (["first"], 2)
        driver.gates[1].set()
        await clock.settle()

    assert order == ["first", "second", "third"]
    assert len(driver.gates) == 2


async def test_a_reader_that_gives_up_leaves_its_turn_to_those_who_shared_it(slow: Any) -> None:
    controller, driver, clock = slow
    answered: list[Any] = []

    async def ask() -> None:
        answered.append(await controller.measurements("NetworkApp1", 8))

    leader = anyio.CancelScope()
    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await clock.settle()
        with leader:
            group.start_soon(ask)

            async def give_up() -> None:
                await clock.settle()
                leader.cancel()

            group.start_soon(give_up)
            await controller.measurements("NetworkApp1", 8)
        driver.slow = False
        for gate in driver.gates:
            gate.set()
        await clock.settle()

    assert leader.cancelled_caught
    assert len(answered) == 2
