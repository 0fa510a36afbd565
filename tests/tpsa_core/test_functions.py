from collections.abc import Callable
from math import factorial

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, DomainError

ALGEBRA = Algebra(2, order=6)
X, Y = ALGEBRA.variables()

# Every function, numpy's for comparison, and a real and a complex constant part in its domain.
FUNCTIONS = [
    (tpsa_core.exp, np.exp, 0.7, 0.7 + 0.4j),
    (tpsa_core.log, np.log, 1.3, -1.3 + 0.4j),
    (tpsa_core.sqrt, np.sqrt, 1.3, -1.3 + 0.4j),
    (tpsa_core.reciprocal, np.reciprocal, -1.3, 1.3 + 0.4j),
    (tpsa_core.sin, np.sin, 0.7, 0.7 + 0.4j),
    (tpsa_core.cos, np.cos, 0.7, 0.7 + 0.4j),
    (tpsa_core.tan, np.tan, 0.7, 0.7 + 0.4j),
    (tpsa_core.asin, np.arcsin, 0.3, 1.7 + 0.4j),
    (tpsa_core.acos, np.arccos, -0.3, 1.7 + 0.4j),
    (tpsa_core.atan, np.arctan, -2.0, 0.2 + 1.4j),
    (tpsa_core.sinh, np.sinh, 0.7, 0.7 + 0.4j),
    (tpsa_core.cosh, np.cosh, 0.7, 0.7 + 0.4j),
    (tpsa_core.tanh, np.tanh, 0.7, 0.7 + 0.4j),
]
NAMES = [function.__name__ for function, *_ in FUNCTIONS]

Unary = Callable[[MTF], MTF]


def _coefficients(function: MTF) -> list[float | complex]:
    return [function[power, 0] for power in range(7)]


def test_the_exponential_has_reciprocal_factorials() -> None:
    for power, coefficient in enumerate(_coefficients(np.exp(X))):
        # Each is found from the one before by one division.
        assert coefficient == pytest.approx(1 / factorial(power), rel=1e-15)


def test_sine_and_cosine_have_alternating_reciprocal_factorials() -> None:
    assert _coefficients(np.sin(X)) == pytest.approx([0, 1, 0, -1 / 6, 0, 1 / 120, 0], rel=1e-15)
    assert _coefficients(np.cos(X)) == pytest.approx(
        [1, 0, -1 / 2, 0, 1 / 24, 0, -1 / 720], rel=1e-15
    )


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (np.log(1 + X), [0, 1, -1 / 2, 1 / 3, -1 / 4, 1 / 5, -1 / 6]),
        (np.sqrt(1 + X), [1, 1 / 2, -1 / 8, 1 / 16, -5 / 128, 7 / 256, -21 / 1024]),
        (np.tan(X), [0, 1, 0, 1 / 3, 0, 2 / 15, 0]),
        (np.tanh(X), [0, 1, 0, -1 / 3, 0, 2 / 15, 0]),
        (np.sinh(X), [0, 1, 0, 1 / 6, 0, 1 / 120, 0]),
        (np.cosh(X), [1, 0, 1 / 2, 0, 1 / 24, 0, 1 / 720]),
        (np.arcsin(X), [0, 1, 0, 1 / 6, 0, 3 / 40, 0]),
        (np.arccos(X), [np.pi / 2, -1, 0, -1 / 6, 0, -3 / 40, 0]),
        (np.arctan(X), [0, 1, 0, -1 / 3, 0, 1 / 5, 0]),
        (1 / (1 + X), [1, -1, 1, -1, 1, -1, 1]),
    ],
    ids=["log", "sqrt", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "reciprocal"],
)
def test_closed_forms(function: MTF, expected: list[float]) -> None:
    # A handful of roundings in numbers of size one.
    assert _coefficients(function) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("function", "numpy_function", "real", "other"), FUNCTIONS, ids=NAMES)
@pytest.mark.parametrize("order", [6, 14])
def test_the_series_gives_the_value_of_the_function_nearby(
    function: Unary, numpy_function: np.ufunc, real: float, other: complex, order: int
) -> None:
    # Order 14 in three variables takes the way of large products, order 6 that of small ones.
    algebra = Algebra(3, order=order)
    x, y, z = algebra.variables()
    step = 10.0 ** (-16 / (order + 1))
    for constant in (real, other):
        argument = constant + x + 0.5 * y - x * z + z**2
        point = (0.2 * step, -0.1 * step, 0.15 * step)
        # The first term left out is at most a few times (step/5)**(order + 1) < 1e-16.
        expected = numpy_function(argument(*point))
        assert function(argument)(*point) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("function", "numpy_function", "real", "other"), FUNCTIONS, ids=NAMES)
