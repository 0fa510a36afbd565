"""The strategy `reject_conflict`: nobody waits."""

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Contest, SerialArbiter, Target
from netctl.arbiters._winner import name_of, thing

__all__ = ["RejectConflict"]


class RejectConflict(SerialArbiter):
    """Refuses a command whose resource is being set by another one."""

    def meet(self, request: CommandRequest, target: Target, contest: Contest) -> None:
        """Refuse."""
        del request
        raise CommandRefusedError(
            f"{thing(target)} is being set by {name_of(contest.holder)}, which came first",
            code="resource_busy",
            hint="read the measurements, then try again if it is still wanted",
        )
