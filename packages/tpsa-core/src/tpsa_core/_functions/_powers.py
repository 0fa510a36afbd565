"""Quotient and square root in one product, powers and the cube root in two.

The quotient h = a/b solves b·h = a, the root h = √f solves h·h = f, and the power h = f^p solves
f · E h = p · h · E f (J. C. P. Miller's formula, see Henrici, "Automatic computations with power
series", Journal of the ACM 3, 1956), each for the terms of the highest degree.
"""

import numpy as np

from tpsa_core._functions._recurrence import empty, outside
from tpsa_core._kernel import Array, GrowingSquare, RunningProduct
from tpsa_core._monomials import MonomialTables


def divide(tables: MonomialTables, numerator: Array, denominator: Array) -> Array:
    """The quotient of two series."""
    constant = denominator[0]
    if constant == 0:
        domain = "a divisor with a constant part other than 0"
        raise outside("division", constant, domain, example="1/(1 + x) has a series")
    result = empty(tables, numerator, denominator)
    product = RunningProduct(tables, np.zeros_like(result), denominator)
    result[0] = numerator[0] / constant
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        known = product.extend(degree - 1, result[tables.block(degree - 1)])
        result[block] = (numerator[block] - known) / constant
    return result


def reciprocal(tables: MonomialTables, values: Array) -> Array:
    """One divided by a series."""
    if values[0] == 0:
        domain = "a constant part other than 0"
        raise outside("reciprocal", values[0], domain, example="1/(1 + x) has a series")
    one = np.zeros_like(values)
    one[0] = 1
    return divide(tables, one, values)


def sqrt(tables: MonomialTables, values: Array) -> Array:
    """The square root of a series: the principal branch for complex numbers."""
    constant = values[0]
    example = "sqrt(1 + x) has a series, and so has sqrt of a complex function at -1"
    if constant == 0 and tables.order:
        raise outside("sqrt", constant, "a constant part other than 0", example=example)
    if not np.iscomplexobj(values) and not constant >= 0:
        raise outside("sqrt", constant, "a positive constant part", example=example)
    return root(tables, values, np.sqrt(constant))


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


def power(tables: MonomialTables, values: Array, exponent: complex) -> Array:
    """A series to a constant power that need not be an integer; principal branch."""
    constant = values[0]
    example = "(1 + x)**p has a series for every p, and integer powers p >= 0 have one anywhere"
    is_real = not np.iscomplexobj(values) and not isinstance(exponent, complex)
    if is_real and not constant > 0:
        raise outside("power", constant, "a positive constant part", example=example)
    if constant == 0:
        raise outside("power", constant, "a constant part other than 0", example=example)
    return _power(tables, values, exponent, constant**exponent)


def cbrt(tables: MonomialTables, values: Array) -> Array:
    """The cube root of a series: the real root for real series, else the principal branch."""
    constant = values[0]
    if constant == 0 and tables.order:
        domain = "a constant part other than 0"
        raise outside("cbrt", constant, domain, example="cbrt(1 + x) has a series")
    is_real = not np.iscomplexobj(values)
    return _power(tables, values, 1 / 3, np.cbrt(constant) if is_real else constant ** (1 / 3))


def _power(tables: MonomialTables, values: Array, exponent: complex, constant: complex) -> Array:
    """A power that has the given constant part."""
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
