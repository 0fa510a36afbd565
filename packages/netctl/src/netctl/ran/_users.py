"""The users of a cell: where they are, and what they ask for."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["User", "place_users"]

_FIRST_RNTI = 0x4601
_NEAREST_M, _FARTHEST_M = 35.0, 400.0
_SHADOWING_DB = 4.0
"""Standard deviation of the shadowing in sight (TR 38.901, table 7.4.1-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One user equipment (UE) that is connected to a cell.

    Attributes:
        number: Its place in the names of metrics, from 1.
        rnti: What the cell calls it on the radio, 1 to 65519.
        slice: The name of its slice.
        distance_m: From antenna to antenna.
        shadowing_db: What obstacles add to its path loss.
        offered_dl_mbps: What is to be sent to it, >= 0.
        offered_ul_mbps: What it has to send, >= 0.
    """

    number: int
    rnti: int
    slice: str
    distance_m: float
    shadowing_db: float = 0.0
    offered_dl_mbps: float = math.inf
    offered_ul_mbps: float = math.inf


def place_users(
    slices: Sequence[str],
    *,
    count: int,
    seed: int = 0,
    offered_dl_mbps: float = 10.0,
    offered_ul_mbps: float = 2.0,
) -> tuple[User, ...]:
    """Users spread evenly over a cell's area, in its slices by turns; the seed fixes where.

    Args:
        slices: The names of the slices.
        count: How many users.
        seed: Fixes their places and what shades them.
        offered_dl_mbps: What is to be sent to each.
        offered_ul_mbps: What each has to send.
    """
    # S311: places have to be repeatable, not secret.
    chance = random.Random(seed)  # noqa: S311
    return tuple(
        User(
            number=number,
            rnti=_FIRST_RNTI + number - 1,
            slice=slices[(number - 1) % len(slices)],
            # Evenly over the area means evenly in the square of the distance.
            distance_m=math.sqrt(chance.uniform(_NEAREST_M**2, _FARTHEST_M**2)),
            shadowing_db=chance.gauss(0.0, _SHADOWING_DB),
            offered_dl_mbps=offered_dl_mbps,
            offered_ul_mbps=offered_ul_mbps,
        )
        for number in range(1, count + 1)
    )
