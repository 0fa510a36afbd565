"""The audit trail in a store's file, for whoever reads it beside the controller or after it."""

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any, cast

from netctl._audit import AuditEntry, AuditKind, broken_link
from netctl._errors import StoreError

__all__ = ["AUDIT", "AuditFile", "TrailCheck", "check_trail", "entry_of", "head_mark"]

AUDIT = "SELECT sequence, timestamp_s, kind, facts, previous, digest FROM audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailCheck:
    """What the check of a whole trail found.

    Attributes:
        length: How many entries were read.
        head: The digest of the last of them; None: there is none.
        broken_at: The number of the first entry that was altered, or that is missing or stands
            behind a missing one; None: the trail is whole.
        noted_at: The number of the entry whose digest was noted elsewhere; None: there is none.
    """

    length: int
    head: str | None
    broken_at: int | None
    noted_at: int | None = None


def entry_of(row: tuple[Any, ...]) -> AuditEntry:
    """An entry as the file has it; what has a wrong type there gets words that no digest fits."""
    sequence, timestamp_s, kind, facts, previous, digest = row
    return AuditEntry(
        sequence=sequence,
        timestamp_s=timestamp_s if isinstance(timestamp_s, float) else nan,
        kind=cast("AuditKind", str(kind)),
        facts=str(facts),
        previous=str(previous),
        digest=str(digest),
    )


def head_mark(connection: sqlite3.Connection) -> str | None:
    """The digest of the entry that was written last, as marked beside the trail."""
    row = connection.execute("SELECT value FROM marks WHERE name = 'head'").fetchone()
    return None if row is None else str(row[0])


def check_trail(
    entries: Iterable[AuditEntry], head: str | None, noted: str | None = None
) -> TrailCheck:
    """Check a trail from its first entry to its last.

    Args:
        entries: All of them, oldest first.
        head: The digest that the last one should have.
        noted: A digest to look for.
    """
    last: AuditEntry | None = None
    length, broken_at, noted_at = 0, None, None
    for entry in entries:
        length += 1
        if noted is not None and entry.digest == noted:
            noted_at = entry.sequence
        beginning_lacks = last is None and entry.sequence != 1
        pair = [entry] if last is None else [last, entry]
        if broken_at is None and (beginning_lacks or broken_link(pair) is not None):
            broken_at = entry.sequence
        last = entry
    found = None if last is None else last.digest
    if broken_at is None and head != found:
        broken_at = 1 if last is None else last.sequence + 1
    return TrailCheck(length=length, head=found, broken_at=broken_at, noted_at=noted_at)


class AuditFile:
    """Reads the audit trail of a `SqliteStore`'s file, and never writes.

    A controller may be writing meanwhile; each method sees the trail as it was at one moment.

    Args:
        path: The file.

    Raises:
        StoreError: By every method, when there is no such file or it cannot be read.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)

    def entries(self, *, after: int = 0) -> Generator[AuditEntry, None, None]:
        """The entries, oldest first, one by one.

        Args:
            after: Only those with a larger number.
        """
        with self._reading() as connection:
            for row in connection.execute(
                f"{AUDIT} WHERE sequence > ? ORDER BY sequence", (after,)
            ):
                yield entry_of(row)

    def check(self, *, noted: str | None = None) -> TrailCheck:
        """Check the whole trail.

        Args:
            noted: A digest that was noted elsewhere. Who can write the file can forge a whole new
                trail, but none that has the digest of an entry of the old one.
        """
        with self._reading() as connection:
            rows = connection.execute(f"{AUDIT} ORDER BY sequence")
            return check_trail((entry_of(row) for row in rows), head_mark(connection), noted)

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection, None, None]:
        try:
            where = f"{self._path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(where, uri=True, isolation_level=None)) as connection:
                # One transaction sees one moment, whatever is written meanwhile.
                connection.execute("BEGIN")
                yield connection
        except sqlite3.Error as error:
            raise StoreError(
                f"the store {self._path.name!r} cannot be read: {error}",
                hint="name the file that the controller's store was opened with",
            ) from error
