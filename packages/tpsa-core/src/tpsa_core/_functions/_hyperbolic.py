"""Hyperbolic sine, cosine and tangent, by the recurrences of the trigonometric functions."""

import numpy as np

from tpsa_core._functions._waves import tangent, wave_pair
from tpsa_core._kernel import Array
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
