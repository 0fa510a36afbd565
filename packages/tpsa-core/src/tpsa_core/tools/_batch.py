"""Tools that evaluate at many points: given ones, a grid, or a seeded distribution."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field

from tercet import CallContext, ComputationError, EncodedObject
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef
from tpsa_core.tools._cost import evaluation
from tpsa_core.tools._declare import reads
from tpsa_core.tools._operands import TaylorT, afford, cut_to_valid, highest_order
from tpsa_core.tools._points import (
    DistributionOption,
    GridOption,
    PointsOption,
    Sampling,
    chosen_points,
)
from tpsa_core.tools._values_codec import PointValues, json_values
from tpsa_core.tools._work import TaylorWork, compute, effort_of, encoded, portions

_MOST_SHOWN = 64
# In multiplications, of each number: to make it, and later to look at it and to encode it.
_HANDLING = 10


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


@reads()
async def evaluate_mtf_batch(
    context: CallContext,
    *,
    mtf_ref: MtfRef,
    points: PointsOption = None,
    grid: GridOption = None,
    distribution: DistributionOption = None,
) -> BatchValues:
    """Evaluate a stored Taylor function at many points, and give statistics of the values.

    Give exactly one of: points (at most 10,000), a grid, or a distribution (each at most
    1,000,000). Up to 64 values are given as they are; more are stored, and a ref is given.
    Example: {"mtf_ref": "mtf_0", "points": [[0.1, 0.2], [0.3, 0.4]]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    chosen = chosen_points(function.algebra.dimension, points, grid, distribution)
    return await _answer(context, function, chosen, mtf_ref)


@reads()
async def evaluate_taylor_map_batch(
    context: CallContext,
    *,
    map_ref: MapRef,
    points: PointsOption = None,
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
    chosen = chosen_points(taylor_map.algebra.dimension, points, grid, distribution)
    return await _answer(context, taylor_map, chosen, map_ref)


async def _answer(context: CallContext, value: TaylorT, chosen: Sampling, ref: str) -> BatchValues:
    dimension = value.algebra.dimension
    components = len(value) if isinstance(value, TaylorMap) else 1
    held = chosen.count * (dimension + components)
    estimate = evaluation(dimension, components, chosen.count, held)
    what = f"{chosen.count} values of {ref!r}"
    cost = afford(context, estimate, highest_order(value), what, "", or_else="take fewer points")
    effort, work = 1 + effort_of(cost), context.setting(TaylorWork)
    points = await compute(context, _HANDLING * chosen.count * dimension, chosen.make)
    at_once = max(1, chosen.count * work.portion // effort)
    values: list[npt.NDArray[Any]] = []
    done = 0
    for portion in portions(points, at_once):
        share = effort * len(portion) // max(1, chosen.count)
        values.append(await compute(context, share, _evaluated, value, portion))
        done += len(portion)
        if at_once < chosen.count:
            await context.report(done, chosen.count, "points evaluated")
    answer = await compute(context, _HANDLING * held, _concluded, points, values, ref)
    shown = answer.kept if isinstance(answer.kept, list) else None
    stored = None if shown is not None else (await context.save(answer.kept, prefix="values")).ref
    return BatchValues(count=chosen.count, values=shown, statistics=answer.statistics, ref=stored)


@dataclass(frozen=True, slots=True)
class _Answer:
    """Values to be shown, or more of them to be kept, and their statistics."""

    kept: list[Any] | EncodedObject
    statistics: list[Statistics]


def _evaluated(value: TaylorT, points: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    return cut_to_valid(value).evaluate(points)


def _concluded(
    points: npt.NDArray[np.float64], portions: list[npt.NDArray[Any]], ref: str
) -> _Answer:
    values = np.concatenate(portions)
    evaluated = PointValues(points, values)
    statistics = [_statistics(row) for row in np.atleast_2d(values.T)]
    if values.size <= _MOST_SHOWN:
        return _Answer(json_values(values), statistics)
    _check_finite(evaluated, statistics, ref)
    return _Answer(encoded(evaluated), statistics)


def _check_finite(evaluated: PointValues, statistics: list[Statistics], ref: str) -> None:
    finite = all(np.isfinite(array).all() for array in (evaluated.points, evaluated.values))
    # The size of a finite complex number need not be finite.
    if not finite or not all(math.isfinite(column.highest) for column in statistics):
        raise ComputationError(
            f"{ref!r} has values there that are not finite numbers",
            hint="take points closer to the expansion point",
        )


def _statistics(column: npt.NDArray[Any]) -> Statistics:
    sizes = np.abs(column) if np.iscomplexobj(column) else column
    if not len(sizes):
        return Statistics(lowest=0.0, highest=0.0, mean=0.0, rms=0.0)
    # Scaled, so that neither the sum nor a square of finite numbers overflows.
    scale = float(np.abs(sizes).max()) or 1.0
    scaled = sizes / scale
    return Statistics(
        lowest=float(sizes.min()),
        highest=float(sizes.max()),
        mean=scale * float(scaled.mean()),
        rms=scale * float(np.sqrt(np.mean(scaled * scaled))),
    )
