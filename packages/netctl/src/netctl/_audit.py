"""Who asked what, when, and what became of it."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from netctl._clock import Clock
from netctl._log import get_logger
from netctl._outcome import Outcome

__all__ = ["AuditObserver", "AuditRecord", "AuditTrail"]

_log = get_logger("netctl.audit")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One command and what became of it.

    Attributes:
        sequence: Its number, counted from 1.
        timestamp_s: When it was decided, in seconds since 1970 (UTC).
        outcome: What became of it, with the request.
    """

    sequence: int
    timestamp_s: float
    outcome: Outcome


AuditObserver = Callable[[AuditRecord], Awaitable[None]]
"""Told of each record before its command is answered."""


class AuditTrail:
    """The last commands, refused ones too, oldest first.

    Args:
        clock: Tells when.
        length: How many are remembered here; observers keep more.
        observers: Told of each record, in this order.
    """

    def __init__(
        self, clock: Clock, *, length: int = 10_000, observers: Iterable[AuditObserver] = ()
    ) -> None:
        self._clock = clock
        self._records: deque[AuditRecord] = deque(maxlen=length)
        self._observers = tuple(observers)
        self._sequence = 0

    @property
    def records(self) -> tuple[AuditRecord, ...]:
        """The remembered records, oldest first."""
        return tuple(self._records)

    async def record(self, outcome: Outcome) -> None:
        """Remember what became of a command, log it, and tell the observers."""
        self._sequence += 1
        record = AuditRecord(
            sequence=self._sequence, timestamp_s=self._clock.now(), outcome=outcome
        )
        self._records.append(record)
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
        )
        for observer in self._observers:
            await self._tell(observer, record)

    async def _tell(self, observer: AuditObserver, record: AuditRecord) -> None:
        try:
            await observer(record)
        # An observer is foreign code: the command is already decided, its answer must not get lost.
        except Exception:  # noqa: BLE001 -- see above
            _log.exception("audit observer failed", sequence=record.sequence)
