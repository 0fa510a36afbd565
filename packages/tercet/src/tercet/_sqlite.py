"""Objects kept in one SQLite file: durable, for one machine."""

import json
import sqlite3
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

from anyio import to_thread

from tercet._errors import ConflictError, UnavailableError
from tercet._object import Absence, ObjectDraft, ObjectEntry, ObjectKey, Provenance
from tercet._store import StoreUsage, make_room, refuse_new_session

__all__ = ["SqliteStore"]

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS objects (
    tenant TEXT NOT NULL, session TEXT NOT NULL, name TEXT NOT NULL,
    kind TEXT NOT NULL, payload BLOB NOT NULL, summary TEXT NOT NULL, provenance TEXT NOT NULL,
    named INTEGER NOT NULL, created_at REAL NOT NULL, used_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    PRIMARY KEY (tenant, session, name)
);
CREATE INDEX IF NOT EXISTS objects_expiry ON objects (expires_at);
CREATE TABLE IF NOT EXISTS counters (
    tenant TEXT NOT NULL, session TEXT NOT NULL, prefix TEXT NOT NULL, next INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, prefix)
);
CREATE TABLE IF NOT EXISTS tombstones (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, session TEXT NOT NULL, name TEXT NOT NULL,
    reason TEXT NOT NULL, UNIQUE (tenant, session, name)
);
"""
_ENTRY = (
    "tenant, session, name, kind, summary, provenance, named, created_at, used_at, expires_at, "
    "length(payload)"
)
_HERE = "tenant = ? AND session = ?"


class SqliteStore:
    """Keeps objects in a SQLite file, in write-ahead mode and synced at each change.

    An acknowledged `put` survives the death of the process at any moment. Several processes of
    one machine may share the file.

    Raises:
        UnavailableError: By every method, when the file cannot be read or written.
    """

    def __init__(self, path: Path | str, *, tombstones_per_session: int = 1_000) -> None:
        self._path = Path(path)
        self._tombstones = tombstones_per_session
        # One connection, one user at a time: SQLite has a single writer anyway.
        self._lock = threading.Lock()
        with self._mapped_errors():
            self._connection = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False, timeout=5.0
            )
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.executescript(_SCHEMA)
            except sqlite3.Error:
                self._connection.close()
                raise

    async def put(self, draft: ObjectDraft) -> ObjectEntry:
        """Keep a draft under its own name or the next one of its prefix."""
        return (await self.put_all([draft]))[0]

    async def put_all(self, drafts: Sequence[ObjectDraft]) -> Sequence[ObjectEntry]:
        """Keep several drafts, all of them or none."""
        now = max((draft.now for draft in drafts), default=0.0)
        return await self._in_transaction(now, lambda: [self._put(draft) for draft in drafts])

    async def reserve(self, tenant: str, session: str, prefix: str) -> str:
        """Give the next name of a prefix, which is then never given again."""
        return await self._in_transaction(0.0, lambda: self._next_name(tenant, session, prefix))

    async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        """Give an object and note its use, or say why it is not there."""
        return await self._in_transaction(now, lambda: self._get(key, now), durable=False)

    async def list(self, tenant: str, session: str, now: float) -> Sequence[ObjectEntry]:
        """Give the living entries of a session, oldest first."""
        return await self._in_transaction(
            now, lambda: self._entries(tenant, session), durable=False
        )

    async def delete(self, key: ObjectKey, now: float) -> bool:
        """Take an object away; false where there was none."""
        return await self._in_transaction(now, lambda: self._drop(key, "deleted"))

    async def rename(self, key: ObjectKey, name: str, now: float) -> ObjectEntry | Absence:
        """Give an object another name."""
        return await self._in_transaction(now, lambda: self._rename(key, name))

    async def clear(self, tenant: str, session: str, now: float) -> int:
        """Take all objects of a session away and say how many there were."""

        def clear() -> int:
            entries = self._entries(tenant, session)
            for entry in entries:
                self._drop(entry.key, "deleted")
            return len(entries)

        return await self._in_transaction(now, clear)

    async def usage(self) -> StoreUsage:
        """Say how much is kept."""

        def read() -> StoreUsage:
            # One statement that only reads: it waits for no other process that writes, and SQLite
            # knows the length of a payload without reading it.
            with self._lock, self._mapped_errors():
                objects, payload_bytes = self._one(
                    "SELECT count(*), total(length(payload)) FROM objects"
                )
            return StoreUsage(objects=objects, payload_bytes=int(payload_bytes))

        return await to_thread.run_sync(read)

    async def aclose(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    async def _in_transaction(
        self, now: float, work: Callable[[], T], *, durable: bool = True
    ) -> T:
        def run() -> T:
            with self._lock, self._mapped_errors():
                # That an object was used, or has expired, may be forgotten by a power failure.
                level = "FULL" if durable else "NORMAL"
                self._connection.execute(f"PRAGMA synchronous = {level}")
                with self._transaction():
                    self._expire(now)
                    return work()

        return await to_thread.run_sync(run)

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
    def _mapped_errors(self) -> Generator[None, None, None]:
        try:
            yield
        except sqlite3.Error as error:
            raise UnavailableError(
                f"the object store {self._path.name!r} cannot be used: {error}",
                hint="nothing was stored; free some disk space or check the file, then try again",
            ) from error

    def _put(self, draft: ObjectDraft) -> ObjectEntry:
        entries = self._entries(draft.tenant, draft.session)
        if not entries:
            (sessions,) = self._one(
                "SELECT count(DISTINCT session) FROM objects WHERE tenant = ?", draft.tenant
            )
            refuse_new_session(sessions, draft.limits)
        if draft.name is not None and any(entry.key.name == draft.name for entry in entries):
            raise ConflictError(
                f"an object is already named {draft.name!r}",
                hint="choose another name, or delete or rename the object that has it",
            )
        (elsewhere,) = self._one(
            "SELECT total(length(payload)) FROM objects WHERE tenant = ? AND session <> ?",
            *draft.home,
        )
        size = len(draft.payload)
        for name in make_room(entries, size, draft.limits, elsewhere=int(elsewhere)):
            self._drop(ObjectKey(draft.tenant, draft.session, name), "evicted")
        entry = draft.entry(draft.name or self._next_name(*draft.home, draft.prefix))
        self._connection.execute(
            "INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(draft.tenant, draft.session, entry.key.name, draft.kind, draft.payload),
                *(json.dumps(dict(draft.summary)), json.dumps(asdict(draft.provenance))),
                *(entry.named, entry.created_at, entry.used_at, entry.expires_at),
            ),
        )
        self._forget_tombstone(entry.key)
        return entry

    def _get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        row = self._find(key)
        if row is None:
            return self._absence(key)
        self._connection.execute(
            f"UPDATE objects SET used_at = ? WHERE {_HERE} AND name = ?",  # noqa: S608 -- a constant
            (now, key.tenant, key.session, key.name),
        )
        *entry, payload = row
        return replace(_entry_of(entry), used_at=now), payload

    def _rename(self, key: ObjectKey, name: str) -> ObjectEntry | Absence:
        row = self._find(key)
        if row is None:
            return self._absence(key)
        if self._find(replace(key, name=name)) is not None:
            raise ConflictError(f"an object is already named {name!r}", hint="choose another name")
        self._connection.execute(
            f"UPDATE objects SET name = ?, named = 1 WHERE {_HERE} AND name = ?",  # noqa: S608 -- a constant
            (name, key.tenant, key.session, key.name),
        )
        self._bury(key, "deleted")
        self._forget_tombstone(replace(key, name=name))
        return replace(_entry_of(row[:-1]), key=replace(key, name=name), named=True)

    def _find(self, key: ObjectKey) -> tuple[Any, ...] | None:
        return self._connection.execute(
            f"SELECT {_ENTRY}, payload FROM objects WHERE {_HERE} AND name = ?",  # noqa: S608 -- constants
            (key.tenant, key.session, key.name),
        ).fetchone()

    def _entries(self, tenant: str, session: str) -> Sequence[ObjectEntry]:
        rows = self._connection.execute(
            f"SELECT {_ENTRY} FROM objects WHERE {_HERE} ORDER BY created_at, rowid",  # noqa: S608 -- constants
            (tenant, session),
        )
        return [_entry_of(row) for row in rows]

    def _drop(self, key: ObjectKey, reason: str) -> bool:
        gone = self._connection.execute(
            f"DELETE FROM objects WHERE {_HERE} AND name = ?",  # noqa: S608 -- a constant
            (key.tenant, key.session, key.name),
        )
        if gone.rowcount == 0:
            return False
        self._bury(key, reason)
        return True

    def _bury(self, key: ObjectKey, reason: str) -> None:
        here = (key.tenant, key.session)
        self._connection.execute(
            "INSERT OR REPLACE INTO tombstones (tenant, session, name, reason) VALUES (?, ?, ?, ?)",
            (*here, key.name, reason),
        )
        self._connection.execute(
            f"DELETE FROM tombstones WHERE {_HERE} AND id NOT IN "  # noqa: S608 -- constants
            f"(SELECT id FROM tombstones WHERE {_HERE} ORDER BY id DESC LIMIT ?)",
            (*here, *here, self._tombstones),
        )

    def _forget_tombstone(self, key: ObjectKey) -> None:
        self._connection.execute(
            f"DELETE FROM tombstones WHERE {_HERE} AND name = ?",  # noqa: S608 -- a constant
            (key.tenant, key.session, key.name),
        )

    def _expire(self, now: float) -> None:
        due = self._connection.execute(
            "SELECT tenant, session, name FROM objects WHERE expires_at <= ?", (now,)
        ).fetchall()
        for tenant, session, name in due:
            self._drop(ObjectKey(tenant, session, name), "expired")

    def _next_name(self, tenant: str, session: str, prefix: str) -> str:
        # A number is never given twice, so that a ref can never come to mean another object.
        while True:
            (number,) = self._one(
                "INSERT INTO counters VALUES (?, ?, ?, 1) ON CONFLICT (tenant, session, prefix) "
                "DO UPDATE SET next = next + 1 RETURNING next - 1",
                *(tenant, session, prefix),
            )
            name = f"{prefix}_{number}"
            if self._find(ObjectKey(tenant, session, name)) is None:
                return name

    def _absence(self, key: ObjectKey) -> Absence:
        row = self._connection.execute(
            f"SELECT reason FROM tombstones WHERE {_HERE} AND name = ?",  # noqa: S608 -- a constant
            (key.tenant, key.session, key.name),
        ).fetchone()
        names = tuple(entry.key.name for entry in self._entries(key.tenant, key.session))
        return Absence(reason=row[0] if row else "unknown", names=names)

    def _one(self, statement: str, *values: Any) -> tuple[Any, ...]:
        # All rows are taken: a half-read RETURNING statement would hold the transaction open.
        return self._connection.execute(statement, values).fetchall()[0]


def _entry_of(row: Sequence[Any]) -> ObjectEntry:
    tenant, session, name, kind, summary, provenance, named, created, used, expires, size = row
    history = json.loads(provenance)
    return ObjectEntry(
        key=ObjectKey(tenant, session, name),
        kind=kind,
        summary=json.loads(summary),
        provenance=Provenance(
            operation=history["operation"],
            arguments=history["arguments"],
            parents=tuple(history["parents"]),
        ),
        size_bytes=size,
        named=bool(named),
        created_at=created,
        used_at=used,
        expires_at=expires,
    )
