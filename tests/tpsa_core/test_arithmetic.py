from fractions import Fraction

import numpy as np
import pytest

from tpsa_core import MTF, Algebra, AlgebraMismatchError, DomainError, LimitError

ALGEBRA = Algebra("x", "y", order=4)
X, Y = ALGEBRA.variables()


def test_sums_products_and_their_signs() -> None:
    assert ((X + Y) * (X - Y)).to_dict() == {(2, 0): 1.0, (0, 2): -1.0}
    assert (-(X + 1)).to_dict() == {(0, 0): -1.0, (1, 0): -1.0}
    assert +X == X


@pytest.mark.parametrize(
    "number",
    [2, 2.0, np.float64(2), np.float32(2), np.int64(2), Fraction(2), np.array(2.0)],
    ids=lambda number: type(number).__name__,
)
def test_numbers_of_any_type_work_from_both_sides(number: float) -> None:
    assert X + number == number + X == X + 2.0
    assert number - X == -(X - number) == 2.0 - X
    assert X * number == number * X == X + X
    assert X / number == X * 0.5
    assert number / (1 + X) == 2.0 / (1 + X)
    assert not (number * X).is_complex


def test_complex_numbers_make_a_function_complex() -> None:
    for function in (X * 1j, 1j * X, np.complex128(1j) * X, X + 1j, X / 1j):
        assert function.is_complex
    assert (X * 1j) * (X * 1j) == -(X**2)
    assert 1j / (1 + X) == (1 / (1 + X)) * 1j


@pytest.mark.parametrize("foreign", ["1", None, [1.0], object()])
def test_foreign_operands_are_refused_as_python_does(foreign: float) -> None:
    with pytest.raises(TypeError):
        _ = X + foreign
    with pytest.raises(TypeError):
        _ = foreign - X
    with pytest.raises(TypeError):
        _ = X * foreign
    with pytest.raises(TypeError):
        _ = X - foreign
    with pytest.raises(TypeError):
        _ = X / foreign
    with pytest.raises(TypeError):
        _ = foreign / X
    with pytest.raises(TypeError):
        _ = X**foreign
    with pytest.raises(TypeError):
        _ = foreign**X


def test_operands_of_different_algebras_are_refused_with_the_way_out() -> None:
    other = Algebra("x", "y", order=5).variable("x")
    with pytest.raises(AlgebraMismatchError, match=r"order=4.*order=5") as caught:
        _ = X * other
    assert "convert" in str(caught.value.hint)
    assert X * ALGEBRA.convert(other) == X**2


def test_equal_algebras_made_apart_work_together() -> None:
    assert X * Algebra("x", "y", order=4).variable("x") == X**2


def test_the_geometric_series_has_coefficients_of_one() -> None:
    series = 1 / (1 - X)
    assert series.to_dict() == {(power, 0): 1.0 for power in range(5)}
    assert series == (1 - X) ** -1


def test_a_quotient_times_its_divisor_gives_the_dividend_back() -> None:
    divisor = 2 + X - 3 * Y + X * Y
    assert (((X + Y**2) / divisor) * divisor).is_close(X + Y**2, atol=1e-15)


def test_division_by_what_has_no_constant_part_is_refused() -> None:
    with pytest.raises(DomainError, match=r"division needs a divisor .* constant part of 0.0"):
        _ = Y / X
    with pytest.raises(DomainError, match="division"):
        _ = 1 / X
    with pytest.raises(DomainError, match="reciprocal"):
        _ = X**-1
    with pytest.raises(DomainError, match="a divisor other than 0"):
        _ = X / 0


def test_integer_powers_are_exact_also_of_what_has_no_constant_part() -> None:
    assert (X + Y) ** 4 == (X + Y) * (X + Y) * (X + Y) * (X + Y)
    assert ALGEBRA.constant(1.0) == X**0
    assert ALGEBRA.zero() == X**5
    assert X**2.0 == X**2 == X ** np.int64(2) == np.float64(2.0) ** 0 * X**2
    assert (X**1_000_000_007).to_dict() == {}
    assert ((1 + X) ** -2).is_close(1 / (1 + X) / (1 + X))


