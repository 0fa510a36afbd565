"""Products of many pairs of series in one call, rows of coefficients times rows."""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._multiply import multiply
from tpsa_core._numpy_kernels._products import product_plan

# Pairs handled at once. Measured: with twice as many the products leave the second-level cache.
_CHUNK_PAIRS = 1 << 14


def to_stored(tables: MonomialTables, values: Array) -> Array:  # noqa: ARG001 -- the signature of all backends
    """The array itself: these kernels work in graded order."""
    return values


def from_stored(tables: MonomialTables, values: Array) -> Array:  # noqa: ARG001 -- likewise
    """The array itself: these kernels work in graded order."""
    return values


def multiply_stored_rows(tables: MonomialTables, left: Array, right: Array) -> Array:
    """The truncated product of every row with its partner.

    Args:
        tables: The monomials of all series.
        left: `(rows, size)` coefficients.
        right: `(rows, size)` coefficients.
    """
    plan = product_plan(tables)
    if not plan.is_small or tables.dimension == 1:
        kind = np.result_type(left, right)
        products = [
            multiply(tables, first, second) for first, second in zip(left, right, strict=True)
        ]
        return np.array(products, dtype=kind).reshape(left.shape)
    first, second, starts = plan.sorted_pairs
    result = np.empty(left.shape, dtype=np.result_type(left, right))
    step = max(1, _CHUNK_PAIRS // plan.pairs)
    for start in range(0, len(left), step):
        rows = slice(start, start + step)
        pairs = left[rows].take(first, axis=1) * right[rows].take(second, axis=1)
        np.add.reduceat(pairs, starts, axis=1, out=result[rows])
    return result
