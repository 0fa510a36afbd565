"""The tool that draws the phase space of a map: particles, tracked turn after turn."""

from dataclasses import replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tercet import CallContext, ErrorDetail, InvalidInputError, LimitExceededError, Shown
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, Name, Variable
from tpsa_core.tools._cost import evaluation
from tpsa_core.tools._declare import makes
from tpsa_core.tools._figures import Orbits, draw_orbits
from tpsa_core.tools._operands import afford, cut_to_valid, find_variable, highest_order
from tpsa_core.tools._pictures import LARGEST_DRAWN, show, shown_name
from tpsa_core.tools._points import (
    DistributionOption,
    GridOption,
    PointsOption,
    Sampling,
    chosen_points,
)
from tpsa_core.tools._tracking import Tracked, Watch, start, track
from tpsa_core.tools._work import ENDLESS, TaylorWork, compute, portions

__all__ = ["plot_phase_space"]

_MOST_TURNS = 10_000
_MOST_POSITIONS = 1_000_000
# A turn of fewer particles takes no less time.
_FEWEST = 10
# In multiplications: a turn, however few particles there are, and a particle that is watched.
_TURNING = 12_000
_HANDLING = 10
# Of the largest start coordinate, where no aperture is given.
_WIDE = 1000.0


class Portrait(Shown):
    """A picture of orbits; the picture itself goes beside the answer."""

    particles: int = Field(description="How many were tracked.")
    turns: int = Field(description="How many times each went through the map.")
    aperture: float = Field(description="The coordinate beyond which a particle was lost.")
    lost: int = Field(description="How many particles were lost.")
    first_loss_turn: int | None = Field(
        description="The turn of the first loss, 0 for the start itself; null: none was lost."
    )


@makes()
async def plot_phase_space(
    context: CallContext,
    *,
    map_ref: MapRef,
    turns: Annotated[
        int,
        Field(
            description="How many times each particle goes through the map. Particles times turns "
            "may be 1,000,000.",
            ge=1,
            le=_MOST_TURNS,
        ),
    ] = 500,
    points: PointsOption = None,
    grid: GridOption = None,
    distribution: DistributionOption = None,
    x_variable: Annotated[Variable, Field(description="The horizontal axis: number or name.")] = 1,
    y_variable: Annotated[Variable, Field(description="The vertical axis: number or name.")] = 2,
    aperture: Annotated[
        float | None,
        Field(
            description="A particle is lost once a coordinate is larger than this. Left out: 1,000 "
            "times the largest coordinate of all starts.",
            gt=0,
            le=LARGEST_DRAWN,
        ),
    ] = None,
    name: Name = None,
) -> Portrait:
    """Track particles through a stored Taylor map, and draw their orbits in the plane of two.

    The particles start at given points, on a grid, or at a seeded distribution: give exactly one of
    the three. The map needs one real component for each variable. Gives a PNG picture beside the
    answer, its ref, and how many particles were lost. Orbits that are kept are coloured by their
    amplitude, those of lost particles are red. Needs matplotlib: UNAVAILABLE without it.
    Example: {"map_ref": "map_0", "turns": 200, "points": [[0.1, 0], [0.2, 0], [0.3, 0]]}.
    """
    turn = await context.load(map_ref, TaylorMap)
    algebra = turn.algebra
    _check_map(turn, map_ref)
    plane = (
        find_variable(x_variable, algebra, "/x_variable"),
        find_variable(y_variable, algebra, "/y_variable"),
    )
    if plane[0] == plane[1]:
        raise InvalidInputError(
            f"both axes show the variable {algebra.names[plane[0]]!r}",
            hint="give two different variables",
            details=[ErrorDetail(pointer="/y_variable", expected="another variable")],
        )
    chosen = chosen_points(algebra.dimension, points, grid, distribution)
    _check_count(chosen, turns)
    steps = chosen.count * turns
    worth = max(chosen.count, _FEWEST) * turns
    estimate = evaluation(algebra.dimension, len(turn), worth, chosen.count * 2 * (turns + 1))
    cost = afford(
        context,
        estimate,
        highest_order(turn),
        f"{steps} steps through {map_ref!r}",
        "/turns",
        or_else="take fewer turns or particles",
    )
    effort = 1 + cost.multiplications + _TURNING * turns
    starts, watch = await compute(context, _HANDLING * steps, _begun, chosen, plane, aperture)
    tracked = await _tracked(context, effort, turn, starts, watch, turns)
    title = (
        f"{shown_name(map_ref)}: particles {chosen.count}, turns {turns}, "
        f"lost {len(tracked.losses)}"
    )
    x_label, y_label = (shown_name(algebra.names[place]) for place in plane)
    orbits = Orbits(title=title, x_label=x_label, y_label=y_label, positions=tracked.positions)
    png = await compute(context, ENDLESS, draw_orbits, orbits)
    shown = await show(context, png, f"phase space of {title}", name)
    return Portrait(
        **shown,
        particles=chosen.count,
        turns=turns,
        aperture=watch.aperture,
        lost=len(tracked.losses),
        first_loss_turn=min(tracked.losses, default=None),
    )


