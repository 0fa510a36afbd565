"""Functions of a series on coefficient arrays: one family a file, one recurrence each.

Every function takes the tables and the coefficients of its argument, `(size,)`, and gives those of
the result. Real arguments give real results; what lies outside the domain raises a `DomainError`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from tpsa_core._functions._exp_log import exp, log
from tpsa_core._functions._hyperbolic import cosh, sinh, tanh
from tpsa_core._functions._powers import divide, power, reciprocal, sqrt
from tpsa_core._functions._trigonometric import acos, asin, atan, cos, sin, tan
from tpsa_core._kernel import Array
from tpsa_core._monomials import MonomialTables

SeriesFunction: TypeAlias = Callable[[MonomialTables, Array], Array]

# Every function of one argument by its usual name.
SERIES_FUNCTIONS: Mapping[str, SeriesFunction] = MappingProxyType(
    {
        "acos": acos,
        "asin": asin,
        "atan": atan,
        "cos": cos,
        "cosh": cosh,
        "exp": exp,
        "log": log,
        "reciprocal": reciprocal,
        "sin": sin,
        "sinh": sinh,
        "sqrt": sqrt,
        "tan": tan,
        "tanh": tanh,
    }
)

__all__ = ["SERIES_FUNCTIONS", "SeriesFunction", "divide", "power"]
