from typing import Any

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, TaylorMap

ALGEBRA = Algebra(2, order=3)
X, Y = ALGEBRA.variables()


def _numpy(name: str, *operands: Any, **options: Any) -> Any:
    """One of numpy's functions; its stubs know arrays only, so it is looked up by name."""
    return getattr(np, name)(*operands, **options)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", X + 2.0),
        ("subtract", X - 2.0),
        ("multiply", X * 2.0),
        ("true_divide", X / 2.0),
        ("power", X**2),
        ("float_power", X**2),
    ],
    ids=["add", "subtract", "multiply", "true_divide", "power", "float_power"],
)
def test_numpys_binary_functions_are_the_operators(name: str, expected: MTF) -> None:
    assert _numpy(name, X, 2.0) == expected
    assert _numpy(name, X, np.array(2.0)) == expected


def test_numpys_unary_functions_are_the_operators() -> None:
    assert np.negative(X) == -X
    assert np.positive(X) == X
    assert np.square(X + Y) == (X + Y) * (X + Y)
    assert np.conjugate(1j * X) == -1j * X
    assert _numpy("multiply", 2.0, X) == 2 * X
    assert _numpy("subtract", 2.0, X) == 2 - X
    assert _numpy("multiply", X, Y) == X * Y


def test_numpys_comparison_is_exact_equality() -> None:
    assert _numpy("equal", X, X)
    assert _numpy("not_equal", X, Y)


def test_a_series_with_an_array_of_numbers_is_an_array_of_series() -> None:
    factors: Any = np.array([1.0, 2.0, 3.0])
    for products in (factors * X, X * factors, _numpy("multiply", factors, X)):
        assert products.shape == (3,)
        assert products[2] == 3 * X
    assert (factors - X)[0] == 1 - X
    assert (X - factors)[1] == X - 2


def test_matrices_multiply_arrays_of_series() -> None:
    vector = np.empty(2, dtype=object)
    vector[:] = [X, Y]
    rotated = np.array([[0.0, 1.0], [-1.0, 0.0]]) @ vector
    assert rotated[0] == Y
    assert rotated[1] == -X


def test_what_has_no_meaning_for_a_series_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        _numpy("floor", X)
    with pytest.raises(TypeError):
        _numpy("fmod", X, Y)
    with pytest.raises(TypeError):
        np.add.reduce(X)  # pyright: ignore[reportArgumentType] -- it is what is refused
    with pytest.raises(TypeError):
        _numpy("add", X, Y, out=np.zeros(3))
    with pytest.raises(TypeError):
        _numpy("add", X, "1")


def test_numpys_scalars_leave_operators_with_a_map_to_the_map() -> None:
    identity = TaylorMap.identity(ALGEBRA)
    assert np.float64(2) * identity == identity * 2


def test_numpys_functions_of_two_arguments_take_series_and_numbers() -> None:
    assert _numpy("arctan2", X, 1 + Y) == tpsa_core.atan2(X, 1 + Y)
    assert _numpy("hypot", 2.0, Y) == tpsa_core.hypot(2.0, Y)
    angles = _numpy("arctan2", X, np.array([1.0, 2.0]))
    assert angles[1] == tpsa_core.atan2(X, 2.0)


def test_the_absolute_value_and_the_cube_root_are_numpys() -> None:
    assert np.absolute(X - 2) == 2 - X
    assert _numpy("cbrt", 8 + X) == tpsa_core.cbrt(8 + X)


@pytest.mark.parametrize(
    "name",
    [
        *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "cos", "cosh"),
        *("exp", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh"),
    ],
)
def test_numpys_functions_go_through_arrays_of_series(name: str) -> None:
    constant = 1.5 if name == "arccosh" else 0.5
    series = np.empty(2, dtype=object)
    series[:] = [constant + X, constant + Y]
    results = _numpy(name, series)
    assert results[1] == _numpy(name, constant + Y)


def test_angles_and_lengths_go_through_arrays_of_series() -> None:
    series = np.empty(2, dtype=object)
    series[:] = [1 + X, 1 + Y]
    assert _numpy("arctan2", series, series[::-1])[0] == tpsa_core.atan2(1 + X, 1 + Y)
    assert _numpy("hypot", series, 1 + X)[1] == tpsa_core.hypot(1 + Y, 1 + X)
    assert np.absolute(-series)[1] == 1 + Y
