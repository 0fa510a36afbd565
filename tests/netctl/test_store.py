"""What was acknowledged is not lost, whatever happens to the process."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from netctl import StoreError, UnknownNameError
from netctl.apps.line import LineApp
from netctl.policies import NeedApproval
from netctl.stores import SqliteStore

pytestmark = pytest.mark.anyio

APP = "NetworkApp1"


@pytest.fixture
async def reopened(benches: Any, tmp_path: Path, anyio_backend: str) -> Any:
    """Makes benches on one file, as one process after another would."""
    del anyio_backend
    stores: list[SqliteStore] = []

    def make(**options: Any) -> Any:
        stores.append(SqliteStore(tmp_path / "net.db"))
        return benches(LineApp(), store=stores[-1], **options), stores[-1]

    yield make
    for store in stores:
        await store.aclose()


async def test_changes_keys_and_the_trail_go_on_after_a_restart(
    reopened: Any, set_gain: Any
) -> None:
    first, _ = reopened()
    async with first.controller:
        done = await set_gain(first.controller, 15.0, idempotency_key="k")
        await set_gain(first.controller, 30.0)
    second, store = reopened()
    async with second.controller:
        again = await set_gain(second.controller, 15.0, idempotency_key="k")
        following = await set_gain(second.controller, 16.0)

    assert again == done
    assert second.driver.applied[0][1].value == 16.0
    assert following.change_id == 2
    assert [entry.sequence for entry in second.controller.audit.entries] == [1, 2, 3]
    assert second.controller.audit.broken_at() is None
    assert await store.broken_at() is None


async def test_a_change_is_rolled_back_by_the_next_process(reopened: Any, set_gain: Any) -> None:
    first, _ = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0)
    second, _ = reopened()
    async with second.controller:
        undone = await second.controller.changes.rollback(1)

    assert (undone.status, undone.after) == ("verified", 12.0)


async def test_a_change_of_a_command_that_is_gone_cannot_be_undone(
    reopened: Any, set_gain: Any, benches: Any
) -> None:
    first, store = reopened()
    async with first.controller:
        await set_gain(first.controller, 15.0)
    second = benches(store=store, commands=())
    async with second.controller:
        with pytest.raises(UnknownNameError, match="there is no command 'SET_GAIN' any more"):
            await second.controller.changes.rollback(1)


async def test_what_waits_for_an_approval_still_does(reopened: Any, set_gain: Any) -> None:
    first, _ = reopened(policies=[NeedApproval()])
    async with first.controller:
        await set_gain(first.controller, 15.0, subject="alice")
    second, _ = reopened(policies=[NeedApproval()])
    async with second.controller:
        assert (await second.controller.changes.get(1)).outcome.status == "pending_approval"
        outcome = await second.controller.changes.approve(1, subject="bob")
    third, _ = reopened()
    async with third.controller:
        change = await third.controller.changes.get(1)

    assert (outcome.status, second.gain_db()) == ("verified", 15.0)
    assert (change.outcome, change.decided_by) == (outcome, "bob")


@pytest.mark.parametrize(("restore", "state"), [(True, "running"), (False, "stopped")])
async def test_states_are_restored_by_choice_and_the_switch_always(
    reopened: Any, restore: Any, state: str
) -> None:
    first, _ = reopened()
    async with first.controller:
        await first.controller.set_state(APP, "running")
        await first.controller.set_read_only(True)
    second, _ = reopened(restore_states=restore)
    async with second.controller:
        await second.clock.settle()
        assert second.controller.status(APP).state == state
        assert second.controller.read_only
        await second.controller.remove(APP)
        second.controller.add(LineApp())
        await second.clock.settle()
        assert second.controller.status(APP).state == state


PROGRAM = """
import os, sys
import anyio
from netctl import AuditRecord, Controller
from netctl.apps.line import LineApp, simulated_line
from netctl.stores import SqliteStore

where, die_at = sys.argv[1], int(sys.argv[2])
inventory, line = simulated_line()

class Dying:
    applied = 0
    async def read(self, node):
        return await line.read(node)
    async def apply(self, node, setting):
        answer = await line.apply(node, setting)
        Dying.applied += 1
        if Dying.applied == die_at:
            os._exit(9)
        return answer

