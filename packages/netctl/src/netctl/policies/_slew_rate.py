"""How fast a resource may be moved."""

from dataclasses import dataclass

from netctl._pipeline import CommandRefusedError, Ledger, Plan, Policy
from netctl.policies._checks import check_above_zero
from netctl.policies._toward import farthest_toward
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["SlewRate"]

_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SlewRate(Policy):
    """Each resource may move so far a minute, in its own unit; what is left refills evenly.

    Attributes:
        per_minute: How far; None: what the inventory says of the resource, if it says anything.
        where: Which commands.

    Raises:
        DeclarationError: If a number is not above 0.
    """

    per_minute: float | None = None
    where: Where = EVERYWHERE

    def __post_init__(self) -> None:
        check_above_zero(self, per_minute=self.per_minute)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse what moves too far, with how far it may."""
        rate = self._rate(plan)
        if rate is None:
            return
        left = ledger.allowance(self._key(plan), capacity=rate)
        if plan.size > left + _SLACK:
            resource = plan.target.resource
            wait_s = (min(plan.size, rate) - left) * 60.0 / rate
            raise CommandRefusedError(
                f"{resource.name} of node {plan.target.node.node_id} would move {plan.size:.6g} "
                f"{resource.unit}; it may move {rate:g} {resource.unit} a minute, and "
                f"{max(0.0, left):.6g} {resource.unit} now",
                code="slew_limited",
                nearest=farthest_toward(plan, left),
                hint=f"go in smaller steps; more is allowed within {wait_s:.3g} s",
            )

    def spend(self, plan: Plan, ledger: Ledger) -> None:
        """Count how far it moves."""
        rate = self._rate(plan)
        if rate is not None:
            key = self._key(plan)
            ledger.take(key, plan.size, capacity=rate, refill_per_s=rate / 60.0)

    def _rate(self, plan: Plan) -> float | None:
        if not self.where.matches(plan.request, plan.target):
            return None
        return plan.target.resource.slew_per_minute if self.per_minute is None else self.per_minute

    def _key(self, plan: Plan) -> tuple[object, object]:
        return self, plan.target.key
