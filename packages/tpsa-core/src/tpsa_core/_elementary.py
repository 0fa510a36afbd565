"""The elementary functions of a series, as functions: `exp(f)` is the same as `np.exp(f)`.

All keep real series real, take complex ones on numpy's branches, and raise a `DomainError` where
there is no Taylor series. The result is valid to the order of the argument.
"""

from tpsa_core._algebra import MultivariateTaylorFunction, paired
from tpsa_core._functions import PAIR_FUNCTIONS, SERIES_FUNCTIONS
from tpsa_core._functions import sincos as sine_and_cosine
from tpsa_core._numbers import Number


def exp(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The exponential, everywhere.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> exp(x).coefficients.tolist()
        [1.0, 1.0, 0.5]
    """
    return function.mapped(SERIES_FUNCTIONS["exp"])


def expm1(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The exponential minus one, everywhere, with all digits for a small constant part.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> expm1(1e-20 + x).constant, (exp(1e-20 + x) - 1).constant
        (1e-20, 0.0)
    """
    return function.mapped(SERIES_FUNCTIONS["expm1"])


def log(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The natural logarithm, for a positive constant part; for complex series one other than 0.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> log(1 + x).to_dict()
        {(1,): 1.0, (2,): -0.5}
        >>> log(exp(x)).is_close(x, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["log"])


def log1p(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The natural logarithm of one plus the function, with all digits for a small constant part.

    The constant part must be above -1, of complex series one other than -1.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> log1p(1e-20 + x).constant, log(1 + (1e-20 + x)).constant
        (1e-20, 0.0)
    """
    return function.mapped(SERIES_FUNCTIONS["log1p"])


def log2(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The logarithm to the base 2, where `log` is defined.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> log2(2 ** (3 + x)).is_close(3 + x, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["log2"])


def log10(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The logarithm to the base 10, where `log` is defined.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> log10((1 + x) * 1000).is_close(3 + log10(1 + x), atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["log10"])


def sqrt(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The square root, for a positive constant part; for complex series one other than 0.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> sqrt(1 + x).coefficients.tolist()
        [1.0, 0.5, -0.125]
        >>> (sqrt(2 + x) ** 2).is_close(2 + x, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["sqrt"])


def cbrt(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cube root, for a constant part other than 0.

    Real series have the real root, also where they are negative; complex ones the principal branch.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> round(cbrt(x - 8).constant, 12)
        -2.0
        >>> (cbrt(x - 8) ** 3).is_close(x - 8, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["cbrt"])


def reciprocal(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """One divided by the function, for a constant part other than 0.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> reciprocal(1 - x).coefficients.tolist()
        [1.0, 1.0, 1.0, 1.0]
    """
    return function.mapped(SERIES_FUNCTIONS["reciprocal"])


def power(
    function: MultivariateTaylorFunction, exponent: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The function to a power, `function**exponent`.

    An integer power is exact, by repeated multiplication. Any other needs a positive constant part,
    for complex series one other than 0.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> power(1 + x, 3).coefficients.tolist()
        [1.0, 3.0, 3.0, 1.0]
        >>> power(1 + x, 0.5).is_close(sqrt(1 + x))
        True
    """
    return function**exponent


def absolute(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The absolute value, for a constant part other than 0; real, also of complex series.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> absolute(x - 2) == 2 - x
        True
        >>> absolute(x)
        Traceback (most recent call last):
            ...
        DomainError: abs needs a constant part other than 0, got a constant part of 0.0
    """
    return function.mapped(SERIES_FUNCTIONS["abs"])


def sin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The sine, everywhere; in radians.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> sin(x).derivative("x").is_close(cos(x), atol=1e-12)
        True
        >>> sin(2 * x).is_close(2 * sin(x) * cos(x), atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["sin"])


def cos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cosine, everywhere; in radians.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> cos(x).to_dict()
        {(0,): 1.0, (2,): -0.5}
    """
    return function.mapped(SERIES_FUNCTIONS["cos"])


def tan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The tangent, away from its poles; in radians.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> tan(1 + x).is_close(sin(1 + x) / cos(1 + x))
        True
    """
    return function.mapped(SERIES_FUNCTIONS["tan"])


def cot(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The cotangent, away from its poles; in radians.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> cot(1 + x).is_close(1 / tan(1 + x))
        True
        >>> cot(x)
        Traceback (most recent call last):
            ...
        DomainError: cot needs a constant part away from the poles, got a constant part of 0.0
    """
    return function.mapped(SERIES_FUNCTIONS["cot"])


def sincos(
    function: MultivariateTaylorFunction,
) -> tuple[MultivariateTaylorFunction, MultivariateTaylorFunction]:
    """Sine and cosine together, for the price of one; in radians.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> sine, cosine = sincos(1 + x)
        >>> (sine**2 + cosine**2).is_close(x.algebra.constant(1.0), atol=1e-12)
        True
    """
    return function.mapped_twice(sine_and_cosine)


def asin(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arcsine in radians, between -1 and 1; for complex series away from ±1.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> sin(asin(0.5 + x)).is_close(0.5 + x, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["asin"])


def acos(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arccosine in radians, between -1 and 1; for complex series away from ±1.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> (asin(x) + acos(x)).is_close(x.algebra.constant(np.pi / 2), atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["acos"])


def atan(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The arctangent in radians, everywhere; for complex series away from ±i.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> atan(x).derivative("x").is_close(1 / (1 + x**2), atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["atan"])


def atan2(
    ordinate: MultivariateTaylorFunction | Number, abscissa: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The angle of the point (abscissa, ordinate) in radians, from -π to π, away from the origin.

    For real series; one argument may be a number.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> round(atan2(1 + x, -1).constant / np.pi, 12)
        0.75
        >>> round(atan((1 + x) / -1).constant / np.pi, 12)
        -0.25
    """
    return paired(PAIR_FUNCTIONS["atan2"], ordinate, abscissa)


def hypot(
    first: MultivariateTaylorFunction | Number, second: MultivariateTaylorFunction | Number
) -> MultivariateTaylorFunction:
    """The root of the sum of both squares, away from the origin.

    For real series; one argument may be a number.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> round(hypot(3 + x, 4).constant, 12)
        5.0
        >>> (hypot(3 + x, 4) ** 2).is_close((3 + x) ** 2 + 16, atol=1e-12)
        True
    """
    return paired(PAIR_FUNCTIONS["hypot"], first, second)


def sinh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic sine, everywhere.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> sinh(1 + x).is_close((exp(1 + x) - exp(-1 - x)) / 2)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["sinh"])


def cosh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic cosine, everywhere.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> cosh(x).to_dict()
        {(0,): 1.0, (2,): 0.5}
    """
    return function.mapped(SERIES_FUNCTIONS["cosh"])


def tanh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic tangent, everywhere.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> tanh(1 + x).derivative("x").is_close(1 - tanh(1 + x) ** 2)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["tanh"])


def coth(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The hyperbolic cotangent, for a constant part other than 0.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> coth(1 + x).is_close(1 / tanh(1 + x))
        True
        >>> coth(x)
        Traceback (most recent call last):
            ...
        DomainError: coth needs a constant part other than 0, got a constant part of 0.0
    """
    return function.mapped(SERIES_FUNCTIONS["coth"])


def asinh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic sine, everywhere; for complex series away from ±i.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> sinh(asinh(1 + x)).is_close(1 + x, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["asinh"])


def acosh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic cosine, above 1; for complex series away from ±1.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> cosh(acosh(2 + x)).is_close(2 + x, atol=1e-12)
        True
        >>> acosh(1 + x)
        Traceback (most recent call last):
            ...
        DomainError: acosh needs a constant part above 1, got a constant part of 1.0
    """
    return function.mapped(SERIES_FUNCTIONS["acosh"])


def atanh(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The inverse hyperbolic tangent, between -1 and 1; for complex series away from ±1.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> atanh(x).is_close(log((1 + x) / (1 - x)) / 2, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["atanh"])
