"""Composition, inversion and evaluation, exact on small integers."""

from collections.abc import Callable
from itertools import product as cartesian
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("level")

BOTH = [(False, False), (True, False), (False, True), (True, True)]
PAIRS = [
    ((2, 3), (2, 3)),
    ((3, 2), (1, 4)),
    ((1, 5), (3, 3)),
    ((2, 4), (3, 2)),
    ((2, 0), (2, 2)),
    ((2, 3), (2, 0)),
    ((5, 2), (2, 3)),
]


def substituted(outer: Any, series: Any, inner: Any, rows: Any) -> list[Any]:
    """The outer series at the inner ones, as a sum over all its terms."""
    result: list[Any] = [0] * inner.size
    for coefficient, powers in zip(series.tolist(), outer.exponents, strict=True):
        term: list[Any] = [coefficient, *[0] * (inner.size - 1)]
        for variable, power in enumerate(powers):
            for _ in range(power):
                term = inner.product(rows[variable].tolist(), term)
        result = [x + y for x, y in zip(result, term, strict=True)]
    return result


def rows_of(one: Any, count: int, rng: np.random.Generator, *, is_complex: bool) -> Any:
    real = rng.integers(-1, 2, (count, one.size)).astype(float)
    return real + 1j * rng.integers(-1, 2, real.shape) if is_complex else real


@pytest.mark.parametrize("shapes", PAIRS)
@pytest.mark.parametrize(("outer_complex", "inner_complex"), BOTH)
@pytest.mark.parametrize("has_constants", [False, True])
def test_compositions_equal_substitution(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    shapes: Any,
    *,
    outer_complex: bool,
    inner_complex: bool,
    has_constants: bool,
) -> None:
    outer, inner = shape(*shapes[0]), shape(*shapes[1])
    for components in (1, 3, 9):
        series = rows_of(outer, components, rng, is_complex=outer_complex)
        rows = rows_of(inner, outer.dimension, rng, is_complex=inner_complex)
        if not has_constants:
            rows[:, 0] = 0
        kind = np.result_type(series, rows)
        result = np.full((components, inner.size), np.nan, dtype=kind)
        native.compose(outer.plan, outer.block(series), inner.plan, inner.block(rows), result)
        for got, row in zip(inner.graded(result), series, strict=True):
            assert np.array_equal(got, substituted(outer, row, inner, rows))


def test_terms_that_are_zero_leave_no_trace_of_other_terms(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator
) -> None:
    one = shape(3, 4)
    rows = rows_of(one, 3, rng, is_complex=False)
    rows[:, 0] = 0
    for place in range(one.size):
        series = np.eye(one.size)[[place]]
        result = np.full((1, one.size), np.nan)
        native.compose(one.plan, one.block(series), one.plan, one.block(rows), result)
        assert np.array_equal(one.graded(result)[0], substituted(one, series[0], one, rows))
    result = np.full((2, one.size), np.nan)
    nothing = np.zeros((2, one.size))
    native.compose(one.plan, nothing, one.plan, one.block(rows), result)
    assert not result.any()


def test_no_components_give_no_results(native: ModuleType, shape: Callable[..., Any]) -> None:
    one = shape(2, 2)
    empty = np.empty((0, one.size))
    native.compose(one.plan, empty, one.plan, np.zeros((2, one.size)), np.empty_like(empty))
    native.evaluate(one.plan, empty, np.zeros((4, 2)), np.empty((0, 4)))


def map_of(one: Any, rng: np.random.Generator, *, is_complex: bool) -> tuple[Any, Any]:
    """A map with integers whose linear part has an inverse of integers, and that inverse."""
    rows = rows_of(one, one.dimension, rng, is_complex=is_complex)
    rows[:, 0] = 0
    rows[:, 1 : one.dimension + 1] = np.triu(rows[:, 1 : one.dimension + 1], 1)
    rows[:, 1 : one.dimension + 1] += np.eye(one.dimension)
    inverse = np.round(np.linalg.inv(rows[:, 1 : one.dimension + 1]))
    return rows, inverse