async def main():
    controller = Controller(inventory, Dying(), store=SqliteStore(where))
    controller.add(LineApp())
    async with controller:
        for number in range(100):
            outcome = await controller.execute(
                "NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": float(number % 20)},
                idempotency_key=f"key {number}",
            )
            os.write(1, f"{outcome.change_id} {outcome.status}\\n".encode())

anyio.run(main)
"""


@pytest.mark.parametrize("die_at", [1, 7])
async def test_a_killed_process_loses_nothing_that_it_had_acknowledged(
    benches: Any, tmp_path: Path, die_at: int
) -> None:
    where = tmp_path / "net.db"
    done = await anyio.run_process(
        [sys.executable, "-c", PROGRAM, str(where), str(die_at)], check=False
    )
    assert (done.returncode, done.stderr) == (9, b"")
    told = [line.split() for line in done.stdout.decode().splitlines()]
    assert len(told) == die_at - 1

    store = SqliteStore(where)
    bench = benches(LineApp(), store=store)
    async with bench.controller:
        for change_id, status in told:
            assert (await bench.controller.changes.get(int(change_id))).outcome.status == status
        # What was on its way is not forgotten either, and not said to be done.
        last = await bench.controller.changes.get(die_at)
        assert (last.outcome.status, last.outcome.code) == ("failed", "outcome_unknown")
        assert bench.controller.audit.records[-1].outcome == last.outcome
        repeated = await bench.controller.execute(
            APP,
            "SET_GAIN",
            {"node_id": 8, "target_gain": float(die_at - 1)},
            idempotency_key=f"key {die_at - 1}",
        )
        assert repeated == last.outcome
    assert await store.broken_at() is None
    assert bench.driver.applied == []
    await store.aclose()


# --- forgeries and faults --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forgery", "broken_at"),
    [
        ("UPDATE audit SET facts = replace(facts, '15.0', '16.0') WHERE sequence = 1", 1),
        ("UPDATE audit SET timestamp_s = timestamp_s + 1 WHERE sequence = 2", 2),
        ("UPDATE audit SET digest = previous WHERE sequence = 3", 3),
        ("DELETE FROM audit WHERE sequence = 1", 2),
        ("DELETE FROM audit WHERE sequence = 2", 3),
        ("DELETE FROM audit WHERE sequence = 3", 3),
        ("DELETE FROM audit", 1),
    ],
)
async def test_an_altered_trail_is_found(
    reopened: Any, set_gain: Any, tmp_path: Path, forgery: str, broken_at: int
) -> None:
    bench, store = reopened()
    async with bench.controller:
        for gain_db in (15.0, 16.0, 17.0):
            await set_gain(bench.controller, gain_db)
    assert await store.broken_at() is None

    with sqlite3.connect(tmp_path / "net.db") as forger:
        forger.execute(forgery)
    forger.close()

    assert await store.broken_at() == broken_at


async def test_a_file_that_is_no_store_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "net.db").write_bytes(b"no database at all, but long enough to be read as one" * 9)

    with pytest.raises(StoreError, match=r"the store 'net\.db' cannot be used"):
        SqliteStore(tmp_path / "net.db")
    with pytest.raises(StoreError, match="cannot be used"):
        SqliteStore(tmp_path / "nowhere" / "net.db")


async def test_a_change_that_cannot_be_read_is_an_error(
    reopened: Any, set_gain: Any, tmp_path: Path
) -> None:
    bench, _ = reopened()
    async with bench.controller:
        await set_gain(bench.controller, 15.0)
    with sqlite3.connect(tmp_path / "net.db") as forger:
        forger.execute("UPDATE changes SET body = ?", (json.dumps({"change_id": 1}),))
    forger.close()

    second, _ = reopened()
    with pytest.raises(StoreError, match="holds a change that cannot be read: 3 faults"):
        await second.controller.__aenter__()


async def test_two_controllers_on_one_file_do_not_write_over_each_other(
    reopened: Any, set_gain: Any, logs: Any
) -> None:
    one, store = reopened()
    two, _ = reopened()
    async with one.controller, two.controller:
        assert (await set_gain(one.controller, 15.0)).code is None
        clash = await set_gain(two.controller, 16.0)

    assert clash.code == "store_unavailable"
    assert "another change 1 already" in (clash.reason or "")
    assert two.driver.applied == []
    (kept,) = (await store.load()).changes
    assert (kept.outcome.after, kept.outcome.status) == (15.0, "verified")
    assert await store.broken_at() is None
    assert logs
