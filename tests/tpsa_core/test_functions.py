from collections.abc import Callable
from math import factorial

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, AlgebraMismatchError, DomainError, ShapeError

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
    (tpsa_core.expm1, np.expm1, 0.7, 0.7 + 0.4j),
    (tpsa_core.log1p, np.log1p, 0.3, -2.3 + 0.4j),
    (tpsa_core.log2, np.log2, 1.3, -1.3 + 0.4j),
    (tpsa_core.log10, np.log10, 1.3, -1.3 + 0.4j),
    (tpsa_core.asinh, np.arcsinh, -2.0, 0.2 + 1.4j),
    (tpsa_core.acosh, np.arccosh, 1.7, -0.3 + 0.4j),
    (tpsa_core.atanh, np.arctanh, -0.3, 1.7 + 0.4j),
]
# Points on the branch cuts of numpy's functions, approached from both sides, and the real step from
# there that stays on the side.
CUTS = [
    (np.log, complex(-2, 0.0), 1),
    (np.log, complex(-2, -0.0), 1),
    (np.sqrt, complex(-2, 0.0), 1),
    (np.sqrt, complex(-2, -0.0), 1),
    (np.arcsin, complex(2, 0.0), 1),
    (np.arcsin, complex(2, -0.0), 1),
    (np.arcsin, complex(-2, 0.0), 1),
    (np.arcsin, complex(-2, -0.0), 1),
    (np.arccos, complex(2, 0.0), 1),
    (np.arccos, complex(-2, -0.0), 1),
    (np.arccosh, complex(0.5, 0.0), 1),
    (np.arccosh, complex(0.5, -0.0), 1),
    (np.arccosh, complex(-2, 0.0), 1),
    (np.arccosh, complex(-2, -0.0), 1),
    (np.arctanh, complex(2, 0.0), 1),
    (np.arctanh, complex(2, -0.0), 1),
    (np.arcsinh, complex(0.0, 2), 1),
    (np.arcsinh, complex(-0.0, 2), -1),
    (np.arcsinh, complex(0.0, -2), 1),
    (np.arcsinh, complex(-0.0, -2), -1),
    (np.arctan, complex(0.0, 2), 1),
    (np.arctan, complex(-0.0, 2), -1),
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
        (np.expm1(X), [0, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720]),
        (np.log1p(X), [0, 1, -1 / 2, 1 / 3, -1 / 4, 1 / 5, -1 / 6]),
        (np.cbrt(8 + 8 * X), [2, 2 / 3, -2 / 9, 10 / 81, -20 / 243, 44 / 729, -308 / 6561]),
        (np.cbrt(-1 + X), [-1, 1 / 3, 1 / 9, 5 / 81, 10 / 243, 22 / 729, 154 / 6561]),
        (np.arcsinh(X), [0, 1, 0, -1 / 6, 0, 3 / 40, 0]),
        (np.arctanh(X), [0, 1, 0, 1 / 3, 0, 1 / 5, 0]),
        (np.log2(8 + 8 * X * np.log(2)), [3, 1, -0.34657359027997264]),
        (np.log10(100 + X), [2, 0.004342944819032518]),
        (tpsa_core.erf(X * np.sqrt(np.pi)), [0, 2, 0, -2 * np.pi / 3]),
    ],
    ids=[
        *("log", "sqrt", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "reciprocal"),
        *("expm1", "log1p", "cbrt", "cbrt-below-0", "asinh", "atanh", "log2", "log10", "erf"),
    ],
)
def test_closed_forms(function: MTF, expected: list[float]) -> None:
    # A handful of roundings in numbers of size one.
    computed = _coefficients(function)[: len(expected)]
    assert computed == pytest.approx(expected, rel=1e-15, abs=1e-15)


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
        (tpsa_core.sqrt, 0.0, "sqrt needs a positive constant part"),
        (tpsa_core.sqrt, -1.0, "sqrt needs a positive constant part"),
        (tpsa_core.reciprocal, 0.0, "reciprocal needs a constant part other than 0"),
        (tpsa_core.asin, 1.0, "asin needs a constant part between -1 and 1"),
        (tpsa_core.acos, -1.5, "acos needs a constant part between -1 and 1"),
        (tpsa_core.asin, -1 + 0j, "asin needs a constant part other than ±1"),
        (tpsa_core.atan, 1j, "atan needs a constant part other than ±i"),
        (tpsa_core.log1p, -1.0, "log1p needs a positive constant part of 1 [+] f, got .* -1.0"),
        (tpsa_core.log1p, -1 + 0j, "log1p needs a constant part of 1 [+] f other than 0"),
        (tpsa_core.log2, -2.0, "log2 needs a positive constant part"),
        (tpsa_core.log10, 0j, "log10 needs a constant part other than 0"),
        (tpsa_core.cbrt, 0.0, "cbrt needs a constant part other than 0"),
        (tpsa_core.cot, 0.0, "cot needs a constant part away from the poles"),
        (tpsa_core.coth, 0.0, "coth needs a constant part other than 0"),
        (tpsa_core.asinh, -1j, "asinh needs a constant part other than ±i"),
        (tpsa_core.acosh, 1.0, "acosh needs a constant part above 1"),
        (tpsa_core.acosh, 1 + 0j, "acosh needs a constant part other than ±1"),
        (tpsa_core.atanh, -1.0, "atanh needs a constant part between -1 and 1"),
        (tpsa_core.atanh, 1 + 0j, "atanh needs a constant part other than ±1"),
        (tpsa_core.absolute, 0.0, "abs needs a constant part other than 0"),
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


