"""Objects in a file: over the death of a process, and when the file or its disk fails."""

import sqlite3
import sys
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from failing_commit import FailingCommit

from tercet import (
    CallContext,
    ObjectRegistry,
    Provenance,
    SqliteStore,
    ToolErrorResponse,
    ToolRegistry,
    ToolSuccessResponse,
    UnavailableError,
)
from tercet.testing import FaultyStore

pytestmark = pytest.mark.anyio

ALICE = CallContext(tenant="alice")
MADE = Provenance(operation="made")


async def test_sqlite_objects_survive_the_death_of_the_process(tmp_path: Path) -> None:
    path = tmp_path / "objects.db"
    program = f"""
import anyio, os
from tercet import CallContext, ObjectRegistry, Provenance, SqliteStore
async def main():
    objects = ObjectRegistry(SqliteStore({str(path)!r}))
    await objects.put(CallContext(), [1.5], name="kept", provenance=Provenance(operation="p"))
    os._exit(9)
anyio.run(main)
"""
    died = await anyio.run_process([sys.executable, "-c", program], check=False)
    assert died.returncode == 9
    objects = ObjectRegistry(SqliteStore(path))
    assert await objects.get(CallContext(), "kept", list) == [1.5]
    await objects.aclose()


async def test_a_full_disk_is_an_answer_and_loses_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "objects.db")
    objects = ObjectRegistry(store)
    await objects.put(ALICE, [1], provenance=MADE, name="kept")
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    # SQLite answers SQLITE_FULL beyond this size, as it does on a full disk.
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UnavailableError, match="full") as caught:
        await objects.put(ALICE, "x" * 100_000, provenance=MADE, name="lost")
    assert caught.value.hint is not None
    assert [handle.ref for handle in await objects.list(ALICE)] == ["kept"]
    store._connection.execute("PRAGMA max_page_count = 100000")
    await objects.put(ALICE, "x" * 100_000, provenance=MADE, name="found")
    await objects.aclose()
    with pytest.raises(UnavailableError):
        await objects.list(ALICE)


async def test_a_commit_that_fails_is_undone_and_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FailingCommit))
    objects = ObjectRegistry(SqliteStore(tmp_path / "objects.db"))
    await objects.put(ALICE, [1], provenance=MADE, name="kept")
    monkeypatch.setattr(FailingCommit, "left", 1)
    with pytest.raises(UnavailableError, match="disk I/O error"):
        await objects.put(ALICE, [2], provenance=MADE, name="lost")
    await objects.put(ALICE, [3], provenance=MADE, name="found")
    assert {handle.ref for handle in await objects.list(ALICE)} == {"kept", "found"}
    await objects.aclose()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "objects.db"
    path.write_text("this is no database, and long enough to be looked at" * 100)
    with pytest.raises(UnavailableError, match=r"objects\.db"):
        SqliteStore(path)


@pytest.mark.parametrize(
    ("operation", "tool", "arguments"),
    [
        ("put", "keep", {"values": [1]}),
        ("get", "total", {"ref": "kept"}),
        ("list", "list_objects", {}),
        ("delete", "delete_object", {"ref": "kept"}),
        ("rename", "rename_object", {"ref": "kept", "name": "other"}),
        ("clear", "clear_session", {}),
    ],
)
async def test_a_store_that_fails_is_an_answer(
    registry: ToolRegistry, operation: str, tool: str, arguments: dict[str, Any]
) -> None:
    store = FaultyStore()
    faulty = ToolRegistry(list(registry), objects=ObjectRegistry(store))
    await faulty.call_tool("keep", {"values": [1], "name": "kept"})
    store.failing.add(operation)
    answer = await faulty.call_tool(tool, arguments)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code == "UNAVAILABLE"
    store.failing.clear()
    total = await faulty.call_tool("total", {"ref": "kept"})
    assert isinstance(total, ToolSuccessResponse)
    store.failing.add("aclose")
    with pytest.raises(UnavailableError):
        await store.aclose()
    store.failing.clear()
    await store.aclose()
