"""The fast operators of the extension's own series type, on small integers: exact."""

import gc
import operator
import weakref
from typing import Any

import numpy as np
import pytest
from native_series import Maker, Owner, graded

SPLITS = [(1, 6, 1), (2, 4, 2), (2, 4, 1), (4, 2, 2), (3, 0, 1)]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kinds", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.usefixtures("level")
def test_operators_of_two_series_are_exact(
    shape: Maker,
    make: Maker,
    rng: np.random.Generator,
    split: tuple[int, int, int],
    kinds: tuple[bool, bool],
) -> None:
    one = shape(*split)
    a, b = (one.integers(rng, is_complex=kind) for kind in kinds)
    left, right = make(one, a), make(one, b)
    assert np.array_equal(graded(one, left + right), a + b)
    assert np.array_equal(graded(one, left - right), a - b)
    assert np.array_equal(graded(one, left * right), one.product(a.tolist(), b.tolist()))
    assert (left * right).is_complex == any(kinds)
    assert np.array_equal(graded(one, -left), -a)


@pytest.mark.parametrize("number", [3, -2.5, 0, 2**53, True])
def test_numbers_on_either_side_are_exact(
    shape: Maker, make: Maker, rng: np.random.Generator, number: float
) -> None:
    one = shape(2, 3)
    values = one.integers(rng, is_complex=True)
    series = make(one, values)
    if number is True:
        assert series + number == ("plus", True)
        return
    constant = np.eye(1, one.size)[0] * number
    assert np.array_equal(graded(one, series + number), values + constant)
    assert np.array_equal(graded(one, number + series), values + constant)
    assert np.array_equal(graded(one, series - number), values - constant)
    assert np.array_equal(graded(one, number - series), constant - values)
    assert np.array_equal(graded(one, series * number), values * number)
    assert np.array_equal(graded(one, number * series), values * number)
    if number:
        quotient = graded(one, series / number)
        # numpy would multiply complex numbers by a rounded inverse.
        assert np.array_equal(quotient.real, values.real / number)
        assert np.array_equal(quotient.imag, values.imag / number)


def test_results_are_valid_to_the_lowest_order_and_zero_past_it(
    shape: Maker, make: Maker, rng: np.random.Generator
) -> None:
    one = shape(3, 3, 1)
    a, b = one.integers(rng), one.integers(rng)
    left, right = make(one, a), make(one, b, valid_order=1)
    known = one.degrees <= 1
    assert np.array_equal(graded(one, right), b * known)
    for action, want in (
        (operator.add, a + b),
        (operator.sub, a - b),
        (operator.mul, np.array(one.product(a.tolist(), b.tolist()))),
    ):
        result = action(left, right)
        assert result.valid_order == 1
        assert np.array_equal(graded(one, result), want * known)


def test_the_degrees_that_are_there_are_tracked(shape: Maker, make: Maker) -> None:
    one = shape(2, 4)

    def of_degree(degree: int) -> Any:
        return make(one, (one.degrees == degree).astype(float))

    def degrees(series: Any) -> tuple[int, int]:
        return series.low_order, series.high_order

    assert degrees(of_degree(2)) == (2, 2)
    assert degrees(of_degree(1) + of_degree(3)) == (1, 3)
    assert degrees(of_degree(1) * of_degree(2)) == (3, 3)
    assert degrees(of_degree(2) + 1) == (0, 2)
    assert degrees(of_degree(2) * 3.0) == (2, 2)
    assert degrees(make(one, np.zeros(one.size))) == (0, 0)
    # All of it is past the order.
    gone = of_degree(3) * of_degree(2)
    assert degrees(gone) == (0, 0)
    assert not graded(one, gone).any()


def test_other_operands_are_left_to_the_class(
    native: Any, shape: Maker, make: Maker, kind: type[Any]
) -> None:
    one = shape(2, 2)
    series = make(one, np.ones(6))
    assert series + "text" == ("plus", "text")
    assert "text" + series == ("plus", "text")
    assert series * 2j == ("times", 2j)
    assert 2j * series == ("times", 2j)
    assert 2j / series == ("dividing", 2j)
    assert series / 0 == ("divided by", 0)
    assert series * np.inf == ("times", np.inf)
    assert series * 10**400 == ("times", 10**400)
    stranger = kind.from_graded(Owner(), one.plan, np.ones(6), 2)
    assert series + stranger == ("plus", stranger)
    assert series * stranger == ("times", stranger)
    assert series / stranger == ("divided by", stranger)
    plain = native.SeriesBase.from_graded(series.algebra, one.plan, np.ones(6), 2)
    assert series + plain == ("plus", plain)


