"""The one book of a controller: changes and audit entries, written together or not at all."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import anyio

from netctl._audit import AuditEntry, AuditKind, AuditObserver, AuditTrail
from netctl._change import Change
from netctl._change_log import ChangeLog
from netctl._clock import Clock
from netctl._errors import StoreError
from netctl._events import EventBus
from netctl._mutex import Mutex
from netctl._outcome import CommandRequest, Outcome
from netctl._replaced import replaced
from netctl._store import Batch, ControllerStore, Saved

__all__ = ["Records"]


class Records:
    """Numbers changes and keeps the audit trail.

    Attributes:
        fault: Why the store could not be written to last; None: it could, or there is none.
        changes: The changes, by number.
        trail: The audit trail.

    Args:
        clock: Tells when.
        events: Where what is written down is published.
        observers: Told of each command.
        store: Where it is kept; None: in memory alone.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        events: EventBus,
        observers: Iterable[AuditObserver] = (),
        store: ControllerStore | None = None,
    ) -> None:
        self._clock = clock
        self._events = events
        self._store = store
        self._loaded = store is None
        self._lock = Mutex()
        self.fault: str | None = None
        self.changes = ChangeLog()
        self.trail = AuditTrail(observers=observers)

    async def load(self) -> Saved | None:
        """Go on from what a store knows, the first time; what was being sent has failed.

        Raises:
            StoreError: If it cannot be read.
        """
        if self._loaded or self._store is None:
            return None
        saved = await self._store.load()
        for change in saved.changes:
            self.changes.put(change)
        for entry in saved.entries:
            self.trail.append(entry)
        self._loaded = True
        for change in saved.changes:
            if change.outcome.status == "queued":
                await self.close(
                    replace(
                        change.outcome,
                        status="failed",
                        code="outcome_unknown",
                        reason="the controller ended while it was being sent; whether the node "
                        "took it is not known",
                    )
                )
        return saved

    async def open(
        self,
        request: CommandRequest,
        told: Callable[[int], Outcome],
        *,
        expires_after_s: float | None = None,
    ) -> Change:
        """Write down a command that was accepted, before anything of it is sent.

        A command with an approval goes on under the number that it has.

        Args:
            request: The command.
            told: What is to be said of it now, given its number.
            expires_after_s: How long it may wait for an approval.

        Raises:
            QueueFullError: If too many wait already.
            StoreError: If it cannot be written down.
        """
        async with self._lock:
            now_s, approval = self._clock.now(), request.approval
            if approval is not None:
                change = replace(
                    self.changes.get(approval.change_id),
                    outcome=told(approval.change_id),
                    updated_at_s=now_s,
                    decided_by=approval.approver,
                )
            else:
                if expires_after_s is not None:
                    self.changes.check_room()
                change_id = self.changes.next_id
                change = Change(
                    change_id=change_id,
                    outcome=told(change_id),
                    opened_at_s=now_s,
                    updated_at_s=now_s,
                    expires_at_s=None if expires_after_s is None else now_s + expires_after_s,
                )
            await self._save(Batch(changes=(change,)))
            self.changes.put(change)
            if expires_after_s is not None:
                self._events.publish("command", change.to_dict)
            return change

    async def close(self, outcome: Outcome, *, decided_by: str | None = None) -> None:
        """Write down what became of a command, refused ones too.

        Args:
            outcome: What became of it.
            decided_by: Who rejected it, where somebody did.

        Raises:
            StoreError: If it cannot be written down; it is still remembered here.
        """
        async with self._lock:
            now_s = self._clock.now()
            entry = self._draft("command", _facts(outcome, decided_by))
            closed: tuple[Change, ...] = ()
            if outcome.change_id is not None:
                change = self.changes.get(outcome.change_id)
                closed = (
                    replaced(
                        change,
                        outcome=outcome,
                        updated_at_s=now_s,
                        decided_by=decided_by or change.decided_by,
                    ),
                )
            for change in closed:
                self.changes.put(change)
            await self._save(Batch(changes=closed, entries=(entry,)))
            self.trail.append(entry)
            self._publish(entry)
        await self.trail.tell(entry, outcome)

    async def note_refused(self, outcome: Outcome) -> None:
        """Write down a call that never became a command: no change, and nobody else is told.

        Raises:
            StoreError: If it cannot be written down.
        """
        await self._note("command", _facts(outcome, None))

    async def note_call(self, facts: Mapping[str, Any]) -> None:
        """Write down a call of a tool that is no command.

        Raises:
            StoreError: If it cannot be written down.
        """
        await self._note("call", facts)

    async def note_state(self, app: str, state: str, subject: str) -> None:
        """Write down that an app was set to a state."""
        await self._note("state", {"app": app, "state": state, "subject": subject}, {app: state})

    async def note_read_only(self, *, on: bool, subject: str) -> None:
        """Write down what the read-only switch was set to."""
        await self._note("read_only", {"on": on, "subject": subject}, read_only=on)

    async def _note(
        self,
        kind: AuditKind,
        facts: Mapping[str, Any],
        states: Mapping[str, str] | None = None,
        *,
        read_only: bool | None = None,
    ) -> None:
        async with self._lock:
            entry = self._draft(kind, facts)
            await self._save(Batch(entries=(entry,), states=states or {}, read_only=read_only))
            self.trail.append(entry)
            self._publish(entry)

    def _publish(self, entry: AuditEntry) -> None:
        # A refused call changes nothing that a listener could follow.
        if entry.kind != "call":
            self._events.publish(entry.kind, lambda: json.loads(entry.facts))

    async def _save(self, batch: Batch) -> None:
        if self._store is not None:
            # Saved but not remembered, the trail could not go on: nobody stops halfway.
            with anyio.CancelScope(shield=True):
                try:
                    await self._store.save(batch)
                except StoreError as error:
                    self.fault = str(error)
                    raise
            self.fault = None

    def _draft(self, kind: AuditKind, facts: Mapping[str, Any]) -> AuditEntry:
        return self.trail.draft(kind, facts, self._clock.now())


def _facts(outcome: Outcome, decided_by: str | None) -> dict[str, Any]:
    request = outcome.request
    return {
        **outcome.to_report(),
        "subject": request.subject,
        "origin": request.origin,
        "dry_run": request.dry_run,
        "idempotency_key": request.idempotency_key,
        "rollback_of": request.rollback_of,
        "decided_by": decided_by or (request.approval.approver if request.approval else None),
    }
