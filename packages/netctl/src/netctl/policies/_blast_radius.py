"""How much one subject may change: in one change, and in one hour."""

from dataclasses import dataclass

from netctl._pipeline import CommandRefusedError, Ledger, Plan, Policy
from netctl.policies._checks import check_above_zero, check_count
from netctl.policies._toward import farthest_toward
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["BlastRadius"]

_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class BlastRadius(Policy):
    """Bounds what one subject may change; sizes are in the resource's unit, as dB.

    An hour is counted by the minute, back to the minute in which it began.

    Attributes:
        most_per_change: How far one change may move a resource; None: as far as it goes.
        most_per_hour: How far all its changes together may move resources.
        most_nodes_per_hour: How many nodes it may change.
        where: Which commands; to add up only one unit, name the commands of that unit.

    Raises:
        DeclarationError: If a number is not above 0, or that of nodes is not whole.
    """

    most_per_change: float | None = None
    most_per_hour: float | None = None
    most_nodes_per_hour: int | None = None
    where: Where = EVERYWHERE

    def __post_init__(self) -> None:
        check_above_zero(
            self,
            most_per_change=self.most_per_change,
            most_per_hour=self.most_per_hour,
        )
        check_count(self, most_nodes_per_hour=self.most_nodes_per_hour)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse what is too much, with how much would do."""
        if not self.where.matches(plan.request, plan.target):
            return
        unit, subject = plan.target.resource.unit, plan.request.subject
        if self.most_per_change is not None and plan.size > self.most_per_change + _SLACK:
            raise CommandRefusedError(
                f"one change may move {plan.target.resource.name} by {self.most_per_change:g} "
                f"{unit}, not by {plan.size:.6g} {unit}",
                code="blast_radius",
                nearest=farthest_toward(plan, self.most_per_change),
            )
        used = ledger.last_hour((self, subject))
        if self.most_per_hour is not None and used.amount + plan.size > self.most_per_hour + _SLACK:
            left = max(0.0, self.most_per_hour - used.amount)
            raise CommandRefusedError(
                f"{subject!r} may change {self.most_per_hour:g} {unit} an hour, has changed "
                f"{used.amount:.6g} {unit}, and would change {plan.size:.6g} {unit} more",
                code="blast_radius",
                nearest=farthest_toward(plan, left),
            )
        nodes = used.nodes | {plan.target.node.node_id}
        if self.most_nodes_per_hour is not None and len(nodes) > self.most_nodes_per_hour:
            raise CommandRefusedError(
                f"{subject!r} may change {self.most_nodes_per_hour} nodes an hour, and has changed "
                f"{sorted(used.nodes)!r}",
                code="blast_radius",
                nearest=min(used.nodes),
            )

    def spend(self, plan: Plan, ledger: Ledger) -> None:
        """Count the change."""
        if self.where.matches(plan.request, plan.target):
            key = (self, plan.request.subject)
            ledger.use(key, amount=plan.size, node_id=plan.target.node.node_id)
