"""Vectors of series: the same results as one by one, in one call."""

import copy
import operator
import pickle  # noqa: TID251 -- that values survive it is what is tested
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpsa_core import (
    MTF,
    Algebra,
    AlgebraMismatchError,
    DomainError,
    OrderError,
    ShapeError,
    TaylorMap,
    TaylorVector,
)

ALGEBRA = Algebra("x", "y", order=4)
X, Y = ALGEBRA.variables()
STATE = TaylorVector.of([1 + X, Y - 2, X * Y + 3])

# One, two and many variables; the last takes the way of large products.
SIZES = [(1, 6), (2, 4), (3, 3), (4, 9)]


def _numpy(name: str, *operands: Any) -> Any:
    """One of numpy's functions; its stubs know arrays only."""
    return getattr(np, name)(*operands)


def _random(dimension: int, order: int, length: int, seed: int) -> TaylorVector:
    algebra = Algebra(dimension, order=order)
    values = np.random.default_rng(seed).normal(size=(length, algebra.size))
    return TaylorVector(algebra, values)


@pytest.mark.parametrize(("dimension", "order"), SIZES)
@pytest.mark.parametrize("length", [1, 5, 40])
def test_operations_give_what_they_give_one_by_one(dimension: int, order: int, length: int) -> None:
    first, second = (_random(dimension, order, length, seed) for seed in (1, 2))
    pairs = list(zip(first, second, strict=True))
    assert list(first + second) == [a + b for a, b in pairs]
    assert list(first - second) == [a - b for a, b in pairs]
    products = TaylorVector.of([a * b for a, b in pairs])
    assert (first * second).is_close(products, rtol=1e-14, atol=1e-13)
    quotients = TaylorVector.of([a / b for a, b in pairs])
    assert (first / second).is_close(quotients, rtol=1e-12)


@given(st.lists(st.integers(-9, 9), min_size=45, max_size=45))
def test_vectors_of_integers_form_a_ring(numbers: list[int]) -> None:
    a, b, c = (
        TaylorVector(ALGEBRA, np.reshape(numbers[start : start + 15], (1, 15)))
        for start in (0, 15, 30)
    )
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a * b == b * a


def test_a_number_or_a_function_meets_every_element_and_an_array_one_each() -> None:
    weights = np.array([2.0, 3.0, -1.0])
    assert list(2 * STATE) == [2 * f for f in STATE] == list(STATE * 2)
    assert list(STATE - 1) == [f - 1 for f in STATE]
    assert list(1 - STATE) == [1 - f for f in STATE]
    assert list(STATE / 2) == [f / 2 for f in STATE]
    assert list(2 / (STATE + 5)) == [2 / (f + 5) for f in STATE]
    assert list(X * STATE) == [X * f for f in STATE] == list(STATE * X)
    assert list(X - STATE) == [X - f for f in STATE]
    assert list(STATE / (2 + X)) == [f / (2 + X) for f in STATE]
    assert list(X / (STATE + 5)) == [X / (f + 5) for f in STATE]
    pairs = list(zip(weights.tolist(), STATE, strict=True))
    # The stubs of numpy know nothing of operands that take arrays over.
    array: Any = weights
    assert list(array * STATE) == [w * f for w, f in pairs] == list(STATE * weights)
    assert list(array + STATE) == [w + f for w, f in pairs]
    assert list(array - STATE) == [w - f for w, f in pairs]
    assert list(array / (STATE + 5)) == [w / (f + 5) for w, f in pairs]
    assert list(np.float64(2) * STATE) == [2 * f for f in STATE]
    assert list(STATE**2) == [f**2 for f in STATE]
    assert list(-STATE) == [-f for f in STATE]


def test_numpys_functions_go_through_every_element() -> None:
    positive = TaylorVector.of([1 + X, 2 - Y])
    assert list(_numpy("exp", positive)) == [np.exp(f) for f in positive]
    assert list(_numpy("sqrt", positive)) == [np.sqrt(f) for f in positive]
    with pytest.raises(DomainError, match="log needs a positive constant part"):
        _numpy("log", -positive)
    with pytest.raises(TypeError):
        _numpy("floor", positive)
    with pytest.raises(TypeError):
        np.add.reduce(positive)  # pyright: ignore[reportArgumentType] -- it is what is refused


def test_a_vector_is_a_sequence_of_functions() -> None:
    assert len(STATE) == 3
    assert STATE[1] == Y - 2
    assert STATE[-1] == X * Y + 3
    assert isinstance(STATE[1:], TaylorVector)
    assert list(STATE[1:]) == [STATE[1], STATE[2]]
    assert STATE[:1].concatenate(STATE[1:]) == STATE
    assert STATE.constant.tolist() == [1.0, -2.0, 3.0]
    assert STATE.sum() == 2 + X + Y + X * Y
    assert TaylorVector.of(TaylorMap([X, Y])) == TaylorVector.of([X, Y])
    assert TaylorMap(list(STATE)).components == tuple(STATE)
    with pytest.raises(IndexError):
        _ = STATE[3]
    with pytest.raises(ShapeError, match="at least one element"):
        _ = STATE[3:]


