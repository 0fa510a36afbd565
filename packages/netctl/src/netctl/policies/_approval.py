"""Which changes wait for somebody else's yes."""

from dataclasses import dataclass

from netctl._pipeline import ApprovalNeededError, Ledger, Plan, Policy
from netctl.policies._checks import check_above_zero, check_not_negative
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["NeedApproval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedApproval(Policy):
    """The upper of two tiers: what it is about waits for an approval, all else goes at once.

    Attributes:
        above: Only changes that move a resource farther than this, in its unit.
        expires_after_s: How long a change may wait.
        where: Which commands.

    Raises:
        DeclarationError: If the time is not above 0, or `above` is below 0 or no number.
    """

    above: float = 0.0
    expires_after_s: float = 3600.0
    where: Where = EVERYWHERE

    def __post_init__(self) -> None:
        check_above_zero(self, expires_after_s=self.expires_after_s)
        check_not_negative(self, above=self.above)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Ask for an approval."""
        del ledger
        if plan.size > self.above and self.where.matches(plan.request, plan.target):
            resource = plan.target.resource
            raise ApprovalNeededError(
                f"moving {resource.name} of node {plan.target.node.node_id} by {plan.size:.6g} "
                f"{resource.unit} needs an approval within {self.expires_after_s:g} s",
                expires_after_s=self.expires_after_s,
            )
