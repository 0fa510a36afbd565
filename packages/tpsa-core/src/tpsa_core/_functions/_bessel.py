"""Bessel functions of the first kind and integer order, by their Taylor coefficients.

The derivatives are differences of neighbours, J_n' = (J_(n-1) - J_(n+1))/2, repeated: a sum with
binomial weights over the orders n - k … n + k (NIST Digital Library of Mathematical Functions,
10.6.7). All these orders at one point come from Miller's backward recurrence, made to fulfil
J_0² + 2 Σ J_k² = 1, a sum without cancellation (10.23.3). Next to zero the power series is used
(10.2.2), and far out, where the recurrence takes long, Hankel's expansion of J_0 and J_1 (10.17.3)
with the forward recurrence, which is stable up to the argument.
"""

import math

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._errors import LimitError
from tpsa_core._functions._recurrence import outside, real_constant
from tpsa_core._kernels import compose_univariate
from tpsa_core._monomials import MonomialTables

MAX_BESSEL_ORDER = 1_000
_Reals = npt.NDArray[np.float64]
# Hankel's expansion reaches full precision from 25 on; up to here the recurrence is quick.
_FAR = 1_000.0
# Beyond, the distance of two floating-point numbers is no small angle any more.
_FARTHEST = 1e15
# Below, two terms of the power series suffice.
_NEAR = 1e-5
_RESCALE = 1e100


def jn(order: int, tables: MonomialTables, values: Array) -> Array:
    """The Bessel function J_order of a series.

    Raises:
        LimitError: If the order is beyond ±1,000.
    """
    if abs(order) > MAX_BESSEL_ORDER:
        message = f"the order {order} of a Bessel function is beyond ±{MAX_BESSEL_ORDER}"
        raise LimitError(message, hint="use a smaller order")
    name = f"j{order}" if order in {0, 1} else "jn"
    constant = real_constant(name, values)
    if abs(constant) > _FARTHEST:
        domain = f"a constant part up to ±{_FARTHEST:.0e}"
        raise outside(name, constant, domain, example="scale the argument")
    return compose_univariate(tables, _coefficients(order, constant, tables.order), values)


def j0(tables: MonomialTables, values: Array) -> Array:
    """The Bessel function J_0 of a series."""
    return jn(0, tables, values)


def j1(tables: MonomialTables, values: Array) -> Array:
    """The Bessel function J_1 of a series."""
    return jn(1, tables, values)


def _coefficients(order: int, constant: float, count: int) -> _Reals:
    """The Taylor coefficients of J_order at a constant, `(count + 1,)`."""
    highest = abs(order) + count
    known = _values(abs(constant), highest)
    # J_(-n)(x) = J_n(-x) = (-1)^n J_n(x).
    signs = np.where(np.arange(highest + 1) % 2 == 0, 1.0, -1.0)
    negative = known * signs
    if constant < 0:
        known, negative = negative, known
    row = np.concatenate([negative[:0:-1], known])
    result = np.empty(count + 1)
    for k in range(count + 1):
        result[k] = row[highest + order - k]
        # Half the difference of neighbours, divided by k + 1 towards the factorial.
        row = (row[:-2] - row[2:]) / (2 * (k + 1))
    return result


def _values(argument: float, highest: int) -> _Reals:
    """J_0 … J_highest at an argument from zero."""
    if argument < _NEAR:
        return _values_near(argument, highest)
    if argument > max(_FAR, highest):
        return _values_forward(argument, highest)
    return _values_backward(argument, highest)


def _values_near(argument: float, highest: int) -> _Reals:
    orders = np.arange(highest + 1)
    # The first two terms of the power series; the third is below a rounding.
    with np.errstate(under="ignore"):
        leading = np.cumprod(np.concatenate([[1.0], argument / 2 / orders[1:]]))
        return leading * (1 - (argument / 2) ** 2 / (orders + 1))


def _values_backward(argument: float, highest: int) -> _Reals:
    larger = max(highest, argument)
    # Past the larger of order and argument the values fall faster than exponentially.
    start = math.ceil(larger + 30 + 12 * math.cbrt(larger))
    values = np.zeros(start + 2)
    values[start] = 1 / _RESCALE
    for n in range(start, 0, -1):
        values[n - 1] = 2 * n / argument * values[n] - values[n + 1]
        if abs(values[n - 1]) > _RESCALE:
            values[n - 1 :] /= abs(values[n - 1])
    norm = math.sqrt(values[0] ** 2 + 2 * (values[1:] ** 2).sum())
    return values[: highest + 1] / norm


def _values_forward(argument: float, highest: int) -> _Reals:
    result = np.empty(max(highest, 1) + 1)
    result[0], result[1] = _hankel(0, argument), _hankel(1, argument)
    for n in range(1, highest):
        result[n + 1] = 2 * n / argument * result[n] - result[n - 1]
    return result[: highest + 1]


def _hankel(order: int, argument: float) -> float:
    """J_0 or J_1 far out."""
    even = odd = 0.0
    term, k = 1.0, 0
    while abs(term) > np.finfo(np.float64).eps / 8:
        # The signs go +, +, -, - over both sums.
        sign = -1 if k % 4 > 1 else 1
        if k % 2:
            odd += sign * term
        else:
            even += sign * term
        k += 1
        term *= (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * argument)
    sine, cosine = math.sin(argument), math.cos(argument)
    # The cosine and the sine of argument - order·π/2 - π/4 without subtracting angles.
    turned = (cosine + sine, sine - cosine) if not order else (sine - cosine, -(cosine + sine))
    return (even * turned[0] - odd * turned[1]) / math.sqrt(math.pi * argument)
