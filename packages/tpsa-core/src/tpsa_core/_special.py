"""Special functions of a series: error functions, gamma functions, Bessel functions.

They keep real series real. A complex series must have a real constant part. The result is valid to
the order of the argument.
"""

from functools import partial
from numbers import Integral

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import ShapeError
from tpsa_core._functions import SERIES_FUNCTIONS
from tpsa_core._functions import jn as bessel


def gaussian(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The Gaussian exp(-f²), everywhere; for any complex series, too.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> gaussian(x).to_dict()
        {(0,): 1.0, (2,): -1.0, (4,): 0.5}
    """
    return function.mapped(SERIES_FUNCTIONS["gaussian"])


def erf(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The error function, 2/√π times the integral of the Gaussian from zero.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> slope = 2 / np.sqrt(np.pi) * gaussian(x)
        >>> erf(x).derivative("x").is_close(slope, atol=1e-12)
        True
    """
    return function.mapped(SERIES_FUNCTIONS["erf"])


def erfc(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """One minus the error function, with all digits where that is small.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> 1e-45 < erfc(10 + x).constant < 1e-44, (1 - erf(10 + x)).constant
        (True, 0.0)
    """
    return function.mapped(SERIES_FUNCTIONS["erfc"])


def gamma(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The gamma function, for a constant part other than 0 and the negative integers.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> round(gamma(5 + x).constant, 9)
        24.0
        >>> gamma(5 + x).is_close((4 + x) * gamma(4 + x))
        True
    """
    return function.mapped(SERIES_FUNCTIONS["gamma"])


def loggamma(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The logarithm of the gamma function, for a positive constant part.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> exp(loggamma(5 + x)).is_close(gamma(5 + x))
        True
    """
    return function.mapped(SERIES_FUNCTIONS["loggamma"])


def digamma(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The derivative of `loggamma`, for a constant part other than 0 and the negative integers.

    Example:
        >>> x = Algebra("x", order=4).variable("x")
        >>> loggamma(5 + x).derivative("x").is_close(digamma(5 + x))
        True
        >>> digamma(5 + x).is_close(digamma(4 + x) + 1 / (4 + x))
        True
    """
    return function.mapped(SERIES_FUNCTIONS["digamma"])


def j0(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The Bessel function J₀ of the first kind, for a constant part up to 1e15.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> j0(x).to_dict()
        {(0,): 1.0, (2,): -0.25}
    """
    return function.mapped(SERIES_FUNCTIONS["j0"])


def j1(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The Bessel function J₁ of the first kind, for a constant part up to 1e15.

    Example:
        >>> x = Algebra("x", order=5).variable("x")
        >>> j0(1 + x).derivative("x").is_close(-j1(1 + x))
        True
    """
    return function.mapped(SERIES_FUNCTIONS["j1"])


def jn(order: int, function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """The Bessel function of the first kind and an integer order, for a constant part up to 1e15.

    Raises:
        ShapeError: If the order is no integer.
        LimitError: If it is beyond ±1,000.

    Example:
        >>> x = Algebra("x", order=3).variable("x")
        >>> jn(2, x).to_dict()
        {(2,): 0.125}
        >>> jn(-1, x).is_close(-j1(x), atol=1e-12)
        True
    """
    # Callers without a type checker pass anything here.
    if isinstance(order, bool) or not isinstance(order, Integral):
        message = f"the order {order!r} of a Bessel function is no integer"
        raise ShapeError(message, hint="only integer orders have a series at zero")
    return function.mapped(partial(bessel, int(order)))
