"""The kernels of one number: every one that was generated, alone and below other variables."""

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

NATIVE = Path(__file__).parents[3] / "packages" / "tpsa-core" / "native"
HIGHEST = {1: 20, 2: 12, 3: 8, 4: 5, 5: 5, 6: 4}
# The last ones of each number of variables, and all those whose vectors are filled in part.
BLOCKS = [
    (variables, order)
    for variables, highest in HIGHEST.items()
    for order in {*range(1, 4), highest - 1, highest}
]


@pytest.fixture(scope="module")
def generators() -> tuple[ModuleType, ModuleType]:
    """The one of windows, and the one that uses it."""
    modules: list[ModuleType] = []
    for name in ("generate_windows", "generate_kernels"):
        specification = importlib.util.spec_from_file_location(name, NATIVE / f"{name}.py")
        assert specification is not None
        assert specification.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        modules.append(module)
    return modules[0], modules[1]


@pytest.mark.parametrize("block", [(1, 7), (2, 5), (3, 4), (4, 3), (6, 2)])
def test_steps_give_every_product_once(
    generators: tuple[ModuleType, ModuleType], block: tuple[int, int]
) -> None:
    windows, kernels = generators
    variables, order = block
    table = [p for degree in range(order + 1) for p in kernels.monomials(variables, degree)]
    outputs = windows.vectors([0], [len(table)])
    given: Counter[tuple[int, int]] = Counter()
    for step in windows.steps_for(table, outputs, range(len(outputs))):
        side, start, coefficient = step.window
        for lane, place in enumerate(outputs[step.vector]):
            if step.mask >> lane & 1:
                pair = (start + lane, coefficient)[:: -1 if side else 1]
                given[pair] += 1
                assert table[place] == tuple(
                    x + y for x, y in zip(table[pair[0]], table[pair[1]], strict=True)
                )
    wanted = {
        (left, right)
        for left, powers in enumerate(table)
        for right, others in enumerate(table)
        if sum(powers) + sum(others) <= order
    }
    assert set(given) == wanted
    assert set(given.values()) == {1}


@pytest.fixture
def both(
    native: ModuleType, level: str, shape: Callable[..., Any]
) -> Callable[..., tuple[Any, Any]]:
    """A function's results for a layout at a level, and for rows without vectors."""

    def call(split: tuple[int, int, int], name: str, *arguments: Any) -> tuple[Any, Any]:
        try:
            one = shape(*split)
            native.set_level(level)
            got = one.call(name, *arguments)
        except ValueError:
            pytest.skip("no kernels of so many variables were generated for the order")
        native.set_level("portable")
        want = shape(*split[:2], 1).call(name, *arguments)
        native.set_level(level)
        return got, want

    return call


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("outer", [0, 1, 2])
def test_products_of_integers_are_the_same(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    rng: np.random.Generator,
    block: tuple[int, int],
    outer: int,
) -> None:
    variables, order = block
    split = (variables + outer, order, variables)
    if split[0] > 6:
        split = (variables, order, variables)
    left, right = (shape(*split[:2]).integers(rng) for _ in range(2))
    assert np.array_equal(*both(split, "multiply", left, right))
    assert np.array_equal(*both(split, "square", left))


@pytest.mark.parametrize(
    "split", [(5, 5, 5), (6, 5, 5), (5, 5, 4), (6, 4, 6), (3, 8, 3), (2, 9, 2)]
)
@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "reciprocal"])
def test_functions_are_the_same(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    rng: np.random.Generator,
    split: tuple[int, int, int],
    name: str,
) -> None:
    size = shape(*split[:2]).size
    series = rng.uniform(-1, 1, size) / size
    series[0] = 1.25
    got, want = both(split, name, series)
    assert np.abs(got - want).max() <= 1e-14 * np.abs(want).max()


@pytest.mark.parametrize("split", [(3, 3, 3), (4, 2, 2), (6, 3, 6), (5, 5, 5), (2, 7, 1)])
@pytest.mark.parametrize("value", [np.inf, np.nan, 1e308, 5e-324])
def test_what_is_not_finite_stays_where_it_belongs(
    both: Callable[..., tuple[Any, Any]],
    shape: Callable[..., Any],
    split: tuple[int, int, int],
    value: float,
) -> None:
    one = shape(*split[:2])
    for degree in range(one.order + 1):
        spoilt = np.ones(one.size)
        spoilt[np.flatnonzero(one.degrees == degree)[degree // 2]] = value
        with np.errstate(invalid="ignore"):
            for pair in ((spoilt, np.ones(one.size)), (np.ones(one.size), spoilt)):
                assert np.array_equal(*both(split, "multiply", *pair), equal_nan=True)


@pytest.mark.parametrize("dimensions", [(6, 5), (6, 4), (4, 6), (3, 3)])
def test_degrees_that_are_missing_are_left_out(
    native: ModuleType, level: str, shape: Callable[..., Any], dimensions: tuple[int, int]
) -> None:
    # Through series, which know their degrees: part of a block is computed, and the rest is zero.
    del level
    one = shape(*dimensions)

    class Series(native.SeriesBase):
        __slots__ = ()

    algebra = object()
    for low in range(one.order + 1):
        values = np.where(one.degrees >= low, one.degrees + 1.0, 0.0)
        series = Series.from_graded(algebra, one.plan, values, one.order)
        got = np.empty(one.size)
        for product in (series * series, series * (series + series) / 2.0):
            product.to_graded(got)
            assert np.array_equal(got, one.call("multiply", values, values))
