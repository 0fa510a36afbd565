"""Wrong results that Taylor algebra libraries are known to give in silence: none may happen."""

from math import factorial

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, ExponentsError, ShapeError, TaylorMap

ALGEBRA = Algebra("x", "y", order=3)
X, Y = ALGEBRA.variables()
ONE = ALGEBRA.constant(1.0)


def test_terms_past_the_order_never_wrap_around_into_others() -> None:
    integral = (X**3).antiderivative("x")
    assert integral * ONE == integral == ALGEBRA.zero()
    # Picard iteration for u' = u: one more correct term in each step, and none that is wrong.
    algebra = Algebra("t", order=5)
    solution = algebra.constant(1.0)
    for _ in range(12):
        solution = 1 + solution.antiderivative("t")
        solution = solution * 1.0 * algebra.constant(1.0)
    expected = [1 / factorial(power) for power in range(6)]
    assert [solution[power] for power in range(6)] == pytest.approx(expected, rel=1e-15)


def test_a_value_never_changes_under_an_operation_on_it() -> None:
    product = original = (X + 1) * (Y + 1)
    product *= 10
    assert product * ONE == product == 10 * original
    assert original[0, 0] == 1.0
    assert product(X, Y) == product


def test_composition_keeps_imaginary_parts_of_either_side() -> None:
    identity = TaylorMap([X, Y])
    rotated = TaylorMap([1j * X, Y])
    assert (rotated @ identity)[0] == 1j * X
    assert (identity @ rotated)[0] == 1j * X
    assert (rotated @ rotated)[0] == -X + 0j


@pytest.mark.parametrize("count", [1, 20_001])
def test_integer_points_are_not_evaluated_in_integers(count: int) -> None:
    function = 0.5 * X + 0.25
    assert np.all(function.evaluate(np.ones((count, 2), dtype=int)) == 0.75)
    # 3**40 does not fit 64-bit integers.
    power = Algebra(1, order=40).variable(0) ** 40
    assert power.evaluate(np.full((count, 1), 3))[0] == pytest.approx(3.0**40, rel=1e-14)


@pytest.mark.parametrize("count", [1, 20_001])
def test_complex_values_keep_their_imaginary_part_for_many_points(count: int) -> None:
    assert np.all((1j * X + 1).evaluate(np.ones((count, 2))) == 1 + 1j)
    assert np.all((X + 1).evaluate(np.full((count, 2), 1j)) == 1 + 1j)


def test_no_coefficient_is_dropped_for_being_small() -> None:
    (z,) = Algebra("z", order=12).variables()
    reciprocal, logarithm, exponential = 1 / (z + 1000.0), np.log(z + 1000.0), np.exp(z / 1000.0)
    for power in range(13):
        assert reciprocal[power] == pytest.approx((-1) ** power * 1e-3 ** (power + 1), rel=1e-13)
        assert exponential[power] == pytest.approx(1e-3**power / factorial(power), rel=1e-13)
        if power:
            expected = (-1) ** (power + 1) * 1e-3**power / power
            assert logarithm[power] == pytest.approx(expected, rel=1e-13)
    tiny = 1e-200 * X * (1 + Y)
    assert tiny[1, 1] == 1e-200


def test_negative_exponents_and_exponents_past_the_order_never_enter() -> None:
    with pytest.raises(ExponentsError):
        MTF.from_dict(ALGEBRA, {(-1, 0): 1.0})
    with pytest.raises(ExponentsError):
        MTF.from_dict(ALGEBRA, {(50, 0): 1.0})
    with pytest.raises(ExponentsError):
        _ = X[-1, 0]


def test_a_point_with_too_few_or_too_many_coordinates_is_never_evaluated() -> None:
    with pytest.raises(ShapeError):
        X(1.0)
    with pytest.raises(ShapeError):
        TaylorMap([X, Y])([1.0, 2.0, 3.0])


def test_algebras_of_several_orders_live_side_by_side() -> None:
    (low,), (high,) = Algebra(1, order=3).variables(), Algebra(1, order=5).variables()
    assert (high**2 * high**2).to_dict() == {(4,): 1.0}
    assert (low**2 * low**2).to_dict() == {}
    assert (high**2 * high**2).to_dict() == {(4,): 1.0}


def test_real_functions_of_real_arguments_are_real() -> None:
    for function in (np.sin, np.cos, np.exp, np.sqrt, np.arctan, np.tanh, np.log, np.arcsin):
        assert function(0.5 + X).coefficients.dtype == np.float64
    assert ((1 + X) ** 0.3).coefficients.dtype == np.float64


def test_equality_does_not_hide_differences() -> None:
    assert ONE != ONE + 1e-9
    assert ONE == ONE + 0.0


def test_a_small_map_is_not_taken_for_a_singular_one() -> None:
    inverse = TaylorMap([1e-8 * X, 1e-8 * Y]).inverse()
    assert inverse.is_close(TaylorMap([1e8 * X, 1e8 * Y]), rtol=1e-15)


def test_a_whole_number_as_float_is_an_exact_power() -> None:
    assert X**2.0 == X**2
    assert ALGEBRA.zero() == (X - X) ** 2.0


def test_a_derivative_records_that_its_top_order_is_unknown() -> None:
    assert (X**3 + Y).derivative("x").valid_order == 2


def test_zero_and_constants_behave_everywhere() -> None:
    zero = ALGEBRA.zero()
    assert zero.evaluate(np.ones((4, 2))).tolist() == [0.0] * 4
    assert zero.derivative("x") == zero
    assert (zero * X).norm() == 0.0
    assert 1 / ALGEBRA.constant(4.0) == ALGEBRA.constant(0.25)
    assert Algebra(1, order=0).constant(2.0) ** 3 == Algebra(1, order=0).constant(8.0)
