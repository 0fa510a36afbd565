"""Compositions of series that are known altogether: as those of their rows, without arrays."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from native_series import Owner, graded

pytestmark = pytest.mark.usefixtures("level")


def tuple_of(native: ModuleType, one: Any, rows: Any) -> tuple[Any, ...]:
    """Series of a shape from the rows of a matrix in graded order."""
    return tuple(native.SeriesBase.from_graded(Owner(), one.plan, row, one.order) for row in rows)


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((3, 4), (1, 4)), ((1, 5), (3, 3))])
@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("has_constants", [False, True])
def test_a_composition_of_series_is_that_of_their_rows(
    native: ModuleType,
    shape: Callable[..., Any],
    rng: np.random.Generator,
    shapes: Any,
    kinds: tuple[bool, bool],
    *,
    has_constants: bool,
) -> None:
    outer, inner = shape(*shapes[0]), shape(*shapes[1])
    series = np.array([outer.integers(rng, is_complex=kinds[0]) for _ in range(9)])
    rows = np.array([inner.integers(rng, is_complex=kinds[1]) for _ in range(outer.dimension)])
    rows[:, 0] *= has_constants
    want = np.empty((9, inner.size), dtype=np.result_type(series, rows))
    native.compose(outer.plan, outer.block(series), inner.plan, inner.block(rows), want)

    made = native.compose_whole(tuple_of(native, outer, series), tuple_of(native, inner, rows))

    assert np.array_equal([graded(inner, one) for one in made], inner.graded(want))
    assert {one.valid_order for one in made} == {inner.order}


def test_what_is_not_whole_is_left_to_arrays(native: ModuleType, shape: Callable[..., Any]) -> None:
    one, lower = shape(2, 3), shape(2, 2)
    whole = tuple_of(native, one, np.ones((2, one.size)))
    partly = (whole[0], native.SeriesBase.from_graded(Owner(), one.plan, np.ones(one.size), 2))
    assert native.compose_whole(whole, partly) is None
    assert native.compose_whole(partly, whole) is None
    assert native.compose_whole(tuple_of(native, lower, np.ones((2, lower.size))), whole) is None
    assert native.compose_whole(whole, whole) is not None


def test_compositions_that_make_no_sense_are_refused(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    one = shape(2, 3)
    whole = tuple_of(native, one, np.ones((2, one.size)))
    with pytest.raises(ValueError, match="1 series for 2 variables"):
        native.compose_whole(whole, whole[:1])
    for wrong in ([*whole], (), None):
        with pytest.raises(TypeError, match="expected a tuple of series"):
            native.compose_whole(wrong, whole)
        with pytest.raises(TypeError, match="expected a tuple of series"):
            native.compose_whole(whole, wrong)
    with pytest.raises(TypeError, match="compose_whole takes from 2"):
        native.compose_whole(whole)


def test_a_composition_that_takes_too_much_memory_is_refused(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    outer, inner = shape(1, 600), shape(3, 100)
    whole = tuple_of(native, outer, np.ones((1, outer.size)))
    with pytest.raises(ValueError, match="MiB, more than the 1024 allowed"):
        native.compose_whole(whole, tuple_of(native, inner, np.ones((1, inner.size))))
