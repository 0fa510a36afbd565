"""Compositions whose deepest levels are computed at once, and inverses by Newton's steps: exact."""

from collections.abc import Callable
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("level")

# Two and three levels at once; more variables than there are lanes; none at once.
SPLITS = [(1, 6), (2, 3), (2, 6), (3, 5), (4, 5), (6, 3), (9, 3), (2, 2)]


def integers(one: Any, rows: int, rng: np.random.Generator, *, is_complex: bool) -> Any:
    real = rng.integers(-1, 2, (rows, one.size)).astype(float)
    return real + 1j * rng.integers(-1, 2, real.shape) if is_complex else real


def term_by_term(one: Any, series: Any, inner: Any) -> Any:
    """The series at the inner ones: the sum of all terms, each monomial a product of two."""
    monomials: list[Any] = [[1, *[0] * (one.size - 1)]]
    for powers in one.exponents[1:]:
        variable = next(place for place, power in enumerate(powers) if power)
        rest = tuple(power - (place == variable) for place, power in enumerate(powers))
        monomials.append(one.product(inner[variable].tolist(), monomials[one.index[rest]]))
    return series @ np.array(monomials)


def composed(native: ModuleType, one: Any, series: Any, inner: Any) -> Any:
    result = np.full((len(series), one.size), np.nan, dtype=np.result_type(series, inner))
    native.compose(one.plan, one.block(series), one.plan, one.block(inner), result)
    return one.graded(result)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_complex", [(False, False), (True, False), (True, True)])
def test_compositions_equal_the_sum_of_all_terms(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int],
    is_complex: tuple[bool, bool],
) -> None:
    one = shape(*split)
    inner = integers(one, one.dimension, rng, is_complex=is_complex[1])
    inner[:, 0] = 0
    series = integers(one, 11, rng, is_complex=is_complex[0])
    want = term_by_term(one, series, inner)
    for count in (1, 2, 4, 6, 11):
        assert np.array_equal(composed(native, one, series[:count], inner), want[:count])


@pytest.mark.parametrize("split", [(2, 6), (3, 5), (9, 3)])
def test_few_terms_leave_no_trace_of_other_terms(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator, split: tuple[int, int]
) -> None:
    one = shape(*split)
    inner = integers(one, one.dimension, rng, is_complex=False)
    inner[:, 0] = 0
    # One term each, and all zero but a few.
    series = np.eye(one.size)
    want = term_by_term(one, series, inner)
    for start in range(0, one.size, 3):
        part = series[start : start + 3]
        assert np.array_equal(composed(native, one, part, inner), want[start : start + 3])
    assert not composed(native, one, 0 * series[:2], inner).any()


@pytest.mark.parametrize("split", [(1, 9), (2, 7), (3, 5), (4, 4), (9, 3)])
def test_inverses_are_exact(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator, split: tuple[int, int]
) -> None:
    one = shape(*split)
    dimension = one.dimension
    rows = integers(one, dimension, rng, is_complex=False)
    rows[:, 0] = 0
    # Few terms keep the numbers below 2**53.
    rows[:, 1 + dimension :] *= rng.random(rows[:, 1 + dimension :].shape) < 3 / one.size
    rows[:, 1 : 1 + dimension] = np.eye(dimension) + np.eye(dimension, k=1)
    linear = np.full((dimension, dimension), np.nan)
    assert native.linear_inverse(one.plan, one.block(rows), linear)
    result = np.full_like(rows, np.nan)
    native.inverse(one.plan, one.block(rows), linear, result)
    identity = np.eye(dimension, one.size, k=1)
    assert np.array_equal(term_by_term(one, rows, one.graded(result)), identity)


def test_threads_do_not_share_memory(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator
) -> None:
    one = shape(6, 5)
    inner = rng.uniform(-0.3, 0.3, (6, one.size))
    inner[:, 0] = 0
    series = [rng.uniform(-1, 1, (6, one.size)) for _ in range(4)]
    want = [composed(native, one, rows, inner) for rows in series]
    right = [False] * len(series)

    def compare(place: int) -> None:
        got = [composed(native, one, series[place], inner) for _ in range(50)]
        right[place] = all(np.array_equal(one_of_them, want[place]) for one_of_them in got)

    threads = [Thread(target=compare, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(right)
