import numpy as np
import pytest

from tpsa_core import (
    Algebra,
    AlgebraMismatchError,
    ExponentsError,
    OrderError,
    ShapeError,
    VariableError,
)

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


def test_mixed_derivatives_are_named_by_exponents() -> None:
    f = np.exp(2 * X) * np.sin(Y)
    assert f.derivative((2, 1)) == f.derivative("x").derivative("x").derivative("y")
    assert f.derivative([0, 0]) == f
    assert f.derivative((2, 1)).valid_order == ALGEBRA.order - 3
    # The constant part of a derivative is a factorial times a coefficient.
    assert f.derivative((2, 1)).constant == f[2, 1] * 2


def test_derivatives_past_the_known_order_or_of_wrong_exponents_are_refused() -> None:
    with pytest.raises(OrderError, match="valid to order 2 only has no known derivative of order"):
        X.truncate(2).derivative((2, 1))
    with pytest.raises(ExponentsError, match="1 exponents for 2 variables"):
        X.derivative((1,))
    with pytest.raises(ExponentsError, match="not all integers from 0"):
        X.derivative((-1, 2))


def test_the_definite_integral_is_that_of_the_polynomial() -> None:
    f = 3 * X**2 * Y + 4 * X**3 + Y
    # ∫ from -1 to 2: 3·(8 + 1)/3 = 9, 16 - 1 = 15, and 3.
    assert f.integral("x", -1, 2).to_dict() == {(0, 0): 15.0, (0, 1): 12.0}
    assert f.integral("x", 2, -1) == -f.integral("x", -1, 2)
    assert f.integral(1, 0, 2).to_dict() == {(0, 0): 2.0, (2, 0): 6.0, (3, 0): 8.0}
    assert f.truncate(2).integral("x", 0, 1).valid_order == 2


def test_the_definite_integral_cuts_no_term_off_on_the_way() -> None:
    top = X**ALGEBRA.order
    assert top.integral("x", 0, 1).constant == 1 / (ALGEBRA.order + 1)
    assert top.integral("x", 0, 1j).is_complex


def test_limits_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ShapeError, match="not both numbers"):
        X.integral("x", 0, Y)  # pyright: ignore[reportArgumentType] -- it is what is refused
    with pytest.raises(VariableError):
        X.integral("z", 0, 1)


def test_the_definite_integral_is_a_difference_of_antiderivatives() -> None:
    f = (1 + X - 2 * Y) ** 3
    primitive = f.antiderivative("x")
    expected = primitive.substitute({"x": 0.75}) - primitive.substitute({"x": -0.5})
    assert f.integral("x", -0.5, 0.75).is_close(expected, atol=1e-15)


def test_gradient_and_hessian_hold_the_derivatives_at_a_point() -> None:
    f = X**3 * Y + 5 * Y**2 - X
    assert f.gradient().tolist() == [-1.0, 0.0]
    assert f.hessian().tolist() == [[0.0, 0.0], [0.0, 10.0]]
    assert f.gradient([1.0, 2.0]).tolist() == [5.0, 21.0]
    assert f.hessian([1.0, 2.0]).tolist() == [[12.0, 3.0], [3.0, 10.0]]
    assert (1j * f).hessian().dtype == np.complex128
    assert f.hessian([1j, 0.0])[0, 1] == -3.0
    for derivatives in (f.gradient, f.hessian):
        with pytest.raises(ShapeError, match="no single point"):
            derivatives([[1.0, 2.0]])
    for point in (None, [1.0, 2.0]):
        with pytest.raises(OrderError):
            f.truncate(1).hessian(point)
        with pytest.raises(OrderError):
            f.truncate(0).gradient(point)


def test_the_derivatives_of_all_variables_come_in_order() -> None:
    f = X**2 * Y
    assert f.derivatives() == (f.derivative("x"), f.derivative("y"))


