from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pytest


def test_the_best_level_is_in_use(native: ModuleType) -> None:
    assert native.levels()[0] == "portable"
    assert native.level() == native.levels()[-1]


def test_a_level_can_be_chosen_by_name(native: ModuleType) -> None:
    best = native.level()
    for name in native.levels():
        native.set_level(name)
        assert native.level() == name
    for wrong in ("sse9", "", 3):
        with pytest.raises(ValueError, match="this processor has no level"):
            native.set_level(wrong)
    assert native.level() == best


def test_levels_differ_by_rounding_only(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator
) -> None:
    one = shape(4, 4)
    left, right = rng.normal(size=(2, one.size))
    products: list[Any] = []
    for name in native.levels():
        native.set_level(name)
        products.append(one.call("multiply", left, right))
    scale = np.array(one.product(np.abs(left), np.abs(right)))
    for product in products:
        assert (np.abs(product - products[0]) <= 1e-14 * scale).all()


def test_many_threads_share_one_plan(
    native: ModuleType, shape: Callable[..., Any], rng: np.random.Generator
) -> None:
    # Enough work for the interpreter lock to be released, and lazy tables wanted by all at once.
    one = shape(6, 5)
    rows = rng.normal(size=(6, one.size)) * 0.2
    rows[:, 0] = 0
    points = rng.normal(size=(50, 6)) * 0.1

    def work(_: int) -> list[Any]:
        product, exponential, slope = (np.empty(one.size) for _ in range(3))
        composed, values = np.empty_like(rows), np.empty((6, len(points)))
        native.multiply(one.plan, rows[0], rows[1], product)
        native.exp(one.plan, rows[2], exponential)
        native.derivative(one.plan, rows[3], 4, slope)
        native.compose(one.plan, rows, one.plan, rows, composed)
        native.evaluate(one.plan, rows, points, values)
        return [product, exponential, slope, composed, values]

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(work, range(32)))
    for result in results[1:]:
        for got, want in zip(result, results[0], strict=True):
            assert np.array_equal(got, want)
