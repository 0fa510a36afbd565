"""The driver, reading back, and the record of it."""

import asyncio
from typing import Any

import anyio
import pytest

from netctl import (
    Accept,
    AuditRecord,
    Controller,
    Outcome,
)

pytestmark = pytest.mark.anyio


APP = "NetworkApp1"


@pytest.mark.parametrize(
    ("faults", "code", "words"),
    [
        ({"read_fault": "unreachable"}, "node_unavailable", "nothing was sent"),
        ({"read_fault": "crash"}, "node_unavailable", "the driver failed to read node 8"),
        ({"apply_fault": "unreachable"}, "node_unavailable", "did not confirm the change"),
        ({"apply_fault": "crash"}, "node_unavailable", "the driver failed to apply node 8"),
        ({"apply_fault": "refuse"}, "refused_by_node", "node 8 refuses: not today"),
        ({"apply_fault": "ignore"}, "read_back_differs", "reads 12.0 dB instead of 15.0 dB"),
    ],
)
async def test_what_goes_wrong_on_the_node_is_said_in_true_words(
    bench: Any, faults: dict[str, str], code: str, words: str, set_gain: Any
) -> None:
    for attribute, fault in faults.items():
        setattr(bench.driver, attribute, fault)

    outcome = await set_gain(bench.controller, 15)

    assert outcome.status == ("applied" if code == "read_back_differs" else "failed")
    assert outcome.code == code
    assert words in (outcome.reason or "")
    assert bench.gain_db() == 12.0


async def test_a_silent_node_ends_in_an_outcome_that_admits_not_to_know(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.apply_fault = "silent"
    results: list[Outcome] = []

    async def send() -> None:
        results.append(await set_gain(bench.controller, 15))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await bench.clock.advance(5.0)

    (outcome,) = results
    assert (outcome.status, outcome.code) == ("failed", "outcome_unknown")
    assert outcome.reason == (
        "node 8 did not answer within 5 s; whether it took the change is not known"
    )


async def test_a_change_that_cannot_be_read_back_is_applied_not_verified(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    results: list[Outcome] = []

    async def send() -> None:
        results.append(await set_gain(bench.controller, 15))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await bench.driver.waiting.wait()
        bench.driver.read_fault = "unreachable"
        bench.driver.gate.set()

    (outcome,) = results
    assert (outcome.status, outcome.code) == ("applied", "read_back_unavailable")
    assert outcome.read_back is None
    assert bench.gain_db() == 15.0


class Mute:
    """A driver whose node no longer tells its gain."""

    def __init__(self, driver: Any) -> None:
        self.driver, self.mute = driver, False

    async def read(self, node: Any) -> Any:
        readings = await self.driver.read(node)
        return [r for r in readings if not (self.mute and r.metric == "booster_gain_db")]

    async def apply(self, node: Any, setting: Any) -> Any:
        return await self.driver.apply(node, setting)


async def test_an_old_reading_is_never_taken_for_the_present_setting(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches()
    driver = Mute(bench.driver)
    controller = Controller(bench.line.inventory, driver, clock=bench.clock)
    controller.add(guarded(Accept()))
    async with controller:
        await bench.clock.settle()
        driver.mute = True

        outcome = await set_gain(controller, 15, app="Guarded")

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert outcome.reason == "node 8 does not tell its booster_gain_db; nothing was sent"


async def test_a_caller_that_is_cancelled_while_the_node_works_gets_a_whole_change(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    results: list[Outcome] = []

    async def send() -> None:
        results.append(await set_gain(bench.controller, 15))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await bench.driver.waiting.wait()
        group.cancel_scope.cancel()
        bench.driver.gate.set()

    assert [outcome.status for outcome in results] == ["verified"]
    assert bench.controller.audit.records[-1].outcome == results[0]


def below_30_db(params: Any) -> Any:
    return params["target_gain"] < 30


async def test_every_command_is_on_record_refused_ones_too(
    benches: Any, logs: Any, set_gain: Any, guarded: Any
) -> None:
    told: list[AuditRecord] = []

    async def observe(record: AuditRecord) -> None:
        told.append(record)

    bench = benches(guarded(below_30_db), audit_observers=[observe])
    async with bench.controller:
        await set_gain(bench.controller, 15, app="Guarded")
        await set_gain(bench.controller, 30, app="Guarded", origin="tool")
        await set_gain(bench.controller, 16, app="Guarded", dry_run=True)
        await bench.controller.execute("Guarded", "NOPE", {})

    records = bench.controller.audit.records
    assert [record.sequence for record in records] == [1, 2, 3, 4]
    assert [record.outcome.status for record in records] == [
        "verified",
        "rejected",
        "planned",
        "rejected",
    ]
    assert [record.outcome.request.origin for record in records] == [
        "python",
        "tool",
        "python",
        "python",
    ]
    assert records[0].timestamp_s == bench.clock.now()
    assert told == list(records)
    assert [(log["event"], log["status"], log["request_id"]) for log in logs] == [
        ("command", record.outcome.status, record.outcome.request_id) for record in records
    ]


async def test_a_broken_observer_does_not_take_the_answer_away(
    benches: Any, logs: Any, set_gain: Any, guarded: Any
) -> None:
    async def observe(_record: AuditRecord) -> None:
        raise OSError("disk full")

    bench = benches(guarded(Accept()), audit_observers=[observe])
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15, app="Guarded")

    assert outcome.status == "verified"
    assert "audit observer failed" in [log["event"] for log in logs]


async def test_arguments_that_the_caller_changes_later_stay_as_they_were_asked(bench: Any) -> None:
    arguments = {"node_id": 8, "target_gain": 15}

    outcome = await bench.controller.execute(APP, "SET_GAIN", arguments)
    arguments["target_gain"] = 99

    assert outcome.command["payload"] == {"target_gain": 15}


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
