"""The strategy `last_write_wins`: a later command makes those that wait pointless."""

from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, Contest, SerialArbiter, Target
from netctl.arbiters._winner import name_of, thing

__all__ = ["LastWriteWins"]


class LastWriteWins(SerialArbiter):
    """Of the commands that wait for a resource, only the last one that came is sent.

    One that is being sent already is never broken off; the last one follows it.
    """

    def meet(self, request: CommandRequest, target: Target, contest: Contest) -> None:
        """End what waits."""
        for waiter in tuple(contest.waiting):
            contest.end(
                waiter,
                CommandRefusedError(
                    f"{name_of(request)} came later and sets {thing(target)} instead",
                    code="superseded",
                    hint="read the measurements, then try again if it is still wanted",
                ),
            )
