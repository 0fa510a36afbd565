"""Functions against sums over powers in exact rational arithmetic, and on complex numbers."""

import cmath
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("level")

SPLITS = [
    *[(1, 0, 1), (1, 9, 1), (2, 4, 1), (2, 4, 2), (3, 3, 2), (4, 2, 4), (5, 3, 3), (2, 8, 1)],
    # Blocks of two variables past the generated kernels, and blocks side by side.
    (2, 14, 2),
    (6, 5, 2),
]
EXPONENT = 0.375


def exponentials(value: Any, order: int) -> list[Any]:
    return [cmath.exp(value) / math.factorial(k) for k in range(order + 1)]


def waves(values: Sequence[Any], order: int) -> list[Any]:
    """Taylor coefficients of a function whose derivatives repeat."""
    return [values[k % len(values)] / math.factorial(k) for k in range(order + 1)]


def powers(value: Any, exponent: float, order: int) -> list[Any]:
    result = [complex(value) ** exponent]
    for k in range(1, order + 1):
        result.append(result[-1] * (exponent - k + 1) / k / value)
    return result


def logarithms(value: Any, order: int) -> list[Any]:
    rest = [-((-1 / value) ** k) / k for k in range(1, order + 1)]
    return [cmath.log(value), *rest]


# Function, extra arguments, and the Taylor coefficients at a value.
FUNCTIONS: list[tuple[str, tuple[float, ...], Callable[[Any, int], list[Any]]]] = [
    ("exp", (), exponentials),
    ("log", (), logarithms),
    ("reciprocal", (), lambda value, order: powers(value, -1.0, order)),
    ("sqrt", (), lambda value, order: powers(value, 0.5, order)),
    ("power", (EXPONENT,), lambda value, order: powers(value, EXPONENT, order)),
    ("power", (-2.0,), lambda value, order: powers(value, -2.0, order)),
    ("power", (3.0,), lambda value, order: powers(value, 3.0, order)),
]


def operand(one: Any, rng: np.random.Generator, *, is_complex: bool) -> Any:
    series = rng.uniform(-0.5, 0.5, one.size)
    if not is_complex:
        series[0] = 1.25
        return series
    series = series + 1j * rng.uniform(-0.5, 0.5, one.size)
    series[0] = -0.75 + 1j
    return series


def require_close(got: Any, want: Sequence[Any]) -> None:
    expected = np.array(want)
    assert np.abs(got - expected).max() <= 1e-13 * np.abs(expected).max()


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda case: f"{case[0]}{case[1]}")
def test_functions_equal_their_sums_over_powers(
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    function: tuple[str, tuple[float, ...], Callable[[Any, int], list[Any]]],
    *,
    is_complex: bool,
) -> None:
    name, extra, taylor = function
    one = shape(*split)
    series = operand(one, rng, is_complex=is_complex)
    coefficients = taylor(series[0].item(), one.order)
    require_close(one.call(name, series, *extra), one.applied(coefficients, series.tolist()))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
def test_sine_and_cosine_equal_their_sums_over_powers(
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    series = operand(one, rng, is_complex=is_complex)
    value = series[0].item()
    sine, cosine = one.call("sine_cosine", series, outputs=2)
    s, c = cmath.sin(value), cmath.cos(value)
    require_close(sine, one.applied(waves([s, c, -s, -c], one.order), series.tolist()))
    require_close(cosine, one.applied(waves([c, -s, -c, s], one.order), series.tolist()))
    sine, cosine = one.call("hyperbolic", series, outputs=2)
    s, c = cmath.sinh(value), cmath.cosh(value)
    require_close(sine, one.applied(waves([s, c], one.order), series.tolist()))
    require_close(cosine, one.applied(waves([c, s], one.order), series.tolist()))


@pytest.mark.parametrize("split", SPLITS)
def test_the_exponential_is_right_to_few_units_against_rational_arithmetic(
    shape: Callable[..., Any], rng: np.random.Generator, split: tuple[int, int, int]
) -> None:
    one = shape(*split)
    series = rng.integers(-4, 5, one.size) / 8
    series[0] = 0
    taylor = [Fraction(1, math.factorial(k)) for k in range(one.order + 1)]
    exact = one.applied(taylor, [Fraction(value) for value in series.tolist()])
    # The scale of each error: what the same sum gives with all signs equal.
    scale = one.applied(taylor, [abs(Fraction(value)) for value in series.tolist()])
    got = one.call("exp", series)
    for value, want, bound in zip(got.tolist(), exact, scale, strict=True):
        assert abs(Fraction(value) - want) <= 8 * Fraction(np.finfo(float).eps) * bound


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
def test_quotients_of_products_are_the_factors(
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    left, right = (one.integers(rng, is_complex=is_complex) for _ in range(2))
    # With a denominator of constant part 1 all quotients of integers are integers: exact.
    right[0] = 1
    product = np.array(one.product(left.tolist(), right.tolist()))
    assert np.array_equal(one.call("divide", product, right), left)


def test_huge_and_tiny_scales_do_not_spoil_a_quotient(shape: Callable[..., Any]) -> None:
    one = shape(2, 3)
    series = np.zeros(one.size, dtype=complex)
    series[0] = 1e300 + 1e300j
    assert one.call("reciprocal", series)[0] == pytest.approx(5e-301 - 5e-301j, rel=1e-15)
    series[0] = 1e-300j
    assert one.call("reciprocal", series)[0] == pytest.approx(-1e300j, rel=1e-15)


def test_out_of_their_domains_functions_give_what_the_numbers_give(
    shape: Callable[..., Any],
) -> None:
    one = shape(2, 2)
    zero = np.zeros(one.size)
    assert one.call("log", zero)[0] == -np.inf
    assert one.call("reciprocal", zero)[0] == np.inf
    assert np.isnan(one.call("sqrt", zero - 1.0)[0])
    zero[0] = np.inf
    assert one.call("exp", zero)[0] == np.inf


def test_a_real_constant_keeps_complex_results_on_numpys_side_of_the_cut(
    shape: Callable[..., Any],
) -> None:
    one = shape(1, 2)
    for value in (complex(-4.0, 0.0), complex(-4.0, -0.0)):
        series = np.zeros(one.size, dtype=complex)
        series[0] = value
        assert one.call("sqrt", series)[0] == np.sqrt(value)
        assert one.call("log", series)[0] == np.log(value)
