"""Some commands and nodes are only for some roles."""

from dataclasses import dataclass

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Ledger, Policy, Target
from netctl.policies._where import EVERYWHERE, Where

__all__ = ["RequireRole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequireRole(Policy):
    """Refuses who has not the role; `"*"` is every role.

    Attributes:
        role: A role or scope, as `network:roadm`.
        where: Which commands.
    """

    role: str
    where: Where = EVERYWHERE

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse who has not the role."""
        del ledger
        if self.where.matches(request, target) and not request.roles & {"*", self.role}:
            raise CommandRefusedError(
                f"{request.subject!r} has not the role {self.role!r} that {request.command} "
                f"on node {target.node.node_id} needs",
                code="not_permitted",
                hint="ask somebody who has it, or the operator for it",
            )
