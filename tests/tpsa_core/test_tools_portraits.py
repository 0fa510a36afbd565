"""Phase space as a picture: what is said of the particles, and what is to be seen of them."""

from typing import Any

import numpy as np
import pytest
from drawn_pictures import drawn
from taylor_calls import do, make_map, no

from tercet import ToolRegistry

pytestmark = pytest.mark.anyio

TUNE = 0.21
HENON = (
    f"cos(2*pi*{TUNE})*x1 + sin(2*pi*{TUNE})*(x2 + x1^2)",
    f"-sin(2*pi*{TUNE})*x1 + cos(2*pi*{TUNE})*(x2 + x1^2)",
)


def red(pixels: Any) -> int:
    """How many pixels have the colour of lost particles."""
    return int((np.abs(pixels - (0.839, 0.153, 0.157)) < 0.02).all(axis=2).sum())


def lost_of_henon(starts: list[list[float]], turns: int, aperture: float) -> list[int]:
    """The turns in which particles are lost, by plain numbers."""
    losses: list[int] = []
    c, s = np.cos(2 * np.pi * TUNE), np.sin(2 * np.pi * TUNE)
    for x, p in starts:
        for turn in range(1, turns + 1):
            x, p = c * x + s * (p + x * x), -s * x + c * (p + x * x)  # noqa: PLW2901 -- it moves
            if max(abs(x), abs(p)) > aperture:
                losses.append(turn)
                break
    return sorted(losses)


async def test_a_portrait_says_how_many_particles_were_lost_and_when(taylor: ToolRegistry) -> None:
    ref = await make_map(taylor, *HENON, order=2)
    starts = [[0.1 * k, 0.0] for k in range(12)]
    losses = lost_of_henon(starts, 300, 50.0)
    assert 0 < len(losses) < 12
    result, pixels = await drawn(
        taylor, "plot_phase_space", map_ref=ref, points=starts, turns=300, aperture=50
    )
    assert result["particles"] == 12
    assert result["turns"] == 300
    assert result["aperture"] == 50
    assert result["lost"] == len(losses)
    assert result["first_loss_turn"] == losses[0]
    assert result["description"] == (
        f"phase space of map_0: particles 12, turns 300, lost {len(losses)}"
    )
    assert red(pixels) > 20


async def test_a_map_that_only_turns_loses_nothing_and_draws_a_round_circle(
    taylor: ToolRegistry,
) -> None:
    ref = await make_map(taylor, "cos(1)*x1 + sin(1)*x2", "-sin(1)*x1 + cos(1)*x2", order=1)
    result, pixels = await drawn(
        taylor, "plot_phase_space", map_ref=ref, points=[[1, 0]], turns=2000
    )
    assert (result["lost"], result["first_loss_turn"]) == (0, None)
    # Without an aperture it is a thousand times the largest start.
    assert result["aperture"] == 1000
    assert red(pixels) == 0
    # The one orbit has the first colour of the scale, a dark violet.
    dots = (np.abs(pixels - (0.267, 0.005, 0.329)) < 0.05).all(axis=2)
    rows, columns = np.nonzero(dots)
    radii = np.hypot(rows - rows.mean(), columns - columns.mean())
    assert radii.min() > 0.97 * radii.max()


async def test_a_grid_and_a_distribution_start_particles_too(taylor: ToolRegistry) -> None:
    ref = await make_map(taylor, *HENON, order=2)
    grid = {"lower": [0.05, 0], "upper": [0.25, 0], "counts": [5, 1]}
    result, _ = await drawn(taylor, "plot_phase_space", map_ref=ref, grid=grid, turns=20)
    assert (result["particles"], result["lost"]) == (5, 0)
    spec = {"kind": "gaussian", "widths": [0.05, 0.05], "count": 40, "seed": 1}
    result, pixels = await drawn(
        taylor, "plot_phase_space", map_ref=ref, distribution=spec, turns=1000
    )
    assert (result["particles"], result["lost"]) == (40, 0)
    assert red(pixels) == 0


