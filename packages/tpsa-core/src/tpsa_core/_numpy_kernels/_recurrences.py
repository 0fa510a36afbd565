"""Exponential, quotient, root and power, degree by degree, in one or two products.

With the Euler operator E, which multiplies the terms of degree k by k, the chain rule reads
E h = F'(f) · E f. Comparing terms of one degree gives h_k from lower degrees only, for all
monomials of the degree at once. (Neidinger, "Directions for computing truncated multivariate
Taylor series", Mathematics of Computation 74, 2005.)

The quotient h = a/b solves b·h = a, the root h = √f solves h·h = f, and the power h = f^p solves
f · E h = p · h · E f (J. C. P. Miller's formula, see Henrici, "Automatic computations with power
series", Journal of the ACM 3, 1956), each for the terms of the highest degree.
"""

import numpy as np

from tpsa_core._arrays import Array, empty, euler
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._multiply import GrowingSquare, RunningProduct


def exponential(tables: MonomialTables, values: Array) -> Array:
    """The exponential of a series."""
    result = np.zeros_like(values)
    product = RunningProduct(tables, np.zeros_like(values), euler(tables, values))
    result[0] = np.exp(values[0])
    for degree in range(1, tables.order + 1):
        below = result[tables.block(degree - 1)]
        result[tables.block(degree)] = product.extend(degree - 1, below) / degree
    return result


def quotient(tables: MonomialTables, numerator: Array, denominator: Array) -> Array:
    """The quotient of two series; the denominator's constant part is not zero."""
    constant = denominator[0]
    result = empty(tables, numerator, denominator)
    product = RunningProduct(tables, np.zeros_like(result), denominator)
    result[0] = numerator[0] / constant
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        known = product.extend(degree - 1, result[tables.block(degree - 1)])
        result[block] = (numerator[block] - known) / constant
    return result


def quotient_integral(
    tables: MonomialTables, constant: complex, numerator: Array, denominator: Array
) -> Array:
    """The series h with E h = numerator / denominator and the given constant part.

    Args:
        tables: The monomials of all series.
        constant: The constant part of h.
        numerator: A series without a constant part.
        denominator: A series with a constant part other than zero.
    """
    result = empty(tables, numerator, denominator)
    product = RunningProduct(tables, np.zeros_like(result), denominator)
    result[0] = constant
    known = result[1:1]
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        weighted = numerator[block] / denominator[0]
        if degree > 1:
            weighted = weighted - known / denominator[0]
        result[block] = weighted / degree
        known = product.extend(degree, weighted)
    return result


def root(tables: MonomialTables, values: Array, constant: complex) -> Array:
    """The square root of a series that has the given constant part, one of the two roots."""
    result = np.zeros_like(values)
    result[0] = constant
    square = GrowingSquare(tables, values)
    squares = result[:0]
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        known = values[block] - squares if degree > 1 else values[block]
        result[block] = known / (2 * result[0])
        squares = square.extend(degree, result[block])
    return result


def power(tables: MonomialTables, values: Array, exponent: complex, constant: complex) -> Array:
    """A series to a constant power, by Miller's formula; the power has the given constant part."""
    result = empty(tables, values, exponent)
    # A term of degree j in h meets one of degree i in f with the weight p·i - j.
    by_argument = RunningProduct(tables, np.zeros_like(result), values * tables.degrees * exponent)
    by_result = RunningProduct(tables, np.zeros_like(result), values)
    result[0] = constant
    for degree in range(1, tables.order + 1):
        below = result[tables.block(degree - 1)]
        known = by_argument.extend(degree - 1, below)
        known = known - by_result.extend(degree - 1, (degree - 1) * below)
        result[tables.block(degree)] = known / (degree * values[0])
    return result
