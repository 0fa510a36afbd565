"""Products of one pair of series, and of many."""

import numpy as np

from tpsa_core import _native as native
from tpsa_core import _numpy_kernels as twin
from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._native_kernels._blocks import common_kind, from_block, plan_of, to_block


def multiply(tables: MonomialTables, left: Array, right: Array) -> Array:
    """The product of two series, truncated at the order of the tables."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.multiply(tables, left, right)
    result = np.empty(tables.size, dtype=common_kind(left, right))
    first = to_block(plan, left)
    if left is right:
        native.square(plan, first, result)
    else:
        native.multiply(plan, first, to_block(plan, right), result)
    return from_block(plan, result)


def to_stored(tables: MonomialTables, values: Array) -> Array:
    """Coefficients `(size,)` or `(rows, size)` in the order that these kernels work in."""
    return to_block(plan_of(tables), values)


def from_stored(tables: MonomialTables, values: Array) -> Array:
    """Coefficients in graded order; the array itself where that is the same."""
    return from_block(plan_of(tables), values)


def multiply_stored_rows(tables: MonomialTables, left: Array, right: Array) -> Array:
    """The product of every stored row with its partner, `(rows, size)`."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.multiply_stored_rows(tables, left, right)
    result = np.empty(left.shape, dtype=common_kind(left, right))
    if result.dtype.kind == "f":
        native.multiply_rows(plan, left, right, result)
    else:
        for first, second, product in zip(left, right, result, strict=True):
            native.multiply(plan, first, second, product)
    return result
