"""Particles sent through a map, turn after turn, until they leave the aperture."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tpsa_core._map import TaylorMap

__all__ = ["Tracked", "track"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """What became of the particles.

    Attributes:
        positions: `(2, turns + 1, particles)` in the plane that is watched; nan from the turn on
            in which a particle was lost.
        lost_at: `(particles,)` the turn in which each was lost, 0 for the start; -1 for those kept.
    """

    positions: Array
    lost_at: npt.NDArray[np.int_]

    @property
    def losses(self) -> list[int]:
        """The turns in which particles were lost, one entry each."""
        return sorted(self.lost_at[self.lost_at >= 0].tolist())


def track(
    turn: TaylorMap,
    starts: Array,
    *,
    turns: int,
    plane: tuple[int, int],
    aperture: float,
    check: Callable[[], None],
) -> Tracked:
    """Send particles through a map so many times.

    Args:
        turn: A real map with one component for each variable.
        starts: Where they begin, `(particles, dimension)`.
        turns: How many times.
        plane: The positions, from 0, of the two variables that are watched.
        aperture: A particle is lost once a coordinate is larger than this, or no number.
        check: Called before each turn; raises where nobody waits any more.
    """
    positions = np.full((2, turns + 1, len(starts)), np.nan)
    lost_at = np.full(len(starts), -1)
    alive = np.arange(len(starts))
    state = starts
    for number in range(turns + 1):
        check()
        if number:
            state = turn.evaluate(state)
        # A comparison with nan is false.
        inside = (np.abs(state) <= aperture).all(axis=1)
        lost_at[alive[~inside]] = number
        alive, state = alive[inside], state[inside]
        positions[:, number, alive] = state[:, plane].T
        if not len(alive):
            break
    return Tracked(positions=positions, lost_at=lost_at)
