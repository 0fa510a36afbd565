"""The trail in a store's file, read by somebody who is not its controller."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from netctl import StoreError
from netctl.apps.line import LineApp
from netctl.stores import AuditFile, SqliteStore

pytestmark = pytest.mark.anyio


@pytest.fixture
async def trail(benches: Any, set_gain: Any, tmp_path: Path) -> Path:
    """The file of a network in which three commands were sent."""
    file = tmp_path / "a store #1?.db"
    store = SqliteStore(file)
    bench = benches(LineApp(), store=store)
    async with bench.controller:
        for gain_db in (15.0, 16.0, 17.0):
            await set_gain(bench.controller, gain_db)
    await store.aclose()
    return file


def forge(file: Path, statement: str) -> None:
    with sqlite3.connect(file) as forger:
        forger.execute(statement)
    forger.close()


async def test_a_whole_trail_is_whole_and_names_its_last_digest(trail: Path) -> None:
    found, entries = AuditFile(trail).check(), list(AuditFile(trail).entries())

    assert (found.length, found.broken_at, found.noted_at) == (3, None, None)
    assert found.head == entries[-1].digest
    assert [entry.sequence for entry in AuditFile(trail).entries(after=1)] == [2, 3]


async def test_a_trail_is_read_while_its_controller_writes(
    trail: Path, benches: Any, set_gain: Any
) -> None:
    store = SqliteStore(trail)
    bench = benches(LineApp(), store=store)
    async with bench.controller:
        reading = AuditFile(trail).entries()
        assert next(reading).sequence == 1
        await set_gain(bench.controller, 18.0)
        assert [entry.sequence for entry in reading] == [2, 3]
        assert AuditFile(trail).check().length == 4
    await store.aclose()


async def test_a_trail_forged_as_a_whole_lacks_the_digest_that_was_noted(
    trail: Path, benches: Any, set_gain: Any, tmp_path: Path
) -> None:
    noted = AuditFile(trail).check().head
    assert AuditFile(trail).check(noted=noted).noted_at == 3

    forged = SqliteStore(tmp_path / "forged.db")
    bench = benches(LineApp(), store=forged)
    async with bench.controller:
        for gain_db in (15.0, 16.0, 12.0):
            await set_gain(bench.controller, gain_db)
    await forged.aclose()
    found = AuditFile(tmp_path / "forged.db").check(noted=noted)
    assert (found.broken_at, found.noted_at) == (None, None)


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE audit SET facts = x'00ff' WHERE sequence = 2",
        "UPDATE audit SET facts = 'no JSON' WHERE sequence = 2",
        "UPDATE audit SET timestamp_s = 'yesterday' WHERE sequence = 2",
        "UPDATE audit SET kind = 7 WHERE sequence = 2",
        "UPDATE audit SET digest = 7 WHERE sequence = 2",
        "UPDATE audit SET previous = '' WHERE sequence = 2",
    ],
)
async def test_entries_of_any_content_are_read_and_found_broken(trail: Path, forgery: str) -> None:
    forge(trail, forgery)

    assert AuditFile(trail).check().broken_at == 2
    assert [entry.to_dict()["sequence"] for entry in AuditFile(trail).entries()] == [1, 2, 3]


async def test_a_file_that_is_no_store_is_refused_and_not_made(tmp_path: Path) -> None:
    nowhere, other = tmp_path / "nowhere.db", tmp_path / "other.db"
    other.write_text("no database", encoding="utf-8")
    for file in (nowhere, other, tmp_path):
        with pytest.raises(StoreError, match="cannot be read"):
            AuditFile(file).check()
        with pytest.raises(StoreError, match="cannot be read"):
            next(AuditFile(file).entries())
    assert not nowhere.exists()
    assert other.read_text(encoding="utf-8") == "no database"
