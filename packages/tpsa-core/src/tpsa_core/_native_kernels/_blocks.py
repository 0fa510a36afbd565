"""Plans, and coefficients on their way between graded order and the order of a plan's blocks."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core import _native as native
from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables


def plan_of(tables: MonomialTables) -> native.Plan:
    """The plan of some monomials, made on first use; two threads may make one each.

    One that would be too large is a single block without kernels.
    """
    plan = tables.native_plan
    if plan is None:
        plan = tables.native_plan = _made(tables)
    return plan


def _made(tables: MonomialTables) -> native.Plan:
    bounds = tables.bounds
    caps = None if tables.is_full else bounds.caps

    def made(inner_variables: int) -> native.Plan:
        dimension, order = bounds.dimension, bounds.order
        return native.Plan(dimension, order, inner_variables, caps, bounds.group, bounds.joint)

    try:
        return made(0)
    except ValueError:
        return made(bounds.dimension)


def common_kind(*operands: Array | complex) -> np.dtype[Any]:
    """float64, or complex128 if one operand is complex."""
    return np.result_type(np.float64, *operands)


def to_block(plan: native.Plan, values: Array, kind: npt.DTypeLike | None = None) -> Array:
    """Coefficients `(size,)` or `(rows, size)` in the order of the blocks."""
    source = np.ascontiguousarray(values, dtype=kind)
    if plan.inner_variables == plan.dimension:
        return source
    result = np.empty_like(source)
    plan.to_block(source, result)
    return result


def from_block(plan: native.Plan, values: Array) -> Array:
    """Coefficients in graded order; the array itself where there is one block."""
    if plan.inner_variables == plan.dimension:
        return values
    result = np.empty_like(values)
    plan.from_block(values, result)
    return result