@pytest.mark.parametrize(
    "split", [(1, 6), (1, 9), (2, 4), (2, 5), (4, 4), (3, 3), (5, 2), (2, 1), (9, 1)]
)
@pytest.mark.parametrize("is_complex", [False, True])
def test_a_map_and_its_inverse_give_the_identity_exactly(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    rows, linear = map_of(one, rng, is_complex=is_complex)
    result = np.full_like(rows, np.nan)
    native.inverse(one.plan, one.block(rows), linear, result)
    inverse = one.graded(result)
    identity = np.zeros_like(rows)
    identity[:, 1 : one.dimension + 1] = np.eye(one.dimension)
    for row, want in zip(rows, identity, strict=True):
        assert np.array_equal(substituted(one, row, one, inverse), want)


@pytest.mark.parametrize("split", [(1, 3), (3, 2), (6, 2), (9, 1)])
@pytest.mark.parametrize("is_complex", [False, True])
def test_a_regular_linear_part_has_its_inverse(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int],
    *,
    is_complex: bool,
) -> None:
    one = shape(*split)
    rows, want = map_of(one, rng, is_complex=is_complex)
    for order in (np.arange(one.dimension), rng.permutation(one.dimension)):
        result = np.full_like(want, np.nan)
        assert native.linear_inverse(one.plan, one.block(rows[order]), result)
        assert np.array_equal(result, want[:, order])


@pytest.mark.parametrize(
    "linear",
    [
        [[0.0, 0.0], [0.0, 0.0]],
        [[1.0, 2.0], [2.0, 4.0]],
        [[1.0, 2.0], [2.0, 4.0 + 1e-12]],
        [[1e-9, 0.0], [0.0, 1.0]],
        [[np.nan, 0.0], [0.0, 1.0]],
        [[np.inf, 0.0], [0.0, 1.0]],
        [[1e200, 0.0], [0.0, 1e200]],
        [[1e-200, 0.0], [0.0, 1e-200]],
    ],
)
def test_a_linear_part_that_may_be_singular_is_left_to_others(
    native: ModuleType, shape: Callable[..., Any], linear: list[list[float]]
) -> None:
    one = shape(2, 1)
    rows = np.hstack([np.zeros((2, 1)), np.array(linear)])
    assert not native.linear_inverse(one.plan, one.block(rows), np.empty((2, 2)))


def test_a_linear_part_that_is_not_there_has_no_inverse(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(2, 0)
    assert not native.linear_inverse(one.plan, np.zeros((2, 1)), np.empty((2, 2)))
    restricted = native.Plan(2, 4, 0, (1, 4), 0, 4)
    rows = np.zeros((2, restricted.size))
    assert not native.linear_inverse(restricted, rows, np.empty((2, 2)))


def test_the_constant_part_of_a_map_plays_no_part_in_its_inverse(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(1, 3)
    rows = np.array([[7.0, 1.0, 1.0, 0.0]])
    result = np.empty_like(rows)
    native.inverse(one.plan, one.block(rows), np.eye(1), result)
    assert one.graded(result).tolist() == [[0.0, 1.0, -1.0, 2.0]]


@pytest.mark.parametrize("split", [(1, 8, 0), (2, 4, 0), (3, 3, 1), (6, 2, 0), (3, 0, 0)])
@pytest.mark.parametrize(("is_complex", "complex_points"), BOTH)
def test_values_equal_sums_of_powers(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    *,
    is_complex: bool,
    complex_points: bool,
) -> None:
    one = shape(*split)
    for components, count in cartesian([1, 2, 3, 4, 5, 6, 7, 13], [0, 1, 5, 40]):
        series = rows_of(one, components, rng, is_complex=is_complex)
        points = rng.integers(-2, 3, (count, one.dimension)).astype(float)
        if complex_points:
            points = points + 1j * rng.integers(-2, 3, points.shape)
        powers = np.array(one.exponents)
        want = series @ np.prod(points[:, np.newaxis, :] ** powers, axis=2).T
        result = np.full((components, count), np.nan, dtype=want.dtype)
        native.evaluate(one.plan, one.block(series), points, result)
        assert np.array_equal(result, want)


def test_only_the_terms_that_are_there_meet_an_infinite_coordinate(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(2, 3)
    for powers, point, value in (((1, 0), (3.0, np.inf), 6.0), ((0, 2), (np.inf, 3.0), 18.0)):
        series = np.zeros((1, one.size))
        series[0, one.index[powers]] = 2
        result = np.empty((1, 1))
        native.evaluate(one.plan, one.block(series), np.array([point]), result)
        assert result.tolist() == [[value]]
