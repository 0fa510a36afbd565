"""The recurrences that trigonometric and hyperbolic functions share, up to a sign."""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._multiply import GrowingSquare, RunningProduct


def wave_pair(
    tables: MonomialTables, values: Array, odd: complex, even: complex, *, sign: int
) -> tuple[Array, Array]:
    """The two functions with E s = c · E f and E c = ±s · E f.

    Args:
        tables: The monomials of all series.
        values: The argument f.
        odd: The constant part of s.
        even: The constant part of c.
        sign: -1 for sine and cosine, 1 for the hyperbolic pair.

    Returns:
        Both series, s and c.
    """
    result_odd, result_even = np.zeros_like(values), np.zeros_like(values)
    weighted = euler(tables, values)
    product_odd = RunningProduct(tables, np.zeros_like(values), weighted)
    product_even = RunningProduct(tables, np.zeros_like(values), weighted)
    result_odd[0], result_even[0] = odd, even
    for degree in range(1, tables.order + 1):
        below, block = tables.block(degree - 1), tables.block(degree)
        result_odd[block] = product_even.extend(degree - 1, result_even[below]) / degree
        result_even[block] = product_odd.extend(degree - 1, result_odd[below]) * (sign / degree)
    return result_odd, result_even


def tangent(tables: MonomialTables, values: Array, constant: complex, *, sign: int) -> Array:
    """The function with E t = (1 ± t²) · E f.

    Args:
        tables: The monomials of all series.
        values: The argument f.
        constant: The constant part of t.
        sign: 1 for the tangent, -1 for the hyperbolic one.
    """
    result = np.zeros_like(values)
    square = GrowingSquare(tables, values)
    product = RunningProduct(tables, np.zeros_like(values), euler(tables, values))
    result[0] = constant
    slope = 1 + sign * result[:1] * result[0]
    squares = result[:0]
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        result[block] = product.extend(degree - 1, slope) / degree
        slope = 2 * sign * result[0] * result[block]
        if degree > 1:
            slope = slope + sign * squares
        squares = square.extend(degree, result[block])
    return result
