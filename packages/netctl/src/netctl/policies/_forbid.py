"""Some commands are not for some callers, ever."""

from dataclasses import dataclass

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Ledger, Policy, Target
from netctl.policies._where import Where

__all__ = ["Forbid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbid(Policy):
    """Refuses every command that it is about, dry runs too.

    Attributes:
        where: Which commands.
        reason: Why, worded for whoever asks.
    """

    where: Where
    reason: str

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse what it is about."""
        del ledger
        if self.where.matches(request, target):
            raise CommandRefusedError(self.reason, code="not_permitted")