@pytest.mark.parametrize(("function", "constant", "side"), CUTS)
def test_on_a_branch_cut_the_series_continues_numpys_value(
    function: np.ufunc, constant: complex, side: int
) -> None:
    x = Algebra("x", order=6).variable("x")
    # A sum of x and the constant would lose the sign of a zero.
    argument = MTF(x.algebra, [constant, 1, 0, 0, 0, 0, 0])
    step = side * 2.0**-10
    nearby = complex(constant.real + step, constant.imag)
    series: MTF = function(argument)
    assert series.constant == function(constant)
    # Of the same size as the first term left out.
    assert series(step) == pytest.approx(complex(function(nearby)), rel=1e-15)


def test_reciprocal_functions_are_reciprocals() -> None:
    for constant in (0.7, -2.5, 0.7 + 0.4j):
        argument = constant + X - 2 * Y
        assert tpsa_core.cot(argument).is_close(1 / np.tan(argument), rtol=1e-13)
        assert tpsa_core.coth(argument).is_close(1 / np.tanh(argument), rtol=1e-12)


def test_sine_and_cosine_come_together() -> None:
    argument = (0.3 + X - 2 * Y).truncate(4)
    assert tpsa_core.sincos(argument) == (np.sin(argument), np.cos(argument))


def test_the_cube_root_is_real_for_real_series_and_principal_for_complex_ones() -> None:
    for constant in (8.0, -8.0, -8 + 0j, 1 + 2j):
        root = tpsa_core.cbrt(constant + X - Y)
        assert (root**3).is_close(constant + X - Y, atol=1e-14)
    assert tpsa_core.cbrt(X - 8).constant == -2.0
    assert tpsa_core.cbrt(X - (8 + 0j)).constant == pytest.approx(1 + np.sqrt(3) * 1j)


def test_small_constant_parts_keep_their_digits() -> None:
    assert np.expm1(1e-20 + X)[0, 0] == 1e-20
    assert np.log1p(1e-20 + X)[0, 0] == 1e-20


@pytest.mark.parametrize("scale", [1.0, 2.0**600, 2.0**-600])
def test_angle_and_length_are_polar_coordinates(scale: float) -> None:
    for y, x in ((0.6, 0.8), (0.6, -0.8), (-0.6, -0.8), (0.0, -1.0), (-1.0, 0.0)):
        ordinate, abscissa = scale * (y + X + Y**2), scale * (x - 2 * Y + X * Y)
        length, angle = tpsa_core.hypot(ordinate, abscissa), tpsa_core.atan2(ordinate, abscissa)
        sine, cosine = tpsa_core.sincos(angle)
        # The factors have larger coefficients than their product.
        rounding = 1e-15 * length.norm() * max(sine.norm(), cosine.norm())
        assert (length * cosine).is_close(abscissa, rtol=0, atol=rounding)
        assert (length * sine).is_close(ordinate, rtol=0, atol=rounding)
        assert angle.constant == np.arctan2(ordinate.constant, abscissa.constant)


def test_angle_and_length_take_a_number_in_either_place() -> None:
    assert tpsa_core.atan2(X, 2.0) == tpsa_core.atan2(X, ALGEBRA.constant(2.0))
    assert tpsa_core.atan2(2.0, X).is_close(np.pi / 2 - np.arctan(X / 2), atol=1e-15)
    assert tpsa_core.hypot(3.0, 4 + X).is_close(np.sqrt(9 + (4 + X) ** 2), rtol=1e-14, atol=1e-15)
    assert tpsa_core.hypot(X.truncate(2), 1.0).valid_order == 2
    with pytest.raises(DomainError, match="hypot needs two constant parts that are not both 0"):
        tpsa_core.hypot(X, Y)
    with pytest.raises(DomainError, match="atan2 needs real series"):
        tpsa_core.atan2(1j * X, 1.0)
    with pytest.raises(ShapeError, match="are no functions"):
        tpsa_core.atan2(1.0, 2.0)
    with pytest.raises(AlgebraMismatchError):
        tpsa_core.atan2(X, 1 + Algebra(1, order=6).variable(0))


def test_infinite_lengths_stay_infinite() -> None:
    with np.errstate(invalid="ignore"):
        assert tpsa_core.hypot(X + np.inf, Y).constant == np.inf


def test_the_absolute_value_has_the_sign_of_the_constant_part() -> None:
    assert abs(X - 2) == 2 - X
    assert tpsa_core.absolute(X + 2) == X + 2
    assert abs(0.6 + 0.8j + X).is_close(np.sqrt((0.6 + X) ** 2 + 0.64), rtol=1e-14, atol=1e-15)
    assert not abs(0.6 + 0.8j + X).is_complex
