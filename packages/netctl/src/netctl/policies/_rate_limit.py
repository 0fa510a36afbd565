"""How often something may be changed: token buckets for subjects and nodes."""

from dataclasses import dataclass
from typing import Literal

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Ledger, Plan, Policy, Target
from netctl.policies._checks import check_above_zero, check_count
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["RateLimit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit(Policy):
    """A token bucket for each subject or each node; a change costs one token, refusals none.

    Attributes:
        per: Whose changes are counted together.
        burst: How many changes may follow each other at once.
        per_minute: How many are allowed in each minute after that.
        where: Which commands.

    Raises:
        DeclarationError: If a number is not above 0, or `burst` is not whole.
    """

    per: Literal["subject", "node"]
    burst: int
    per_minute: float
    where: Where = EVERYWHERE

    def __post_init__(self) -> None:
        check_above_zero(self, per_minute=self.per_minute)
        check_count(self, burst=self.burst)

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse early: a node shall not even be read for what comes too often."""
        if self.where.matches(request, target):
            self._check(request, target, ledger)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse if others have used the tokens meanwhile."""
        if self.where.matches(plan.request, plan.target):
            self._check(plan.request, plan.target, ledger)

    def spend(self, plan: Plan, ledger: Ledger) -> None:
        """Take a token."""
        if self.where.matches(plan.request, plan.target):
            ledger.take(
                self._key(plan.request, plan.target),
                1.0,
                capacity=float(self.burst),
                refill_per_s=self.per_minute / 60.0,
            )

    def _key(self, request: CommandRequest, target: Target) -> tuple[object, object]:
        return self, request.subject if self.per == "subject" else target.node.node_id

    def _check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        key = self._key(request, target)
        left = ledger.allowance(key, capacity=float(self.burst))
        # The slack keeps a token that is due from being missed by rounding.
        if left < 1.0 - 1e-9:
            whose = f"subject {key[1]!r}" if self.per == "subject" else f"node {key[1]!r}"
            wait_s = (1.0 - left) * 60.0 / self.per_minute
            raise CommandRefusedError(
                f"{whose} may be served {self.per_minute:g} changes a minute and {self.burst} at "
                f"once; the next one in {wait_s:.3g} s",
                code="rate_limited",
                hint=f"try again in {wait_s:.3g} s",
            )
