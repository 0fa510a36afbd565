"""The strategy `min_gap`: a resource rests after each change."""

from netctl._clock import Clock
from netctl._errors import DeclarationError
from netctl._number import is_finite_number
from netctl._outcome import CommandRequest
from netctl._pipeline import CommandRefusedError, SerialArbiter, Target
from netctl.arbiters._winner import name_of, thing

__all__ = ["MinGap"]

_SLACK_S = 1e-9


class MinGap(SerialArbiter):
    """Refuses commands for a resource that was set a short while ago, by whomever.

    Args:
        gap_s: How long it rests, in seconds.
        clock: Measures the time; the controller's.

    Raises:
        DeclarationError: If the gap is not above 0.
    """

    def __init__(self, gap_s: float, clock: Clock) -> None:
        if not (is_finite_number(gap_s) and gap_s > 0):
            raise DeclarationError(
                f"gap_s is {gap_s!r}, not a number above 0", hint="give a number of seconds"
            )
        super().__init__()
        self._gap_s = gap_s
        self._clock = clock
        # As large as the inventory at the most: only what exists is ever sent.
        self._last: dict[tuple[int, str], tuple[float, CommandRequest]] = {}

    def admit(self, request: CommandRequest, target: Target) -> None:
        """Refuse within the gap."""
        del request
        if target.key not in self._last:
            return
        sent_at_s, winner = self._last[target.key]
        wait_s = sent_at_s + self._gap_s - self._clock.monotonic()
        if wait_s > _SLACK_S:
            raise CommandRefusedError(
                f"{thing(target)} was set by {name_of(winner)}; it rests for {self._gap_s:g} s "
                f"after each change, {wait_s:.3g} s more",
                code="too_soon",
                hint=f"try again in {wait_s:.3g} s",
            )

    def sent(self, request: CommandRequest, target: Target) -> None:
        """Begin the gap."""
        self._last[target.key] = (self._clock.monotonic(), request)