async def test_where_all_particles_are_lost_the_picture_shows_where_they_started(
    taylor: ToolRegistry,
) -> None:
    ref = await make_map(taylor, *HENON, order=2)
    starts = [[4, 3], [5, 5], [1e5, 0]]
    result, pixels = await drawn(
        taylor, "plot_phase_space", map_ref=ref, points=starts, turns=50, aperture=100
    )
    # One starts outside the aperture: it is lost before the first turn.
    assert (result["lost"], result["first_loss_turn"]) == (3, 0)
    assert red(pixels) > 20


async def test_the_axes_show_any_two_variables_by_number_or_name(taylor: ToolRegistry) -> None:
    ref = await make_map(taylor, "x1", "x2", "x4", "-x3", order=1)
    points = [[7, 7, 0.5, 0]]
    result, pixels = await drawn(
        taylor,
        "plot_phase_space",
        map_ref=ref,
        points=points,
        turns=4,
        x_variable=3,
        y_variable="x4",
    )
    other, same = await drawn(
        taylor,
        "plot_phase_space",
        map_ref=ref,
        points=points,
        turns=4,
        x_variable="x3",
        y_variable="4",
    )
    assert result["description"] == other["description"]
    assert (pixels == same).all()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({}, "INVALID_INPUT", "0 of points, grid and distribution"),
        ({"points": []}, "INVALID_INPUT", "no points to start from"),
        ({"points": [[1]]}, "INVALID_INPUT", "1 values where there have to be 2 numbers"),
        ({"points": [[1, 2]], "y_variable": 1}, "INVALID_INPUT", "both axes show"),
        ({"points": [[1, 2]], "y_variable": 3}, "INVALID_INPUT", "no variable x3"),
        ({"points": [[1, 2]], "y_variable": "px"}, "INVALID_INPUT", "no variable 'px'"),
        ({"points": [[1, 2]], "aperture": 0.5}, "INVALID_INPUT", "starts outside the aperture"),
        ({"points": [[0, 0]] * 200, "turns": 10_000}, "LIMIT_EXCEEDED", "1000000 steps"),
        (
            {"distribution": {"kind": "uniform", "widths": [1, 1], "count": 1_000_000}},
            "LIMIT_EXCEEDED",
            "1000000 steps",
        ),
    ],
)
async def test_a_portrait_that_cannot_be_drawn_is_refused_and_keeps_nothing(
    taylor: ToolRegistry, arguments: dict[str, Any], code: str, message: str
) -> None:
    ref = await make_map(taylor, *HENON, order=2)
    answer = await no(taylor, "plot_phase_space", map_ref=ref, **arguments)
    assert answer.error_code == code
    assert message in answer.message
    assert answer.hint
    assert (await do(taylor, "list_objects"))["total"] == 1


@pytest.mark.parametrize(
    ("expressions", "message"),
    [
        (["x1"], "1 components and 1 variables"),
        (["x1 + 2j", "x2"], "is complex"),
    ],
)
async def test_only_a_real_map_of_a_plane_or_more_has_a_portrait(
    taylor: ToolRegistry, expressions: list[str], message: str
) -> None:
    ref = await make_map(taylor, *expressions, order=2)
    answer = await no(taylor, "plot_phase_space", map_ref=ref, points=[[0.0] * len(expressions)])
    assert answer.error_code == "INVALID_INPUT"
    assert message in answer.message


async def test_too_many_particles_for_any_turn_are_refused_with_a_number_that_fits(
    taylor: ToolRegistry,
) -> None:
    ref = await make_map(taylor, *HENON, order=2)
    spec = {"kind": "uniform", "widths": [1, 1], "count": 500_000}
    answer = await no(taylor, "plot_phase_space", map_ref=ref, distribution=spec, turns=10)
    assert answer.hint == "take at most 2 turns, or fewer particles"
