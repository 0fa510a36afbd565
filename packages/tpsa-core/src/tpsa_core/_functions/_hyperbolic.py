"""Hyperbolic functions, by the recurrences of the trigonometric ones."""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._functions._recurrence import outside
from tpsa_core._kernels import tangent, wave_pair
from tpsa_core._monomials import MonomialTables


def sinh(tables: MonomialTables, values: Array) -> Array:
    """The hyperbolic sine of a series."""
    constant = values[0]
    return wave_pair(tables, values, np.sinh(constant), np.cosh(constant), sign=1)[0]


def cosh(tables: MonomialTables, values: Array) -> Array:
    """The hyperbolic cosine of a series."""
    constant = values[0]
    return wave_pair(tables, values, np.sinh(constant), np.cosh(constant), sign=1)[1]


def tanh(tables: MonomialTables, values: Array) -> Array:
    """The hyperbolic tangent of a series."""
    return tangent(tables, values, np.tanh(values[0]), sign=-1)


def coth(tables: MonomialTables, values: Array) -> Array:
    """The hyperbolic cotangent of a series."""
    constant = values[0]
    if constant == 0:
        domain = "a constant part other than 0"
        raise outside("coth", constant, domain, example="coth(1 + x) has a series")
    return tangent(tables, values, 1 / np.tanh(constant), sign=-1)
