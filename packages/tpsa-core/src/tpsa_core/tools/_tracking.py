"""Particles sent through a map, turn after turn, until they leave the aperture."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tpsa_core._map import TaylorMap

__all__ = ["Tracked", "Watch", "start", "track"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Where particles may be, and which plane is watched.

    Attributes:
        plane: The positions, from 0, of the two variables that are watched.
        aperture: A particle is lost once a coordinate is larger than this, or no number.
    """

    plane: tuple[int, int]
    aperture: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """Some turns of the particles, and where they are after the last of them.

    Attributes:
        positions: `(2, turns, particles)` in the plane that is watched; nan from the turn on in
            which a particle was lost.
        lost_at: `(particles,)` the turn in which each was lost, 0 for the start; -1 for those kept.
        alive: The numbers, from 0, of the particles that are kept.
        state: Where these are, `(alive, dimension)`.
    """

    positions: Array
    lost_at: npt.NDArray[np.int_]
    alive: npt.NDArray[np.int_]
    state: Array

    @property
    def losses(self) -> list[int]:
        """The turns in which particles were lost, one entry each."""
        return sorted(self.lost_at[self.lost_at >= 0].tolist())


def start(starts: Array, watch: Watch) -> Tracked:
    """Give the particles where they begin, `(particles, dimension)`."""
    lost_at, everyone = np.full(len(starts), -1), np.arange(len(starts))
    before = Tracked(
        positions=np.empty((2, 0, len(starts))), lost_at=lost_at, alive=everyone, state=starts
    )
    return _followed(None, before, watch, range(1))


def track(turn: TaylorMap, before: Tracked, watch: Watch, numbers: range) -> Tracked:
    """Send the particles that are left through a map, once for each turn of these numbers.

    Args:
        turn: A real map with one component for each variable.
        before: Where they are.
        watch: Where they may be, and what is watched.
        numbers: The turns, from 1.
    """
    return _followed(turn, before, watch, numbers)


def _followed(turn: TaylorMap | None, before: Tracked, watch: Watch, numbers: range) -> Tracked:
    positions = np.full((2, len(numbers), len(before.lost_at)), np.nan)
    lost_at, alive, state = before.lost_at.copy(), before.alive, before.state
    for place, number in enumerate(numbers):
        if not len(alive):
            break
        if turn is not None:
            state = turn.evaluate(state)
        # A comparison with nan is false.
        inside = (np.abs(state) <= watch.aperture).all(axis=1)
        lost_at[alive[~inside]] = number
        alive, state = alive[inside], state[inside]
        positions[:, place, alive] = state[:, watch.plane].T
    return Tracked(positions=positions, lost_at=lost_at, alive=alive, state=state)
