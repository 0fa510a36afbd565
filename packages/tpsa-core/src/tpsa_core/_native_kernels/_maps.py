"""Composition, inversion and evaluation of several series at once."""

import numpy as np

from tpsa_core import _native as native
from tpsa_core import _numpy_kernels as twin
from tpsa_core._arrays import Array
from tpsa_core._errors import LimitError
from tpsa_core._monomials import MonomialTables
from tpsa_core._native_kernels._blocks import common_kind, from_block, plan_of, to_block


def compose(
    outer_tables: MonomialTables, outer: Array, inner_tables: MonomialTables, inner: Array
) -> Array:
    """The series `outer(inner(x))`, truncated at the order of the inner tables.

    Raises:
        LimitError: If it needs more than 1 GiB besides the coefficients.
    """
    outer_plan, inner_plan = plan_of(outer_tables), plan_of(inner_tables)
    if not (outer_plan.has_kernels and inner_plan.has_kernels):
        return twin.compose(outer_tables, outer, inner_tables, inner)
    outer_blocks, inner_blocks = to_block(outer_plan, outer), to_block(inner_plan, inner)
    result = np.empty((len(outer), inner_plan.size), dtype=common_kind(outer, inner))
    try:
        native.compose(outer_plan, outer_blocks, inner_plan, inner_blocks, result)
    except ValueError as error:
        raise too_large(error) from error
    return from_block(inner_plan, result)


def too_large(error: ValueError) -> LimitError:
    """What a composition is refused with that would take too much memory."""
    return LimitError(str(error), hint="use fewer components at once, or a lower order")


def inverse(tables: MonomialTables, values: Array, linear_inverse: Array) -> Array:
    """The inverse of a square map without a constant part; see the kernel on numpy.

    Raises:
        LimitError: If it needs more than 1 GiB besides the coefficients.
    """
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.inverse(tables, values, linear_inverse)
    return from_block(plan, inverted_blocks(plan, to_block(plan, values), linear_inverse))


def inverted_blocks(plan: native.Plan, values: Array, linear_inverse: Array) -> Array:
    """The same of rows in block order."""
    result = np.empty(values.shape, dtype=values.dtype)
    linear = np.ascontiguousarray(linear_inverse, dtype=values.dtype)
    try:
        native.inverse(plan, values, linear, result)
    except ValueError as error:
        raise LimitError(str(error), hint="use a lower order") from error
    return result


def evaluate(tables: MonomialTables, values: Array, points: Array) -> Array:
    """The values of several series `(components, size)` at points `(n, dimension)`.

    Computed in double precision; rounded to single if both are.
    """
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.evaluate(tables, values, points)
    kind = np.result_type(values, points)
    coefficients = to_block(plan, values, common_kind(values))
    at = np.ascontiguousarray(points, dtype=common_kind(points))
    result = np.empty((len(values), len(points)), dtype=common_kind(values, points))
    native.evaluate(plan, coefficients, at, result)
    return result.astype(kind, copy=False)
