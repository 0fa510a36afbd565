"""Changes that have to be confirmed, whatever happens to the controller."""

import json
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from netctl import (
    Batch,
    Change,
    Saved,
    Setting,
    UnknownNameError,
)
from netctl.apps.line import LineApp
from netctl.stores import SqliteStore
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio

ITSELF = "netctl/confirmation"


async def set_behind_its_back(bench: Any, gain_db: float) -> None:
    """Set the simulated amplifier as nobody who asks the controller does."""
    node = bench.controller.inventory.node(8)
    await bench.line.apply(node, Setting(resource="booster_gain_db", value=gain_db))
    assert bench.gain_db() == gain_db


@pytest.fixture
async def reopened(benches: Any, tmp_path: Path, anyio_backend: str) -> Any:
    """Makes benches on one file and one clock and line, as one process after another would."""
    del anyio_backend
    stores: list[SqliteStore] = []

    def make(**options: Any) -> Any:
        stores.append(SqliteStore(tmp_path / "net.db"))
        return benches(LineApp(), store=stores[-1], poll_period_s=100.0, **options)

    yield make
    for store in stores:
        await store.aclose()


@pytest.mark.parametrize("meanwhile_s", [10.0, 1000.0])
async def test_the_next_controller_goes_on_with_the_time_that_is_left(
    reopened: Any, set_gain: Any, meanwhile_s: float
) -> None:
    first = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0, confirm_within_s=60.0)
    await first.clock.advance(meanwhile_s)
    second = reopened(clock=first.clock)
    await set_behind_its_back(second, 15.0)
    with second.controller.events.listen(kinds=["command"]) as listener:
        async with second.controller:
            await second.clock.settle()
            if meanwhile_s < 60.0:
                assert second.gain_db() == 15.0
                await second.clock.advance(51.0)
            event = await listener.next()
            assert event.facts["confirmations"] == {"1": "taken_back"}

    assert second.gain_db() == 12.0


async def test_what_was_confirmed_stays_for_the_next_controller(
    reopened: Any, set_gain: Any
) -> None:
    first = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0, confirm_within_s=60.0)
        await first.controller.changes.confirm(1, subject="bob")
    await first.clock.advance(1000.0)
    second = reopened(clock=first.clock)
    async with second.controller:
        await second.clock.advance(1.0)
        change = await second.controller.changes.get(1)

    assert (change.confirmation, change.confirmed_by) == ("confirmed", "bob")
    assert second.driver.applied == []


async def test_a_file_from_before_is_still_read(
    reopened: Any, set_gain: Any, tmp_path: Path
) -> None:
    first = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0)
    with sqlite3.connect(tmp_path / "net.db") as older:
        ((text,),) = older.execute("SELECT body FROM changes").fetchall()
        body = json.loads(text)
        for name in ("confirm_by_s", "confirmation", "confirmed_by", "confirmation_fault"):
            del body[name]
        for name in ("confirm_within_s", "takes_back"):
            del body["outcome"]["request"][name]
        older.execute("UPDATE changes SET body = ?", (json.dumps(body),))
    older.close()

    second = reopened()
    async with second.controller:
        change = await second.controller.changes.get(1)
        undone = await second.controller.changes.rollback(1)

    assert (change.confirmation, change.confirm_by_s) == (None, None)
    assert (undone.status, undone.after) == ("verified", 12.0)


async def test_what_was_being_sent_when_the_process_died_is_taken_back(
    reopened: Any, benches: Any, set_gain: Any, tmp_path: Path
) -> None:
    first = reopened()
    first.driver.gate = anyio.Event()
    async with first.controller, anyio.create_task_group() as group:

        async def send() -> None:
            await set_gain(first.controller, 15.0, confirm_within_s=60.0)

        group.start_soon(send)
        await first.driver.waiting.wait()
        # The file as the death of the process would leave it.
        with (
            sqlite3.connect(tmp_path / "net.db") as now,
            sqlite3.connect(tmp_path / "left.db") as left,
        ):
            now.backup(left)
        now.close()
        left.close()
        first.driver.gate.set()

    store = SqliteStore(tmp_path / "left.db")
    second = benches(LineApp(), store=store, clock=first.clock, poll_period_s=100.0)
    await set_behind_its_back(second, 15.0)
    await first.clock.advance(10.0)
    async with second.controller:
        change = await second.controller.changes.get(1)
        assert (change.outcome.code, change.confirmation) == ("outcome_unknown", "waiting")
        assert change.confirm_by_s == change.opened_at_s + 60.0
        with second.controller.events.listen(kinds=["command"]) as listener:
            await second.clock.advance(51.0)
            await listener.next()
    assert second.gain_db() == 12.0
    await store.aclose()


