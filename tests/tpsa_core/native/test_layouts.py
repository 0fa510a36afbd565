"""Every layout gives what rows give on a processor without vectors, to rounding."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

# Blocks side by side in several degrees; blocks of two variables past the generated kernels, with
# every length of a last vector, and past those that are computed in vectors.
SPLITS = [
    *[(5, 8, 2), (3, 16, 1), (6, 6, 2), (8, 5, 4)],
    *[(2, 13, 2), (2, 14, 2), (2, 15, 2), (2, 16, 2), (2, 40, 2), (2, 41, 2)],
    *[(3, 15, 2), (4, 14, 2)],
]
FUNCTIONS: list[tuple[str, tuple[float, ...], int]] = [
    *[("exp", (), 1), ("log", (), 1), ("sqrt", (), 1), ("reciprocal", (), 1)],
    *[("power", (-1.5,), 1), ("sine_cosine", (), 2), ("hyperbolic", (), 2)],
]


@pytest.fixture
def both(
    native: ModuleType, level: str, shape: Callable[..., Any], split: tuple[int, int, int]
) -> Callable[..., tuple[Any, Any]]:
    """A function's results for a layout at a level, and for rows without vectors."""
    dimension, order, inner = split
    if not can_split(native, split):
        pytest.skip(f"no kernels of {inner} variables were generated for the order {order}")

    def call(name: str, *arguments: Any, outputs: int = 1) -> tuple[Any, Any]:
        native.set_level(level)
        got = shape(*split).call(name, *arguments, outputs=outputs)
        native.set_level("portable")
        want = shape(dimension, order, 1).call(name, *arguments, outputs=outputs)
        native.set_level(level)
        return got, want

    return call


def can_split(native: ModuleType, split: tuple[int, int, int]) -> bool:
    try:
        native.Plan(*split)
    except ValueError:
        return False
    return True


def values(one: Any, rng: np.random.Generator, *, is_complex: bool) -> Any:
    """A series whose functions stay near one."""
    result = rng.uniform(-1, 1, one.size) / one.size
    if is_complex:
        result = result + 1j * rng.uniform(-1, 1, one.size) / one.size
    result[0] = 1.25
    return result


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_integers_are_the_same(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    kinds: tuple[bool, bool],
) -> None:
    left, right = (shape(*split).integers(rng, is_complex=kind) for kind in kinds)
    assert np.array_equal(*both("multiply", left, right))
    assert np.array_equal(*both("square", left))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda case: f"{case[0]}{case[1]}")
def test_functions_are_the_same(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    function: tuple[str, tuple[float, ...], int],
    *,
    is_complex: bool,
) -> None:
    name, extra, outputs = function
    series = values(shape(*split), rng, is_complex=is_complex)
    got, want = both(name, series, *extra, outputs=outputs)
    assert np.abs(np.array(got) - np.array(want)).max() <= 1e-14 * np.abs(np.array(want)).max()


@pytest.mark.parametrize("split", [(2, 14, 2), (3, 13, 2), (2, 41, 2)])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e308, 5e-324])
def test_what_is_not_finite_stays_where_it_belongs(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    split: tuple[int, int, int],
    value: float,
) -> None:
    one = shape(*split)
    for degree in (0, 3, one.order - 1, one.order):
        spoilt = np.ones(one.size)
        spoilt[np.flatnonzero(one.degrees == degree)[degree // 2]] = value
        with np.errstate(invalid="ignore"):
            assert np.array_equal(*both("multiply", spoilt, np.ones(one.size)), equal_nan=True)
            assert np.array_equal(*both("multiply", np.ones(one.size), spoilt), equal_nan=True)


@pytest.mark.parametrize("split", [(3, 14, 2), (5, 8, 2)])
def test_compositions_are_the_same(
    native: ModuleType,
    level: str,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
) -> None:
    one, rows = shape(*split), shape(*split[:2], 1)
    outer = rng.uniform(-1, 1, (3, one.size)) / one.size
    inner = rng.uniform(-1, 1, (one.dimension, one.size)) / one.size
    inner[:, 0] = 0
    results: list[Any] = []
    for plan_of, name in ((one, level), (rows, "portable")):
        native.set_level(name)
        result = np.empty((3, one.size))
        blocks = [np.array([plan_of.block(row) for row in series]) for series in (outer, inner)]
        native.compose(plan_of.plan, blocks[0], plan_of.plan, blocks[1], result)
        results.append(np.array([plan_of.graded(row) for row in result]))
    native.set_level(level)
    assert np.abs(results[0] - results[1]).max() <= 1e-14 * np.abs(results[1]).max()
