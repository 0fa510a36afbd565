"""The pipeline: the stages in their order, and an outcome and a record for every command."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import cast

import anyio

from netctl._clock import Clock
from netctl._command import CommandSet
from netctl._driver import Setting
from netctl._equipment import Equipment
from netctl._errors import (
    ChangeStateError,
    DriverError,
    QueueFullError,
    StoreError,
    UnknownNameError,
)
from netctl._inventory import Inventory
from netctl._log import get_logger
from netctl._measurement_store import MeasurementStore
from netctl._outcome import CommandRequest, Outcome
from netctl._pipeline._arbitration import Arbiter
from netctl._pipeline._arguments import check_arguments, find_command, refuse_arguments
from netctl._pipeline._execution import carry_out
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._ledger import Ledger
from netctl._pipeline._limits import Choices, Target, check_limits, find_target
from netctl._pipeline._plan import Plan, make_plan
from netctl._pipeline._policy import Policy, ReadOnlySwitch
from netctl._pipeline._refusal import (
    ApprovalNeededError,
    CommandRefusedError,
    InterruptedDeliveryError,
)
from netctl._pipeline._validation import ask_validator
from netctl._records import Records
from netctl._undoing import undoing_arguments
from netctl._violation import Violation

__all__ = ["CommandPipeline"]

_log = get_logger("netctl.pipeline")


class CommandPipeline:
    """Takes every command, whatever its origin, through the same stages.

    Schema, limits of node and resource, the app's validator, policies, arbitration, plan; a dry
    run ends here; then the driver, reading back, and the record. Any stage may refuse, and
    whatever goes wrong unexpectedly refuses too. A caller that is cancelled before the change is
    sent leaves no trace on the node; one that is cancelled later gets the change's whole outcome.
    """

    def __init__(
        self,
        *,
        inventory: Inventory,
        commands: CommandSet,
        equipment: Equipment,
        store: MeasurementStore,
        switch: ReadOnlySwitch,
        policies: Iterable[Policy],
        arbiter: Arbiter,
        records: Records,
        clock: Clock,
    ) -> None:
        self._choices = Choices(inventory)
        self._commands = commands
        self._equipment = equipment
        self._store = store
        self._switch = switch
        self._policies = (switch, *policies)
        self._arbiter = arbiter
        self._records = records
        self._ledger = Ledger(clock)
        # Two commands must not both spend what is left of one allowance.
        self._deciding = anyio.Lock(fast_acquire=True)

    def exchange(self, inventory: Inventory) -> Callable[[], None]:
        """Know the limits of another inventory from now on; returns how to undo this."""
        former, self._choices = self._choices, Choices(inventory)

        def undo() -> None:
            self._choices = former

        return undo

    async def run(self, request: CommandRequest, issuer: Issuer) -> Outcome:
        """What becomes of a command; never raises for what a command can cause."""
        # Shielded from the moment on from which nobody may stop halfway.
        with anyio.CancelScope() as scope:
            outcome = await self._decided(request, issuer, scope)
            scope.shield = True
            return await self._write(outcome)
        raise RuntimeError("a scope that nobody cancels was left early")  # pragma: no cover

    async def _decided(
        self, request: CommandRequest, issuer: Issuer, scope: anyio.CancelScope
    ) -> Outcome:
        """What is to be written down of a command."""
        try:
            return await self._run(request, issuer, scope)
        except CommandRefusedError as refusal:
            return _refused(request, refusal)
        except DriverError as error:
            return Outcome(
                request=request,
                status="failed",
                code="node_unavailable",
                reason=f"{error}; nothing was sent",
            )
        except StoreError as error:
            return Outcome(
                request=request,
                status="failed",
                code="store_unavailable",
                reason=f"{error}; nothing was sent",
                hint=error.hint,
            )
        except InterruptedDeliveryError as interrupted:
            raise interrupted.cancellation from None
        except anyio.get_cancelled_exc_class():
            scope.shield = True
            await self._write(_withdrawn(request, "it was cancelled before it was sent"))
            raise
        # The top handler of every command: what nobody foresaw must refuse, not pass.
        except Exception:  # noqa: BLE001 -- see above
            _log.exception("command crashed", request_id=request.request_id, app=issuer.name)
            return Outcome(
                request=request,
                status="failed",
                code="internal_error",
                reason=f"an unexpected error (correlation id {request.request_id})",
            )

    async def withdraw(self, request: CommandRequest, reason: str) -> Outcome:
        """Put on record that a command is not going to be sent."""
        return await self._record(_withdrawn(request, reason))

    async def refuse(self, request: CommandRequest, refusal: CommandRefusedError) -> Outcome:
        """Put on record that a command is refused before its first stage."""
        return await self._record(_refused(request, refusal))

    async def note_refused_call(
        self, request: CommandRequest, violations: tuple[Violation, ...]
    ) -> Outcome:
        """Put on record that a call never became a command: its arguments do not fit.

        Its face asks for more than the command's schema does, such as limits.

        Raises:
            StoreError: If it cannot be written down.
        """
        outcome = _refused(request, refuse_arguments(violations))
        await self._records.note_refused(outcome)
        return outcome

    async def _record(self, outcome: Outcome) -> Outcome:
        with anyio.CancelScope(shield=True):
            return await self._write(outcome)
        raise RuntimeError("a scope that nobody cancels was left early")  # pragma: no cover

    async def _write(self, outcome: Outcome) -> Outcome:
        """Write down what became of a command; only where nobody can stop it halfway."""
        approval = outcome.request.approval
        if approval is not None:
            # The end of a change that has its number already.
            outcome = replace(outcome, change_id=approval.change_id)
        try:
            await self._records.close(outcome)
        except StoreError as error:
            # It is decided, and its caller must hear what became of it, and that it may get lost.
            _log.exception("outcome not written down", request_id=outcome.request_id)
            if outcome.change_id is not None:
                reason = f"{outcome.reason or outcome.status}; not written down: {error}"
                outcome = replace(outcome, code="store_unavailable", reason=reason)
        return outcome

    async def _run(
        self, request: CommandRequest, issuer: Issuer, scope: anyio.CancelScope
    ) -> Outcome:
        spec = find_command(request, self._commands, issuer)
        target = self._target(request, issuer, request.arguments)
        modification = await ask_validator(request, spec, issuer, target)
        reason = None
        if modification is not None:
            arguments, reason = modification
            target = self._target(request, issuer, arguments)
        for policy in self._rules(request):
            await policy.check(request, target, self._ledger)
        if request.dry_run:
            plan = await make_plan(request, target, reason, self._equipment, self._store)
            self._check_undoable(plan, issuer)
            return await self._dry(plan)
        plan: Plan | None = None
        outcome: Outcome | None = None
        try:
            async with self._arbiter.claim(request, target):
                plan = await make_plan(request, target, reason, self._equipment, self._store)
                plan.check_approved()
                self._check_undoable(plan, issuer)
                await self._decide(plan)
                # From here on nobody may stop halfway; the equipment's timeout bounds it.
                scope.shield = True
                outcome = await self._deliver(plan)
        except ApprovalNeededError as need:
            scope.shield = True
            outcome = await self._wait_for_approval(cast("Plan", plan), need)
        # What an arbiter does wrong afterwards must not hide what was done.
        except Exception:
            if outcome is None:
                raise
            _log.exception("arbiter failed", request_id=request.request_id)
        if outcome is None:  # pyright: ignore[reportUnnecessaryComparison] -- a foreign arbiter
            raise RuntimeError("the arbiter swallowed why the command was not sent")
        return outcome

    async def _dry(self, plan: Plan) -> Outcome:
        """The plan, once every policy has seen it; it spends nothing."""
        target, planned = plan.target, plan.outcome()
        within_s = plan.request.confirm_within_s
        if within_s is not None:
            said = f"it would be taken back unless somebody confirms it within {within_s:g} s"
            planned = replace(planned, reason=f"{plan.reason}; {said}" if plan.reason else said)
        try:
            await self._check_plan(plan)
        except ApprovalNeededError as need:
            planned = replace(planned, code="approval_needed", reason=str(need))
        setting = Setting(resource=target.resource.name, value=target.value)
        effect = await self._equipment.predict(target.node, setting)
        return replace(planned, predicted_effect=effect)

    async def _decide(self, plan: Plan) -> None:
        """All policies' last word on a plan, and what it spends, at once."""
        async with self._deciding:
            await self._check_plan(plan)
            for policy in self._rules(plan.request):
                policy.spend(plan, self._ledger)

    async def _check_plan(self, plan: Plan) -> None:
        needed: ApprovalNeededError | None = None
        for policy in self._rules(plan.request):
            try:
                await policy.check_plan(plan, self._ledger)
            except ApprovalNeededError as need:
                # Another policy may still refuse: nobody shall be asked for nothing.
                needed = needed or need
        if needed is not None and plan.request.approval is None:
            raise needed

    def _rules(self, request: CommandRequest) -> tuple[Policy, ...]:
        """The policies that a command has to pass; what is taken back, the kill switch alone.

        The others guard against change, and leaving what nobody confirmed would be the change.
        """
        return (self._switch,) if request.takes_back else self._policies

    def _check_undoable(self, plan: Plan, issuer: Issuer) -> None:
        """See that what has to be confirmed can be taken back, before any of it is sent.

        Raises:
            CommandRefusedError: If it cannot be.
        """
        if plan.request.confirm_within_s is None:
            return
        try:
            arguments = undoing_arguments(plan.outcome(), self._commands)
            self._target(plan.request, issuer, arguments)
        except (ChangeStateError, UnknownNameError, CommandRefusedError) as error:
            raise CommandRefusedError(
                f"it could not be taken back: {error}",
                code="cannot_be_undone",
                hint="send it without a time to confirm it, or another command",
            ) from error

    async def _wait_for_approval(self, plan: Plan, need: ApprovalNeededError) -> Outcome:
        pending = replace(
            plan.outcome(), status="pending_approval", code="approval_needed", reason=str(need)
        )
        try:
            change = await self._records.open(
                plan.request,
                lambda change_id: replace(pending, change_id=change_id),
                expires_after_s=need.expires_after_s,
            )
        except QueueFullError as error:
            raise CommandRefusedError(
                str(error), code="approval_needed", hint=error.hint
            ) from error
        return change.outcome

    async def _deliver(self, plan: Plan) -> Outcome:
        try:
            change = await self._records.open(
                plan.request, lambda change_id: plan.outcome("queued", change_id)
            )
        except ChangeStateError as error:
            raise CommandRefusedError(str(error), code="changed_since", hint=error.hint) from error
        try:
            # The last word: nothing is sent once the switch is on.
            self._switch.refuse_if_on(plan.request)
        except CommandRefusedError as refusal:
            refused = _refused(plan.request, refusal)
            return replace(refused, change_id=change.change_id)
        try:
            return await carry_out(plan, change.outcome, self._equipment, self._store)
        # It may have been sent: whatever happens, its change is not left open.
        except BaseException as error:
            unknown = replace(
                change.outcome,
                status="failed",
                code="outcome_unknown",
                reason="it was interrupted while the node worked; whether the node took it is "
                "not known",
            )
            if isinstance(error, Exception):
                _log.exception("delivery failed", request_id=plan.request.request_id)
                return unknown
            await self._record(unknown)
            # Only asyncio's own cancellation passes the shield.
            raise InterruptedDeliveryError(error) from error

    def _target(self, request: CommandRequest, issuer: Issuer, arguments: object) -> Target:
        """Schema and limits: for what was asked, and again for what a validator made of it."""
        spec = find_command(request, self._commands, issuer)
        valid = check_arguments(spec, issuer, arguments)
        target = find_target(spec, self._choices, valid)
        check_limits(spec, target)
        return target


def _refused(request: CommandRequest, refusal: CommandRefusedError) -> Outcome:
    return Outcome(
        request=request,
        status="rejected",
        code=refusal.code,
        reason=str(refusal),
        hint=refusal.hint,
        nearest=refusal.nearest,
        violations=refusal.violations,
    )


def _withdrawn(request: CommandRequest, reason: str) -> Outcome:
    return Outcome(request=request, status="rejected", code="withdrawn", reason=reason)
