"""What is computed of whole series: functions, calculus, rows, and what keeps others out."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from native_series import Maker, Owner, graded


@pytest.mark.parametrize(
    ("name", "taylor"),
    [
        ("series_exp", [np.exp(0.5)] * 3),
        ("series_log", [np.log(0.5), 2.0, -4.0]),
        ("series_sqrt", [0.5**0.5, 0.5 * 0.5**-0.5, -0.25 * 0.5**-1.5]),
        ("series_reciprocal", [2.0, -4.0, 16.0]),
    ],
)
def test_functions_of_whole_series(
    native: Any, shape: Maker, make: Maker, name: str, taylor: list[float]
) -> None:
    one = shape(1, 2)
    series = make(one, [0.5, 1.0, 0.0])
    result = getattr(native, name)(series)
    want = np.array(taylor) / [1, 1, 2]
    assert type(result) is type(series)
    assert np.allclose(graded(one, result), want, rtol=1e-15)
    known = getattr(native, name)(make(one, [0.5, 1.0, 0.0], 1))
    assert known.valid_order == 1
    assert np.array_equal(graded(one, known), [*graded(one, result)[:2], 0.0])


def test_pairs_of_functions_and_powers_of_whole_series(
    native: Any, shape: Maker, make: Maker
) -> None:
    one = shape(2, 3)
    series = make(one, np.arange(10.0) / 8 + 1)
    sine, cosine = native.series_sine_cosine(series)
    assert np.allclose(graded(one, sine * sine + cosine * cosine), np.eye(1, 10)[0], atol=1e-13)
    odd, even = native.series_hyperbolic(series)
    assert np.allclose(graded(one, even * even - odd * odd), np.eye(1, 10)[0], atol=1e-12)
    cube = native.series_power(native.series_power(series, 1 / 3), 3)
    assert np.allclose(graded(one, cube), graded(one, series), atol=1e-13)


@pytest.mark.parametrize("active", [(), (0,), (3,), (1, 2), (0, 3)])
@pytest.mark.usefixtures("level")
def test_series_of_few_variables_are_computed_as_all_others(
    native: Any, shape: Maker, make: Maker, rng: np.random.Generator, active: tuple[int, ...]
) -> None:
    one, few = shape(4, 6), shape(max(1, len(active)), 6)

    def widened(values: Any) -> Any:
        result = np.zeros(one.size, dtype=values.dtype)
        for powers, value in zip(few.exponents, values, strict=True):
            whole = [0] * 4
            for place, power in zip(active, powers, strict=False):
                whole[place] = power
            if sum(whole) == sum(powers):
                result[one.index[tuple(whole)]] = value
        return result

    a, b = (widened(few.integers(rng)) for _ in range(2))
    left, right = make(one, a), make(one, b)
    assert np.array_equal(graded(one, left * right), one.product(a.tolist(), b.tolist()))
    assert np.array_equal(graded(one, left * left), one.product(a.tolist(), a.tolist()))
    # What another variable joins is not reduced by mistake.
    joined = native.series_antiderivative(left, 1) * right
    integral = graded(one, native.series_antiderivative(left, 1))
    assert np.allclose(graded(one, joined), one.product(integral.tolist(), b.tolist()), atol=1e-12)
    dense = make(one, one.integers(rng))
    mixed = (left + dense) * (right - dense)
    whole = one.product((a + graded(one, dense)).tolist(), (b - graded(one, dense)).tolist())
    assert np.array_equal(graded(one, mixed), whole)
    small = make(one, a / 8) - left.constant / 8 + 1.25
    full = small + 1e-300 * dense
    for name in ("series_exp", "series_log", "series_sqrt", "series_reciprocal"):
        ours, theirs = getattr(native, name)(small), getattr(native, name)(full)
        assert np.allclose(graded(one, ours), graded(one, theirs), rtol=1e-11, atol=1e-11)
    for name in ("series_sine_cosine", "series_hyperbolic"):
        pairs = zip(getattr(native, name)(small), getattr(native, name)(full), strict=True)
        for ours, theirs in pairs:
            assert np.allclose(graded(one, ours), graded(one, theirs), rtol=1e-11, atol=1e-11)
    quotient = graded(one, left / small)
    assert np.allclose(quotient, graded(one, left / full), rtol=1e-11, atol=1e-10)
    complex_small = make(one, graded(one, small) * (1 + 0.5j))
    square = native.series_sqrt(complex_small) * native.series_sqrt(complex_small)
    assert np.allclose(graded(one, square), graded(one, complex_small), atol=1e-12)


def test_calculus_of_whole_series_keeps_the_orders(native: Any, shape: Maker, make: Maker) -> None:
    one = shape(2, 2)
    # 1 + 2 x + 3 y + 4 x² + 5 x y + 6 y²
    series = make(one, np.arange(1.0, 7.0))
    slope = native.series_derivative(series, 0)
    assert np.array_equal(graded(one, slope), [2.0, 8.0, 5.0, 0.0, 0.0, 0.0])
    assert (slope.valid_order, slope.low_order, slope.high_order) == (1, 0, 1)
    integral = native.series_antiderivative(slope, 0)
    assert np.array_equal(graded(one, integral), [0.0, 2.0, 0.0, 4.0, 5.0, 0.0])
    assert (integral.valid_order, integral.low_order, integral.high_order) == (2, 1, 2)
    gone = native.series_antiderivative(make(one, [0, 0, 0, 1.0, 0, 0]), 1)
    assert (gone.valid_order, gone.low_order, gone.high_order) == (2, 0, 0)
    assert not graded(one, gone).any()
    constant = native.series_derivative(native.series_derivative(series, 0), 0)
    with pytest.raises(ValueError, match="valid to order 0 only"):
        native.series_derivative(constant, 0)
    with pytest.raises(ValueError, match="no variable 2 among 2"):
        native.series_derivative(series, 2)


def test_series_become_rows_and_rows_series(
    native: Any, shape: Maker, make: Maker, rng: np.random.Generator
) -> None:
    one = shape(3, 3, 1)
    values = [one.integers(rng), one.integers(rng)]
    series = tuple(make(one, value) for value in values)
    rows = np.empty((2, one.size))
    native.pack(series, rows)
    assert np.array_equal(rows, one.block(np.array(values)))
    kind, owner = type(series[0]), series[0].algebra
    again = kind.from_rows(owner, one.plan, rows, 3)
    assert [type(f) for f in again] == [kind] * 2
    assert [f.valid_order for f in again] == [3, 3]
    assert all(np.array_equal(graded(one, f), v) for f, v in zip(again, values, strict=True))
    (known,) = kind.from_rows(owner, one.plan, rows[:1], 2)
    assert np.array_equal(graded(one, known), values[0] * (one.degrees <= 2))
    assert kind.from_rows(owner, one.plan, rows[:0], 3) == ()


def test_series_in_the_memory_of_dead_ones_are_as_new(
    native: Any, shape: Maker, owner: Owner, rng: np.random.Generator
) -> None:
    one = shape(2, 11, 1)
    values = one.integers(rng)
    square = np.array(one.product(values, values))

    def series_of_a_class_that_goes(**members: Any) -> weakref.ref[type[Any]]:
        kind = type("Brief", (native.SeriesBase,), members)
        many = [kind.from_graded(owner, one.plan, values, one.order) for _ in range(40)]
        if not members:
            many[0].note = "an object with a dictionary"
        assert all(np.array_equal(graded(one, f * f), square) for f in many)
        assert {type(f * f) for f in many} == {kind}
        return weakref.ref(kind)

    for members in ({"__slots__": ()}, {}, {"__slots__": ()}):
        gone = series_of_a_class_that_goes(**members)
        gc.collect()
        assert gone() is None
    assert not hasattr(native.SeriesBase, "note")


def test_series_are_whole_if_all_is_known_of_all_of_them(
    native: Any, shape: Maker, make: Maker
) -> None:
    one = shape(2, 3)
    series, again = make(one, np.ones(10)), make(one, np.zeros(10))
    assert native.are_whole((series,)) is True
    assert native.are_whole((series, again, series)) is True
    for other in (
        make(one, np.ones(10, dtype=complex)),
        make(one, np.ones(10), 2),
        make(shape(2, 3, 1), np.ones(10)),
        type(series).within(series.algebra, one.plan, np.ones(10), 3, "limits"),
    ):
        assert native.are_whole((series, other)) is False
    bare = make(shape(8, 6, 8), np.ones(3003))
    assert native.are_whole((bare,)) is False
    for wrong in ([series], (), 1):
        with pytest.raises(TypeError, match="expected a tuple of series"):
            native.are_whole(wrong)
    with pytest.raises(TypeError, match="expected a series, not float"):
        native.are_whole((1.0, series))


def test_a_series_is_plain_if_it_is_real_and_its_constant_part_is_as_asked_for(
    native: Any, shape: Maker, make: Maker
) -> None:
    one = shape(1, 2)

    def kinds(constant: complex) -> list[bool]:
        series = make(one, [constant, 1.0, 1.0])
        return [native.is_plain(series, kind) for kind in range(3)]

    assert kinds(2.0) == [True, True, True]
    assert kinds(-2.0) == [True, False, True]
    assert kinds(0.0) == [True, False, False]
    assert kinds(np.inf) == [False, True, True]
    assert kinds(np.nan) == [False, False, True]
    assert kinds(2.0 + 0j) == [False, False, False]
    series = make(one, np.ones(3))
    limited = type(series).within(series.algebra, one.plan, np.ones(3), 2, "limits")
    assert not native.is_plain(limited, 0)
    assert not native.is_plain(make(shape(8, 6, 8), np.ones(3003)), 0)
    with pytest.raises(ValueError, match="no kind 3 of constant parts"):
        native.is_plain(series, 3)
    with pytest.raises(TypeError, match="expected a series, not int"):
        native.is_plain(1, 0)
    with pytest.raises(TypeError, match="is_plain takes from 2 to 2"):
        native.is_plain(series)


@pytest.mark.parametrize("split", [(1, 2, 1), (2, 4, 2), (3, 10, 1), (6, 4, 2), (2, 14, 2)])
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4, 7])
@pytest.mark.usefixtures("level")
def test_products_of_many_rows_are_exact(
    native: Any, shape: Maker, rng: np.random.Generator, split: tuple[int, int, int], rows: int
) -> None:
    one = shape(*split)
    left, right = rng.integers(-5, 6, (2, rows, one.size)).astype(float)
    out = np.full((rows, one.size), np.nan)
    native.multiply_rows(one.plan, left, right, out)
    for row in range(rows):
        product = np.empty(one.size)
        native.multiply(one.plan, left[row], right[row], product)
        assert np.array_equal(out[row], product)
    if rows:
        with pytest.raises(ValueError, match="right is not of shape"):
            native.multiply_rows(one.plan, left, right[1:], out)
        with pytest.raises(TypeError, match="left has to hold float64"):
            native.multiply_rows(one.plan, left * 1j, right, out)


def test_rows_that_do_not_fit_are_refused(native: Any, shape: Maker, make: Maker) -> None:
    one = shape(2, 2)
    series = make(one, np.ones(6))
    with pytest.raises(TypeError, match="expected a tuple of series"):
        native.pack([series], np.empty((1, 6)))
    with pytest.raises(TypeError, match="expected a series, not float"):
        native.pack((series, 1.0), np.empty((2, 6)))
    with pytest.raises(ValueError, match=r"out is not of shape \(1, 0\)"):
        native.pack((series,), np.empty(6))
    with pytest.raises(ValueError, match=r"out is not of shape \(1, 6\)"):
        native.pack((series,), np.empty((2, 6)))
    for out in (np.empty((1, 5)), np.empty((1, 6), dtype=complex)):
        with pytest.raises(ValueError, match="another size, or other numbers, than out"):
            native.pack((series,), out)
    kind = type(series)
    with pytest.raises(TypeError, match="expected a Plan"):
        kind.from_rows(None, 3, np.empty((1, 6)), 2)
    with pytest.raises(ValueError, match="valid order 3 is not from 0 to 2"):
        kind.from_rows(None, one.plan, np.empty((1, 6)), 3)
    with pytest.raises(ValueError, match=r"rows is not of shape \(1, 6\)"):
        kind.from_rows(None, one.plan, np.empty((1, 5)), 2)
    with pytest.raises(TypeError, match="from_rows takes from 4 to 4"):
        kind.from_rows(None)
    with pytest.raises(TypeError, match="pack takes from 2 to 2"):
        native.pack((series,))
    for name in ("series_exp", "series_sine_cosine"):
        with pytest.raises(TypeError, match="expected a series, not int"):
            getattr(native, name)(1)
    for name in ("series_power", "series_derivative", "series_antiderivative"):
        with pytest.raises(TypeError, match=f"{name} takes from 2 to 2"):
            getattr(native, name)(series)
        with pytest.raises(TypeError, match="expected a series, not int"):
            getattr(native, name)(1, 1)
        with pytest.raises(TypeError):
            getattr(native, name)(series, "1")
