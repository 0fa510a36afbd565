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
    native.multiply(plan, to_block(plan, left), to_block(plan, right), result)
    return from_block(plan, result)


def multiply_rows(tables: MonomialTables, left: Array, right: Array) -> Array:
    """The product of every row with its partner, `(rows, size)`."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.multiply_rows(tables, left, right)
    result = np.empty(left.shape, dtype=common_kind(left, right))
    pairs = zip(to_block(plan, left), to_block(plan, right), result, strict=True)
    for first, second, product in pairs:
        native.multiply(plan, first, second, product)
    return from_block(plan, result)
