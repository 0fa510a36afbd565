"""Bad arguments are refused before anything is written."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def one(shape: Callable[..., Any]) -> Any:
    return shape(2, 2)


def test_wrong_lengths_kinds_and_shapes_are_named(native: ModuleType, one: Any) -> None:
    good, out = np.ones(6), np.full(6, 7.0)
    cases: list[tuple[Any, type[Exception], str]] = [
        ((np.ones(5), good, out), ValueError, r"left is not of shape \(6,\)"),
        ((good, np.ones(7), out), ValueError, r"right is not of shape \(6,\)"),
        ((good, np.ones((1, 6)), out), ValueError, r"right is not of shape \(6,\)"),
        ((good, np.ones((1, 1, 6)), out), ValueError, "right has 3 axes"),
        ((good, np.array(1.0), out), ValueError, "right has 0 axes"),
        ((good, np.ones(6, dtype=np.float32), out), TypeError, "right has to hold float64"),
        ((good, np.ones(6, dtype=int), out), TypeError, "right has to hold float64"),
        ((good, np.ones(6, dtype=">f8"), out), TypeError, "right has to hold float64"),
        ((good, good, np.ones(6, dtype=complex)), TypeError, "out has to hold float64 numbers"),
        ((good, good * 1j, out), TypeError, "out has to hold complex128 numbers"),
        ((good, [1.0] * 6, out), TypeError, "bytes-like object"),
        ((good, good, out[:5]), ValueError, r"out is not of shape \(6,\)"),
    ]
    for arguments, error, message in cases:
        with pytest.raises(error, match=message):
            native.multiply(one.plan, *arguments)
    assert out.tolist() == [7.0] * 6


def test_views_with_gaps_and_read_only_outputs_are_refused(native: ModuleType, one: Any) -> None:
    good = np.ones(6)
    with pytest.raises(ValueError, match="contiguous"):
        native.multiply(one.plan, np.ones(12)[::2], good, np.ones(6))
    fixed = np.ones(6)
    fixed.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        native.multiply(one.plan, good, good, fixed)
    native.multiply(one.plan, fixed, fixed, good)


def test_misaligned_numbers_are_refused(native: ModuleType, one: Any) -> None:
    numbers = memoryview(bytearray(6 * 8 + 1))[1:].cast("d")
    with pytest.raises(ValueError, match="left is not aligned"):
        native.multiply(one.plan, numbers, np.ones(6), np.ones(6))


def test_outputs_that_overlap_operands_are_refused(native: ModuleType, one: Any) -> None:
    store = np.ones(11)
    with pytest.raises(ValueError, match="out overlaps another array"):
        native.multiply(one.plan, store[:6], np.ones(6), store[5:])
    with pytest.raises(ValueError, match="out overlaps another array"):
        native.exp(one.plan, store[:6], store[:6])
    with pytest.raises(ValueError, match="cosine overlaps another array"):
        native.sine_cosine(one.plan, np.ones(6), store[:6], store[:6])


def test_wrong_numbers_of_arguments_are_refused(native: ModuleType, one: Any) -> None:
    plan, good = one.plan, np.ones(6)
    for name, arguments in {
        "add": (good, good),
        "subtract": (good,),
        "scale": (2.0, good),
        "add_scaled": (2.0, good),
        "multiply": (plan, good, good),
        "square": (plan, good),
        "derivative": (plan, good, 0),
        "antiderivative": (plan, good, 0),
        "exp": (plan, good),
        "log": (plan,),
        "sqrt": (plan, good),
        "reciprocal": (plan, good),
        "divide": (plan, good, good),
        "power": (plan, good, 0.5),
        "sine_cosine": (plan, good, good),
        "hyperbolic": (plan, good),
        "evaluate": (plan, good, good),
        "compose": (plan, good, plan, good),
        "inverse": (plan, good, good),
        "levels": (1,),
        "level": (1,),
        "set_level": (),
    }.items():
        with pytest.raises(TypeError, match=f"{name} takes from"):
            getattr(native, name)(*arguments)
    for name in ("to_block", "from_block"):
        with pytest.raises(TypeError, match=f"{name} takes from"):
            getattr(plan, name)(good)


def test_what_is_no_plan_is_refused(native: ModuleType) -> None:
    good, out = np.ones(6), np.empty(6)
    for name, arguments in {
        "multiply": (good, good, out),
        "square": (good, out),
        "derivative": (good, 0, out),
        "exp": (good, out),
        "divide": (good, good, out),
        "power": (good, 2.0, out),
        "sine_cosine": (good, out, np.empty(6)),
        "evaluate": (good, good, out),
        "compose": (good, good, good, out),
        "inverse": (good, good, out),
    }.items():
        with pytest.raises(TypeError, match="expected a Plan, not int"):
            getattr(native, name)(3, *arguments)


def test_degrees_and_variables_out_of_range_are_refused(native: ModuleType, one: Any) -> None:
    good, out = np.ones(6), np.empty(6)
    for degree in (-1, 3):
        with pytest.raises(ValueError, match=f"degree {degree} is not from 0 to 2"):
            native.multiply(one.plan, good, good, out, 0, degree)
        with pytest.raises(ValueError, match=f"there is no variable {degree} among 2"):
            native.derivative(one.plan, good, degree, out)
    for wrong in ("x", 0.5):
        with pytest.raises(TypeError):
            native.multiply(one.plan, good, good, out, wrong)
        with pytest.raises(TypeError):
            native.derivative(one.plan, good, wrong, out)
    with pytest.raises(OverflowError):
        native.derivative(one.plan, good, 10**30, out)


def test_factors_and_exponents_that_are_no_numbers_are_refused(
    native: ModuleType, one: Any
) -> None:
    good, out = np.ones(6), np.empty(6)
    with pytest.raises(TypeError):
        native.power(one.plan, good, "2", out)
    with pytest.raises(TypeError):
        native.scale("2", good, out)
    native.power(one.plan, good, -1.0, out)
    native.scale(-1.0, good, out)


def test_operands_of_sums_have_one_length_and_kind(native: ModuleType) -> None:
    with pytest.raises(ValueError, match="not of one length"):
        native.add(np.ones(3), np.ones(4), np.ones(3))
    with pytest.raises(TypeError, match="right has to hold float64"):
        native.add(np.ones(3), np.ones(3) * 1j, np.ones(3))
    with pytest.raises(ValueError, match="not of one length"):
        native.scale(2.0, np.ones(3), np.ones(4))
    with pytest.raises(TypeError, match="out has to hold float64"):
        native.scale(2.0, np.ones(3), np.ones(3) * 1j)


def test_quotients_mix_no_real_and_complex_series(native: ModuleType, one: Any) -> None:
    good = np.ones(6)
    with pytest.raises(TypeError, match="denominator has to hold float64"):
        native.divide(one.plan, good, good * 1j, np.empty(6))
    with pytest.raises(TypeError, match="out has to hold float64"):
        native.divide(one.plan, good, good, np.empty(6, dtype=complex))


def test_maps_of_wrong_shapes_are_refused(native: ModuleType, one: Any) -> None:
    plan, rows = one.plan, np.zeros((2, 6))
    with pytest.raises(ValueError, match=r"inner is not of shape \(2, 6\)"):
        native.compose(plan, rows, plan, np.zeros((3, 6)), np.zeros((2, 6)))
    with pytest.raises(ValueError, match="outer has one axis"):
        native.compose(plan, np.zeros(6), plan, rows, np.zeros((2, 6)))
    with pytest.raises(ValueError, match=r"out is not of shape \(2, 6\)"):
        native.compose(plan, rows, plan, rows.copy(), np.zeros((1, 6)))
    with pytest.raises(ValueError, match=r"linear_inverse is not of shape \(2, 2\)"):
        native.inverse(plan, rows, np.eye(3), np.zeros((2, 6)))
    with pytest.raises(TypeError, match="linear_inverse has to hold float64"):
        native.inverse(plan, rows, np.eye(2) * 1j, np.zeros((2, 6)))
    with pytest.raises(ValueError, match=r"points is not of shape \(4, 2\)"):
        native.evaluate(plan, rows, np.zeros((4, 3)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match=r"out is not of shape \(2, 4\)"):
        native.evaluate(plan, rows, np.zeros((4, 2)), np.zeros((4, 2)))
    with pytest.raises(TypeError, match="out has to hold complex128"):
        native.evaluate(plan, rows, np.zeros((4, 2)) * 1j, np.zeros((2, 4)))


def test_rows_that_do_not_fit_a_plan_are_not_moved(one: Any) -> None:
    with pytest.raises(ValueError, match="coefficients have to have 6 columns"):
        one.plan.to_block(np.zeros((6, 2)), np.zeros((6, 2)))
    with pytest.raises(ValueError, match="out has another shape"):
        one.plan.to_block(np.zeros((2, 6)), np.zeros((3, 6)))
    with pytest.raises(ValueError, match="out has another shape"):
        one.plan.from_block(np.zeros((1, 6)), np.zeros(6))
    with pytest.raises(TypeError, match="out has to hold float64"):
        one.plan.to_block(np.zeros(6), np.zeros(6) * 1j)


def test_a_composition_that_needs_too_much_memory_is_refused_with_the_numbers(
    native: ModuleType, shape: Callable[..., Any]
) -> None:
    long = shape(1, 6000)
    rows = np.zeros((1, 6001))
    with pytest.raises(ValueError, match=r"the composition needs \d+ MiB, more than the 1024"):
        native.compose(long.plan, rows, long.plan, rows.copy(), np.zeros((1, 6001)))
