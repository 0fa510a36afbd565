"""Angle and length of a point in the plane, and the absolute value, for real series.

E atan2(y, x) = (x · E y - y · E x) / (x² + y²). Both functions scale, so the coordinates are first
divided by a power of two near their size: squares neither overflow nor vanish.
"""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._functions._recurrence import outside
from tpsa_core._kernels import multiply, quotient_integral, root
from tpsa_core._monomials import MonomialTables

_EXAMPLE = "away from the origin, as for 1 + x, there is a series"


def atan2(tables: MonomialTables, ordinate: Array, abscissa: Array) -> Array:
    """The angle of the point (abscissa, ordinate) in radians, from -π to π."""
    scale = _scale("atan2", ordinate, abscissa)
    constant = np.arctan2(ordinate[0], abscissa[0])
    y, x = ordinate / scale, abscissa / scale
    turning = multiply(tables, x, euler(tables, y)) - multiply(tables, y, euler(tables, x))
    square = multiply(tables, x, x) + multiply(tables, y, y)
    return quotient_integral(tables, constant, turning, square)


def hypot(tables: MonomialTables, first: Array, second: Array) -> Array:
    """The root of the sum of two squares."""
    scale = _scale("hypot", first, second)
    length = np.hypot(first[0], second[0])
    x, y = first / scale, second / scale
    square = multiply(tables, x, x) + multiply(tables, y, y)
    result = root(tables, square, length / scale) * scale
    result[0] = length
    return result


def absolute(tables: MonomialTables, values: Array) -> Array:
    """The absolute value of a series: of a complex one, the length of its value."""
    if np.iscomplexobj(values):
        return hypot(tables, values.real.copy(), values.imag.copy())
    constant = values[0]
    if not abs(constant) > 0:
        domain = "a constant part other than 0"
        raise outside("abs", constant, domain, example="abs(x - 1) has a series")
    return np.copysign(1.0, constant) * values


def _scale(function: str, first: Array, second: Array) -> float:
    """The power of two next to the length of the constant point."""
    for values in (first, second):
        if np.iscomplexobj(values):
            domain = "real series"
            raise outside(function, values[0], domain, example="take their real parts first")
    length = np.hypot(first[0], second[0])
    if length == 0:
        raise outside(function, 0.0, "two constant parts that are not both 0", example=_EXAMPLE)
    return float(np.ldexp(1.0, np.frexp(length)[1] - 1)) if np.isfinite(length) else 1.0
