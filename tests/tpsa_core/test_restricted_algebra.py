"""Algebras with parameters and lower orders: which monomials they keep, and what defines them."""

import copy
import itertools
import pickle  # noqa: TID251 -- our own bytes
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import (
    MTF,
    Algebra,
    AlgebraError,
    AlgebraMismatchError,
    ExponentsError,
    LimitError,
    VariableError,
)

KNOBS = Algebra("x", "px", order=6, parameters=("k1", "k2"), parameter_order=2)
CHROMATIC = Algebra("x", "px", "delta", order=6, orders={"delta": 2})


def kept(order: int, caps: list[int], parameters: int, parameter_order: int) -> list[Any]:
    """The exponents of all monomials within some bounds, in graded order, by trying all of them."""
    dimension = len(caps)
    inside = [
        powers
        for powers in itertools.product(*(range(cap + 1) for cap in caps))
        if sum(powers) <= order and sum(powers[dimension - parameters :]) <= parameter_order
    ]
    return sorted(inside, key=lambda powers: (sum(powers), [-power for power in powers]))


@given(st.data())
def test_an_algebra_keeps_the_monomials_within_its_orders_and_no_other(data: st.DataObject) -> None:
    order = data.draw(st.integers(1, 5))
    caps = data.draw(st.lists(st.integers(1, order), min_size=1, max_size=4))
    parameters = data.draw(st.integers(0, len(caps) - 1))
    joint = data.draw(st.integers(1, order)) if parameters else 0
    want = kept(order, caps, parameters, joint)
    highest = sum(want[-1])
    names = [f"v{position}" for position in range(len(caps))]
    first = len(caps) - parameters
    options: dict[str, Any] = {
        "orders": {name: min(cap, highest) for name, cap in zip(names, caps, strict=True)}
    }
    if parameters:
        options |= {"parameters": names[first:], "parameter_order": min(joint, highest)}
    algebra = Algebra(*names[:first], order=highest, **options)
    assert [tuple(powers) for powers in algebra.exponents.tolist()] == want
    assert algebra.size == len(want)
    assert [algebra.index(powers) for powers in want] == list(range(len(want)))


def test_parameters_are_variables_that_come_last() -> None:
    assert KNOBS.names == ("x", "px", "k1", "k2")
    assert (KNOBS.parameters, KNOBS.parameter_order, KNOBS.order) == (("k1", "k2"), 2, 6)
    assert [f.active_variables for f in KNOBS.variables()] == [(name,) for name in KNOBS.names]
    # 28, 21 and 15 monomials in x and px, for 1, 2 and 3 monomials of degree 0, 1 and 2.
    assert KNOBS.size == 28 + 2 * 21 + 3 * 15
    assert (CHROMATIC.parameters, CHROMATIC.parameter_order) == ((), 0)
    assert CHROMATIC.orders == {"delta": 2}
    assert KNOBS.orders == {}


def test_orders_that_exclude_nothing_give_the_very_same_algebra() -> None:
    full = Algebra("x", "px", order=4)
    assert Algebra("x", "px", order=4, orders={"px": 4}) is full
    assert Algebra("x", "px", order=4, orders={}, parameters=()) is full
    with_parameter = Algebra("x", order=4, parameters=("px",))
    assert with_parameter != full
    assert with_parameter is Algebra("x", order=4, parameters=["px"], parameter_order=4)
    assert np.array_equal(with_parameter.exponents, full.exponents)
    # Of a single parameter both orders mean the same.
    one = Algebra("x", order=4, parameters=("k",), parameter_order=2)
    assert one is Algebra("x", order=4, parameters=("k",), orders={"k": 2})


def test_equal_definitions_are_one_algebra_and_others_differ() -> None:
    again = Algebra("x", "px", order=6, parameters=("k1", "k2"), parameter_order=2)
    assert again is KNOBS
    assert hash(again) == hash(KNOBS)
    others = [
        Algebra("x", "px", "k1", "k2", order=6),
        Algebra("x", "px", order=6, parameters=("k1", "k2"), parameter_order=1),
        Algebra("x", "px", "k1", order=6, parameters=("k2",), parameter_order=2),
        Algebra("x", "px", order=6, parameters=("k1", "k2"), parameter_order=2, orders={"k1": 1}),
    ]
    assert KNOBS not in others
    assert len({KNOBS, *others}) == 5
    with pytest.raises(AlgebraMismatchError, match="operands belong to"):
        KNOBS.variable("x").poisson_bracket(others[0].variable("x"))


