"""Who asked what, when, and what became of it: a chain in which nothing can be altered unseen."""

import hashlib
import json
import math
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from reprlib import Repr
from typing import Any, Final, Literal, cast

from netctl._log import get_logger, listens
from netctl._outcome import Outcome

__all__ = ["AuditEntry", "AuditKind", "AuditObserver", "AuditRecord", "AuditTrail", "broken_link"]

_LOGGER = "netctl.audit"
_log = get_logger(_LOGGER)

AuditKind = Literal["command", "read_only", "state", "call", "confirmation", "reload"]
"""What an entry is about.

A command, the kill switch, the state of an app, a refused call, a change that was confirmed, or
other nodes and apps.
"""

_FIRST = "0" * 64
_LONGEST_FACTS = 16_384
_LONGEST_FACT = 500
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 200
_SHORT.maxdict = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One command and what became of it.

    Attributes:
        sequence: The number of its entry in the trail, counted from 1.
        timestamp_s: When it was decided, in seconds since 1970 (UTC).
        outcome: What became of it, with the request.
    """

    sequence: int
    timestamp_s: float
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One link of the chain.

    Attributes:
        sequence: Its number, counted from 1.
        timestamp_s: When, in seconds since 1970 (UTC).
        kind: What it is about.
        facts: What happened, as canonical JSON.
        previous: The digest of the entry before it.
        digest: SHA-256 of all of this, in hexadecimal digits.
    """

    sequence: int
    timestamp_s: float
    kind: AuditKind
    facts: str
    previous: str
    digest: str

    @property
    def expected_digest(self) -> str:
        """The digest that its contents should have."""
        return _digest(self.sequence, self.timestamp_s, self.kind, self.facts, self.previous)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON; facts that were altered into no JSON stay text."""
        try:
            facts = json.loads(self.facts)
        except (ValueError, RecursionError):
            facts = self.facts
        return {
            "sequence": self.sequence,
            "timestamp_s": self.timestamp_s,
            "kind": self.kind,
            "facts": facts,
            "previous": self.previous,
            "digest": self.digest,
        }


AuditObserver = Callable[[AuditRecord], Awaitable[None]]
"""Told of each record before its command is answered."""


def broken_link(entries: Iterable[AuditEntry]) -> int | None:
    """The number of the first entry that was altered, or that one before it is missing to; None.

    Args:
        entries: A piece of a chain, oldest first.
    """
    last: AuditEntry | None = None
    for entry in entries:
        if entry.digest != entry.expected_digest:
            return entry.sequence
        if last is not None and (entry.sequence, entry.previous) != (
            last.sequence + 1,
            last.digest,
        ):
            return entry.sequence
        if entry.sequence == 1 and entry.previous != _FIRST:
            return entry.sequence
        last = entry
    return None


class AuditTrail:
    """The last entries, refused commands too, oldest first.

    Args:
        length: How many are remembered here; a store and observers keep more.
        observers: Told of each command's record, in this order.
    """

    def __init__(self, *, length: int = 10_000, observers: Iterable[AuditObserver] = ()) -> None:
        self._entries: deque[AuditEntry] = deque(maxlen=length)
        self._records: deque[AuditRecord] = deque(maxlen=length)
        self._observers = tuple(observers)
        self._last: tuple[int, str] = (0, _FIRST)

    @property
    def records(self) -> tuple[AuditRecord, ...]:
        """The remembered commands of this run, oldest first.

        A call whose arguments do not fit never became a command: it is among the entries alone.
        """
        return tuple(self._records)

    @property
    def entries(self) -> tuple[AuditEntry, ...]:
        """The remembered entries, of every kind, oldest first."""
        return tuple(self._entries)

    def broken_at(self) -> int | None:
        """The number of the first remembered entry that breaks the chain; None: it is whole."""
        return broken_link(self._entries)

    def draft(self, kind: AuditKind, facts: Mapping[str, Any], timestamp_s: float) -> AuditEntry:
        """The next entry, not kept yet."""
        sequence, previous = self._last[0] + 1, self._last[1]
        recorded = _recorded(facts)
        return AuditEntry(
            sequence=sequence,
            timestamp_s=timestamp_s,
            kind=kind,
            facts=recorded,
            previous=previous,
            digest=_digest(sequence, timestamp_s, kind, recorded, previous),
        )

    def append(self, entry: AuditEntry) -> None:
        """Keep an entry that was drafted last, or loaded."""
        self._entries.append(entry)
        self._last = (entry.sequence, entry.digest)

    async def tell(self, entry: AuditEntry, outcome: Outcome) -> None:
        """Keep, log and tell the observers what became of a command."""
        record = AuditRecord(
            sequence=entry.sequence, timestamp_s=entry.timestamp_s, outcome=outcome
        )
        self._records.append(record)
        if listens(_LOGGER):
            _say(outcome)
        for observer in self._observers:
            try:
                await observer(record)
            # An observer is foreign code: the command is decided, its answer must not get lost.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("audit observer failed", sequence=record.sequence)


def _say(outcome: Outcome) -> None:
    request = outcome.request
    _log.info(
        "command",
        request_id=request.request_id,
        app=request.app,
        origin=request.origin,
        subject=request.subject,
        command=request.command,
        node_id=request.node_id,
        payload=request.payload,
        dry_run=request.dry_run,
        status=outcome.status,
        code=outcome.code,
        before=outcome.before,
        after=outcome.after,
        change_id=outcome.change_id,
    )


_encode: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _digest(sequence: int, timestamp_s: float, kind: str, facts: str, previous: str) -> str:
    if type(sequence) is int and type(timestamp_s) is float and math.isfinite(timestamp_s):
        # The same text, part by part: of a text alone, the encoder makes JSON much sooner.
        texts = ",".join((_encode(kind), _encode(facts), _encode(previous)))
        whole = f"[{sequence},{timestamp_s!r},{texts}]"
    else:
        whole = _canonical((sequence, timestamp_s, kind, facts, previous))
    return hashlib.sha256(whole.encode()).hexdigest()


def _canonical(value: Any) -> str:
    return _encode(value)


def _recorded(facts: Mapping[str, Any]) -> str:
    """Facts as canonical JSON of a bounded length.

    What a caller gave may be of any size, and nothing that JSON can hold. Each fact is cut by
    itself, so that a strange payload never hides who sent it.
    """
    try:
        text = _canonical(facts)
    except (TypeError, ValueError, RecursionError):
        return _canonical(_cut(facts))
    return text if len(text) <= _LONGEST_FACTS else _canonical(_cut(facts))


def _cut(facts: Mapping[str, Any]) -> dict[str, Any]:
    # A command is cut by its parts, so that its name stays whatever its payload is.
    return {
        name: _cut(cast("Mapping[str, Any]", value))
        if name == "command" and isinstance(value, Mapping)
        else _cut_value(value)
        for name, value in facts.items()
    }


def _cut_value(value: Any) -> Any:
    try:
        text = _canonical(value)
    except (TypeError, ValueError, RecursionError):
        return {"cut": _words(value)}
    if len(text) <= _LONGEST_FACT:
        return value
    return value[:_LONGEST_FACT] if isinstance(value, str) else {"cut": text[:_LONGEST_FACT]}


def _words(value: object) -> str:
    try:
        return _SHORT.repr(value)[:_LONGEST_FACT]
    except Exception:  # noqa: BLE001 -- a value of a caller's may have no words; the entry is made
        return f"a {type(value).__name__}"
