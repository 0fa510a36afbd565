"""Stage 4, policy: rules of the operator, whatever the app."""

from netctl._outcome import CommandRequest
from netctl._pipeline._ledger import Ledger
from netctl._pipeline._limits import Target
from netctl._pipeline._plan import Plan
from netctl._pipeline._refusal import CommandRefusedError

__all__ = ["Policy", "ReadOnlySwitch"]


class Policy:
    """A rule that may refuse a command by raising `CommandRefusedError`.

    Override what is needed. A policy keeps nothing itself: what it has to remember is in the
    controller's ledger, so that one policy may serve several controllers.
    """

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse before the command waits for its turn, or return."""

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse now that it is known what would change, or return.

        Also raises `ApprovalNeededError` where somebody else has to say yes.
        """

    def spend(self, plan: Plan, ledger: Ledger) -> None:
        """Count a change that every policy lets pass and that is sent next."""


class ReadOnlySwitch(Policy):
    """While it is on, nothing is changed; what would be changed can still be planned."""

    def __init__(self, *, on: bool) -> None:
        self.on = on

    async def check(self, request: CommandRequest, target: Target, ledger: Ledger) -> None:
        """Refuse every command that is not a dry run."""
        del target, ledger
        self.refuse_if_on(request)

    async def check_plan(self, plan: Plan, ledger: Ledger) -> None:
        """Refuse again: it may have been switched while the command waited for its turn."""
        del ledger
        self.refuse_if_on(plan.request)

    def refuse_if_on(self, request: CommandRequest) -> None:
        """Refuse a command that is not a dry run.

        Raises:
            CommandRefusedError: While the switch is on.
        """
        if self.on and not request.dry_run:
            raise CommandRefusedError(
                "the controller is switched to read-only",
                code="read_only",
                hint="ask the operator to switch it back, or use a dry run",
            )
