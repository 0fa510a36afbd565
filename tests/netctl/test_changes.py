"""Accepted commands are numbered, undone by number, and executed once for each key."""

import asyncio
from typing import Any

import anyio
import pytest

from netctl import (
    Accept,
    Change,
    ChangeStateError,
    InvalidArgumentsError,
    Modify,
    Outcome,
    UnknownNameError,
)
from netctl.apps.line import LineApp

pytestmark = pytest.mark.anyio

APP = "NetworkApp1"


async def test_each_accepted_command_is_a_numbered_change(bench: Any, set_gain: Any) -> None:
    await bench.clock.advance(10.0)
    first = await set_gain(bench.controller, 15.0)
    await set_gain(bench.controller, 30.0)
    await set_gain(bench.controller, 16.0, dry_run=True)
    second = await set_gain(bench.controller, 17.0, amp_type="preamp")

    assert (first.change_id, second.change_id) == (1, 2)
    change = await bench.controller.changes.get(1)
    assert change.outcome == first
    assert (change.outcome.before, change.outcome.after) == (12.0, 15.0)
    assert change.opened_at_s == change.updated_at_s == bench.clock.now()
    assert [kept.change_id for kept in await bench.controller.changes.list()] == [2, 1]
    told = change.to_dict()
    assert (told["change_id"], told["subject"], told["status"]) == (1, "local", "verified")


async def test_a_change_is_on_record_as_queued_before_it_is_sent(bench: Any, set_gain: Any) -> None:
    bench.driver.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(set_gain, bench.controller, 15.0)
        await bench.driver.waiting.wait()

        assert (await bench.controller.changes.get(1)).outcome.status == "queued"
        bench.driver.gate.set()
    assert (await bench.controller.changes.get(1)).outcome.status == "verified"


async def test_changes_come_in_pages_and_by_what_they_are(bench: Any, set_gain: Any) -> None:
    for gain_db in (1.0, 2.0, 3.0, 4.0):
        await set_gain(bench.controller, gain_db)

    page = await bench.controller.changes.list(limit=2, before_id=4)
    some = await bench.controller.changes.list(accept=_sets_two)

    assert [change.change_id for change in page] == [3, 2]
    assert [change.change_id for change in some] == [2]


def _sets_two(change: Change) -> bool:
    return change.outcome.after == 2.0


@pytest.mark.parametrize("change_id", [0, 1, -1])
async def test_a_change_that_does_not_exist_is_an_error(bench: Any, change_id: int) -> None:
    with pytest.raises(UnknownNameError, match="there is no change") as caught:
        await bench.controller.changes.get(change_id)
    assert caught.value.hint == "changes are numbered from 1 to 0"


# --- undoing ---------------------------------------------------------------------------------


async def test_a_change_is_undone_by_a_command_like_any_other(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0)

    planned = await bench.controller.changes.rollback(1, dry_run=True)
    undone = await bench.controller.changes.rollback(1, subject="bob")

    assert (planned.status, planned.after) == ("planned", 12.0)
    assert (undone.status, undone.change_id, undone.read_back) == ("verified", 2, 12.0)
    assert undone.request.rollback_of == 1
    assert undone.request.subject == "bob"
    assert bench.gain_db() == 12.0
    again = await bench.controller.changes.rollback(2)
    assert (again.status, bench.gain_db()) == ("verified", 15.0)


async def test_only_the_last_change_of_a_resource_can_be_undone(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0)
    await set_gain(bench.controller, 5.0, amp_type="preamp")
    await set_gain(bench.controller, 16.0)

    refused = await bench.controller.changes.rollback(1)

    assert (refused.status, refused.code) == ("rejected", "changed_since")
    assert refused.reason == "change 3 has set booster_gain_db on node 8 since"
    assert bench.gain_db() == 16.0
    assert bench.controller.audit.records[-1].outcome == refused
    assert (await bench.controller.changes.rollback(2)).status == "verified"


async def test_undoing_passes_every_stage(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0)
    await bench.controller.set_read_only(True)

    refused = await bench.controller.changes.rollback(1)

    assert (refused.status, refused.code) == ("rejected", "read_only")
    assert bench.gain_db() == 15.0


async def test_what_never_reached_a_node_cannot_be_undone(bench: Any, set_gain: Any) -> None:
    bench.driver.apply_fault = "refuse"
    outcome = await set_gain(bench.controller, 15.0)
    assert outcome.change_id == 1

    with pytest.raises(ChangeStateError, match="change 1 is failed; there is nothing to undo"):
        await bench.controller.changes.rollback(1)


def _answering(*answers: Any) -> Any:
    left = list(answers)

    def answer(params: Any) -> Any:
        del params
        return left.pop(0)

    return answer


async def test_undoing_sets_the_resource_that_a_validator_chose(
    benches: Any, set_gain: Any, guarded: Any
) -> None:
    bench = benches(guarded(_answering(Modify({"amp_type": "preamp"}, "the other one"), Accept())))
    async with bench.controller:
        changed = await set_gain(bench.controller, 9.0, app="Guarded")
        assert (changed.resource, changed.before) == ("preamp_gain_db", 16.0)

        await bench.controller.changes.rollback(1)

    assert bench.gain_db(resource="preamp_gain_db") == 16.0
    assert bench.gain_db() == 12.0


