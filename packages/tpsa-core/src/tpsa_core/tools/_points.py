"""Where to evaluate or to start: given points, a grid, or a seeded distribution."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from tercet import ErrorDetail, InvalidInputError, LimitExceededError
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import wrong_count

# Of points that are given one by one.
_MOST_GIVEN = 10_000
MOST_POINTS = 1_000_000

_Coordinates = Annotated[list[float], Field(min_length=1, max_length=MAX_DIMENSION)]


class Grid(BaseModel):
    """Equally spaced points between two corners."""

    model_config = ConfigDict(extra="forbid")

    lower: _Coordinates = Field(description="The lowest coordinate of each variable.")
    upper: _Coordinates = Field(description="The highest coordinate of each variable.")
    counts: Annotated[
        list[Annotated[int, Field(ge=1, le=MOST_POINTS)]],
        Field(description="How many coordinates each variable takes.", max_length=MAX_DIMENSION),
    ]


class Distribution(BaseModel):
    """Random points that are the same for the same seed."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["gaussian", "uniform"] = Field(
        description="gaussian with standard deviations, or uniform within plus or minus widths."
    )
    widths: _Coordinates = Field(description="The width of each variable.")
    count: int = Field(description="How many points.", ge=1, le=MOST_POINTS)
    seed: int = Field(description="Where the random numbers start.", default=0, ge=0, le=2**32 - 1)


PointsOption = Annotated[
    list[_Coordinates] | None,
    Field(description="The points, one number for each variable.", max_length=_MOST_GIVEN),
]
GridOption = Annotated[Grid | None, Field(description="A grid in place of points.")]
DistributionOption = Annotated[
    Distribution | None, Field(description="A random distribution in place of points.")
]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Points that are chosen and not made yet: there may be many.

    Attributes:
        count: How many points.
        make: Gives them as `(count, dimension)`; can be moved to a worker.
    """

    count: int
    make: Callable[[], npt.NDArray[np.float64]]


def chosen_points(
    dimension: int,
    points: list[list[float]] | None,
    grid: Grid | None,
    distribution: Distribution | None,
) -> Sampling:
    """Give the points that a call chose in one of the three ways.

    Raises:
        InvalidInputError: Not exactly one is given, or one that does not fit the dimension.
        LimitExceededError: The grid has too many points.
    """
    given = [option for option in (points, grid, distribution) if option is not None]
    if len(given) != 1:
        raise InvalidInputError(
            f"{len(given)} of points, grid and distribution are given, and there has to be one",
            hint="give exactly one of points, grid and distribution",
        )
    coordinates = f"{dimension} numbers, one for each variable"
    if points is not None:
        for index, point in enumerate(points):
            if len(point) != dimension:
                raise wrong_count(f"/points/{index}", point, coordinates)
        return Sampling(len(points), partial(_given, points, dimension))
    if grid is not None:
        for key, numbers in (("lower", grid.lower), ("upper", grid.upper), ("counts", grid.counts)):
            if len(numbers) != dimension:
                raise wrong_count(f"/grid/{key}", numbers, coordinates)
        return Sampling(_size(grid), partial(_on_grid, grid))
    assert distribution is not None  # noqa: S101 -- one of the three is given
    if len(distribution.widths) != dimension:
        raise wrong_count("/distribution/widths", distribution.widths, coordinates)
    return Sampling(distribution.count, partial(_drawn, distribution))


def _size(grid: Grid) -> int:
    size = math.prod(grid.counts)
    if size > MOST_POINTS:
        raise LimitExceededError(
            f"the grid has more than {MOST_POINTS} points",
            hint="take fewer coordinates for each variable",
            details=[
                ErrorDetail(
                    pointer="/grid/counts",
                    expected=f"a product of at most {MOST_POINTS}",
                    got=grid.counts,
                )
            ],
        )
    return size


def _given(points: list[list[float]], dimension: int) -> npt.NDArray[np.float64]:
    return np.array(points, np.float64).reshape(-1, dimension)


def _on_grid(grid: Grid) -> npt.NDArray[np.float64]:
    axes = [
        np.linspace(low, high, count)
        for low, high, count in zip(grid.lower, grid.upper, grid.counts, strict=True)
    ]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))


def _drawn(distribution: Distribution) -> npt.NDArray[np.float64]:
    random = np.random.default_rng(distribution.seed)
    shape = (distribution.count, len(distribution.widths))
    sample = random.normal if distribution.kind == "gaussian" else partial(random.uniform, -1, 1)
    return sample(size=shape) * np.array(distribution.widths)
