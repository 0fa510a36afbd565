"""The Gaussian exp(-f²) in two products, and the error functions, its integrals, in three."""

from math import erf as erf_of_number
from math import erfc as erfc_of_number
from math import pi, sqrt

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._functions._exp_log import exp
from tpsa_core._functions._recurrence import integral, real_constant
from tpsa_core._kernels import multiply
from tpsa_core._monomials import MonomialTables

_SLOPE = 2 / sqrt(pi)
# exp(-c²) is zero in floating point from here on.
_VANISHING = 28.0


def gaussian(tables: MonomialTables, values: Array) -> Array:
    """The Gaussian exp(-f²) of a series."""
    result = exp(tables, -multiply(tables, values, values))
    # The rest of the recurrence is linear in the constant part.
    constant = values[0]
    if not np.iscomplexobj(values) and abs(constant) < _VANISHING and result[0] > 0:
        result *= _gaussian_of_number(float(constant.real)) / result[0]
    return result


def erf(tables: MonomialTables, values: Array) -> Array:
    """The error function of a series; of a complex one with a real constant part."""
    constant = real_constant("erf", values)
    return integral(tables, erf_of_number(constant), _SLOPE * gaussian(tables, values), values)


def erfc(tables: MonomialTables, values: Array) -> Array:
    """One minus the error function of a series, with all digits far out, too."""
    constant = real_constant("erfc", values)
    return integral(tables, erfc_of_number(constant), -_SLOPE * gaussian(tables, values), values)


def _gaussian_of_number(value: float) -> float:
    """exp(-value²) without the rounding of the square, which the exponential would magnify."""
    # The square of a number of 24 bits is exact.
    head = float(np.float32(value))
    tail = value - head
    return float(np.exp(-head * head) * np.exp(-(2 * head + tail) * tail))