def test_the_directional_derivative_is_linear_in_the_direction() -> None:
    f = X**2 * Y + Y
    assert f.directional_derivative([2.0, -1.0]) == 2 * f.derivative(0) - f.derivative(1)
    # Along the field of a rotation, a function of the radius does not change.
    assert (X**2 + Y**2).directional_derivative([-Y, X]).to_dict() == {}
    with pytest.raises(ShapeError, match="a direction of 1 for 2 variables"):
        f.directional_derivative([1.0])


def test_the_laplacian_of_a_harmonic_function_vanishes() -> None:
    z = X + 1j * Y
    assert (z**4).real.laplacian().to_dict() == {}
    assert (X**2 + Y**2 + X * Y).laplacian().to_dict() == {(0, 0): 4.0}
    assert X.laplacian().valid_order == ALGEBRA.order - 2


def test_poisson_brackets_of_coordinates_are_canonical() -> None:
    algebra = Algebra("x", "px", "y", "py", "delta", order=3)
    x, px, y, py, delta = algebra.variables()
    pairs = [("x", "px"), (2, 3)]
    one = algebra.constant(1.0).truncate(2)
    assert x.poisson_bracket(px, pairs=pairs) == one
    assert py.poisson_bracket(y, pairs=pairs) == -one
    assert x.poisson_bracket(y, pairs=pairs) == x.poisson_bracket(delta, pairs=pairs) == 0 * one
    assert X.poisson_bracket(Y).constant == 1.0
    assert X.poisson_bracket(Y, pairs=[("y", "x")]).constant == -1.0


def test_a_bracket_needs_pairs_of_different_variables() -> None:
    x, y, z = Algebra(3, order=2).variables()
    with pytest.raises(ShapeError, match="3 variables do not form pairs") as caught:
        x.poisson_bracket(y)
    assert "pairs=" in str(caught.value.hint)
    with pytest.raises(ShapeError, match="do not hold different variables"):
        x.poisson_bracket(y, pairs=[(0, 1), (1, 2)])
    with pytest.raises(ShapeError, match="do not hold different variables"):
        x.poisson_bracket(y, pairs=[])
    with pytest.raises(VariableError):
        x.poisson_bracket(z, pairs=[(0, 3)])
    with pytest.raises(AlgebraMismatchError):
        X.poisson_bracket(Algebra("x", "y", order=2).variable(0))


def test_translation_moves_the_expansion_point_of_a_polynomial() -> None:
    f = X**2 * Y - 3 * Y + 1
    moved = f.translate([1.0, -2.0])
    assert moved == (X + 1) ** 2 * (Y - 2) - 3 * (Y - 2) + 1
    assert moved.translate([-1.0, 2.0]) == f
    assert f.translate([0.0, 0.0]) == f
    assert f.truncate(3).translate([1.0, 0.0]).valid_order == 3
    assert f.translate([1j, 0.0]).constant == 1.0
    with pytest.raises(ShapeError, match="for 2 variables"):
        f.translate([1.0])


def test_substitution_replaces_some_variables_all_at_once() -> None:
    f = X**2 * Y + Y**2
    assert f.substitute({"y": 2.0}) == 2 * X**2 + 4
    assert f.substitute({"x": 3, 1: 2.0}) == ALGEBRA.constant(22.0)
    assert f.substitute({"x": Y, "y": X}) == Y**2 * X + X**2
    assert f.substitute({"x": 2.0, "y": X}) == 4 * X + X**2
    assert f.substitute({}) == f
    constant = Algebra("x", order=0).constant(2.0)
    assert constant.substitute({"x": 5.0}) == constant
    assert f.substitute({"y": 1j}).is_complex
    assert f.truncate(2).substitute({"y": 1.0}).valid_order == 2
    with pytest.raises(VariableError):
        f.substitute({"z": 1.0})
    with pytest.raises(ShapeError, match="neither a number nor a function"):
        f.substitute({"x": "1"})  # pyright: ignore[reportArgumentType] -- it is what is refused
    with pytest.raises(AlgebraMismatchError):
        f.substitute({"x": Algebra(2, order=4).variable(0)})