async def test_undoing_needs_the_app_to_be_there(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0)
    await bench.controller.remove(APP)

    with pytest.raises(UnknownNameError, match="no app 'NetworkApp1'"):
        await bench.controller.changes.rollback(1)


# --- idempotency keys ------------------------------------------------------------------------


async def test_a_key_is_executed_once_and_answered_again(bench: Any, set_gain: Any) -> None:
    first = await set_gain(bench.controller, 15.0, idempotency_key="k")
    await set_gain(bench.controller, 13.0)
    again = await set_gain(bench.controller, 15.0, idempotency_key="k")

    assert again is first
    assert [setting.value for _, setting in bench.driver.applied] == [15.0, 13.0]


async def test_a_key_used_at_the_same_time_is_executed_once(bench: Any, set_gain: Any) -> None:
    outcomes: list[Outcome] = []

    async def send() -> None:
        outcomes.append(await set_gain(bench.controller, 15.0, idempotency_key="k"))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(send)

    assert len(bench.driver.applied) == 1
    assert {outcome.change_id for outcome in outcomes} == {1}


async def test_a_key_of_another_command_is_a_conflict(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, idempotency_key="k")

    refused = await set_gain(bench.controller, 16.0, idempotency_key="k")

    assert (refused.status, refused.code) == ("rejected", "idempotency_conflict")
    assert "'k' made change 1" in (refused.reason or "")
    assert bench.gain_db() == 15.0
    other = await set_gain(bench.controller, 16.0, idempotency_key="k", subject="bob")
    assert other.status == "verified"


async def test_what_was_refused_or_only_planned_leaves_its_key_free(
    bench: Any, set_gain: Any
) -> None:
    refused = await set_gain(bench.controller, 30.0, idempotency_key="k")
    planned = await set_gain(bench.controller, 14.0, idempotency_key="k", dry_run=True)
    done = await set_gain(bench.controller, 15.0, idempotency_key="k")

    assert [refused.status, planned.status, done.status] == ["rejected", "planned", "verified"]


async def test_a_key_whose_command_was_cancelled_can_be_used_again(
    bench: Any, set_gain: Any
) -> None:
    bench.driver.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(set_gain, bench.controller, 1.0)
        await bench.driver.waiting.wait()
        impatient = asyncio.create_task(set_gain(bench.controller, 2.0, idempotency_key="k"))
        await bench.clock.settle()
        impatient.cancel()
        await bench.clock.settle()
        bench.driver.gate.set()

    assert (await set_gain(bench.controller, 2.0, idempotency_key="k")).status == "verified"
    assert [setting.value for _, setting in bench.driver.applied] == [1.0, 2.0]


@pytest.mark.parametrize("key", ["", "x" * 129, 7])
async def test_a_key_that_is_none_is_an_error(bench: Any, set_gain: Any, key: Any) -> None:
    with pytest.raises(InvalidArgumentsError, match="/idempotency_key"):
        await set_gain(bench.controller, 15.0, idempotency_key=key)


async def test_arguments_that_cannot_be_copied_are_refused(bench: Any, set_gain: Any) -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(InvalidArgumentsError, match="nested too deep"):
        await bench.controller.execute(APP, "SET_GAIN", deep)
    assert (await set_gain(bench.controller, 15.0)).status == "verified"


# --- the trail -------------------------------------------------------------------------------


async def test_the_trail_is_a_chain_of_every_decision(bench: Any, set_gain: Any) -> None:
    await set_gain(bench.controller, 15.0, subject="alice")
    await set_gain(bench.controller, 30.0)
    await bench.controller.set_read_only(True, subject="carol")

    entries = bench.controller.audit.entries

    assert [entry.kind for entry in entries] == ["command", "command", "read_only"]
    assert [entry.previous for entry in entries[1:]] == [entry.digest for entry in entries[:-1]]
    assert entries[0].to_dict()["facts"]["subject"] == "alice"
    assert entries[2].to_dict()["facts"] == {"on": True, "subject": "carol"}
    assert bench.controller.audit.broken_at() is None


async def test_whatever_a_caller_gives_is_recorded_within_bounds(bench: Any, logs: Any) -> None:
    circle: list[Any] = []
    circle.append(circle)
    for arguments in ({"node_id": circle}, {("a", 1): 2, "b": 3}, {"x": "y" * 100_000}):
        outcome = await bench.controller.execute(APP, "SET_GAIN", arguments)
        assert outcome.status in ("rejected", "failed")

    assert [log["event"] for log in logs if log.get("exc_info")] == ["command crashed"]
    for entry in bench.controller.audit.entries:
        assert len(entry.facts) < 40_000
        assert entry.to_dict()["facts"]
    assert bench.controller.audit.broken_at() is None


async def test_a_queued_command_says_so_and_keeps_its_name(benches: Any) -> None:
    told: list[Outcome] = []
    app = LineApp()
    app.on_outcome = told.append  # pyright: ignore[reportAttributeAccessIssue] -- listens
    bench = benches(app)
    async with bench.controller:
        await bench.controller.set_state(APP, "running")

        queued = app.add_command(("SET_GAIN", {"node_id": 8, "value": {"target_gain": 3.0}}))
        await bench.clock.settle()

    assert (queued.status, queued.app, queued.node_id) == ("queued", APP, 8)
    assert [(outcome.status, outcome.request_id) for outcome in told] == [
        ("verified", queued.request_id)
    ]
