"""The gamma function, its logarithm, and the derivative of that, by their Taylor coefficients.

At c > 0 the coefficients of the digamma function are ψ(c) and (-1)^(k+1) ζ(k + 1, c) with Hurwitz's
zeta function, both by the Euler-Maclaurin formula after so many terms of their sums that it
converges (NIST Digital Library of Mathematical Functions, 5.11.2, 5.15.1 and 25.11.28 with
2.10.1). At c < 0 the reflection ψ(c) = ψ(1 - c) - π cot(πc) leads there. The other two functions
are integrals: (ln Γ)' = ψ and Γ' = ψ·Γ.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._functions._recurrence import outside, real_constant
from tpsa_core._functions._trigonometric import cot
from tpsa_core._kernels import compose_univariate
from tpsa_core._monomials import MonomialTables, monomial_tables

_Reals = npt.NDArray[np.float64]

# B_2, B_4, … B_24.
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330, 854513 / 138, -236364091 / 2730,
)  # fmt: skip
# B_2j / (2j)!, and 2j - 3, by which the order of the zeta function is raised from term to term.
_WEIGHTS = np.array([b / math.factorial(2 * j) for j, b in enumerate(_BERNOULLI, start=1)])
_STEPS = np.arange(-1.0, 2 * len(_BERNOULLI) - 1, 2)[:, np.newaxis]
# From here on, plus the order of the zeta function, the terms above reach full precision.
_ASYMPTOTIC = 20
_PRECISION = 1e-17


def gamma(tables: MonomialTables, values: Array) -> Array:
    """The gamma function of a series."""
    constant = _away_from_poles("gamma", values)
    value = _in_range("gamma", math.gamma, constant)
    slope = _digamma_coefficients(constant, tables.order)
    result = np.empty(tables.order + 1)
    result[0] = value
    for k in range(1, tables.order + 1):
        result[k] = result[:k] @ slope[k - 1 :: -1] / k
    return compose_univariate(tables, result, values)


def loggamma(tables: MonomialTables, values: Array) -> Array:
    """The logarithm of the gamma function of a series."""
    constant = real_constant("loggamma", values)
    if not constant > 0:
        example = "loggamma(1 + x) has a series, and gamma(x - 0.5), too"
        raise outside("loggamma", constant, "a positive constant part", example=example)
    value = _in_range("loggamma", math.lgamma, constant)
    slope = _digamma_coefficients(constant, tables.order)
    result = np.empty(tables.order + 1)
    result[0] = value
    result[1:] = slope[: tables.order] / np.arange(1, tables.order + 1)
    return compose_univariate(tables, result, values)


def digamma(tables: MonomialTables, values: Array) -> Array:
    """The logarithmic derivative of the gamma function, ψ = Γ'/Γ, of a series."""
    constant = _away_from_poles("digamma", values)
    return compose_univariate(tables, _digamma_coefficients(constant, tables.order), values)


def _in_range(name: str, function: Callable[[float], float], constant: float) -> float:
    try:
        return function(constant)
    except OverflowError as error:
        domain = "a constant part where its value is below 1.8e308"
        raise outside(name, constant, domain, example="loggamma reaches further") from error


def _away_from_poles(function: str, values: Array) -> float:
    constant = real_constant(function, values)
    if constant <= 0 and constant == round(constant):
        domain = "a constant part other than 0, -1, -2, …"
        raise outside(function, constant, domain, example=f"{function}(1 + x) has a series")
    return constant


def _digamma_coefficients(constant: float, order: int) -> Array:
    """The Taylor coefficients of ψ at a constant, `(order + 1,)`."""
    if constant > 0:
        return _digamma_right(constant, order)
    result = _digamma_right(1 - constant, order)
    result[1::2] *= -1
    # The cotangent has period π; the nearest integer is taken off without rounding.
    angle = np.zeros(order + 1)
    angle[0] = math.pi * (constant - round(constant))
    angle[1:2] = math.pi
    return result - math.pi * cot(monomial_tables(1, order), angle)


def _digamma_right(constant: float, order: int) -> _Reals:
    """The Taylor coefficients of ψ at a positive constant."""
    zeta_orders = np.arange(2.0, order + 2)
    signs = np.where(zeta_orders % 2 == 0, 1.0, -1.0)
    return np.array([_digamma(constant), *(signs * _zeta(zeta_orders, constant))])


def _digamma(constant: float) -> float:
    """The value of ψ at a positive constant."""
    terms = max(0, math.ceil(_ASYMPTOTIC - constant))
    end = constant + terms
    even = np.arange(2.0, 2 * len(_BERNOULLI) + 1, 2)
    with np.errstate(under="ignore"):
        tail = float((np.array(_BERNOULLI) / even * end**-even).sum())
    before = float((1 / (constant + np.arange(terms))).sum())
    return math.log(end) - 1 / (2 * end) - tail - before


def _zeta(orders: _Reals, constant: float) -> _Reals:
    """Hurwitz's zeta function of several orders from 2 at a positive constant."""
    # Large orders of large numbers vanish, of numbers below one they may become infinite.
    with np.errstate(under="ignore", over="ignore"):
        # The formula converges from there on, or the rest is but a rounding of the first term.
        converging = orders + _ASYMPTOTIC - constant
        negligible = constant * np.expm1(-math.log(_PRECISION) / orders)
        terms = max(0, math.ceil(np.minimum(converging, negligible).max(initial=0.0)))
        shifted = constant + np.arange(terms)
        end = constant + terms
        power = end**-orders
        result = (shifted[:, np.newaxis] ** -orders).sum(axis=0)
        result += power * (end / (orders - 1) + 0.5)
        # A row for each Bernoulli number: what the term before it is multiplied by.
        factors = (orders + _STEPS) / end * (orders + _STEPS + 1) / end
        factors[0] = orders * power / end
        result += _WEIGHTS @ np.cumprod(factors, axis=0)
    return result
