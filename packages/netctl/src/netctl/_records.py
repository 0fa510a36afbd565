"""The one book of a controller: changes and audit entries, written together or not at all."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import anyio

from netctl._audit import AuditEntry, AuditKind, AuditObserver, AuditTrail
from netctl._change import Change
from netctl._change_log import ChangeLog
from netctl._clock import Clock
from netctl._confirmation import begun, ending_of
from netctl._errors import ChangeStateError, StoreError
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
        when_unconfirmed: Told that a change begins to wait for a confirmation.

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
        self.when_unconfirmed: Callable[[], None] = _nothing

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
        await self._end_confirmations(saved.changes)
        for change in saved.changes:
            if change.outcome.status == "queued":
                await self.close(
                    replace(
                        change.outcome,
                        status="failed",
                        code="outcome_unknown",
                        reason="the controller ended while it was being sent; whether the node "
                        "took it is not known",
                    ),
                    sent_at_s=change.updated_at_s,
                )
        return saved

    async def _end_confirmations(self, changes: Iterable[Change]) -> None:
        """End what a later change ended, if the store could not be written to at that time."""
        ended = {
            change.change_id: replaced(change, confirmation=ending)
            for change in self.changes.unconfirmed
            for later in changes
            if (later.updated_at_s, later.change_id) > (change.updated_at_s, change.change_id)
            and (ending := ending_of(change, later.outcome)) is not None
        }
        for change in ended.values():
            self.changes.put(change)
        if ended:
            await self._save(Batch(changes=tuple(ended.values())))

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
            ChangeStateError: If it takes back what needs not be taken back any more.
            StoreError: If it cannot be written down.
        """
        async with self._lock:
            if request.takes_back:
                self._check_unconfirmed(request)
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

    async def close(
        self,
        outcome: Outcome,
        *,
        decided_by: str | None = None,
        sent_at_s: float | None = None,
    ) -> None:
        """Write down what became of a command, refused ones too.

        Args:
            outcome: What became of it.
            decided_by: Who rejected it, where somebody did.
            sent_at_s: When it was sent, in seconds since 1970 (UTC); None: now.

        Raises:
            StoreError: If it cannot be written down; it is still remembered here.
        """
        async with self._lock:
            now_s = self._clock.now()
            facts = _facts(outcome, decided_by)
            closed: tuple[Change, ...] = ()
            if outcome.change_id is not None:
                change = self.changes.get(outcome.change_id)
                change = replaced(
                    change,
                    outcome=outcome,
                    updated_at_s=now_s,
                    decided_by=decided_by or change.decided_by,
                )
                change = begun(change, now_s if sent_at_s is None else sent_at_s)
                ended = self._ended_by(outcome)
                closed = (change, *ended)
                if ended:
                    facts["confirmations"] = {str(one.change_id): one.confirmation for one in ended}
            entry = self._draft("command", facts)
            for change in closed:
                self.changes.put(change)
            if outcome.request.confirm_within_s is not None:
                self.when_unconfirmed()
            await self._save(Batch(changes=closed, entries=(entry,)))
            self.trail.append(entry)
            self._publish(entry)
        await self.trail.tell(entry, outcome)

    async def confirm(self, change_id: int, *, subject: str) -> Change:
        """Write down that somebody confirms a change.

        Raises:
            UnknownNameError: If there is no such change.
            ChangeStateError: If it does not wait for that, or its time is over.
            StoreError: If it cannot be written down.
        """
        async with self._lock:
            now_s, change = self._clock.now(), self.changes.get(change_id)
            if change.confirmation != "waiting":
                state = change.confirmation or change.outcome.status
                raise ChangeStateError(
                    f"change {change_id} does not wait for a confirmation; it is {state}",
                    hint="list the changes to see which ones do, and what the resource is set to",
                )
            overdue = change.confirm_by_s is not None and change.confirm_by_s <= now_s
            # The time of day may have been set back since.
            if overdue or any(_takes_back(other, change_id) for other in self.changes.waiting):
                raise ChangeStateError(
                    f"the time to confirm change {change_id} is over; it is being taken back",
                    hint="send the command again, and confirm it in time",
                )
            change = replaced(change, confirmation="confirmed", confirmed_by=subject)
            facts = {"change_id": change_id, "confirmation": "confirmed", "subject": subject}
            entry = self._draft("confirmation", facts)
            await self._save(Batch(changes=(change,), entries=(entry,)))
            self.changes.put(change)
            self.trail.append(entry)
            self._events.publish("command", change.to_dict)
            return change

    def note_fault(self, change_id: int, fault: str) -> bool:
        """Remember why a change could not be taken back, and say whether it still has to be."""
        if not self.changes.is_unconfirmed(change_id):
            return False
        self.changes.put(replaced(self.changes.get(change_id), confirmation_fault=fault))
        return True

    def _check_unconfirmed(self, request: CommandRequest) -> None:
        """See that what is to be taken back still has to be, and nothing else is being sent."""
        change_id = cast("int", request.rollback_of)
        if not self.changes.is_unconfirmed(change_id):
            raise ChangeStateError(
                f"change {change_id} needs not be taken back any more",
                hint="it was confirmed, or a later change has set the resource",
            )
        change = self.changes.get(change_id)
        for other in self.changes.waiting:
            if other.outcome.status == "queued" and other.key == change.key:
                raise ChangeStateError(
                    f"change {other.change_id} of the same resource is being sent",
                    hint="what becomes of that one decides",
                )

    def _ended_by(self, outcome: Outcome) -> tuple[Change, ...]:
        """The changes that need not be confirmed any more, given what a command has set."""
        return tuple(
            replaced(change, confirmation=ending, confirmation_fault=None)
            for change in self.changes.unconfirmed
            if (ending := ending_of(change, outcome)) is not None
        )

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

    async def note_reload(self, facts: Mapping[str, Any]) -> None:
        """Write down that other nodes and apps hold from now on.

        Raises:
            StoreError: If it cannot be written down.
        """
        await self._note("reload", facts)

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
        # A refused call changes nothing that a listener could follow; a reload is told when done.
        if entry.kind not in ("call", "confirmation", "reload"):
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
    itself = {"takes_back": True} if request.takes_back else {}
    return {
        **outcome.to_report(),
        **itself,
        "subject": request.subject,
        "origin": request.origin,
        "dry_run": request.dry_run,
        "idempotency_key": request.idempotency_key,
        "rollback_of": request.rollback_of,
        "decided_by": decided_by or (request.approval.approver if request.approval else None),
    }


def _takes_back(change: Change, change_id: int) -> bool:
    request = change.outcome.request
    return request.takes_back and request.rollback_of == change_id


def _nothing() -> None:
    """Nobody is to be told."""
