"""The pipeline: the stages in their order, and an outcome and a record for every command."""

from collections.abc import Iterable
from typing import cast

import anyio

from netctl._audit import AuditTrail
from netctl._command import CommandSet
from netctl._equipment import Equipment
from netctl._errors import DriverError
from netctl._inventory import Inventory
from netctl._log import get_logger
from netctl._measurement_store import MeasurementStore
from netctl._outcome import CommandRequest, Outcome
from netctl._pipeline._arbitration import Arbiter
from netctl._pipeline._arguments import check_arguments, find_command
from netctl._pipeline._execution import carry_out, make_plan
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._limits import Target, check_limits, find_target
from netctl._pipeline._policy import Policy, ReadOnlySwitch
from netctl._pipeline._refusal import CommandRefusedError
from netctl._pipeline._validation import ask_validator

__all__ = ["CommandPipeline"]

_log = get_logger("netctl.pipeline")


class CommandPipeline:
    """Takes every command, whatever its origin, through the same stages.

    Schema, limits of node and resource, the app's validator, policies, arbitration, plan; a dry
    run ends here; then the driver, reading back, and the audit record. Any stage may refuse, and
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
        trail: AuditTrail,
    ) -> None:
        self._inventory = inventory
        self._commands = commands
        self._equipment = equipment
        self._store = store
        self._switch = switch
        self._policies = (switch, *policies)
        self._arbiter = arbiter
        self._trail = trail

    async def run(self, request: CommandRequest, issuer: Issuer) -> Outcome:
        """What becomes of a command; never raises for what a command can cause."""
        try:
            outcome = await self._run(request, issuer)
        except CommandRefusedError as refusal:
            outcome = Outcome(
                request=request,
                status="rejected",
                code=refusal.code,
                reason=str(refusal),
                nearest=refusal.nearest,
                violations=refusal.violations,
            )
        except DriverError as error:
            outcome = Outcome(
                request=request,
                status="failed",
                code="node_unavailable",
                reason=f"{error}; nothing was sent",
            )
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self.withdraw(request, "it was cancelled before it was sent")
            raise
        # The top handler of every command: what nobody foresaw must refuse, not pass.
        except Exception:  # noqa: BLE001 -- see above
            _log.exception("command crashed", request_id=request.request_id, app=issuer.name)
            outcome = Outcome(
                request=request,
                status="failed",
                code="internal_error",
                reason=f"an unexpected error (correlation id {request.request_id})",
            )
        with anyio.CancelScope(shield=True):
            await self._trail.record(outcome)
        return outcome

    async def withdraw(self, request: CommandRequest, reason: str) -> Outcome:
        """Put on record that a command is not going to be sent."""
        outcome = Outcome(request=request, status="rejected", code="withdrawn", reason=reason)
        await self._trail.record(outcome)
        return outcome

    async def _run(self, request: CommandRequest, issuer: Issuer) -> Outcome:
        spec = find_command(request, self._commands, issuer)
        target = self._target(request, issuer, request.arguments)
        modification = await ask_validator(request, spec, issuer, target)
        reason = None
        if modification is not None:
            arguments, reason = modification
            target = self._target(request, issuer, arguments)
        for policy in self._policies:
            await policy.check(request, target)
        outcome: Outcome | None = None
        with anyio.CancelScope() as delivery:
            async with self._arbiter.claim(request, target):
                plan = await make_plan(request, target, reason, self._equipment, self._store)
                if request.dry_run:
                    return plan.outcome()
                # It may have been switched while the command waited for its turn.
                await self._switch.check(request, target)
                # From here on nobody may stop halfway; the equipment's timeout bounds it.
                delivery.shield = True
                outcome = await carry_out(plan, self._equipment, self._store)
        # Nobody else holds this scope, so it never swallowed a cancellation.
        return cast("Outcome", outcome)

    def _target(self, request: CommandRequest, issuer: Issuer, arguments: object) -> Target:
        """Schema and limits: for what was asked, and again for what a validator made of it."""
        spec = find_command(request, self._commands, issuer)
        valid = check_arguments(spec, issuer, arguments)
        target = find_target(spec, self._inventory, valid)
        check_limits(spec, target)
        return target
