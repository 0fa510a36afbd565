"""Tools that say what a map or a function is like."""

from typing import Annotated

import numpy as np
from pydantic import BaseModel, Field

from tercet import CallContext, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import ShapeError, SingularMapError
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Name, Number
from tpsa_core.tools._cost import Cost, products
from tpsa_core.tools._declare import makes, reads
from tpsa_core.tools._evaluate import json_value
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import (
    TaylorObject,
    afford,
    highest_order,
    load_either,
    wrong_count,
)
from tpsa_core.tools._work import coefficients_of, compute, effort_of, make

# In multiplications: a power of a number, and what is done with two coefficients to compare them.
_POWER = 5
_COMPARING = 4

_Ref = Annotated[str, Field(description="The ref of a function or a map.", max_length=64)]


class MapAnalysis(BaseModel):
    """What a map is like around the expansion point."""

    components: int
    dimension: int
    constant: list[Number] = Field(description="The values where all variables are zero.")
    jacobian: list[list[Number]] = Field(description="First derivatives: rows are components.")
    determinant: Number | None = Field(description="Of the Jacobian; null if it is not square.")
    trace: Number | None = Field(description="Of the Jacobian; null if it is not square.")
    eigenvalues: list[list[float]] | None = Field(
        description="Of the Jacobian, as [real, imaginary]; null if it is not square."
    )
    condition: float | None = Field(
        description="Largest over smallest singular value; null where the smallest is zero."
    )
    invertible: bool
    reason: str = Field(description="Why it can be inverted, or why not.")
    symplectic_errors: list[float] | None = Field(
        description="By order from 0, the largest coefficient of J^T S J - S, for the pairs "
        "(x1, x2), (x3, x4), …; null if the Jacobian is not square or the dimension is odd."
    )


class Diagnostics(BaseModel):
    """How large a function is, order by order."""

    norm: float = Field(description="The largest absolute coefficient.")
    sum_of_coefficients: float = Field(description="The sum of all absolute coefficients.")
    weighted_norm: float | None = Field(
        description="The sum of |coefficient| times the weights to the exponents; null without."
    )
    order_norms: list[float] = Field(description="The largest absolute coefficient of each order.")
    convergence_radius: float | None = Field(
        description="Estimate from the decay of the order norms: within this distance of the "
        "expansion point the series is expected to converge; null where too few orders are there."
    )


class Comparison(BaseModel):
    """How much two objects differ."""

    equal: bool = Field(description="All coefficients are equal to the last bit.")
    largest_difference: float = Field(description="The largest absolute difference.")
    relative_difference: float = Field(
        description="The same over the largest absolute coefficient of both; 0 if both are zero."
    )
    compared_to_order: int = Field(description="The order to which both are known.")