def _begun(
    chosen: Sampling, plane: tuple[int, int], aperture: float | None
) -> tuple[Tracked, Watch]:
    starts = chosen.make()
    watch = Watch(plane=plane, aperture=_edge(starts) if aperture is None else aperture)
    begun = start(starts, watch)
    if not len(begun.alive):
        raise InvalidInputError(
            f"every particle starts outside the aperture of {watch.aperture:g}",
            hint="give a larger aperture, or starts with smaller coordinates",
        )
    return begun, watch


async def _tracked(  # noqa: PLR0917 -- all in the order of what they say
    context: CallContext, effort: int, turn: TaylorMap, begun: Tracked, watch: Watch, turns: int
) -> Tracked:
    """Track in portions; gives where the particles are in the end, and all positions."""
    at_once = max(1, turns * context.setting(TaylorWork).portion // effort)
    tracked, positions = begun, [begun.positions]
    for numbers in portions(range(1, turns + 1), at_once):
        share = effort * len(numbers) // turns
        # What is known already is not moved along.
        before = replace(tracked, positions=tracked.positions[:, :0])
        tracked = await compute(context, share, _sent, turn, before, watch, numbers)
        positions.append(tracked.positions)
        if at_once < turns:
            await context.report(numbers[-1], turns, "turns tracked")
    return replace(tracked, positions=np.concatenate(positions, axis=1))


def _sent(turn: TaylorMap, before: Tracked, watch: Watch, numbers: range) -> Tracked:
    return track(cut_to_valid(turn), before, watch, numbers)


def _check_map(turn: TaylorMap, ref: str) -> None:
    dimension = turn.algebra.dimension
    if len(turn) != dimension or dimension == 1:
        raise InvalidInputError(
            f"{ref!r} has {len(turn)} components and {dimension} variables; tracking needs as many "
            "components as variables, and at least two",
            hint="make a map with one component for each variable",
        )
    if any(component.is_complex for component in turn):
        raise InvalidInputError(
            f"{ref!r} is complex, and a phase space is real",
            hint="make the map of real expressions, or take real_part of its components",
        )


def _check_count(chosen: Sampling, turns: int) -> None:
    if not chosen.count:
        raise InvalidInputError("there are no points to start from", hint="give at least one")
    if chosen.count * turns > _MOST_POSITIONS:
        fitting = _MOST_POSITIONS // chosen.count
        raise LimitExceededError(
            f"{chosen.count} particles over {turns} turns take more than {_MOST_POSITIONS} steps",
            hint=f"take at most {fitting} turns, or fewer particles"
            if fitting
            else f"take at most {_MOST_POSITIONS // turns} particles",
            details=[ErrorDetail(pointer="/turns", expected=f"at most {fitting}", got=turns)],
        )


def _edge(starts: npt.NDArray[np.float64]) -> float:
    largest = np.abs(starts[np.isfinite(starts)]).max(initial=0.0)
    return min(_WIDE * float(largest or 1.0), LARGEST_DRAWN)
