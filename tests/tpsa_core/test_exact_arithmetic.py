"""The same computation in exact rational arithmetic, term by term, as an independent witness."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, TaylorMap

Exact = dict[tuple[int, ...], Fraction]


def _exact(function: MTF) -> Exact:
    return {powers: Fraction(value.real) for powers, value in function.to_dict().items()}


def _multiply(first: Exact, second: Exact, order: int) -> Exact:
    result: Exact = {}
    for (powers, value), (others, factor) in product(first.items(), second.items()):
        total = tuple(a + b for a, b in zip(powers, others, strict=True))
        if sum(total) <= order:
            result[total] = result.get(total, Fraction(0)) + value * factor
    return {powers: value for powers, value in result.items() if value}


def _add(first: Exact, second: Exact) -> Exact:
    powers = first.keys() | second.keys()
    sums = {key: first.get(key, Fraction(0)) + second.get(key, Fraction(0)) for key in powers}
    return {key: value for key, value in sums.items() if value}


def _compose(outer: Exact, inner: Sequence[Exact], order: int) -> Exact:
    dimension = len(next(iter(inner[0])))
    result: Exact = {}
    for powers, value in outer.items():
        term: Exact = {(0,) * dimension: value}
        for function, power in zip(inner, powers, strict=True):
            for _ in range(power):
                term = _multiply(term, function, order)
        result = _add(result, term)
    return result


def _reciprocal(function: Exact, order: int) -> Exact:
    """By the geometric series in one minus the function over its constant part."""
    zero = next((0,) * len(powers) for powers in function)
    constant = function[zero]
    rest = {powers: -value / constant for powers, value in function.items() if powers != zero}
    result: Exact = {zero: 1 / constant}
    term = result
    for _ in range(order):
        term = _multiply(term, rest, order)
        result = _add(result, term)
    return result


def _random_function(algebra: Algebra, seed: int, *, constant: int) -> MTF:
    """A dense function whose coefficients are multiples of 1/8: sums of products are exact."""
    random = np.random.default_rng(seed)
    values = random.integers(-16, 17, algebra.size) / 8
    values[0] = constant
    return MTF(algebra, values)


@pytest.mark.parametrize(("dimension", "order"), [(1, 8), (2, 6), (3, 4), (4, 3), (6, 6)])
def test_products_are_exact_where_floating_point_is(dimension: int, order: int) -> None:
    algebra = Algebra(dimension, order=order)
    first = _random_function(algebra, 1, constant=3)
    second = _random_function(algebra, 2, constant=-2)
    assert _exact(first * second) == _multiply(_exact(first), _exact(second), order)
    assert _exact(first + second) == _add(_exact(first), _exact(second))


@pytest.mark.parametrize("power", [2, 3, 5])
def test_powers_are_exact_where_floating_point_is(power: int) -> None:
    algebra = Algebra(2, order=4)
    function = _random_function(algebra, 3, constant=1)
    expected: Exact = {(0, 0): Fraction(1)}
    for _ in range(power):
        expected = _multiply(expected, _exact(function), 4)
    assert _exact(function**power) == expected


@pytest.mark.parametrize(("dimension", "order"), [(1, 6), (2, 5), (3, 3), (4, 2)])
@pytest.mark.parametrize("constant", [0, 2])
def test_compositions_are_exact_where_floating_point_is(
    dimension: int, order: int, constant: int
) -> None:
    algebra = Algebra(dimension, order=order)
    outer = TaylorMap([_random_function(algebra, seed, constant=1) for seed in range(3)])
    inner = TaylorMap(
        [_random_function(algebra, 10 + seed, constant=constant) for seed in range(dimension)]
    )
    composed = outer @ inner
    for function, result in zip(outer, composed, strict=True):
        expected = _compose(_exact(function), [_exact(part) for part in inner], order)
        assert _exact(result) == expected


@pytest.mark.parametrize(("dimension", "order"), [(1, 9), (2, 6), (3, 4)])
def test_reciprocals_round_each_coefficient_a_few_times(dimension: int, order: int) -> None:
    algebra = Algebra(dimension, order=order)
    function = _random_function(algebra, 4, constant=4)
    exact = _reciprocal(_exact(function), order)
    computed = 1 / function
    # A coefficient is a sum of products with all lower ones, each rounded relative to itself: the
    # error stays within a few units of the largest coefficient of that order or below.
    largest = float(max(abs(value) for value in exact.values()))
    for powers in algebra.exponents.tolist():
        expected = float(exact.get(tuple(powers), Fraction(0)))
        assert computed[tuple(powers)] == pytest.approx(expected, rel=1e-13, abs=1e-15 * largest)


def test_derivatives_and_antiderivatives_are_exact_in_binary_fractions() -> None:
    algebra = Algebra(3, order=4)
    function = _random_function(algebra, 6, constant=1)
    derivative = function.derivative(1)
    for powers, value in _exact(function).items():
        if powers[1]:
            lowered = (powers[0], powers[1] - 1, powers[2])
            assert Fraction(derivative[lowered].real) == value * powers[1]
    assert (function.antiderivative(0) * 1).derivative(0).is_close(function, rtol=1e-15)
