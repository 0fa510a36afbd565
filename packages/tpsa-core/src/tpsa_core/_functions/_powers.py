"""Quotients, roots and powers: their domains."""

import numpy as np

from tpsa_core import _kernels as kernels
from tpsa_core._arrays import Array
from tpsa_core._functions._recurrence import outside
from tpsa_core._monomials import MonomialTables


def divide(tables: MonomialTables, numerator: Array, denominator: Array) -> Array:
    """The quotient of two series."""
    constant = denominator[0]
    if constant == 0:
        domain = "a divisor with a constant part other than 0"
        raise outside("division", constant, domain, example="1/(1 + x) has a series")
    return kernels.quotient(tables, numerator, denominator)


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
    is_real = not np.iscomplexobj(values)
    if (constant == 0 and tables.order) or (is_real and not constant >= 0):
        domain = "a positive constant part" if is_real else "a constant part other than 0"
        raise outside("sqrt", constant, domain, example=example)
    return kernels.root(tables, values, np.sqrt(constant))


def power(tables: MonomialTables, values: Array, exponent: complex) -> Array:
    """A series to a constant power that need not be an integer; principal branch."""
    constant = values[0]
    example = "(1 + x)**p has a series for every p, and integer powers p >= 0 have one anywhere"
    is_real = not np.iscomplexobj(values) and not isinstance(exponent, complex)
    if is_real and not constant > 0:
        raise outside("power", constant, "a positive constant part", example=example)
    if constant == 0:
        raise outside("power", constant, "a constant part other than 0", example=example)
    return kernels.power(tables, values, exponent, constant**exponent)


def cbrt(tables: MonomialTables, values: Array) -> Array:
    """The cube root of a series: the real root for real series, else the principal branch."""
    constant = values[0]
    if constant == 0 and tables.order:
        domain = "a constant part other than 0"
        raise outside("cbrt", constant, domain, example="cbrt(1 + x) has a series")
    is_real = not np.iscomplexobj(values)
    root = np.cbrt(constant) if is_real else constant ** (1 / 3)
    return kernels.power(tables, values, 1 / 3, root)
