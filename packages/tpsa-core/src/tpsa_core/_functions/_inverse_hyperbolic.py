"""Inverse hyperbolic functions, as integrals of their algebraic derivatives.

E h = E f / √(1 + f²) for the inverse of sinh, E h = E f / (√(f - 1)·√(f + 1)) for that of cosh and
E h = E f / (1 - f²) for that of tanh: two products with the root and one for the quotient.
"""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._functions._recurrence import outside
from tpsa_core._kernels import multiply, quotient_integral, root
from tpsa_core._monomials import MonomialTables


def asinh(tables: MonomialTables, values: Array) -> Array:
    """The inverse hyperbolic sine of a series."""
    at = values[0]
    square = multiply(tables, values, values)
    square[0] += 1
    constant_root = np.hypot(1.0, at.real)
    if np.iscomplexobj(values):
        # √(1 + if)·√(1 - if): on the branch cuts the sign of a zero real part says the side.
        turned, back = complex(1 - at.imag, at.real), complex(1 + at.imag, -at.real)
        constant_root = np.sqrt(turned) * np.sqrt(back)
        square[0] = turned * back
    if square[0] == 0 and tables.order:
        domain = "a constant part other than ±i"
        raise outside("asinh", at, domain, example="asinh(x) has a series")
    slope = root(tables, square, constant_root)
    return quotient_integral(tables, np.arcsinh(at), euler(tables, values), slope)


def acosh(tables: MonomialTables, values: Array) -> Array:
    """The inverse hyperbolic cosine of a series: the principal branch for complex numbers."""
    at = values[0]
    example = "acosh(2 + x) has a series, and so has acosh of a complex function at 0"
    if np.iscomplexobj(values):
        if tables.order and at in {1, -1}:
            raise outside("acosh", at, "a constant part other than ±1", example=example)
        below, above = complex(at.real - 1, at.imag), complex(at.real + 1, at.imag)
    else:
        if not (at > 1 or (at == 1 and not tables.order)):
            raise outside("acosh", at, "a constant part above 1", example=example)
        below, above = at - 1, at + 1
    square = multiply(tables, values, values)
    square[0] = below * above
    slope = root(tables, square, np.sqrt(below) * np.sqrt(above))
    return quotient_integral(tables, np.arccosh(at), euler(tables, values), slope)


def atanh(tables: MonomialTables, values: Array) -> Array:
    """The inverse hyperbolic tangent of a series: the principal branch for complex numbers."""
    at = values[0]
    example = "atanh(x) has a series, and so has atanh of a complex function at 2"
    if np.iscomplexobj(values):
        if at in {1, -1}:
            raise outside("atanh", at, "a constant part other than ±1", example=example)
    elif not abs(at) < 1:
        raise outside("atanh", at, "a constant part between -1 and 1", example=example)
    denominator = -multiply(tables, values, values)
    denominator[0] = (1 - at) * (1 + at)
    return quotient_integral(tables, np.arctanh(at), euler(tables, values), denominator)