@pytest.mark.parametrize(
    "algebra", [KNOBS, CHROMATIC, Algebra(2, order=3, parameters=("k",), orders={"x2": 1, "k": 2})]
)
def test_an_algebra_is_written_as_it_is_made_and_survives_pickling(algebra: Algebra) -> None:
    assert eval(repr(algebra), {"Algebra": Algebra}) is algebra  # noqa: S307 -- our own text
    assert pickle.loads(pickle.dumps(algebra)) is algebra  # noqa: S301 -- our own bytes
    assert copy.deepcopy(algebra) is algebra


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ({"orders": {"z": 2}}, "no variable 'z' to have an order of its own", "'x', 'px'"),
        ({"orders": {"x": 7}}, "the order of 'x', 7, is above the order 6", "at most 6"),
        ({"orders": {"x": -1}}, "the order of 'x', -1, is no integer from 1", "an integer"),
        ({"orders": {"x": 1.5}}, "the order of 'x', 1.5, is no integer", "an integer"),
        ({"orders": {"x": 0}}, "the order of 'x', 0, is no integer from 1", "variable out"),
        ({"orders": [2]}, r"the orders \[2\] are no orders by names", "dictionary"),
        ({"orders": {"x": 2, "px": 3}}, "no monomial has degree 6.* highest degree is 5", "=5"),
        ({"parameter_order": 2}, "a parameter order and no parameter", "name them"),
        ({"parameters": ("k",), "parameter_order": 7}, "7, is above the order 6", "at most 6"),
        ({"parameters": ("k",), "parameter_order": 0}, "0, is no integer from 1", "out"),
        ({"parameters": ("k",), "parameter_order": -2}, "-2, is no integer from 1", "integer"),
        ({"parameters": ("x",)}, "'x' would be a variable and a parameter", "of its own"),
        ({"parameters": ("k", "k")}, "'k', 'k' are not all different", "every parameter"),
        ({"parameters": ("2k",)}, "'2k' is no name for a parameter", "letters"),
        ({"parameters": "k"}, "the parameters 'k' are one text", "a tuple"),
        ({"parameters": 3}, "3 are no names of parameters", "a tuple"),
        ({"parameters": (3,)}, "the parameters 3 are not all names", "a tuple"),
    ],
)
def test_what_defines_no_algebra_is_refused_with_the_reason(
    options: dict[str, Any], message: str, hint: str
) -> None:
    with pytest.raises(AlgebraError, match=message) as caught:
        Algebra("x", "px", order=6, **options)
    assert caught.value.hint is not None
    assert hint in caught.value.hint


def test_an_algebra_too_large_is_refused_before_it_is_made() -> None:
    names = [f"k{number}" for number in range(30)]
    message = "32 variables at order 400 with these lower orders have 433422561 monomials"
    with pytest.raises(LimitError, match=message) as caught:
        Algebra("x", "y", order=400, parameters=names, parameter_order=3)
    assert caught.value.hint is not None
    assert "the highest order that fits is 20" in caught.value.hint
    assert Algebra("x", "y", order=20, parameters=names, parameter_order=3).size <= 1_000_000
    with pytest.raises(LimitError, match="over 9 · 10¹⁵ monomials"):
        Algebra(60, order=200, orders={"x1": 3})
    with pytest.raises(LimitError, match="1001 variables are more than 1000"):
        Algebra(990, order=1, parameters=[f"k{number}" for number in range(11)])


def test_lower_orders_let_algebras_exist_whose_full_ones_are_too_large() -> None:
    names = [f"k{number}" for number in range(200)]
    with pytest.raises(LimitError, match="206 variables at order 4"):
        Algebra(206, order=4)
    algebra = Algebra(6, order=4, parameters=names, parameter_order=1)
    assert algebra.size == 210 + 200 * 84
    function = 1 + algebra.variable("x1") + algebra.variable("k199")
    assert len((function**4).to_dict()) == 5 + 4


def test_exponents_past_a_lower_order_are_refused_with_the_order() -> None:
    with pytest.raises(ExponentsError, match="exponents 0, 0, 3 exceed the order 2 of 'delta'"):
        CHROMATIC.index((0, 0, 3))
    with pytest.raises(ExponentsError, match=r"degree 3 in the parameters, past their order 2"):
        KNOBS.index((0, 0, 2, 1))
    with pytest.raises(ExponentsError, match="degree 7, past order 6"):
        KNOBS.index((6, 0, 1, 0))
    with pytest.raises(ExponentsError, match="exceed the order"):
        MTF.from_dict(CHROMATIC, {(0, 0, 3): 1.0})


def test_functions_move_between_algebras_with_other_orders() -> None:
    full = Algebra("x", "px", "delta", order=6)
    x, px, delta = full.variables()
    function = 1 + x * delta**2 + px**3 * delta**3
    moved = CHROMATIC.convert(function)
    assert moved.to_dict() == {(0, 0, 0): 1.0, (1, 0, 2): 1.0}
    assert moved.valid_order == 6
    back = full.convert(moved)
    assert back.to_dict() == moved.to_dict()
    # What the smaller algebra did not keep is not known in the larger one.
    assert (back.valid_order, back.valid_orders["delta"]) == (6, 2)
    knobs = Algebra("k2", "x", order=6)
    only_first = KNOBS.variable("k2") ** 2
    assert knobs.convert(only_first).valid_orders == {"k2": 2, "x": 2}
    plain = Algebra("x", "px", "k1", "k2", order=4)
    moved = plain.convert(KNOBS.variable("k1") * KNOBS.variable("k2"))
    assert moved.known.contain(plain.exponents).sum() == sum(
        powers[2] + powers[3] <= 2 for powers in plain.exponents.tolist()
    )
    with pytest.raises(VariableError, match="depends on 'k1'"):
        full.convert(KNOBS.variable("k1"))


def test_the_coefficients_are_those_of_the_monomials_that_are_kept() -> None:
    values = np.arange(1.0, KNOBS.size + 1)
    function = MTF(KNOBS, values)
    assert np.array_equal(function.coefficients, values)
    for powers, value in zip(KNOBS.exponents.tolist(), values.tolist(), strict=True):
        assert function[tuple(powers)] == value
    assert function.low_order == 0
    assert function.high_order == 6
    assert function.truncate(2).high_order == 2
    assert [len(function.order_norms()), function.norm()] == [7, float(KNOBS.size)]