def test_the_valid_order_is_that_of_all_elements() -> None:
    vector = TaylorVector.of([X.truncate(2), X**3 + Y])
    assert vector.valid_order == 2
    assert vector[1] == Y.truncate(2)
    assert (vector * STATE[:2]).valid_order == 2
    assert (STATE[:2] * X.truncate(1)).valid_order == 1
    assert STATE.truncate(3).derivative("x").valid_order == 2
    assert list(STATE.derivative("y")) == [f.derivative("y") for f in STATE]
    assert list(STATE.antiderivative(0)) == [f.antiderivative(0) for f in STATE]
    assert STATE.truncate(1).antiderivative(0).valid_order == 2
    assert vector.concatenate(vector).valid_order == 2
    with pytest.raises(OrderError):
        STATE.truncate(0).derivative("x")


def test_one_complex_element_makes_all_complex() -> None:
    vector = TaylorVector.of([X, 1j * Y])
    assert vector.is_complex
    assert vector[0].is_complex
    assert (STATE * 1j).is_complex
    assert (STATE + 1j)[0] == 1 + 1j + X
    assert not (STATE * STATE).is_complex


def test_values_are_those_of_all_elements() -> None:
    points = np.random.default_rng(0).normal(size=(7, 2))
    values = STATE.evaluate(points)
    assert values.shape == (7, 3)
    assert values[:, 2] == pytest.approx(STATE[2].evaluate(points))
    assert STATE.evaluate(points, dtype=np.float32).dtype == np.float32


def test_what_does_not_fit_is_refused() -> None:
    other = Algebra(2, order=4).variable(0)
    for coefficients in (np.zeros(15), np.zeros((2, 14)), np.zeros((0, 15)), [["x"] * 15]):
        with pytest.raises(ShapeError):
            TaylorVector(ALGEBRA, coefficients)
    with pytest.raises(ShapeError, match="at least one element"):
        TaylorVector.of([])
    with pytest.raises(AlgebraMismatchError):
        TaylorVector.of([X, other])
    for operand in (other, TaylorVector.of([other] * 3)):
        with pytest.raises(AlgebraMismatchError):
            _ = STATE * operand
    with pytest.raises(ShapeError, match="vectors of 3 and 2 elements"):
        _ = STATE + STATE[:2]
    with pytest.raises(ShapeError, match=r"numbers of shape \(2,\) for a vector of 3"):
        _ = STATE * np.ones(2)
    with pytest.raises(TypeError):
        _ = STATE + "x"  # pyright: ignore[reportOperatorIssue] -- it is what is refused
    for divisor in (0, np.array([1.0, 0.0, 1.0]), X):
        with pytest.raises(DomainError, match="division needs"):
            _ = STATE / divisor
    with pytest.raises(ShapeError, match="vectors of 3 and 1 elements"):
        STATE.is_close(STATE[:1])
    with pytest.raises(AlgebraMismatchError):
        STATE.concatenate(TaylorVector.of([other]))


def test_vectors_are_values() -> None:
    assert copy.deepcopy(STATE) is copy.copy(STATE) is STATE
    restored = pickle.loads(pickle.dumps(STATE))  # noqa: S301 -- our own bytes
    assert restored == STATE
    assert hash(restored) == hash(STATE)
    assert list(STATE) != STATE
    assert TaylorVector.of([X]) != TaylorVector.of([Algebra("x", "y", order=3).variable(0)])
    with pytest.raises(ValueError, match="read-only"):
        STATE.coefficients[0, 0] = 1.0
    assert repr(STATE) == "Taylor vector of 3 real functions in x, y, valid to order 4 of 4"


def test_an_element_does_not_share_what_can_be_written() -> None:
    values = np.zeros((1, ALGEBRA.size))
    vector = TaylorVector(ALGEBRA, values)
    values[0, 0] = 5.0
    assert vector[0] == ALGEBRA.zero()
    assert isinstance(vector[0], MTF)


def test_a_state_flows_along_a_differential_equation() -> None:
    # x'' = -x by the classical Runge-Kutta method, as a map of the initial state.
    state = TaylorVector.of([X, Y])
    steps, step = 50, 0.02

    def rate(s: TaylorVector) -> TaylorVector:
        return s[1:].concatenate(-s[:1])

    for _ in range(steps):
        first = rate(state)
        second = rate(state + step / 2 * first)
        third = rate(state + step / 2 * second)
        fourth = rate(state + step * third)
        state = state + step / 6 * (first + 2 * second + 2 * third + fourth)
    cosine, sine = np.cos(1.0), np.sin(1.0)
    # The method's error is of the order of step**4/120.
    exact = TaylorVector.of([cosine * X + sine * Y, cosine * Y - sine * X])
    assert state.is_close(exact, atol=1e-8)
    assert TaylorMap(list(state)).is_symplectic(atol=1e-9)


def test_what_is_no_number_vector_or_function_is_no_operand() -> None:
    vector: Any = TaylorVector.of([1 + X, 2 - Y])
    stranger: Any = object()
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        with pytest.raises(TypeError, match="unsupported operand"):
            operation(vector, stranger)
        with pytest.raises(TypeError, match="unsupported operand"):
            operation(stranger, vector)


def test_vectors_of_different_orders_join_at_the_lowest() -> None:
    known, less = TaylorVector.of([1 + X * Y]), TaylorVector.of([(X * Y).truncate(1)])
    joined = known.concatenate(less)
    assert joined.valid_order == 1
    assert joined[0].to_dict() == {(0, 0): 1.0}
    assert (known * less)[0].to_dict() == {}
    assert (less / (2 - known)).valid_order == 1
