"""How a scheduler shares a slice's resources: evenly, and nobody gets more than they need."""

from collections.abc import Sequence

__all__ = ["share_out"]


def share_out(total: float, needs: Sequence[float]) -> list[float]:
    """The shares of a total, max-min fair: what one does not need is shared among the others.

    Args:
        total: What there is, >= 0.
        needs: What each could use, >= 0; infinite: all of it.

    Returns:
        A share for each, none above its need; together they are the smaller one of the total and
        all needs. More to share never makes a share smaller.
    """
    shares = [0.0] * len(needs)
    left, waiting = total, len(needs)
    for index in sorted(range(len(needs)), key=lambda place: needs[place]):
        shares[index] = min(needs[index], left / waiting)
        left -= shares[index]
        waiting -= 1
    return shares
