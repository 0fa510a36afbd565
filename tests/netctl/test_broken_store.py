"""A store that fails, is full, or is slow: nothing is sent that is not written down."""

import sqlite3
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from failing_commit import FailingCommit

from netctl import Batch, Change, Saved, StoreError, UnknownNameError
from netctl.apps.line import LineApp
from netctl.stores import SqliteStore

pytestmark = pytest.mark.anyio

APP = "NetworkApp1"


class BrokenStore:
    """A store that fails from a certain save on."""

    def __init__(self, working_saves: int) -> None:
        self.left = working_saves
        self.batches: list[Batch] = []

    async def load(self) -> Saved:
        return Saved()

    async def save(self, batch: Batch) -> None:
        if not self.left:
            raise StoreError("the disk is full", hint="make room")
        self.left -= 1
        self.batches.append(batch)


async def test_a_command_that_cannot_be_written_down_is_not_sent(
    benches: Any, set_gain: Any, logs: Any
) -> None:
    bench = benches(LineApp(), store=BrokenStore(0))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15.0)

    assert (outcome.status, outcome.code) == ("failed", "store_unavailable")
    assert outcome.reason == "the disk is full; nothing was sent"
    assert bench.driver.applied == []
    assert "outcome not written down" in [log["event"] for log in logs]


async def test_an_outcome_that_cannot_be_written_down_says_so(
    benches: Any, set_gain: Any, logs: Any
) -> None:
    bench = benches(LineApp(), store=BrokenStore(1))
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15.0)
        change = await bench.controller.changes.get(1)

    assert (outcome.status, outcome.code) == ("verified", "store_unavailable")
    assert outcome.reason == "verified; not written down: the disk is full"
    assert change.outcome.status == "verified"
    assert bench.gain_db() == 15.0
    assert logs


async def test_that_the_store_fails_is_known_until_it_works_again(benches: Any) -> None:
    store = BrokenStore(0)
    bench = benches(LineApp(), store=store)
    async with bench.controller as controller:
        assert controller.store_fault is None
        with pytest.raises(StoreError):
            await controller.set_state(APP, "running")
        assert controller.store_fault == "the disk is full"

        store.left = 1
        await controller.set_state(APP, "running")
        assert controller.store_fault is None


async def test_the_switch_acts_even_if_it_cannot_be_written_down(benches: Any) -> None:
    bench = benches(LineApp(), store=BrokenStore(0))
    async with bench.controller:
        for on in (True, False):
            with pytest.raises(StoreError, match="the disk is full"):
                await bench.controller.set_read_only(on)
            assert bench.controller.read_only


async def test_a_commit_that_fails_is_undone_and_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FailingCommit))
    store = SqliteStore(tmp_path / "net.db")
    monkeypatch.setattr(FailingCommit, "left", 1)
    with pytest.raises(StoreError, match="disk I/O error"):
        await store.save(Batch(read_only=True))
    assert not (await store.load()).read_only
    await store.save(Batch(read_only=True))
    assert (await store.load()).read_only
    await store.aclose()


class FullStore(BrokenStore):
    """A store that knows more changes than a controller remembers."""

    def __init__(self, change: Change) -> None:
        super().__init__(working_saves=1000)
        self.change = change

    async def load(self) -> Saved:
        return Saved(
            changes=tuple(
                replace(
                    self.change,
                    change_id=number,
                    outcome=replace(
                        self.change.outcome,
                        request=replace(
                            self.change.outcome.request, idempotency_key=f"key {number}"
                        ),
                        change_id=number,
                    ),
                )
                for number in range(1, 10_003)
            )
        )


async def test_a_controller_remembers_only_so_many_changes(benches: Any, set_gain: Any) -> None:
    first = benches(LineApp())
    async with first.controller:
        await set_gain(first.controller, 15.0)
        change = await first.controller.changes.get(1)
    bench = benches(LineApp(), store=FullStore(change))
    async with bench.controller:
        for change_id in (1, 2):
            with pytest.raises(UnknownNameError) as caught:
                await bench.controller.changes.get(change_id)
            assert caught.value.hint == "only the last 10000 changes are kept; see the audit trail"
        remembered = await set_gain(bench.controller, 15.0, idempotency_key="key 3")
        forgotten = await set_gain(bench.controller, 15.0, idempotency_key="key 1")

    assert (remembered.change_id, forgotten.change_id) == (3, 10_003)


class Switching(BrokenStore):
    """A store while whose save the operator turns the switch."""

    def __init__(self) -> None:
        super().__init__(working_saves=1000)
        self.controller: Any = None

    async def save(self, batch: Batch) -> None:
        await super().save(batch)
        if batch.changes and batch.changes[0].outcome.status == "queued":
            # White-box: the call itself would wait for this very save to be recorded.
            self.controller._parts.kill_switch._switch.on = True


async def test_the_switch_has_the_last_word_before_anything_is_sent(
    benches: Any, set_gain: Any
) -> None:
    store = Switching()
    bench = benches(LineApp(), store=store)
    store.controller = bench.controller
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15.0)
        change = await bench.controller.changes.get(1)

    assert (outcome.status, outcome.code, outcome.change_id) == ("rejected", "read_only", 1)
    assert change.outcome == outcome
    assert bench.driver.applied == []
