"""The accepted commands of a controller: listed, undone, confirmed, decided by a second person."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

import anyio

from netctl._change import Change
from netctl._clock import Clock
from netctl._command import CommandSet
from netctl._command_desk import EVERY_ROLE, Caller, CommandDesk
from netctl._errors import ChangeStateError, NotPermittedError
from netctl._gate import ReloadGate
from netctl._outcome import Approval, CommandRequest, Origin, Outcome
from netctl._pipeline import CommandRefusedError
from netctl._undoing import undoing_arguments

__all__ = ["Changes"]


class Changes:
    """The accepted commands of a controller, by number; `Controller.changes` has them."""

    def __init__(
        self,
        desk: CommandDesk,
        commands: CommandSet,
        clock: Clock,
        gate: ReloadGate,
        check_entered: Callable[[], object],
    ) -> None:
        self._desk = desk
        self._pipeline = desk.pipeline
        self._records = desk.records
        self._roster = desk.roster
        self._commands = commands
        self._clock = clock
        self._gate = gate
        self._check_entered = check_entered
        self._in_decision: set[int] = set()

    async def get(self, change_id: int) -> Change:
        """The change of that number, as it is now.

        Raises:
            UnknownNameError: If there is none, or it was let go.
        """
        await self.expire()
        return self._records.changes.get(change_id)

    async def list(
        self,
        *,
        limit: int = 100,
        before_id: int | None = None,
        accept: Callable[[Change], bool] = lambda _: True,
    ) -> tuple[Change, ...]:
        """Some of the changes, newest first.

        Args:
            limit: How many at the most.
            before_id: Only those with a lower number; None: from the newest.
            accept: Which of them.
        """
        await self.expire()
        return self._records.changes.page(limit=limit, before_id=before_id, accept=accept)

    async def rollback(
        self,
        change_id: int,
        *,
        dry_run: bool = False,
        origin: Origin = "python",
        subject: str = "local",
        roles: frozenset[str] = EVERY_ROLE,
    ) -> Outcome:
        """Set a resource back to what it was before a change: a command like any other.

        Refused with the code `changed_since` if a later change has set the resource.

        Args:
            change_id: The change.
            dry_run: Whether to stop at the plan.
            origin: Where this comes from.
            subject: Who asks.
            roles: What who asks may do.

        Raises:
            UnknownNameError: If there is no such change, or its app is gone.
            ChangeStateError: If it never reached the node.
            ControllerClosedError: If the controller is not entered.
        """
        caller = Caller(subject=subject, origin=origin, roles=roles)
        async with self._gate.passage():
            return await self._roll_back(change_id, caller, dry_run=dry_run)

    async def _roll_back(self, change_id: int, caller: Caller, *, dry_run: bool) -> Outcome:
        self._check_entered()
        await self.expire()
        change = self._records.changes.get(change_id)
        app, command = change.outcome.request.app, change.outcome.request.command
        arguments = self._undoing(change)
        last = self._records.changes.last_sent(change)
        if last == change_id:
            return await self._desk.execute(
                app, command, arguments, caller=caller, dry_run=dry_run, rollback_of=change_id
            )
        refused = CommandRequest(
            app=app,
            command=command,
            arguments=arguments,
            request_id=str(uuid4()),
            origin=caller.origin,
            subject=caller.subject,
            roles=caller.roles,
            dry_run=dry_run,
            rollback_of=change_id,
        )
        outcome = change.outcome
        return await self._pipeline.refuse(
            refused,
            CommandRefusedError(
                f"change {last} has set {outcome.resource} on node {outcome.node_id} since",
                code="changed_since",
                hint=f"roll change {last} back first",
            ),
        )

    async def approve(self, change_id: int, *, subject: str) -> Outcome:
        """Say yes to a change that waits; it passes every stage again, and is then sent.

        It is refused if what it would change is no longer what it was when it was planned.

        Raises:
            UnknownNameError: If there is no such change.
            ChangeStateError: If it does not wait for an approval.
            NotPermittedError: If this is who asked for it.
            ControllerClosedError: If the controller is not entered.
        """
        async with self._gate.passage():
            return await self._approve(change_id, subject)

    async def _approve(self, change_id: int, subject: str) -> Outcome:
        self._check_entered()
        await self.expire()
        change = self._waiting(change_id)
        request, before = change.outcome.request, change.outcome.before
        if subject == request.subject:
            raise NotPermittedError(
                f"{subject!r} asked for change {change_id} and cannot approve it",
                hint="somebody else has to",
            )
        runtime = self._roster.get(request.app)
        self._in_decision.add(change_id)
        try:
            approval = Approval(change_id=change_id, approver=subject, before=cast("float", before))
            return await self._pipeline.run(replace(request, approval=approval), runtime.issuer)
        finally:
            self._in_decision.discard(change_id)

    async def reject(self, change_id: int, *, subject: str, reason: str = "") -> Outcome:
        """Say no to a change that waits; who asked for it may withdraw it so.

        Raises:
            UnknownNameError: If there is no such change.
            ChangeStateError: If it does not wait for an approval.
        """
        await self.expire()
        change = self._waiting(change_id)
        why = f": {reason}" if reason else ""
        return await self._end(
            change,
            replace(
                change.outcome,
                status="rejected",
                code="rejected_by_approver",
                reason=f"{subject!r} rejected it{why}",
            ),
            decided_by=subject,
        )

    async def confirm(self, change_id: int, *, subject: str) -> Change:
        """Make a change that would be taken back permanent; who asked for it may do so.

        Raises:
            UnknownNameError: If there is no such change.
            ChangeStateError: If it does not wait for a confirmation, or its time is over.
            StoreError: If it cannot be written down; it still waits then.
            ControllerClosedError: If the controller is not entered.
        """
        self._check_entered()
        return await self._records.confirm(change_id, subject=subject)

    async def expire(self) -> None:
        """End every change that waited too long."""
        for change in self._records.changes.waiting:
            overdue = change.expires_at_s is not None and change.expires_at_s <= self._clock.now()
            pending = change.outcome.status == "pending_approval"
            if overdue and pending and change.change_id not in self._in_decision:
                await self._end(
                    change,
                    replace(
                        change.outcome,
                        status="rejected",
                        code="approval_expired",
                        reason="nobody approved it in time",
                    ),
                )

    async def _end(
        self, change: Change, outcome: Outcome, *, decided_by: str | None = None
    ) -> Outcome:
        self._in_decision.add(change.change_id)
        try:
            with anyio.CancelScope(shield=True):
                await self._records.close(outcome, decided_by=decided_by)
        finally:
            self._in_decision.discard(change.change_id)
        return outcome

    def _waiting(self, change_id: int) -> Change:
        change = self._records.changes.get(change_id)
        if change.outcome.status != "pending_approval" or change_id in self._in_decision:
            status = "being decided" if change_id in self._in_decision else change.outcome.status
            raise ChangeStateError(
                f"change {change_id} does not wait for an approval; it is {status}",
                hint="list the changes to see what waits",
            )
        return change

    def _undoing(self, change: Change) -> dict[str, Any]:
        """The arguments of the command that undoes a change."""
        if not change.reached_node:
            raise ChangeStateError(
                f"change {change.change_id} is {change.outcome.status}; there is nothing to undo",
                hint="only what reached a node can be rolled back",
            )
        return undoing_arguments(change.outcome, self._commands)
