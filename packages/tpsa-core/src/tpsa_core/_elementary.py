"""The elementary functions of a series, as functions: `exp(f)` is the same as `np.exp(f)`.

All keep real series real, take complex ones on numpy's branches, and raise a `DomainError` where
there is no Taylor series. The result is valid to the order of the argument.
"""

from tpsa_core._algebra import MultivariateTaylorFunction, paired
from tpsa_core._functions import PAIR_FUNCTIONS, SERIES_FUNCTIONS
from tpsa_core._functions import sincos as sine_and_cosine
from tpsa_core._numbers import Number


def exp(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The exponential, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["exp"])


def expm1(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The exponential minus one, everywhere, with all digits for a small constant part."""
    return function.mapped(SERIES_FUNCTIONS["expm1"])


def log(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The natural logarithm, for a positive constant part; for complex series one other than 0."""
    return function.mapped(SERIES_FUNCTIONS["log"])


def log1p(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The natural logarithm of one plus the function, with all digits for a small constant part.

    The constant part must be above -1, of complex series one other than -1.
    """
    return function.mapped(SERIES_FUNCTIONS["log1p"])


def log2(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The logarithm to the base 2, where `log` is defined."""
    return function.mapped(SERIES_FUNCTIONS["log2"])


def log10(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The logarithm to the base 10, where `log` is defined."""
    return function.mapped(SERIES_FUNCTIONS["log10"])


def sqrt(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The square root, for a positive constant part; for complex series one other than 0."""
    return function.mapped(SERIES_FUNCTIONS["sqrt"])


def cbrt(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cube root, for a constant part other than 0.

    Real series have the real root, also where they are negative; complex ones the principal branch.
    """
    return function.mapped(SERIES_FUNCTIONS["cbrt"])


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


def absolute(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The absolute value, for a constant part other than 0; real, also of complex series."""
    return function.mapped(SERIES_FUNCTIONS["abs"])


def sin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The sine, everywhere; in radians."""
    return function.mapped(SERIES_FUNCTIONS["sin"])


def cos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cosine, everywhere; in radians."""
    return function.mapped(SERIES_FUNCTIONS["cos"])


def tan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The tangent, away from its poles; in radians."""
    return function.mapped(SERIES_FUNCTIONS["tan"])


def cot(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cotangent, away from its poles; in radians."""
    return function.mapped(SERIES_FUNCTIONS["cot"])


def sincos(
    function: MultivariateTaylorFunction,
) -> tuple[MultivariateTaylorFunction, MultivariateTaylorFunction]:
    """Sine and cosine together, for the price of one; in radians."""
    return function.mapped_twice(sine_and_cosine)


def asin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arcsine in radians, between -1 and 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["asin"])


def acos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arccosine in radians, between -1 and 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["acos"])


def atan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arctangent in radians, everywhere; for complex series away from ±i."""
    return function.mapped(SERIES_FUNCTIONS["atan"])


def atan2(
    ordinate: MultivariateTaylorFunction | Number, abscissa: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The angle of the point (abscissa, ordinate) in radians, from -π to π, away from the origin.

    For real series; one argument may be a number.
    """
    return paired(PAIR_FUNCTIONS["atan2"], ordinate, abscissa)


def hypot(
    first: MultivariateTaylorFunction | Number, second: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The root of the sum of both squares, away from the origin.

    For real series; one argument may be a number.
    """
    return paired(PAIR_FUNCTIONS["hypot"], first, second)


def sinh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic sine, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["sinh"])


def cosh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic cosine, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["cosh"])


def tanh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic tangent, everywhere."""
    return function.mapped(SERIES_FUNCTIONS["tanh"])


def coth(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic cotangent, for a constant part other than 0."""
    return function.mapped(SERIES_FUNCTIONS["coth"])


def asinh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic sine, everywhere; for complex series away from ±i."""
    return function.mapped(SERIES_FUNCTIONS["asinh"])


def acosh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic cosine, above 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["acosh"])


def atanh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic tangent, between -1 and 1; for complex series away from ±1."""
    return function.mapped(SERIES_FUNCTIONS["atanh"])
