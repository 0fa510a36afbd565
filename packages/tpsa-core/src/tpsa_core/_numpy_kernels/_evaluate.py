"""Values of series at points.

Many points: the variables are split into two groups, and every monomial into a part in each. The
coefficients then form one matrix per degree of the first part, times all monomials of the second
part up to the rest of the order: a prefix. Far fewer monomials are computed than there are
coefficients, and the sum over the second group is a matrix product for all series at once. In
restricted algebras all variables are in the second group. Few points: powers of each variable are
looked up and multiplied, in a handful of numpy calls.
"""

from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables, monomial_tables

# Up to this many monomial values the direct way needs fewer calls.
_DIRECT_VALUES = 4_096
# Monomial values held at once for a block of points: about a second-level cache.
_BLOCK_VALUES = 1 << 17
_LARGEST_BLOCK = 4_096


def evaluate(tables: MonomialTables, values: Array, points: Array) -> Array:
    """The values of several series at several points.

    Args:
        tables: The monomials of the series.
        values: Their coefficients, `(components, size)`.
        points: The points, `(n, dimension)`.

    Returns:
        The values, `(components, n)`.
    """
    if tables.size * len(points) <= _DIRECT_VALUES:
        return values @ _monomials_by_powers(tables, points.T)
    first = _first_group(tables, len(values)) if tables.is_full else 0
    result = np.empty((len(values), len(points)), dtype=np.result_type(values, points))
    held = tables.size
    if first:
        held = comb(first + tables.order, tables.order) + comb(
            tables.dimension - first + tables.order, tables.order
        )
    step = max(1, min(_LARGEST_BLOCK, _BLOCK_VALUES // held))
    for start in range(0, len(points), step):
        block = np.ascontiguousarray(points[start : start + step].T)
        result[:, start : start + step] = _evaluate_block(tables, values, block, first)
    return result


def _evaluate_block(tables: MonomialTables, values: Array, points: Array, first: int) -> Array:
    """The values at the points `(dimension, n)`, with `first` variables in the first group."""
    if not first:
        return values @ _monomials_by_branches(tables, points)
    order = tables.order
    second_tables = monomial_tables(tables.dimension - first, order)
    second = _monomials_by_branches(second_tables, points[first:])
    first_tables = monomial_tables(first, order)
    monomials = _monomials_by_branches(first_tables, points[:first])
    total = np.zeros((len(values), points.shape[1]), dtype=np.result_type(values, points))
    for degree, places in enumerate(_places_by_group(tables, first)):
        partial = values[:, places] @ second[: places.shape[1]]
        partial *= monomials[first_tables.block(degree)]
        total += partial.sum(axis=1)
    return total


def _first_group(tables: MonomialTables, components: int) -> int:
    """How many variables to put into the first group: as few values to handle as possible."""

    def handled(first: int) -> int:
        in_first = comb(first + tables.order, tables.order)
        in_second = comb(tables.dimension - first + tables.order, tables.order)
        return in_first * (1 + components) + in_second

    return min(range(tables.dimension), key=handled)


@lru_cache(maxsize=16)
def _places_by_group(tables: MonomialTables, first: int) -> tuple[npt.NDArray[np.intp], ...]:
    """Per degree of the first part the places of `(first monomials, second monomials)`."""
    order = tables.order
    first_tables = monomial_tables(first, order)
    second_tables = monomial_tables(tables.dimension - first, order)
    result: list[npt.NDArray[np.intp]] = []
    for degree in range(order + 1):
        left = first_tables.exponents[first_tables.block(degree)]
        right = second_tables.exponents[: second_tables.offsets[order - degree + 1]]
        pairs = np.empty((len(left), len(right), tables.dimension), dtype=np.int32)
        pairs[:, :, :first] = left[:, np.newaxis]
        pairs[:, :, first:] = right
        result.append(tables.places(pairs))
    return tuple(result)


def _monomials_by_branches(tables: MonomialTables, points: Array) -> Array:
    """All monomials at the points `(dimension, n)`, each from its parent: `(size, n)`."""
    result = np.empty((tables.size, points.shape[1]), dtype=points.dtype)
    result[0] = 1
    for degree in range(1, tables.order + 1):
        for variable, start, stop, parents in tables.branches(degree):
            np.multiply(result[parents], points[variable], out=result[start:stop])
    return result


def _monomials_by_powers(tables: MonomialTables, points: Array) -> Array:
    """All monomials at the points `(dimension, n)`, each as a product of powers: `(size, n)`."""
    powers = np.empty((tables.order + 1, *points.shape), dtype=points.dtype)
    powers[0] = 1
    for power in range(1, tables.order + 1):
        np.multiply(powers[power - 1], points, out=powers[power])
    result = powers[tables.exponents[:, 0], 0]
    for variable in range(1, tables.dimension):
        result *= powers[tables.exponents[:, variable], variable]
    return result
