"""Restricted plans, directly: what they keep, and what is refused."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest


def test_some_of_these_have_blocks_side_by_side(plans: list[Any]) -> None:
    assert [bool(plan.wide_degrees) for plan in plans] == [False] * (len(plans) - 2) + [True] * 2


def test_a_plan_keeps_the_monomials_within_its_bounds(series: Any) -> None:
    assert series.plan.size == series.size
    assert series.plan.has_kernels
    values = np.arange(series.size, dtype=float)
    assert np.array_equal(series.graded(series.block(values)), values)
    # The antiderivative of each monomial is the monomial that it should be, or nothing.
    for variable in range(len(series.case.caps)):
        for place, powers in enumerate(series.exponents):
            target = (*powers[:variable], powers[variable] + 1, *powers[variable + 1 :])
            want = np.zeros(series.size)
            if target in series.index:
                want[series.index[target]] = 1 / target[variable]
            one = np.eye(series.size)[place]
            assert np.array_equal(series.call("antiderivative", one, variable), want)
            assert np.array_equal(
                series.call("derivative", want, variable), one * (target in series.index)
            )


def test_without_kernels_block_order_is_graded_order(native: ModuleType) -> None:
    plan = native.Plan(3, 4, 3, (4, 2, 2), 2, 3)
    assert (plan.has_kernels, plan.size, plan.wide_degrees) == (False, 26, 0)
    values = np.arange(26.0)
    result = np.empty(26)
    plan.to_block(values, result)
    assert np.array_equal(values, result)
    native.antiderivative(plan, np.eye(26)[0], 2, result)
    assert result.nonzero()[0].tolist() == [3]
    with pytest.raises(ValueError, match="no kernels"):
        native.square(plan, values, result)


def test_a_plan_says_that_it_is_restricted(native: ModuleType) -> None:
    plan = native.Plan(3, 4, caps=(4, 4, 2))
    assert repr(plan) == "Plan(3, 4, inner_variables=2, restricted)"
    assert (plan.dimension, plan.order, plan.inner_variables) == (3, 4, 2)
    assert 0 < plan.nbytes < 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 3, 0, (3, 4)), "the cap 4 is not from 1 to 3"),
        ((2, 3, 0, (3, 0)), "the cap 0 is not from 1 to 3"),
        ((2, 3, 0, (3,)), "a tuple of 2 numbers"),
        ((2, 3, 0, [3, 2]), "a tuple of 2 numbers"),
        ((2, 3, 0, (3, 2), 2, 1), "a group of 2 up to 1 does not suit 2 variables at order 3"),
        ((2, 3, 0, (3, 2), 1, 0), "a group of 1 up to 0"),
        ((2, 3, 0, (3, 2), 1, 4), "a group of 1 up to 4"),
        ((2, 3, 0, (3, 2), -1, 1), "a group of -1"),
        ((2, 3, 0, None, 1, 1), "a group needs caps"),
        ((3, 4, 2, (4, 2, 2)), "blocks of 2 variables do not suit 3 variables at order 4"),
        ((40, 30, 0, (30,) * 20 + (2,) * 20), r"needs (over )?\d+ MiB, more than the 256"),
        ((60_000, 60_000, 0, (1,) * 60_000), r"needs \d+ MiB, more than the 256"),
    ],
)
def test_what_is_no_plan_is_refused(
    native: ModuleType, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        native.Plan(*arguments)
    with pytest.raises(TypeError):
        native.Plan(2, 3, 0, (3, "2"))


def test_series_with_limits_are_left_to_python(
    native: ModuleType, rng: np.random.Generator
) -> None:
    plan, values, limits = native.Plan(2, 3, caps=(3, 1)), rng.normal(size=7), ("any", "note")
    kind: Callable[..., Any] = native.SeriesBase.within
    series, plain = kind(None, plan, values, 3, limits), kind(None, plan, values, 3, None)
    whole = native.SeriesBase.from_graded(None, plan, values, 3)
    assert series.limits is limits
    assert (-series).limits is limits
    assert (2.0 * series).limits is limits
    assert (whole.limits, plain.limits is None) == (None, True)
    for operation in (lambda: series + whole, lambda: whole * series, lambda: 1.0 / series):
        with pytest.raises(TypeError, match="unsupported operand"):
            operation()
    with pytest.raises(ValueError, match="not known up to a degree"):
        native.series_exp(series)
    assert native.series_derivative(series, 0) is None
    assert native.series_antiderivative(series, 0) is None
    assert native.series_derivative(whole, 1) is None
    assert native.series_derivative(whole, 0).valid_order == 2
    assert native.series_antiderivative(whole, 1).valid_order == 3
    with pytest.raises(ValueError, match="no variable 2 among 2"):
        native.series_derivative(whole, 2)
