"""Truncated products of coefficient arrays: the hot loops, on arrays alone.

An array here holds the coefficients of all monomials of its tables, `(size,)`, float64 or
complex128. Every product is a direct sum over pairs, so the error of a coefficient is bounded by
the rounding unit times the number of its terms times the sum of |a||b|: no transforms, and nothing
is dropped. Exact zeros are skipped where whole rows or degrees of them are known, hence a
coefficient of inf or nan may or may not turn a zero partner into nan.
"""

from typing import Any, final

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._pairs import CHUNK_PAIRS, SortedPairs
from tpsa_core._numpy_kernels._products import ProductPlan, product_plan
from tpsa_core._numpy_kernels._restricted import RestrictedMultiplier

_sums_from = np.add.reduceat
# A product of one operand with fewer non-zero coefficients than one in this many goes by rows.
SPARSE_SHARE = 8
# A right operand starts at its first non-zero coefficient if that is at least one in this many.
ZEROS_SHARE = 8
# Below this many pairs looking for zeros costs more than it saves.
TINY_PAIRS = 2_000


@final
class Multiplier:
    """A right operand, ready to be multiplied by one degree of a left operand at a time."""

    def __init__(self, plan: ProductPlan, values: Array, kind: np.dtype[Any]) -> None:
        """Take an operand.

        Args:
            plan: The pairs of the algebra of all operands.
            values: The coefficients of the right operand, `(size,)`.
            kind: The type of the products.
        """
        self._tables = plan.tables
        self._plan = plan
        self._values = values
        (support,) = values.nonzero()
        self._first = int(support[0]) if len(support) else 0
        self._stop = int(support[-1]) + 1 if len(support) else 0
        # Whole rows of targets need not be copied: worth some products with zero.
        if self._first * ZEROS_SHARE < self._stop:
            self._first = 0
        # One buffer for all chunks: fresh memory costs more than the arithmetic in it.
        self._products = np.empty(max(CHUNK_PAIRS, self._stop), dtype=kind)

    def add_product(self, total: Array, degree: int, left: Array) -> None:
        """Add to `total` the product with the left coefficients of one degree."""
        stop = min(self._stop, self._tables.offsets[self._tables.order - degree + 1])
        width = stop - self._first
        if width <= 0:
            return
        columns = slice(self._first, stop)
        right = self._values[columns]
        (rows,) = left.nonzero()
        step = max(1, CHUNK_PAIRS // width)
        for start in range(0, len(rows), step):
            chunk = rows[start : start + step]
            products = self._products[: len(chunk) * width]
            np.multiply.outer(left[chunk], right, out=products.reshape(len(chunk), width))
            # Addition at indices has a fast loop in numpy for arrays of one type.
            np.add.at(total, self._plan.targets(degree, chunk, columns), products)


def _multiplier(
    tables: MonomialTables, values: Array, kind: np.dtype[Any]
) -> Multiplier | RestrictedMultiplier:
    plan = product_plan(tables)
    if isinstance(plan, ProductPlan):
        return Multiplier(plan, values, kind)
    return RestrictedMultiplier(plan, values, kind)


@final
class RunningProduct:
    """The product of a series that becomes known degree by degree with one that is known.

    The constant part of the known series plays no part, so that each degree of the product depends
    on lower degrees of the other series only.
    """

    def __init__(self, tables: MonomialTables, left: Array, right: Array) -> None:
        """Start with nothing known of the left series but its type.

        Args:
            tables: The monomials of both series.
            left: Zeros of the type of the series to come, taken over.
            right: The known series.
        """
        self._tables = tables
        self._plan = product_plan(tables)
        self._left = left
        self._right = right.copy()
        self._right[0] = 0
        self._total = np.zeros(tables.size, dtype=np.result_type(left, right))
        self._multiplier = None
        if not self._plan.is_small:
            self._multiplier = _multiplier(tables, self._right, self._total.dtype)

    def extend(self, degree: int, block: Array) -> Array:
        """Make the next degree of the left series known.

        Returns:
            The terms of the product one degree higher, none past the order.
        """
        if degree == self._tables.order:
            return block[:0]
        if self._multiplier is None:
            self._left[self._tables.block(degree)] = block
            pairs = self._plan.sorted_pairs_by_degree[degree + 1]
            return _sum_pairs(pairs, self._left, self._right)
        self._multiplier.add_product(self._total, degree, block)
        return self._total[self._tables.block(degree + 1)]


@final
class GrowingSquare:
    """The square of a series that becomes known degree by degree, without its constant part."""

    def __init__(self, tables: MonomialTables, values: Array) -> None:
        """Start with nothing known of the series but its type.

        Args:
            tables: The monomials of the series.
            values: Any array of the type of the series to come.
        """
        self._tables = tables
        self._plan = product_plan(tables)
        self._values = np.zeros_like(values)
        self._total = np.zeros_like(values)

    def extend(self, degree: int, block: Array) -> Array:
        """Make the next degree of the series known, from degree 1.

        Returns:
            The terms of the square one degree higher, none past the order.
        """
        if degree == self._tables.order:
            return block[:0]
        place = self._tables.block(degree)
        self._values[place] = block
        if self._plan.is_small:
            pairs = self._plan.sorted_pairs_by_degree[degree + 1]
            return _sum_pairs(pairs, self._values, self._values)
        multiplier = _multiplier(self._tables, self._values, self._values.dtype)
        multiplier.add_product(self._total, degree, block)
        # In every later product each of these terms meets the later one twice.
        self._values[place] *= 2
        return self._total[self._tables.block(degree + 1)]


def multiply(tables: MonomialTables, left: Array, right: Array) -> Array:
    """The product of two series, truncated at the order of the tables."""
    if tables.dimension == 1:
        return np.convolve(left, right)[: tables.size]
    plan = product_plan(tables)
    if plan.pairs <= TINY_PAIRS:
        return _sum_pairs(plan.sorted_pairs, left, right)
    left_terms, right_terms = np.count_nonzero(left), np.count_nonzero(right)
    is_sparse = SPARSE_SHARE * min(left_terms, right_terms) < tables.size
    if plan.is_small and not (is_sparse and plan.sparse_by_rows):
        return _sum_pairs(plan.sorted_pairs, left, right)
    if right_terms < left_terms:
        left, right = right, left
    total = np.zeros(tables.size, dtype=np.result_type(left, right))
    multiplier = _multiplier(tables, right, total.dtype)
    (support,) = left.nonzero()
    if not len(support):
        return total
    low, high = tables.degree_at(int(support[0])), tables.degree_at(int(support[-1]))
    for degree in range(low, high + 1):
        multiplier.add_product(total, degree, left[tables.block(degree)])
    return total


def _sum_pairs(pairs: SortedPairs, left: Array, right: Array) -> Array:
    of_left, of_right, starts = pairs
    return _sums_from(left.take(of_left) * right.take(of_right), starts)