async def test_what_the_store_could_not_be_told_is_not_taken_back_twice(
    benches: Any, set_gain: Any, logs: Any
) -> None:
    store = ForgetfulStore()
    first = benches(LineApp(), store=store)
    async with first.controller:
        await set_gain(first.controller, 15.0, confirm_within_s=60.0)
        waiting = store.changes[1]
        await set_gain(first.controller, 16.0)
        # As if the disk had been full for the word on the first change, and not for the other.
        store.changes[1] = waiting
    second = benches(LineApp(), store=store, clock=first.clock)
    async with second.controller:
        await second.clock.advance(100.0)
        assert (await second.controller.changes.get(1)).confirmation == "superseded"

    assert store.changes[1].confirmation == "superseded"
    assert second.driver.applied == []
    assert not [log for log in logs if log["event"] == "change not taken back"]


class ForgetfulStore:
    """A store in memory that a test can alter."""

    def __init__(self) -> None:
        self.changes: dict[int, Change] = {}

    async def load(self) -> Saved:
        return Saved(changes=tuple(self.changes[number] for number in sorted(self.changes)))

    async def save(self, batch: Batch) -> None:
        self.changes |= {change.change_id: change for change in batch.changes}


async def test_what_waits_is_kept_however_many_changes_follow(
    reopened: Any, benches: Any, set_gain: Any, tmp_path: Path
) -> None:
    first = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0, confirm_within_s=60.0)
    store = SqliteStore(tmp_path / "net.db")
    (waiting,) = (await store.load()).changes
    refused = replace(waiting, outcome=replace(waiting.outcome, status="rejected"))
    await store.save(
        Batch(
            changes=tuple(
                replace(refused, change_id=number, confirmation=None, confirm_by_s=None)
                for number in range(2, 10_050)
            )
        )
    )

    second = benches(LineApp(), store=store, clock=first.clock, poll_period_s=100.0)
    async with second.controller:
        await set_gain(second.controller, 9.0, amp_type="preamp")
        assert (await second.controller.changes.get(1)).confirmation == "waiting"
        with pytest.raises(UnknownNameError):
            await second.controller.changes.get(2)
    await store.aclose()


PROGRAM = """
import os, sys
import anyio
from netctl import Controller
from netctl.apps.line import LineApp, simulated_line
from netctl.stores import SqliteStore

async def main():
    controller = Controller(*simulated_line(), store=SqliteStore(sys.argv[1]))
    controller.add(LineApp())
    async with controller:
        outcome = await controller.execute(
            "NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": 15.0},
            subject="alice", confirm_within_s=60.0,
        )
        os.write(1, f"{outcome.change_id} {outcome.status} {outcome.before}\\n".encode())
        await anyio.sleep_forever()

anyio.run(main)
"""


async def test_the_prior_value_is_restored_even_with_the_controller_killed(
    benches: Any, tmp_path: Path
) -> None:
    where = tmp_path / "net.db"
    async with await anyio.open_process([sys.executable, "-c", PROGRAM, str(where)]) as process:
        assert process.stdout is not None
        assert await process.stdout.receive() == b"1 verified 12.0\n"
        process.kill()
        assert await process.wait() == -9

    store = SqliteStore(where)
    (left,) = (await store.load()).changes
    assert left.confirmation == "waiting"
    assert left.confirm_by_s is not None
    # The next controller's time of day is past the time to confirm; the node has the new value.
    clock = ManualClock(start_s=left.confirm_by_s + 1.0)
    bench = benches(LineApp(), store=store, clock=clock, poll_period_s=100.0)
    await set_behind_its_back(bench, 15.0)
    assert bench.gain_db() == 15.0
    with bench.controller.events.listen(kinds=["command"]) as listener:
        async with bench.controller:
            await listener.next()
            entry = bench.controller.audit.entries[-1].to_dict()

    assert bench.gain_db() == 12.0
    assert (entry["facts"]["subject"], entry["facts"]["rollback_of"]) == (ITSELF, 1)
    assert (entry["facts"]["status"], entry["facts"]["after"]) == ("verified", 12.0)
    assert entry["facts"]["confirmations"] == {"1": "taken_back"}
    assert await store.broken_at() is None
    assert [change.confirmation for change in (await store.load()).changes] == ["taken_back", None]
    await store.aclose()
