"""Restricted algebras against exact rational arithmetic that knows nothing of tables."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, TaylorMap

Exact = dict[tuple[int, ...], Fraction]
Keeps = Callable[[tuple[int, ...]], bool]


class Case(NamedTuple):
    """An algebra, and the rule which monomials it keeps, written down independently."""

    algebra: Algebra
    keeps: Keeps


def knobs(e: tuple[int, ...]) -> bool:
    return sum(e) <= 6 and e[2] + e[3] <= 2


def chromatic(e: tuple[int, ...]) -> bool:
    return sum(e) <= 6 and e[2] <= 2


def all_bound(e: tuple[int, ...]) -> bool:
    return sum(e) <= 5 and e[0] <= 2 and e[1] <= 2 and e[2] <= 3


def mixed(e: tuple[int, ...]) -> bool:
    return sum(e) <= 5 and e[0] <= 4 and e[1] + e[2] <= 3 and e[2] <= 1


def many(e: tuple[int, ...]) -> bool:
    return sum(e) <= 4 and e[0] <= 1 and e[6] <= 1


KNOBS: dict[str, Any] = {"parameters": ("k1", "k2")}
CASES = [
    Case(Algebra("x", "px", order=6, **KNOBS, parameter_order=2), knobs),
    Case(Algebra("x", "px", "delta", order=6, orders={"delta": 2}), chromatic),
    Case(Algebra("x", "y", "z", order=5, orders={"x": 2, "y": 2, "z": 3}), all_bound),
    Case(
        Algebra("x", order=5, orders={"x": 4, "k2": 1}, **KNOBS, parameter_order=3),
        mixed,
    ),
    Case(
        Algebra(6, order=4, orders={"x1": 1}, parameters=("k",), parameter_order=1),
        many,
    ),
]


def exact(function: MTF) -> Exact:
    return {powers: Fraction(value.real) for powers, value in function.to_dict().items()}


def multiplied(first: Exact, second: Exact, keeps: Keeps) -> Exact:
    result: Exact = {}
    for (powers, value), (others, factor) in product(first.items(), second.items()):
        total = tuple(a + b for a, b in zip(powers, others, strict=True))
        if keeps(total):
            result[total] = result.get(total, Fraction(0)) + value * factor
    return {powers: value for powers, value in result.items() if value}


def added(first: Exact, second: Exact, factor: Fraction = Fraction(1)) -> Exact:
    result = dict(first)
    for powers, value in second.items():
        result[powers] = result.get(powers, Fraction(0)) + factor * value
    return {powers: value for powers, value in result.items() if value}


def composed(outer: Exact, inner: Sequence[Exact], keeps: Keeps, dimension: int) -> Exact:
    result: Exact = {}
    for powers, value in outer.items():
        term: Exact = {(0,) * dimension: value}
        for function, power in zip(inner, powers, strict=True):
            for _ in range(power):
                term = multiplied(term, function, keeps)
        result = added(result, term)
    return result


def differentiated(function: Exact, variable: int) -> Exact:
    return {
        (*powers[:variable], powers[variable] - 1, *powers[variable + 1 :]): value
        * powers[variable]
        for powers, value in function.items()
        if powers[variable]
    }


def made(algebra: Algebra, seed: int, *, share: float = 1.0, constant: float = 1.0) -> MTF:
    """A function whose coefficients are multiples of 1/8: sums of products are exact."""
    random = np.random.default_rng(seed)
    values = random.integers(-16, 17, algebra.size) / 8
    values[random.uniform(size=algebra.size) > share] = 0
    values[0] = constant
    return MTF(algebra, values)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("share", [1.0, 0.1])
def test_products_and_sums_are_exact(case: Case, share: float) -> None:
    f, g = made(case.algebra, 1), made(case.algebra, 2, share=share, constant=-2)
    assert exact(f * g) == multiplied(exact(f), exact(g), case.keeps)
    assert exact(g * f) == exact(f * g)
    assert exact(g * g) == multiplied(exact(g), exact(g), case.keeps)
    assert exact(f + g) == added(exact(f), exact(g))
    complex_product = (f + 1j * g) * (g - 2j * f)
    ff, fg, gg = (multiplied(exact(a), exact(b), case.keeps) for a, b in ((f, f), (f, g), (g, g)))
    assert exact(complex_product.real) == added(fg, fg, Fraction(2))
    assert exact(complex_product.imag) == added(gg, ff, Fraction(-2))


@pytest.mark.parametrize("case", CASES)
def test_derivatives_are_exact(case: Case) -> None:
    f = made(case.algebra, 3)
    for variable in range(case.algebra.dimension):
        slope = f.derivative(variable)
        want = differentiated(exact(f), variable)
        known = {powers for powers in want if slope.known.contain(np.array(powers))}
        # What the derivative of a kept polynomial has is exactly what is known of it.
        assert known == set(want)
        assert exact(slope) == want


@pytest.mark.parametrize("case", CASES)
def test_poisson_brackets_are_exact(case: Case) -> None:
    names = case.algebra.names
    f, g = made(case.algebra, 4), made(case.algebra, 5)
    bracket = f.poisson_bracket(g, pairs=[(names[0], names[1])])
    want = added(
        multiplied(differentiated(exact(f), 0), differentiated(exact(g), 1), case.keeps),
        multiplied(differentiated(exact(f), 1), differentiated(exact(g), 0), case.keeps),
        Fraction(-1),
    )
    for powers in case.algebra.exponents.tolist():
        if bracket.known.contain(np.array(powers)):
            assert Fraction(bracket[tuple(powers)].real) == want.get(tuple(powers), 0)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("constant", [0.0, 2.0])
def test_compositions_are_those_of_the_polynomials_that_are_kept(
    case: Case, constant: float
) -> None:
    algebra, dimension = case.algebra, case.algebra.dimension
    outer = TaylorMap([made(algebra, seed, share=0.3) for seed in range(3)])
    inner = [made(algebra, 10 + seed, share=0.1, constant=constant) for seed in range(dimension)]
    for function, result in zip(outer, outer @ TaylorMap(inner), strict=True):
        want = composed(exact(function), [exact(part) for part in inner], case.keeps, dimension)
        assert_known(result, want)


@pytest.mark.parametrize("case", CASES)
def test_parameters_pass_through_a_composition_unchanged(case: Case) -> None:
    algebra = case.algebra
    count = algebra.dimension - len(algebra.parameters)
    inner = [made(algebra, 20 + seed, share=0.1, constant=0) for seed in range(count)]
    outer = made(algebra, 30, share=0.3)
    passed = [exact(algebra.variable(name)) for name in algebra.parameters]
    all_inner = [*(exact(part) for part in inner), *passed]
    want = composed(exact(outer), all_inner, case.keeps, algebra.dimension)
    assert_known(outer.compose(inner), want)


def assert_known(result: MTF, want: Mapping[tuple[int, ...], Fraction]) -> None:
    for powers in result.algebra.exponents.tolist():
        if result.known.contain(np.array(powers)):
            assert Fraction(result[tuple(powers)].real) == want.get(tuple(powers), 0)
        else:
            assert result.coefficients[result.algebra.index(powers)] == 0
