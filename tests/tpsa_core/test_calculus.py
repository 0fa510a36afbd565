import numpy as np
import pytest

from tpsa_core import Algebra, OrderError, VariableError

ALGEBRA = Algebra("x", "y", order=4)
X, Y = ALGEBRA.variables()


def test_derivatives_of_monomials() -> None:
    function = X**3 * Y - 2 * Y**2 + 5
    assert function.derivative("x").to_dict() == {(2, 1): 3.0}
    assert function.derivative(1).to_dict() == {(3, 0): 1.0, (0, 1): -4.0}


def test_antiderivatives_of_monomials() -> None:
    function = 3 * X**2 * Y + 4
    assert function.antiderivative("x").to_dict() == {(1, 0): 4.0, (3, 1): 1.0}
    assert function.antiderivative("y").to_dict() == {(0, 1): 4.0, (2, 2): 1.5}


def test_an_antiderivative_past_the_order_is_cut_off() -> None:
    assert (X**4).antiderivative("x") == ALGEBRA.zero()


def test_a_derivative_is_valid_to_one_order_less_and_says_so() -> None:
    derivative = np.exp(X + Y).derivative("x")
    assert derivative.valid_order == 3
    assert derivative == np.exp(X + Y).truncate(3)
    assert (derivative + X).valid_order == 3
    assert (derivative * X).valid_order == 3
    assert (X**4 + derivative).to_dict() == derivative.to_dict()


def test_an_antiderivative_is_valid_to_one_order_more() -> None:
    function = np.exp(X).truncate(2)
    assert function.antiderivative("x").valid_order == 3
    assert np.exp(X).antiderivative("x").valid_order == 4


def test_differentiating_beyond_what_is_known_is_refused() -> None:
    function = X + Y
    for order in (3, 2, 1, 0):
        function = function.derivative("x")
        assert function.valid_order == order
    with pytest.raises(OrderError, match="no known derivative"):
        function.derivative("x")


@pytest.mark.parametrize("variable", ["z", 2, -1])
def test_an_unknown_variable_is_refused(variable: str | int) -> None:
    with pytest.raises(VariableError):
        X.derivative(variable)
    with pytest.raises(VariableError):
        X.antiderivative(variable)


def test_truncation_keeps_lower_orders_and_their_validity() -> None:
    function = np.exp(X)
    assert function.truncate(2).to_dict() == {(0, 0): 1.0, (1, 0): 1.0, (2, 0): 0.5}
    assert function.truncate(2).valid_order == 2
    assert function.truncate(9) == function
    assert function.truncate(9).valid_order == 4
    assert function.truncate(2).truncate(3).valid_order == 2


@pytest.mark.parametrize("order", [-1, 1.5, True])
def test_truncation_at_no_order_is_refused(order: int) -> None:
    with pytest.raises(OrderError, match="no integer from 0"):
        X.truncate(order)
