import numpy as np
import pytest

from tpsa_core import MTF, Algebra, AlgebraMismatchError, ShapeError, TaylorMap

ALGEBRA = Algebra("x", "y", order=5)
X, Y = ALGEBRA.variables()


def test_functions_are_composed_by_calling_them() -> None:
    function = X**2 + Y
    assert function(Y, X) == Y**2 + X
    assert function.compose([X + Y, 2 * Y]) == (X + Y) ** 2 + 2 * Y


def test_numbers_among_the_inner_functions_are_constants() -> None:
    assert (X**2 * Y + X)(3.0, X) == 9 * X + 3
    assert (X + 1j * Y)(X, 2) == X + 2j


def test_the_inner_functions_may_belong_to_another_algebra() -> None:
    (t,) = Algebra("t", order=5).variables()
    assert np.exp(X + Y)(t, t).is_close(np.exp(2 * t), atol=1e-15)
    (s,) = Algebra("s", order=3).variables()
    assert np.exp(X + Y)(s, s).is_close(np.exp(2 * s), atol=1e-15)


def test_the_result_is_valid_to_the_lowest_of_all_orders() -> None:
    (t,) = Algebra("t", order=9).variables()
    assert (X * Y)(t, t).valid_order == 5
    assert (X * Y)(X.truncate(3), Y).valid_order == 3
    assert np.exp(X).truncate(2)(X, Y).to_dict() == {(0, 0): 1.0, (1, 0): 1.0, (2, 0): 0.5}


def test_an_inner_constant_part_moves_polynomials_exactly() -> None:
    function = X**3 * Y - 2 * X * Y**2 + Y + 7
    composed = function(2 + X + Y**2, Y - 3)
    assert composed == (2 + X + Y**2) ** 3 * (Y - 3) - 2 * (2 + X + Y**2) * (Y - 3) ** 2 + Y + 4


def test_parts_of_the_outer_function_that_are_zero_stay_so() -> None:
    assert (Y**3)(X + Y, X) == X**3
    assert (X * Y**2)(Y, X + 1) == Y * (X + 1) ** 2


@pytest.mark.parametrize("first", [X, Y, X * Y, ALGEBRA.zero()])
@pytest.mark.parametrize("second", [X, Y, ALGEBRA.constant(2.0)])
def test_a_composition_depends_on_the_variables_of_all_inner_functions(
    first: MTF, second: MTF
) -> None:
    composed = (1 + X + Y)(first, second)
    # A product leaves out the variables that an operand does not have.
    assert composed * composed == (1 + first + second) ** 2
    assert (composed + X * Y) * composed == (1 + first + second + X * Y) * (1 + first + second)


def test_a_constant_outer_function_stays_constant() -> None:
    assert ALGEBRA.constant(4.0)(X, Y) == ALGEBRA.constant(4.0)
    assert ALGEBRA.zero()(X, Y) == ALGEBRA.zero()


def test_real_components_stay_real_beside_complex_ones() -> None:
    mixed = TaylorMap([1j * X, Y + X]) @ TaylorMap([X, Y])
    assert mixed[0] == 1j * X
    assert mixed[0].is_complex
    assert not mixed[1].is_complex
    assert (TaylorMap([X, Y]) @ TaylorMap([1j * X, Y]))[0].is_complex


def test_composition_is_refused_for_wrong_numbers_and_algebras() -> None:
    with pytest.raises(ShapeError, match="1 functions for 2 variables"):
        X.compose([X])
    with pytest.raises(ShapeError, match="only numbers"):
        X.compose([1.0, 2.0])
    with pytest.raises(AlgebraMismatchError):
        X(X, Algebra(1, order=2).variable(0))


@pytest.mark.parametrize(("dimension", "order", "components"), [(2, 8, 1), (4, 5, 4), (6, 3, 6)])
def test_a_dense_composition_agrees_with_values_nearby(
    dimension: int, order: int, components: int
) -> None:
    algebra = Algebra(dimension, order=order)
    random = np.random.default_rng(order)
    outer = TaylorMap([MTF(algebra, random.normal(size=algebra.size)) for _ in range(components)])
    inner = TaylorMap([MTF(algebra, random.normal(size=algebra.size)) for _ in range(dimension)])
    inner = TaylorMap([function - function.constant for function in inner])
    step = 10.0 ** (-12 / (order + 1))
    point = random.uniform(-1, 1, dimension) * step * 0.1
    # What is cut off is about (step * 0.1 * a few)**(order + 1) < 1e-12.
    assert (outer @ inner)(point) == pytest.approx(outer(inner(point)), abs=1e-10)


def test_matrices_and_single_products_compose_alike() -> None:
    # One outer component is composed by products, eight by matrices, at the upper levels.
    algebra = Algebra(2, order=12)
    random = np.random.default_rng(3)
    first, second = (MTF(algebra, random.normal(size=algebra.size)) for _ in range(2))
    inner = [algebra.variable(0) + 0.1 * first - 0.1 * first.constant, algebra.variable(1)]
    one = second.compose(inner)
    many = TaylorMap([second] * 8).compose(TaylorMap(inner))
    # Sums of up to some thousand products of size one, in another order.
    assert all(function.is_close(one, atol=1e-11) for function in many)


def test_a_composition_too_large_for_matrices_goes_by_products() -> None:
    algebra = Algebra(3, order=26)
    x, y, z = algebra.variables()
    inner = np.sin(x + y * z)
    assert (x**3 + x)(inner, y, z).is_close(inner**3 + inner, atol=1e-14)
