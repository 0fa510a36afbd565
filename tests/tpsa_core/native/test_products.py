"""Products of small integers are exact in floating point: results must be equal, not close."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

# Every number of inner variables, generated kernels and rows, one block and many.
SPLITS = [
    (1, 0, 1),
    (1, 12, 1),
    (2, 4, 1),
    (2, 4, 2),
    (2, 9, 1),
    (3, 3, 1),
    (3, 3, 2),
    (3, 3, 3),
    (3, 7, 1),
    (4, 2, 4),
    (5, 2, 2),
    (5, 3, 3),
    (8, 2, 4),
    (7, 3, 3),
    # Blocks of two variables past the generated kernels.
    (2, 14, 2),
    (3, 13, 2),
    # Blocks side by side: generated kernels and rows.
    (6, 5, 2),
    (3, 14, 1),
]
pytestmark = pytest.mark.usefixtures("level")


def test_some_of_these_have_blocks_side_by_side(shape: Callable[..., Any]) -> None:
    assert [split for split in SPLITS if shape(*split).plan.wide_degrees] == SPLITS[-2:]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True), (True, True)])
def test_products_equal_the_naive_ones(
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    kinds: tuple[bool, bool],
) -> None:
    one = shape(*split)
    left, right = (one.integers(rng, is_complex=kind) for kind in kinds)
    product = one.call("multiply", left, right)
    assert np.array_equal(product, one.product(left.tolist(), right.tolist()))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
def test_squares_equal_the_naive_ones(
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    series = one.integers(rng, is_complex=is_complex)
    assert np.array_equal(one.call("square", series), one.product(series, series))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
def test_degrees_that_are_empty_may_be_left_out(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    for _ in range(8):
        bounds: list[int] = []
        series: list[Any] = []
        for _ in range(2):
            low, high = sorted(rng.integers(0, one.order + 1, 2).tolist())
            values = one.integers(rng, is_complex=is_complex)
            values[(one.degrees < low) | (one.degrees > high)] = 0
            bounds += [low, high]
            series.append(values)
        order = int(rng.integers(0, one.order + 1))
        result = np.full(one.size, np.nan, dtype=series[0].dtype)
        left, right = (one.block(values) for values in series)
        native.multiply(one.plan, left, right, result, *bounds, order)
        want = np.array(one.product(*series))
        want[one.degrees > order] = 0
        assert np.array_equal(one.graded(result), want)


def test_bounds_stay_with_their_operands_if_only_one_is_complex(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(2, 4)
    linear = np.where(one.degrees == 1, 3.0, 0.0)
    top = np.where(one.degrees >= 3, 1j, 0)
    result = np.empty(one.size, dtype=complex)
    native.multiply(one.plan, one.block(linear), one.block(top), result, 1, 1, 3, 4)
    assert np.array_equal(one.graded(result), one.product(linear, top))


def test_infinities_nans_and_denormals_pass_through(shape: Callable[..., Any]) -> None:
    one = shape(3, 3)
    with np.errstate(invalid="ignore"):
        for value in (np.inf, -np.inf, np.nan, 5e-324, 1e308):
            series = np.zeros(one.size)
            series[0] = value
            # Every term meets the constant part of the other: zero times infinity is nan.
            product = one.call("multiply", series, np.ones(one.size))
            assert np.array_equal(product, np.full(one.size, value), equal_nan=True)


def test_an_infinity_stays_out_of_degrees_that_are_left_out(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(2, 3)
    left = np.where(one.degrees == 3, np.inf, 0.0)
    right = np.where(one.degrees == 0, 2.0, 0.0)
    result = np.empty(one.size)
    native.multiply(one.plan, one.block(left), one.block(right), result, 3, 3, 0, 0)
    assert np.array_equal(one.graded(result), left)


@pytest.mark.parametrize("split", SPLITS)
def test_derivatives_and_antiderivatives_move_each_term(
    shape: Callable[..., Any], rng: np.random.Generator, split: tuple[int, int, int]
) -> None:
    one = shape(*split)
    series = one.integers(rng, is_complex=True)
    for variable in range(one.dimension):
        slope, whole = np.zeros_like(series), np.zeros_like(series)
        for place, powers in enumerate(one.exponents):
            for step, target in ((-1, slope), (1, whole)):
                moved = (*powers[:variable], powers[variable] + step, *powers[variable + 1 :])
                if moved in one.index:
                    factor = powers[variable] if step < 0 else 1 / moved[variable]
                    target[one.index[moved]] = series[place] * factor
        assert np.array_equal(one.call("derivative", series, variable), slope)
        np.testing.assert_allclose(one.call("antiderivative", series, variable), whole, rtol=1e-15)


def test_sums_and_multiples_go_number_by_number(
    native: ModuleType, rng: np.random.Generator
) -> None:
    left, right, out = (rng.normal(size=17) + 1j * rng.normal(size=17) for _ in range(3))
    native.add(left, right, out)
    assert np.array_equal(out, left + right)
    native.subtract(left, right, out)
    assert np.array_equal(out, left - right)
    native.scale(2.5, left, out)
    assert np.array_equal(out, 2.5 * left)
    native.add_scaled(0.5, right, out)
    np.testing.assert_allclose(out, 2.5 * left + 0.5 * right, rtol=1e-15)