@reads()
async def analyze_taylor_map(context: CallContext, map_ref: MapRef) -> MapAnalysis:
    """Analyze a stored Taylor map: Jacobian, eigenvalues, whether it inverts, symplectic errors.

    The eigenvalues of a one-turn map give the tunes: exp(±2 pi i Q).
    Example: {"map_ref": "map_0"}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    # The symplectic errors: a bracket of every pair of components, two products for every pair of
    # variables in each.
    dimension, components = taylor_map.algebra.dimension, len(taylor_map)
    brackets = components * (components + 1) // 2 if components == dimension else 0
    estimate = products(dimension, components, brackets * dimension)
    what = f"the analysis of {map_ref!r}"
    cost = afford(context, estimate, highest_order(taylor_map), what, "/map_ref")
    return await compute(context, effort_of(cost), _analyzed, taylor_map)


@reads()
async def analyze_mtf_diagnostics(
    context: CallContext,
    mtf_ref: MtfRef,
    weight: Annotated[
        list[Annotated[float, Field(ge=0)]] | None,
        Field(description="A weight for each variable, as a range of it.", max_length=50),
    ] = None,
) -> Diagnostics:
    """Give norms of a stored Taylor function, and an estimate of how far its series converges.

    Example: {"mtf_ref": "mtf_0", "weight": [0.01, 0.01]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    dimension = function.algebra.dimension
    if weight is not None and len(weight) != dimension:
        raise wrong_count("/weight", weight, f"{dimension} weights, one for each variable")
    # The weights are powers, one for each variable and coefficient.
    effort = (1 + dimension) * _POWER * coefficients_of(function)
    return await compute(context, effort, _diagnosed, function, weight)


@reads()
async def compare_objects(context: CallContext, ref_1: _Ref, ref_2: _Ref) -> Comparison:
    """Say how much two stored functions, or two stored maps, differ.

    Both need the same variables and order; two maps as many components. A map against the identity
    shows an inverse's error. Example: {"ref_1": "map_0", "ref_2": "map_1"}.
    """
    first, second = await load_either(context, ref_1), await load_either(context, ref_2)
    if type(first) is not type(second):
        raise InvalidInputError(
            f"one of {ref_1!r} and {ref_2!r} is a function and the other a map",
            hint="compare two functions or two maps; extract_map_component gives one component",
        )
    if first.algebra != second.algebra or first.coefficients.shape != second.coefficients.shape:
        raise InvalidInputError(
            f"{ref_1!r} and {ref_2!r} differ in their variables, order or number of components",
            hint="compare objects of the same shape; truncate_object lowers an order",
        )
    return await compute(context, _COMPARING * coefficients_of(first), _compared, first, second)


@makes()
async def compute_map_sensitivity(
    context: CallContext,
    map_ref: MapRef,
    scaling_factors: Annotated[
        list[float],
        Field(
            description="The unit of each variable: how much of it counts as 1.",
            min_length=1,
            max_length=MAX_DIMENSION,
        ),
    ],
    name: Name = None,
) -> Stored:
    """Express a Taylor map in scaled variables and store it: x_i is replaced by s_i * x_i.

    The coefficients are then what each monomial contributes when every variable is as large as its
    scaling factor, so they can be compared with one another.
    Example: {"map_ref": "map_0", "scaling_factors": [0.001, 0.0001]}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    algebra = taylor_map.algebra
    if len(scaling_factors) != algebra.dimension:
        expected = f"{algebra.dimension} factors, one for each variable"
        raise wrong_count("/scaling_factors", scaling_factors, expected)
    coefficients = coefficients_of(taylor_map)
    powers = algebra.dimension * _POWER * algebra.tables.size
    effort, done = (
        effort_of(Cost(coefficients=coefficients)),
        f"Scaled the variables of {map_ref!r}",
    )
    return await make(context, effort + powers, done, name, _scaled, taylor_map, scaling_factors)


def _compared(first: TaylorObject, second: TaylorObject) -> Comparison:
    order = min(first.valid_order, second.valid_order)
    known = first.algebra.tables.offsets[order + 1]
    left, right = first.coefficients[..., :known], second.coefficients[..., :known]
    difference = float(np.abs(left - right).max())
    scale = float(max(np.abs(left).max(), np.abs(right).max()))
    return Comparison(
        equal=bool(np.array_equal(left, right)),
        largest_difference=difference,
        relative_difference=difference / scale if scale else 0.0,
        compared_to_order=order,
    )


def _scaled(taylor_map: TaylorMap, factors: list[float]) -> TaylorMap:
    algebra = taylor_map.algebra
    scales = np.prod(np.array(factors) ** algebra.exponents, axis=1)
    return TaylorMap(
        [
            MultivariateTaylorFunction(
                algebra, component.coefficients * scales, valid_order=component.valid_order
            )
            for component in taylor_map
        ]
    )


def _analyzed(taylor_map: TaylorMap) -> MapAnalysis:
    jacobian = taylor_map.jacobian()
    rows, columns = jacobian.shape
    square = rows == columns
    singular = np.linalg.svd(jacobian, compute_uv=False)
    invertible, reason = _invertible(taylor_map)
    eigenvalues = np.linalg.eigvals(jacobian).astype(complex).tolist() if square else None
    return MapAnalysis(
        components=len(taylor_map),
        dimension=taylor_map.algebra.dimension,
        constant=[json_value(value) for value in taylor_map.constant.tolist()],
        jacobian=[[json_value(value) for value in row] for row in jacobian.tolist()],
        determinant=json_value(np.linalg.det(jacobian).item()) if square else None,
        trace=json_value(np.trace(jacobian).item()) if square else None,
        eigenvalues=None if eigenvalues is None else [[z.real, z.imag] for z in eigenvalues],
        condition=float(singular[0] / singular[-1]) if singular[-1] > 0 else None,
        invertible=invertible,
        reason=reason,
        symplectic_errors=(
            taylor_map.symplectic_errors().tolist() if square and rows % 2 == 0 else None
        ),
    )


def _invertible(taylor_map: TaylorMap) -> tuple[bool, str]:
    # The first order decides, and costs next to nothing.
    try:
        taylor_map.truncate(1).inverse()
    except (ShapeError, SingularMapError) as error:
        return False, f"{error}: {error.hint}"
    return True, "there is no constant part, and the linear part has full rank"


def _diagnosed(function: MultivariateTaylorFunction, weight: list[float] | None) -> Diagnostics:
    tables = function.algebra.tables
    sizes = np.abs(function.coefficients)
    norms = [float(sizes[tables.block(k)].max()) for k in range(function.valid_order + 1)]
    weighted: float | None = None
    if weight is not None:
        scales = np.prod(np.array(weight) ** function.algebra.exponents, axis=1)
        weighted = float((sizes * scales).sum())
    return Diagnostics(
        norm=float(sizes.max()),
        sum_of_coefficients=float(sizes.sum()),
        weighted_norm=weighted,
        order_norms=norms,
        convergence_radius=_radius(norms),
    )


def _radius(norms: list[float]) -> float | None:
    """Fit |c_k| ~ r^-k to the orders from 1 that are not zero (Cauchy-Hadamard)."""
    orders = [k for k in range(1, len(norms)) if norms[k] > 0]
    if len(orders) < 3:  # noqa: PLR2004 -- a line through two points says nothing of its fit
        return None
    slope = np.polyfit(orders, np.log([norms[k] for k in orders]), 1)[0]
    return float(np.exp(-slope))
