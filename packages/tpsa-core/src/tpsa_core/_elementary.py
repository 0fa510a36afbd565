"""The elementary functions of a series, as functions: `exp(f)` is the same as `np.exp(f)`.

All keep real series real, take complex ones on numpy's branches, and raise a `DomainError` where
there is no Taylor series. The result is valid to the order of the argument.
"""

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._functions import SERIES_FUNCTIONS
from tpsa_core._numbers import Number


def exp(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The exponential, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["exp"])


def log(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The natural logarithm, for a positive constant part; for complex series one other than 0."""
    return function.mapped(SERIES_FUNCTIONS["log"])


def sqrt(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The square root, for a positive constant part; for complex series one other than 0."""
    return function.mapped(SERIES_FUNCTIONS["sqrt"])


def reciprocal(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """One divided by the function, for a constant part other than 0."""
    return function.mapped(SERIES_FUNCTIONS["reciprocal"])


def power(
    function: MultivariateTaylorFunction, exponent: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The function to a power, `function**exponent`.

    An integer power is exact, by repeated multiplication. Any other needs a positive constant part,
    for complex series one other than 0.
    """
    return function**exponent


def sin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The sine, everywhere; in radians."""
    return function.mapped(SERIES_FUNCTIONS["sin"])


def cos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cosine, everywhere; in radians."""
    return function.mapped(SERIES_FUNCTIONS["cos"])


def tan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The tangent, away from its poles; in radians."""
    return function.mapped(SERIES_FUNCTIONS["tan"])


def asin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arcsine in radians, between -1 and 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["asin"])


def acos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arccosine in radians, between -1 and 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["acos"])


def atan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arctangent in radians, everywhere; for complex series away from ±i."""
    return function.mapped(SERIES_FUNCTIONS["atan"])


def sinh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic sine, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["sinh"])


def cosh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic cosine, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["cosh"])


def tanh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic tangent, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["tanh"])
