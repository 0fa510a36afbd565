"""The tool that draws the phase space of a map: particles, tracked turn after turn."""

from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tercet import CallContext, ErrorDetail, InvalidInputError, LimitExceededError, Shown
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, Name, Variable
from tpsa_core.tools._cost import evaluation
from tpsa_core.tools._declare import makes
from tpsa_core.tools._failures import quietly
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
from tpsa_core.tools._tracking import Tracked, track

__all__ = ["plot_phase_space"]

_MOST_TURNS = 10_000
_MOST_POSITIONS = 1_000_000
# A turn of fewer particles takes no less time.
_FEWEST = 10
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
    afford(
        context,
        estimate,
        highest_order(turn),
        f"{steps} steps through {map_ref!r}",
        "/turns",
        or_else="take fewer turns or particles",
    )
    what = f"{shown_name(map_ref)}: particles {chosen.count}, turns {turns}"

    def work() -> tuple[bytes, str, Tracked, float]:
        starts = chosen.make()
        edge = _edge(starts) if aperture is None else aperture
        tracked = track(
            cut_to_valid(turn),
            starts,
            turns=turns,
            plane=plane,
            aperture=edge,
            check=context.check,
        )
        if (tracked.lost_at == 0).all():
            raise InvalidInputError(
                f"every particle starts outside the aperture of {edge:g}",
                hint="give a larger aperture, or starts with smaller coordinates",
            )
        title = f"{what}, lost {len(tracked.losses)}"
        x_label, y_label = (shown_name(algebra.names[place]) for place in plane)
        png = draw_orbits(
            Orbits(title=title, x_label=x_label, y_label=y_label, positions=tracked.positions)
        )
        return png, title, tracked, edge

    png, title, tracked, edge = await context.compute(quietly, work)
    shown = await show(context, png, f"phase space of {title}", name)
    return Portrait(
        **shown,
        particles=chosen.count,
        turns=turns,
        aperture=edge,
        lost=len(tracked.losses),
        first_loss_turn=min(tracked.losses, default=None),
    )


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
