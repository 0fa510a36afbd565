"""Special functions by the laws that define them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tpsa_core
from tpsa_core import MTF, Algebra

EPS = float(np.finfo(np.float64).eps)


def _near(constant: float) -> MTF:
    """A function of two variables with this constant part."""
    x, y = Algebra(2, order=6).variables()
    return constant + x - 0.5 * y + x * y + 0.25 * y**2


def _assert_close(first: MTF, second: MTF, *, units: float = 500) -> None:
    """Agreement up to rounding, in units of the largest coefficient."""
    scale = max(first.norm(), second.norm())
    assert first.is_close(second, rtol=0, atol=units * EPS * scale)


@given(st.floats(-4, 4))
def test_the_error_functions_are_integrals_of_the_gaussian(constant: float) -> None:
    f = _near(constant)
    slope = 2 / np.sqrt(np.pi) * tpsa_core.gaussian(f) * f.derivative(0)
    _assert_close(tpsa_core.erf(f).derivative(0), slope.truncate(5))
    _assert_close(tpsa_core.erf(f) + tpsa_core.erfc(f), f.algebra.constant(1.0))
    _assert_close(tpsa_core.gaussian(f), np.exp(-f * f))


@given(st.floats(0.2, 20))
def test_the_gamma_function_is_a_factorial(constant: float) -> None:
    f = _near(constant)
    product = f * tpsa_core.gamma(f)
    # Next to the pole the factor is larger than the product.
    scale = max(product.norm(), f.norm() * tpsa_core.gamma(f).norm())
    assert tpsa_core.gamma(f + 1).is_close(product, rtol=0, atol=500 * EPS * scale)
    logarithm = tpsa_core.loggamma(f + 1) - tpsa_core.loggamma(f)
    _assert_close(logarithm, np.log(f), units=5_000)


@given(st.floats(0.05, 0.95), st.integers(-8, 3))
def test_the_gamma_function_obeys_the_reflection_formula(part: float, whole: int) -> None:
    f = _near(part + whole)
    sine = np.sin(np.pi * _near(part)) * (-1) ** whole
    product = tpsa_core.gamma(f) * tpsa_core.gamma(1 - f) * sine
    # The three factors are large in turn.
    scale = tpsa_core.gamma(f).norm() * tpsa_core.gamma(1 - f).norm() * sine.norm()
    assert product.is_close(f.algebra.constant(np.pi), rtol=0, atol=500 * EPS * scale)


@given(st.floats(0.2, 20))
def test_the_digamma_function_is_the_derivative_of_the_logarithm(constant: float) -> None:
    f = _near(constant)
    slope = tpsa_core.digamma(f) * f.derivative(1)
    _assert_close(tpsa_core.loggamma(f).derivative(1), slope.truncate(5))
    _assert_close(tpsa_core.gamma(f), np.exp(tpsa_core.loggamma(f)), units=5_000)


@given(st.floats(-30, 30), st.integers(-6, 6))
def test_bessel_functions_obey_their_recurrences(constant: float, order: int) -> None:
    f = _near(constant)
    below, here, above = (tpsa_core.jn(n, f) for n in (order - 1, order, order + 1))
    scale = max(1.0, f.norm())
    assert (f * (below + above)).is_close(2 * order * here, rtol=0, atol=500 * EPS * scale)
    slope = (below - above) / 2 * f.derivative(0)
    assert here.derivative(0).is_close(slope.truncate(5), rtol=0, atol=500 * EPS)


@given(st.lists(st.floats(-2, 2), min_size=7, max_size=7), st.floats(-2, 2))
def test_a_function_applied_by_its_coefficients_is_the_composition(
    coefficients: list[float], constant: float
) -> None:
    f = _near(constant)
    expected = sum((a * (f - constant) ** k for k, a in enumerate(coefficients)), f.algebra.zero())
    _assert_close(f.apply(coefficients), expected)
