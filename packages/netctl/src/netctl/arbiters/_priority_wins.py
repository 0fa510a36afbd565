"""The strategy `priority`: who contends with a lower priority is refused."""

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Contest, SerialArbiter, Target
from netctl.arbiters._winner import name_of, thing

__all__ = ["PriorityWins"]


class PriorityWins(SerialArbiter):
    """Of the commands that contend for a resource, those of lower priority are refused.

    Equal priorities are served in the order in which they came. One that is being sent already is
    never broken off, whatever its priority.
    """

    def meet(self, request: CommandRequest, target: Target, contest: Contest) -> None:
        """Refuse the command, or end those that wait with a lower priority."""
        rivals = [contest.holder, *(waiter.request for waiter in contest.waiting)]
        highest = max(rivals, key=lambda rival: rival.priority)
        if highest.priority > request.priority:
            raise _beaten(request, highest, target)
        for waiter in tuple(contest.waiting):
            if waiter.request.priority < request.priority:
                contest.end(waiter, _beaten(waiter.request, request, target))


def _beaten(loser: CommandRequest, winner: CommandRequest, target: Target) -> CommandRefusedError:
    return CommandRefusedError(
        f"{name_of(winner)} sets {thing(target)} with priority {winner.priority}, above "
        f"{loser.priority}",
        code="lower_priority",
        hint="read the measurements, then try again if it is still wanted",
    )
