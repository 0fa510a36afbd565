from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tpsa_core._monomials import MonomialTables

SHAPES = [(1, 0), (1, 30), (2, 0), (2, 9), (3, 7), (4, 4), (5, 3), (7, 2), (40, 2), (300, 1)]


@pytest.mark.parametrize(("dimension", "order"), SHAPES)
def test_users_see_the_order_of_the_monomial_tables(
    native: ModuleType, dimension: int, order: int
) -> None:
    tables = MonomialTables(dimension, order)
    plan = native.Plan(dimension, order)
    assert plan.size == tables.size
    place = np.empty(tables.size)
    plan.to_block(np.arange(tables.size, dtype=float), place)
    # The antiderivative of 1 in each variable is that variable: degree 1 of the tables.
    for variable in range(min(dimension, 3) if order else 0):
        result, graded = np.empty(tables.size), np.empty(tables.size)
        native.antiderivative(plan, np.eye(1, tables.size)[0], variable, result)
        plan.from_block(result, graded)
        (found,) = graded.nonzero()
        assert tables.exponents[found].tolist() == [[int(v == variable) for v in range(dimension)]]
    assert sorted(place.tolist()) == list(range(tables.size))


@pytest.mark.parametrize("inner_variables", [1, 2, 3, 4])
def test_monomials_stand_at_their_own_places(
    shape: Callable[..., Any], inner_variables: int
) -> None:
    one = shape(4, 2, inner_variables)
    for first, powers in enumerate(one.exponents):
        for second, others in enumerate(one.exponents):
            left, right = np.eye(one.size)[[first, second]]
            product = one.call("multiply", left, right)
            target = tuple(x + y for x, y in zip(powers, others, strict=True))
            want = np.zeros(one.size)
            if target in one.index:
                want[one.index[target]] = 1
            assert np.array_equal(product, want)


def test_moving_to_blocks_and_back_changes_nothing(
    shape: Callable[..., Any], rng: np.random.Generator
) -> None:
    one = shape(5, 3, 3)
    for rows in (rng.normal(size=one.size), rng.normal(size=(3, one.size)) * 1j):
        assert np.array_equal(one.graded(one.block(rows)), rows)
        assert not np.array_equal(one.block(rows), rows)


def test_a_plan_says_what_it_is(native: ModuleType) -> None:
    plan = native.Plan(3, 4, inner_variables=1)
    assert (plan.dimension, plan.order, plan.inner_variables, plan.size) == (3, 4, 1, 35)
    assert repr(plan) == "Plan(3, 4, inner_variables=1)"
    assert 35 * 4 < plan.nbytes < 10_000
    with pytest.raises(AttributeError):
        plan.order = 5


def test_a_plan_too_large_is_refused_with_the_numbers(native: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"20 variables at order 12 needs \d+ MiB, more than"):
        native.Plan(20, 12)
    with pytest.raises(ValueError, match="needs over 1000000000000 MiB"):
        native.Plan(60_000, 60_000)


@pytest.mark.parametrize("arguments", [(0, 3), (-1, 3), (2, -1), (2, 70_000), (70_000, 1)])
def test_numbers_that_define_no_plan_are_refused(
    native: ModuleType, arguments: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="from 1 to 65000 variables"):
        native.Plan(*arguments)


@pytest.mark.parametrize(("dimension", "order", "inner"), [(2, 3, 3), (2, 3, -1), (4, 30, 3)])
def test_blocks_that_the_kernels_cannot_handle_are_refused(
    native: ModuleType, dimension: int, order: int, inner: int
) -> None:
    with pytest.raises(ValueError, match=f"blocks of {inner} variables do not suit"):
        native.Plan(dimension, order, inner)


def test_large_plans_are_built_in_linear_time_and_memory(native: ModuleType) -> None:
    plan = native.Plan(200, 2)
    assert plan.size == 20_301
    assert plan.nbytes < 4_000_000
    plan = native.Plan(2, 400)
    assert plan.size == 80_601
    assert plan.nbytes < 8_000_000
