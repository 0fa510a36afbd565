"""The functions of a series, from arrays to arrays: each is exact to the order of its tables.

Differential equations give each degree of the result from lower degrees, at the cost of one to
three products; functions without one go by Horner's scheme (`_univariate`).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from tpsa_core._arrays import Array
from tpsa_core._functions._bessel import j0, j1, jn
from tpsa_core._functions._error_function import erf, erfc, gaussian
from tpsa_core._functions._exp_log import exp, expm1, log, log1p, log2, log10
from tpsa_core._functions._gamma import digamma, gamma, loggamma
from tpsa_core._functions._hyperbolic import cosh, coth, sinh, tanh
from tpsa_core._functions._inverse_hyperbolic import acosh, asinh, atanh
from tpsa_core._functions._planar import absolute, atan2, hypot
from tpsa_core._functions._powers import cbrt, divide, power, reciprocal, sqrt
from tpsa_core._functions._trigonometric import acos, asin, atan, cos, cot, sin, sincos, tan
from tpsa_core._monomials import MonomialTables

SeriesFunction: TypeAlias = Callable[[MonomialTables, Array], Array]
PairFunction: TypeAlias = Callable[[MonomialTables, Array, Array], Array]

# Every function of one argument by its usual name.
SERIES_FUNCTIONS: Mapping[str, SeriesFunction] = MappingProxyType(
    {
        "abs": absolute,
        "acos": acos,
        "acosh": acosh,
        "asin": asin,
        "asinh": asinh,
        "atan": atan,
        "atanh": atanh,
        "cbrt": cbrt,
        "cos": cos,
        "cosh": cosh,
        "cot": cot,
        "coth": coth,
        "digamma": digamma,
        "erf": erf,
        "erfc": erfc,
        "exp": exp,
        "expm1": expm1,
        "gamma": gamma,
        "gaussian": gaussian,
        "j0": j0,
        "j1": j1,
        "log": log,
        "log10": log10,
        "log1p": log1p,
        "log2": log2,
        "loggamma": loggamma,
        "reciprocal": reciprocal,
        "sin": sin,
        "sinh": sinh,
        "sqrt": sqrt,
        "tan": tan,
        "tanh": tanh,
    }
)

# Functions of two series.
PAIR_FUNCTIONS: Mapping[str, PairFunction] = MappingProxyType({"atan2": atan2, "hypot": hypot})

__all__ = [
    "PAIR_FUNCTIONS",
    "SERIES_FUNCTIONS",
    "PairFunction",
    "SeriesFunction",
    "divide",
    "jn",
    "power",
    "sincos",
]
