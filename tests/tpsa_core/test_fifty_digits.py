"""Products and functions of dense series against decimal arithmetic of 60 digits.

Coefficient by coefficient; the error in rounding units of the sums of absolute values.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra

ORDER = 6
ALGEBRA = Algebra(2, order=ORDER)
EPS = Decimal(float(np.finfo(np.float64).eps))

Exact = dict[tuple[int, ...], Decimal]
# The Taylor coefficients of a function at a point, as many as asked for.
Coefficients = Callable[[Decimal], list[Decimal]]


def _dense(seed: int, *, constant: float) -> MTF:
    values = np.random.default_rng(seed).normal(size=ALGEBRA.size)
    values[0] = constant
    return MTF(ALGEBRA, values)


def _exact(function: MTF) -> Exact:
    return {powers: Decimal(value.real) for powers, value in function.to_dict().items()}


def _absolute(series: Exact) -> Exact:
    return {powers: abs(value) for powers, value in series.items()}


def _times(first: Exact, second: Exact) -> Exact:
    result: Exact = {}
    for (powers, value), (others, factor) in product(first.items(), second.items()):
        total = tuple(a + b for a, b in zip(powers, others, strict=True))
        if sum(total) <= ORDER:
            result[total] = result.get(total, Decimal(0)) + value * factor
    return result


def _composed(coefficients: Sequence[Decimal], function: Exact) -> Exact:
    rest = {powers: value for powers, value in function.items() if sum(powers)}
    power: Exact = {(0, 0): Decimal(1)}
    result: Exact = {}
    for coefficient in coefficients:
        for powers, value in power.items():
            result[powers] = result.get(powers, Decimal(0)) + coefficient * value
        power = _times(power, rest)
    return result


def _cauchy(first: Sequence[Decimal], second: Sequence[Decimal]) -> list[Decimal]:
    """The product of two series in one variable."""
    return [
        sum((first[j] * second[k - j] for j in range(k + 1)), Decimal(0)) for k in range(ORDER + 1)
    ]


def _quotient(numerator: Sequence[Decimal], denominator: Sequence[Decimal]) -> list[Decimal]:
    result: list[Decimal] = []
    for k in range(ORDER + 1):
        known = sum((result[j] * denominator[k - j] for j in range(k)), Decimal(0))
        result.append((numerator[k] - known) / denominator[0])
    return result


def _integral(constant: Decimal, slope: Sequence[Decimal]) -> list[Decimal]:
    return [constant, *(slope[k] / (k + 1) for k in range(ORDER))]


def _exponential(c: Decimal) -> list[Decimal]:
    result = [c.exp()]
    for k in range(ORDER):
        result.append(result[-1] / (k + 1))
    return result


def _power(exponent: Decimal) -> Coefficients:
    def coefficients(c: Decimal) -> list[Decimal]:
        result = [(exponent * c.ln()).exp()]
        for k in range(ORDER):
            result.append(result[-1] * (exponent - k) / (k + 1) / c)
        return result

    return coefficients


def _variable(c: Decimal) -> list[Decimal]:
    return [c, Decimal(1), *[Decimal(0)] * (ORDER - 1)]


def _one_plus_square(c: Decimal, sign: int) -> list[Decimal]:
    square = _cauchy(_variable(c), _variable(c))
    return [1 + sign * square[0], *(sign * value for value in square[1:])]


def _root(values: Sequence[Decimal]) -> list[Decimal]:
    result = [values[0].sqrt()]
    for k in range(1, ORDER + 1):
        known = sum((result[j] * result[k - j] for j in range(1, k)), Decimal(0))
        result.append((values[k] - known) / (2 * result[0]))
    return result


_ONE = [Decimal(1), *[Decimal(0)] * ORDER]


def _logarithm(c: Decimal) -> list[Decimal]:
    return _integral(c.ln(), _quotient(_ONE, _variable(c)))


def _odd_sum(c: Decimal, sign: int, *, factorial: bool) -> Decimal:
    """Σ ±c^(2k + 1)/(2k + 1), or with factorials in place of the odd numbers; |c| below 1."""
    total, power, k = Decimal(0), c, 1
    while abs(power) > Decimal("1e-70"):
        total += power if factorial else power / k
        power *= sign * c * c / ((k + 1) * (k + 2) if factorial else 1)
        k += 2
    return total


def _sine(c: Decimal) -> list[Decimal]:
    sine = _odd_sum(c, -1, factorial=True)
    values = [sine, (1 - sine * sine).sqrt()]
    while len(values) <= ORDER:
        values.append(-values[-2] / (len(values) * (len(values) - 1)))
    return values


def _hyperbolic_sine(c: Decimal) -> list[Decimal]:
    values = [(c.exp() - (-c).exp()) / 2, (c.exp() + (-c).exp()) / 2]
    while len(values) <= ORDER:
        values.append(values[-2] / (len(values) * (len(values) - 1)))
    return values


def _arctangent(c: Decimal) -> list[Decimal]:
    slope = _quotient(_ONE, _one_plus_square(c, 1))
    return _integral(_odd_sum(c, -1, factorial=False), slope)


def _area_tangent(c: Decimal) -> list[Decimal]:
    slope = _quotient(_ONE, _one_plus_square(c, -1))
    return _integral(((1 + c) / (1 - c)).ln() / 2, slope)


def _area_sine(c: Decimal) -> list[Decimal]:
    slope = _quotient(_ONE, _root(_one_plus_square(c, 1)))
    return _integral((c + (1 + c * c).sqrt()).ln(), slope)


def _arcsine(c: Decimal) -> list[Decimal]:
    slope = _quotient(_ONE, _root(_one_plus_square(c, -1)))
    return _integral(_odd_sum(c / (1 - c * c).sqrt(), -1, factorial=False), slope)


def _arccosine(c: Decimal) -> list[Decimal]:
    # Machin's formula.
    parts = [_odd_sum(1 / Decimal(n), -1, factorial=False) for n in (5, 239)]
    constant, *others = _arcsine(c)
    return [8 * parts[0] - 2 * parts[1] - constant, *(-value for value in others)]


def _area_cosine(c: Decimal) -> list[Decimal]:
    square = [-value for value in _one_plus_square(c, -1)]
    return _integral((c + (c * c - 1).sqrt()).ln(), _quotient(_ONE, _root(square)))


def _derivative_of(coefficients: Coefficients) -> Coefficients:
    """The same function one derivative on: the cosines out of the sines."""

    def derivative(c: Decimal) -> list[Decimal]:
        values = coefficients(c)
        # The last one by the differential equation y'' = ±y, as before.
        following = values[-2] * values[2] * 2 / values[0] / (ORDER * (ORDER + 1))
        return [(k + 1) * value for k, value in enumerate([*values[1:], following])]

    return derivative


def _ratio(top: Coefficients, bottom: Coefficients) -> Coefficients:
    return lambda c: _quotient(top(c), bottom(c))


_cosine = _derivative_of(_sine)
_hyperbolic_cosine = _derivative_of(_hyperbolic_sine)
FUNCTIONS: list[tuple[Callable[[MTF], MTF], Coefficients, float]] = [
    (tpsa_core.exp, _exponential, 0.375),
    (tpsa_core.expm1, lambda c: [c.exp() - 1, *_exponential(c)[1:]], 0.375),
    (tpsa_core.log, _logarithm, 1.75),
    (tpsa_core.log1p, lambda c: _logarithm(1 + c), 0.375),
    (tpsa_core.log2, lambda c: [a / Decimal(2).ln() for a in _logarithm(c)], 1.75),
    (tpsa_core.log10, lambda c: [a / Decimal(10).ln() for a in _logarithm(c)], 1.75),
    (tpsa_core.sqrt, _power(Decimal("0.5")), 1.75),
    (tpsa_core.cbrt, _power(1 / Decimal(3)), 1.75),
    (tpsa_core.reciprocal, _power(Decimal(-1)), 1.75),
    (lambda f: f**-2.75, _power(Decimal("-2.75")), 1.75),
    (lambda f: f**5, _power(Decimal(5)), 1.75),
    (tpsa_core.sin, _sine, 0.375),
    (tpsa_core.cos, _cosine, 0.375),
    (tpsa_core.tan, _ratio(_sine, _cosine), 0.375),
    (tpsa_core.cot, _ratio(_cosine, _sine), 0.375),
    (tpsa_core.sinh, _hyperbolic_sine, 0.375),
    (tpsa_core.cosh, _hyperbolic_cosine, 0.375),
    (tpsa_core.tanh, _ratio(_hyperbolic_sine, _hyperbolic_cosine), 0.375),
    (tpsa_core.coth, _ratio(_hyperbolic_cosine, _hyperbolic_sine), 0.375),
    (tpsa_core.atan, _arctangent, 0.375),
    (tpsa_core.atanh, _area_tangent, 0.375),
    (tpsa_core.asinh, _area_sine, 0.375),
    (tpsa_core.asin, _arcsine, 0.375),
    (tpsa_core.acos, _arccosine, 0.375),
    (tpsa_core.acosh, _area_cosine, 1.75),
]
NAMES = [
    *("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "cbrt", "reciprocal", "power"),
    *("integer power", "sin", "cos", "tan", "cot", "sinh", "cosh", "tanh", "coth", "atan"),
    *("atanh", "asinh", "asin", "acos", "acosh"),
]


@pytest.mark.parametrize("seed", range(4))
def test_a_product_is_off_by_a_rounding_for_each_term_at_most(seed: int) -> None:
    first, second = _dense(seed, constant=0.5), _dense(100 + seed, constant=-2.0)
    computed = first * second
    with localcontext() as context:
        context.prec = 60
        exact = _times(_exact(first), _exact(second))
        sums = _times(_absolute(_exact(first)), _absolute(_exact(second)))
        for powers, value in exact.items():
            terms = (powers[0] + 1) * (powers[1] + 1)
            error = abs(Decimal(computed[powers].real) - value)
            assert error <= terms * EPS / 2 * sums[powers]


@pytest.mark.parametrize(("function", "coefficients", "constant"), FUNCTIONS, ids=NAMES)
def test_a_function_is_off_by_a_few_roundings_of_the_sums_of_absolute_values(
    function: Callable[[MTF], MTF], coefficients: Coefficients, constant: float
) -> None:
    argument = _dense(7, constant=constant)
    computed = function(argument)
    with localcontext() as context:
        context.prec = 60
        outer = coefficients(Decimal(constant))
        exact = _composed(outer, _exact(argument))
        majorant = _composed([abs(a) for a in outer], _absolute(_exact(argument)))
        for powers, value in exact.items():
            error = abs(Decimal(computed[powers].real) - value)
            assert error <= 8 * (1 + sum(powers)) * EPS * majorant[powers]