def test_an_absurd_integer_power_is_refused() -> None:
    with pytest.raises(LimitError, match="beyond"):
        _ = X ** (2**60)


def test_real_powers_follow_the_binomial_series() -> None:
    root = (1 + X) ** 0.5
    assert [root[power, 0] for power in range(5)] == [1.0, 0.5, -0.125, 0.0625, -0.0390625]
    assert ((4 + Y) ** 1.5).is_close((4 + Y) * np.sqrt(4 + Y))
    # The coefficients reach 4**1.5 = 8: a few units in the last place of that.
    assert (((2 + X + Y) ** 0.3) ** (1 / 0.3)).is_close(2 + X + Y, atol=1e-14)


def test_real_powers_need_a_positive_constant_part() -> None:
    for base in (X, X - 1):
        with pytest.raises(DomainError, match="power needs a positive constant part"):
            _ = base**0.5
    with pytest.raises(DomainError, match="other than 0"):
        _ = (1j * X) ** 0.5
    assert (((X - 1 + 0j) ** 0.5) ** 2).is_close(X - 1 + 0j, atol=1e-15)


def test_a_series_is_an_exponent() -> None:
    assert (2**X).is_close(np.exp(np.log(2.0) * X))
    assert ((1 + X) ** Y).is_close(np.exp(Y * np.log(1 + X)))
    assert ((1j) ** X).is_close(np.exp(X * np.log(1j)))
    for base in (0, -2.0):
        with pytest.raises(DomainError, match="power needs a positive base"):
            _ = base**X
    with pytest.raises(DomainError, match="a series as exponent"):
        _ = X**Y


def test_a_dense_product_agrees_with_its_value_at_a_point() -> None:
    # Truncation is avoided by degrees that add up to the order.
    algebra = Algebra(3, order=6)
    random = np.random.default_rng(5)
    first = MTF(algebra, random.normal(size=algebra.size)).truncate(3)
    second = MTF(algebra, random.normal(size=algebra.size)).truncate(3)
    product = MTF.from_dict(algebra, first.to_dict()) * MTF.from_dict(algebra, second.to_dict())
    point = (0.3, -0.2, 0.5)
    # Some 400 products of size one are added up.
    assert product(*point) == pytest.approx(first(*point) * second(*point), abs=1e-13)


@pytest.mark.parametrize(("dimension", "order"), [(2, 3), (4, 6), (6, 6), (3, 20), (4, 21)])
def test_every_way_to_multiply_gives_the_same_product(dimension: int, order: int) -> None:
    # The sizes reach the sorted pairs, the rows, and the rows computed on the fly; operands with
    # few terms take another way than dense ones.
    algebra = Algebra(dimension, order=order)
    random = np.random.default_rng(dimension)
    dense = MTF(algebra, random.normal(size=algebra.size))
    powers = algebra.exponents[random.choice(algebra.size, 6)].tolist()
    sparse = MTF.from_dict(algebra, {tuple(power): random.normal() for power in powers})
    expected = algebra.zero()
    for exponents, coefficient in sparse.to_dict().items():
        shifted = {
            tuple(np.add(exponents, other).tolist()): coefficient * value
            for other, value in dense.truncate(order - sum(exponents)).to_dict().items()
        }
        expected += MTF.from_dict(algebra, shifted)
    # Six products of normal numbers are added up, in any order.
    assert (sparse * dense).is_close(expected, atol=1e-14)
    assert (dense * sparse).is_close(expected, atol=1e-14)
    assert dense * algebra.zero() == algebra.zero()
    filled = sparse + dense * 1e-3
    assert (filled * dense).is_close(expected + 1e-3 * (dense * dense), atol=1e-12)
    assert ((1j * filled) * dense).is_close(1j * (filled * dense), atol=1e-12)


def test_what_is_not_finite_is_kept() -> None:
    with np.errstate(all="ignore"):
        assert np.isinf((X * np.inf)[1, 0]) or np.isnan((X * np.inf)[1, 0])
        assert np.isnan((X * np.nan + Y).norm())
    assert ((1e-320 * X) * (1.0 + Y))[1, 1] == 1e-320
    assert ((1e200 * X) * (1e-200 * Y))[1, 1] == 1.0
