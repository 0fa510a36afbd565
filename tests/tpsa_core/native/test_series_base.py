"""The fast operators of the extension's own series type, on small integers: exact."""

import gc
import operator
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Maker = Callable[..., Any]


class Owner:
    """Stands for an algebra: the operators only compare its identity."""

    keeps: Any = None


@pytest.fixture
def owner() -> Owner:
    return Owner()


@pytest.fixture
def kind(native: Any) -> type[Any]:
    """A subclass whose methods show that they were called."""

    class Function(native.SeriesBase):
        __slots__ = ()

        def _add(self, other: object) -> Any:
            return "add", other

        def _add_reflected(self, other: object) -> Any:
            return "reflected add", other

        def _multiply(self, other: object) -> Any:
            return "multiply", other

        def _multiply_reflected(self, other: object) -> Any:
            return "reflected multiply", other

        def _divide(self, other: object) -> Any:
            return "divide", other

        def _divide_reflected(self, other: object) -> Any:
            return "reflected divide", other

    return Function


@pytest.fixture
def make(kind: type[Any], owner: Owner) -> Maker:
    """Makes a series of a shape from coefficients in graded order."""

    def series(one: Any, values: Any, valid_order: int | None = None) -> Any:
        order = one.order if valid_order is None else valid_order
        return kind.from_graded(owner, one.plan, np.asarray(values), order)

    return series


def graded(one: Any, series: Any) -> Any:
    result = np.empty(one.size, dtype=complex if series.is_complex else float)
    series.to_graded(result)
    return result


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
        assert series + number == ("add", True)
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
    assert series + "text" == ("add", "text")
    assert "text" + series == ("reflected add", "text")
    assert series * 2j == ("multiply", 2j)
    assert 2j * series == ("reflected multiply", 2j)
    assert 2 / series == ("reflected divide", 2)
    assert series / series == ("divide", series)
    assert series / 0 == ("divide", 0)
    assert series * np.inf == ("multiply", np.inf)
    assert series * 10**400 == ("multiply", 10**400)
    stranger = kind.from_graded(Owner(), one.plan, np.ones(6), 2)
    assert series + stranger == ("add", stranger)
    assert series * stranger == ("multiply", stranger)
    plain = native.SeriesBase.from_graded(series.algebra, one.plan, np.ones(6), 2)
    assert series + plain == ("add", plain)


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

        def _add(self, other: object) -> Any:
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
