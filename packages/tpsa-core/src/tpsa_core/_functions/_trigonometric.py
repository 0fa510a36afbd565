"""Sine, cosine, tangent and their inverses.

Sine and cosine come together, E s = c · E f and E c = -s · E f, in two products. The tangent t has
E t = (1 + t²) · E f. The inverse functions have algebraic derivatives, so they are integrals of
quotients: E h = E f / √(1 - f²) for the arcsine and E h = E f / (1 + f²) for the arctangent.
"""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._functions._recurrence import outside
from tpsa_core._kernels import multiply, quotient_integral, root, tangent, wave_pair
from tpsa_core._monomials import MonomialTables

_ARC_EXAMPLE = "asin(0.5 + x) has a series, and so has asin of a complex function at 2"


def sin(tables: MonomialTables, values: Array) -> Array:
    """The sine of a series, in radians."""
    constant = values[0]
    return wave_pair(tables, values, np.sin(constant), np.cos(constant), sign=-1)[0]


def cos(tables: MonomialTables, values: Array) -> Array:
    """The cosine of a series, in radians."""
    constant = values[0]
    return wave_pair(tables, values, np.sin(constant), np.cos(constant), sign=-1)[1]


def tan(tables: MonomialTables, values: Array) -> Array:
    """The tangent of a series, in radians."""
    return tangent(tables, values, np.tan(values[0]), sign=1)


def cot(tables: MonomialTables, values: Array) -> Array:
    """The cotangent of a series, in radians: the tangent of π/2 - f."""
    constant = values[0]
    if constant == 0:
        domain = "a constant part away from the poles"
        raise outside("cot", constant, domain, example="cot(1 + x) has a series")
    return tangent(tables, -values, 1 / np.tan(constant), sign=1)


def sincos(tables: MonomialTables, values: Array) -> tuple[Array, Array]:
    """Sine and cosine of a series, in radians, for the price of one."""
    constant = values[0]
    return wave_pair(tables, values, np.sin(constant), np.cos(constant), sign=-1)


def asin(tables: MonomialTables, values: Array) -> Array:
    """The arcsine of a series, in radians."""
    _check_arc(tables, "asin", values)
    return _arc(tables, np.arcsin(values[0]), euler(tables, values), values)


def acos(tables: MonomialTables, values: Array) -> Array:
    """The arccosine of a series, in radians."""
    _check_arc(tables, "acos", values)
    return _arc(tables, np.arccos(values[0]), -euler(tables, values), values)


def atan(tables: MonomialTables, values: Array) -> Array:
    """The arctangent of a series, in radians."""
    constant = values[0]
    denominator = multiply(tables, values, values)
    denominator[0] += 1
    if denominator[0] == 0:
        raise outside(
            "atan", constant, "a constant part other than ±i", example="atan(x) has a series"
        )
    return quotient_integral(tables, np.arctan(constant), euler(tables, values), denominator)


def _arc(tables: MonomialTables, constant: complex, numerator: Array, values: Array) -> Array:
    """The integral of a numerator over √(1 - f²)."""
    square = -multiply(tables, values, values)
    # As a product, so that digits survive next to ±1; root by root, so that on the branch cuts the
    # sign of a zero imaginary part says from which side, as it does in the constant part.
    at = values[0]
    if np.iscomplexobj(values):
        below, above = complex(1 - at.real, -at.imag), complex(1 + at.real, at.imag)
        square[0] = below * above
        slope = root(tables, square, np.sqrt(below) * np.sqrt(above))
    else:
        square[0] = (1 - at) * (1 + at)
        slope = root(tables, square, np.sqrt(square[0]))
    return quotient_integral(tables, constant, numerator, slope)


def _check_arc(tables: MonomialTables, function: str, values: Array) -> None:
    constant = values[0]
    if np.iscomplexobj(values):
        if tables.order and constant in {1, -1}:
            domain = "a constant part other than ±1"
            raise outside(function, constant, domain, example=_ARC_EXAMPLE)
    elif not (abs(constant) < 1 or (abs(constant) == 1 and not tables.order)):
        domain = "a constant part between -1 and 1"
        raise outside(function, constant, domain, example=_ARC_EXAMPLE)