def test_a_divisor_without_a_constant_part_is_left_to_the_class(shape: Maker, make: Maker) -> None:
    one = shape(2, 2)
    nilpotent = make(one, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert nilpotent / nilpotent == ("divided by", nilpotent)
    assert 1 / nilpotent == ("dividing", 1)
    imaginary = make(one, np.full(6, 1j))
    assert imaginary / imaginary == ("divided by", imaginary)


@pytest.mark.parametrize("split", [split for split in SPLITS if split[1]])
@pytest.mark.usefixtures("level")
def test_a_quotient_undoes_a_product(
    shape: Maker, make: Maker, rng: np.random.Generator, split: tuple[int, int, int]
) -> None:
    one = shape(*split)
    left, right = make(one, one.integers(rng)), make(one, one.integers(rng), valid_order=1)
    right = right - right.constant + 4
    quotient = left * right / right
    assert quotient.valid_order == 1
    assert np.allclose(graded(one, quotient), graded(one, left) * (one.degrees <= 1), atol=1e-12)
    inverse = 3 / right
    assert np.allclose(graded(one, inverse * right), 3 * np.eye(1, one.size)[0], atol=1e-12)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.usefixtures("level")
def test_a_square_is_the_product_with_an_equal_series(
    shape: Maker, make: Maker, rng: np.random.Generator, split: tuple[int, int, int]
) -> None:
    one = shape(*split)
    values = one.integers(rng)
    series, other = make(one, values), make(one, values)
    assert np.array_equal(graded(one, series * series), graded(one, series * other))


def test_numbers_of_numpy_are_numbers(shape: Maker, make: Maker) -> None:
    one = shape(2, 2)
    series = make(one, np.ones(6))
    assert np.array_equal(graded(one, series * np.float64(3)), np.full(6, 3.0))


def test_one_block_without_kernels_still_adds(native: Any, kind: type[Any]) -> None:
    plan = native.Plan(7, 9, 7)
    assert not plan.has_kernels
    values = np.arange(float(plan.size))
    series = kind.from_graded(None, plan, values, 9)
    out = np.empty(plan.size)
    (series + 2 * series).to_graded(out)
    assert np.array_equal(out, 3 * values)
    assert native.series_derivative(series, 3).constant == values[4]
    assert series * series == ("times", series)
    assert 1 / (series + 1) == ("dividing", 1)
    for name in ("series_exp", "series_sine_cosine"):
        with pytest.raises(ValueError, match="no kernels for one block of 7 variables at order 9"):
            getattr(native, name)(series)
    with pytest.raises(ValueError, match="no kernels"):
        native.multiply(plan, values, values, out)


def test_a_class_without_a_method_leaves_the_operand_to_python(shape: Maker, make: Maker) -> None:
    series = make(shape(2, 2), np.ones(6))
    with pytest.raises(TypeError, match="unsupported operand"):
        operator.sub(series, "text")

    class Right:
        def __rsub__(self, other: object) -> str:
            return "taken"

    assert series - Right() == "taken"


def test_errors_of_the_classes_methods_come_through(native: Any, shape: Maker) -> None:
    class Broken(native.SeriesBase):
        __slots__ = ()

        def _plus(self, other: object) -> Any:
            raise LookupError(other)

    one = shape(1, 1)
    with pytest.raises(LookupError, match="text"):
        operator.add(Broken.from_graded(None, one.plan, np.ones(2), 1), "text")


def test_results_have_the_class_and_the_algebra_of_the_left_operand(
    shape: Maker, make: Maker, kind: type[Any], owner: Owner
) -> None:
    one = shape(2, 2)
    series = make(one, np.ones(6))
    for result in (series + series, series * series, 2 - series, series / 2, -series):
        assert type(result) is kind
        assert result.algebra is owner
        assert result.plan is one.plan
    assert series.constant == 1.0
    assert make(one, np.full(6, 2j)).constant == 2j
    with pytest.raises(AttributeError):
        series.algebra = None


def test_coefficients_can_be_looked_at_but_not_changed(
    shape: Maker, make: Maker, rng: np.random.Generator
) -> None:
    one = shape(4, 2, 2)
    values = one.integers(rng, is_complex=True)
    view = np.asarray(make(one, values).block)
    # The series itself is gone: the view keeps its numbers.
    gc.collect()
    assert np.array_equal(view, one.block(values))
    assert not view.flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        one.plan.from_block(np.zeros(one.size, dtype=complex), make(one, values).block.obj)


def test_a_list_of_series_is_no_matrix_of_numbers(shape: Maker, make: Maker) -> None:
    series = make(shape(2, 2), np.ones(6))
    assert np.array([series, series], dtype=object).shape == (2,)


def test_wrong_parts_of_a_series_are_refused(
    native: Any, shape: Maker, make: Maker, kind: type[Any]
) -> None:
    one = shape(2, 2)
    with pytest.raises(TypeError, match="cannot create"):
        native.SeriesBase()
    with pytest.raises(TypeError, match="expected a Plan"):
        kind.from_graded(None, 3, np.ones(6), 2)
    with pytest.raises(TypeError, match="from_graded takes from 4 to 4"):
        kind.from_graded(None)
    with pytest.raises(ValueError, match=r"coefficients is not of shape \(6,\)"):
        kind.from_graded(None, one.plan, np.ones(5), 2)
    for order in (-1, 3):
        with pytest.raises(ValueError, match=f"valid order {order} is not from 0 to 2"):
            make(one, np.ones(6), order)
    with pytest.raises(TypeError):
        kind.from_graded(None, one.plan, np.ones(6), "2")
    with pytest.raises(TypeError, match="to_graded takes from 1 to 1"):
        make(one, np.ones(6)).to_graded()
    with pytest.raises(TypeError, match="out has to hold float64"):
        make(one, np.ones(6)).to_graded(np.ones(6) * 1j)


def test_an_algebra_that_keeps_its_series_is_collected(shape: Maker, kind: type[Any]) -> None:
    one = shape(2, 2)
    owner = Owner()
    owner.keeps = kind.from_graded(owner, one.plan, np.ones(6), 2)
    ghost = weakref.ref(owner)
    del owner
    gc.collect()
    assert ghost() is None