def test_numpys_function_is_the_same_function(
    function: Unary, numpy_function: np.ufunc, real: float, other: complex
) -> None:
    for constant in (real, other):
        argument = constant + X - 2 * Y
        assert numpy_function(argument) == function(argument)
        assert function(argument).is_complex == argument.is_complex


@pytest.mark.parametrize(("function", "numpy_function", "real", "other"), FUNCTIONS, ids=NAMES)
def test_in_an_algebra_of_order_zero_a_function_is_numpys(
    function: Unary, numpy_function: np.ufunc, real: float, other: complex
) -> None:
    algebra = Algebra(2, order=0)
    for constant in (real, other):
        # Next to ±1 the arc functions take 1 - c² as a product, others numpy's own value.
        expected = pytest.approx(numpy_function(constant), rel=1e-15)
        assert function(algebra.constant(constant)).constant == expected


@pytest.mark.parametrize(
    ("function", "constant", "message"),
    [
        (tpsa_core.log, 0.0, "log needs a positive constant part, got a constant part of 0.0"),
        (tpsa_core.log, -2.0, "log needs a positive constant part, got a constant part of -2.0"),
        (tpsa_core.log, 0j, "log needs a constant part other than 0"),
        (tpsa_core.log, float("nan"), "log needs a positive constant part"),
        (tpsa_core.sqrt, 0.0, "sqrt needs a constant part other than 0"),
        (tpsa_core.sqrt, -1.0, "sqrt needs a positive constant part"),
        (tpsa_core.reciprocal, 0.0, "reciprocal needs a constant part other than 0"),
        (tpsa_core.asin, 1.0, "asin needs a constant part between -1 and 1"),
        (tpsa_core.acos, -1.5, "acos needs a constant part between -1 and 1"),
        (tpsa_core.asin, -1 + 0j, "asin needs a constant part other than ±1"),
        (tpsa_core.atan, 1j, "atan needs a constant part other than ±i"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_outside_its_domain_a_function_names_itself_the_constant_and_the_domain(
    function: Unary, constant: complex, message: str
) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        function(X + constant)
    assert caught.value.hint
    assert caught.value.function in message
    assert caught.value.constant == pytest.approx(constant, nan_ok=True)


def test_arc_functions_keep_their_digits_next_to_the_end_of_the_domain() -> None:
    # At c = 1 - h the slope 1/√(1 - c²) is 1/√(h(2 - h)).
    gap = 2.0**-40
    slope = np.arcsin(1 - gap + X)[1, 0]
    assert slope == pytest.approx(1 / np.sqrt(gap * (2 - gap)), rel=1e-15)


def test_the_power_function_is_the_operator() -> None:
    assert tpsa_core.power(1 + X, 3) == (1 + X) ** 3
    assert tpsa_core.power(1 + X, 0.5) == (1 + X) ** 0.5


def test_a_function_is_valid_to_the_order_of_its_argument() -> None:
    argument = ((1 + X) ** 3 * Y).derivative("x1") + 2
    for function in (tpsa_core.exp(argument), tpsa_core.sin(argument), argument**0.5):
        assert function.valid_order == 5
    assert np.exp(X.truncate(2)).to_dict() == np.exp(X).truncate(2).to_dict()


def test_functions_of_constants_are_constant_in_small_and_in_large_algebras() -> None:
    for algebra in (ALGEBRA, Algebra(3, order=14)):
        two = algebra.constant(2.0)
        assert np.exp(two) == algebra.constant(np.exp(2.0))
        assert np.sqrt(two) == algebra.constant(np.sqrt(2.0))


def test_an_algebra_with_many_monomials_is_usable() -> None:
    x, y = Algebra(4, order=40).variables()[:2]
    series = np.exp(x * y)
    assert series[20, 20, 0, 0] == pytest.approx(1 / factorial(20), rel=1e-14)
    assert ((x + y) ** 2).derivative(0).to_dict() == (2 * x + 2 * y).truncate(39).to_dict()
    assert (x.truncate(30) * y).valid_order == 30
