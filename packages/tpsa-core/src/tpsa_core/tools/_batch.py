"""Tools that evaluate at many points: given ones, a grid, or a seeded distribution."""

from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from tercet import CallContext, ErrorDetail, InvalidInputError, LimitExceededError
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Number
from tpsa_core.tools._declare import reads
from tpsa_core.tools._evaluate import json_value
from tpsa_core.tools._failures import quietly
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import wrong_count

_MOST_GIVEN = 10_000
_MOST_POINTS = 1_000_000
_MOST_SHOWN = 64

_Coordinates = Annotated[list[float], Field(min_length=1, max_length=MAX_DIMENSION)]


class Grid(BaseModel):
    """Equally spaced points between two corners."""

    model_config = ConfigDict(extra="forbid")

    lower: _Coordinates = Field(description="The lowest coordinate of each variable.")
    upper: _Coordinates = Field(description="The highest coordinate of each variable.")
    counts: Annotated[
        list[Annotated[int, Field(ge=1, le=_MOST_POINTS)]],
        Field(description="How many coordinates each variable takes.", max_length=MAX_DIMENSION),
    ]


class Distribution(BaseModel):
    """Random points that are the same for the same seed."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["gaussian", "uniform"] = Field(
        description="gaussian with standard deviations, or uniform within plus or minus widths."
    )
    widths: _Coordinates = Field(description="The width of each variable.")
    count: int = Field(description="How many points.", ge=1, le=_MOST_POINTS)
    seed: int = Field(description="Where the random numbers start.", default=0, ge=0, le=2**32 - 1)


class Statistics(BaseModel):
    """How the values of one component are distributed; of a complex one, their sizes are."""

    lowest: float
    highest: float
    mean: float
    rms: float = Field(description="The root of the mean square.")


class BatchValues(BaseModel):
    """Values at many points."""

    count: int = Field(description="How many points.")
    values: list[Any] | None = Field(
        description="The values in the order of the points; null where there are more than 64."
    )
    statistics: list[Statistics] = Field(description="One for each component.")
    ref: str | None = Field(
        description="Where there are more than 64: the stored points and values, for read_object."
    )


Points = Annotated[
    list[_Coordinates] | None,
    Field(description="The points, one number for each variable.", max_length=_MOST_GIVEN),
]
GridOption = Annotated[Grid | None, Field(description="A grid in place of points.")]
DistributionOption = Annotated[
    Distribution | None, Field(description="A random distribution in place of points.")
]


@reads()
async def evaluate_mtf_batch(
    context: CallContext,
    *,
    mtf_ref: MtfRef,
    points: Points = None,
    grid: GridOption = None,
    distribution: DistributionOption = None,
) -> BatchValues:
    """Evaluate a stored Taylor function at many points, and give statistics of the values.

    Give exactly one of: points (at most 10,000), a grid, or a distribution (each at most
    1,000,000). Up to 64 values are given as they are; more are stored, and a ref is given.
    Example: {"mtf_ref": "mtf_0", "points": [[0.1, 0.2], [0.3, 0.4]]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    where = _points(function.algebra.dimension, points, grid, distribution)
    values = await context.compute(quietly, function.evaluate, where)
    return await _answer(context, where, values[:, np.newaxis], scalar=True)


@reads()
async def evaluate_taylor_map_batch(
    context: CallContext,
    *,
    map_ref: MapRef,
    points: Points = None,
    grid: GridOption = None,
    distribution: DistributionOption = None,
) -> BatchValues:
    """Evaluate a stored Taylor map at many points, and give statistics of each component.

    Give exactly one of: points (at most 10,000), a grid, or a distribution (each at most
    1,000,000). Up to 64 values are given as they are; more are stored, and a ref is given.
    Example: {"map_ref": "map_0", "distribution": {"kind": "gaussian", "widths": [0.001, 0.001],
    "count": 1000}}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    where = _points(taylor_map.algebra.dimension, points, grid, distribution)
    values = await context.compute(quietly, taylor_map.evaluate, where)
    return await _answer(context, where, values, scalar=False)


def _points(
    dimension: int,
    points: list[list[float]] | None,
    grid: Grid | None,
    distribution: Distribution | None,
) -> npt.NDArray[np.float64]:
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
        return np.array(points, dtype=np.float64).reshape(-1, dimension)
    if grid is not None:
        for key, numbers in (("lower", grid.lower), ("upper", grid.upper), ("counts", grid.counts)):
            if len(numbers) != dimension:
                raise wrong_count(f"/grid/{key}", numbers, coordinates)
        return _grid(grid)
    assert distribution is not None  # noqa: S101 -- one of the three is given
    if len(distribution.widths) != dimension:
        raise wrong_count("/distribution/widths", distribution.widths, coordinates)
    random = np.random.default_rng(distribution.seed)
    shape = (distribution.count, dimension)
    if distribution.kind == "gaussian":
        return random.normal(size=shape) * np.array(distribution.widths)
    return random.uniform(-1, 1, size=shape) * np.array(distribution.widths)


def _grid(grid: Grid) -> npt.NDArray[np.float64]:
    size = 1
    for count in grid.counts:
        size *= count
        if size > _MOST_POINTS:
            raise LimitExceededError(
                f"the grid has more than {_MOST_POINTS} points",
                hint="take fewer coordinates for each variable",
                details=[
                    ErrorDetail(
                        pointer="/grid/counts",
                        expected=f"a product of at most {_MOST_POINTS}",
                        got=grid.counts,
                    )
                ],
            )
    axes = [
        np.linspace(low, high, count)
        for low, high, count in zip(grid.lower, grid.upper, grid.counts, strict=True)
    ]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))


async def _answer(
    context: CallContext, points: npt.NDArray[np.float64], values: npt.NDArray[Any], *, scalar: bool
) -> BatchValues:
    shown: list[Any] = [
        _row(row.tolist(), scalar=scalar) for row in values[: len(values) if _fits(values) else 0]
    ]
    ref: str | None = None
    if not _fits(values):

        def work() -> dict[str, Any]:
            rows = [_row(row, scalar=scalar) for row in values.tolist()]
            return {"points": points.tolist(), "values": rows}

        ref = (await context.save(await context.compute(work), prefix="values")).ref
    return BatchValues(
        count=len(points),
        values=shown if ref is None else None,
        statistics=[_statistics(column) for column in values.T],
        ref=ref,
    )


def _fits(values: npt.NDArray[Any]) -> bool:
    return values.size <= _MOST_SHOWN


def _row(row: list[complex], *, scalar: bool) -> Number | list[Number]:
    numbers: list[Number] = [json_value(value) for value in row]
    return numbers[0] if scalar else numbers


def _statistics(column: npt.NDArray[Any]) -> Statistics:
    sizes = np.abs(column) if np.iscomplexobj(column) else column
    if not len(sizes):
        return Statistics(lowest=0.0, highest=0.0, mean=0.0, rms=0.0)
    return Statistics(
        lowest=float(sizes.min()),
        highest=float(sizes.max()),
        mean=float(sizes.mean()),
        rms=float(np.sqrt(np.mean(sizes * sizes))),
    )
