"""A store in one SQLite file: durable, for one controller."""

import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

from anyio import to_thread
from pydantic import TypeAdapter, ValidationError

from netctl._change import Change
from netctl._errors import StoreError
from netctl._store import Batch, Saved
from netctl.stores._sqlite_audit import AUDIT, check_trail, entry_of, head_mark

__all__ = ["SqliteStore"]

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS changes (
    change_id INTEGER PRIMARY KEY, request_id TEXT NOT NULL, waits INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS changes_waiting ON changes (change_id) WHERE waits;
CREATE TABLE IF NOT EXISTS audit (
    sequence INTEGER PRIMARY KEY, timestamp_s REAL NOT NULL, kind TEXT NOT NULL,
    facts TEXT NOT NULL, previous TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS states (app TEXT PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
# Only a newer word on the same command may take the place of an older one.
_PUT = """
INSERT INTO changes VALUES (?, ?, ?, ?) ON CONFLICT (change_id) DO UPDATE
SET waits = excluded.waits, body = excluded.body WHERE request_id = excluded.request_id
"""
_REMEMBERED = 10_000
_CHANGE = TypeAdapter(Change)


class SqliteStore:
    """Keeps a controller's records in a SQLite file, in write-ahead mode, synced at each save.

    What was saved survives the death of the process at any moment. Close it when the controller
    has been left.

    Args:
        path: The file; it is made where there is none.

    Raises:
        StoreError: Also by every method, when the file cannot be read or written.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        with self._told():
            self._connection = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False, timeout=5.0
            )
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._connection.executescript(_SCHEMA)
            except sqlite3.Error:
                self._connection.close()
                raise

    async def load(self) -> Saved:
        """What was saved last."""
        return await self._in_thread(self._load)

    async def save(self, batch: Batch) -> None:
        """Keep a batch, all of it or nothing."""
        await self._in_thread(lambda: self._save(batch))

    async def broken_at(self) -> int | None:
        """The number of the first audit entry that breaks the chain; None: the file's is whole.

        Also found: entries that are missing at the beginning or at the end.
        """
        return await self._in_thread(self._broken_at)

    async def aclose(self) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; nothing may be under way."""
        with self._lock:
            self._connection.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        def run() -> T:
            with self._lock, self._told():
                return work()

        return await to_thread.run_sync(run)

    def _load(self) -> Saved:
        rows = self._connection.execute(
            "SELECT body FROM changes WHERE waits OR change_id > "
            "(SELECT coalesce(max(change_id), 0) FROM changes) - ? ORDER BY change_id",
            (_REMEMBERED,),
        )
        changes = tuple(_CHANGE.validate_json(body) for (body,) in rows)
        newest = self._connection.execute(f"{AUDIT} ORDER BY sequence DESC LIMIT ?", (_REMEMBERED,))
        entries = tuple(entry_of(row) for row in newest)[::-1]
        states = dict(self._connection.execute("SELECT app, state FROM states"))
        return Saved(
            changes=changes,
            entries=entries,
            states=states,
            read_only=self._mark("read_only") == "on",
        )

    def _save(self, batch: Batch) -> None:
        with self._transaction():
            run = self._connection.executemany
            for change in batch.changes:
                self._put(change)
            run(
                "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (
                        entry.sequence,
                        entry.timestamp_s,
                        entry.kind,
                        entry.facts,
                        entry.previous,
                        entry.digest,
                    )
                    for entry in batch.entries
                ],
            )
            run("INSERT OR REPLACE INTO states VALUES (?, ?)", list(batch.states.items()))
            marks = [("head", entry.digest) for entry in batch.entries[-1:]]
            if batch.read_only is not None:
                marks.append(("read_only", "on" if batch.read_only else "off"))
            run("INSERT OR REPLACE INTO marks VALUES (?, ?)", marks)

    def _put(self, change: Change) -> None:
        name = change.outcome.request_id
        body = _CHANGE.dump_json(change).decode()
        written = self._connection.execute(_PUT, (change.change_id, name, change.held, body))
        if written.rowcount != 1:
            raise StoreError(
                f"the store {self._path.name!r} has another change {change.change_id} already",
                hint="another controller writes to it; give each its own file",
            )

    def _broken_at(self) -> int | None:
        rows = self._connection.execute(f"{AUDIT} ORDER BY sequence")
        return check_trail(map(entry_of, rows), head_mark(self._connection)).broken_at

    def _mark(self, name: str) -> str | None:
        found = self._connection.execute("SELECT value FROM marks WHERE name = ?", (name,))
        row = found.fetchone()
        return None if row is None else cast("str", row[0])

    @contextmanager
    def _transaction(self) -> Generator[None, None, None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled back on its own.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _told(self) -> Generator[None, None, None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"the store {self._path.name!r} cannot be used: {error}",
                hint="check the file, its folder's rights and the space on its disk",
            ) from error
        except ValidationError as error:
            raise StoreError(
                f"the store {self._path.name!r} holds a change that cannot be read: "
                f"{error.error_count()} faults, the first at {error.errors()[0]['loc']!r}",
                hint="it may be from another version, or damaged; use another file",
            ) from error
