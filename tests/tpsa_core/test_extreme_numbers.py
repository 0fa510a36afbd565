"""Numbers at the ends of floating point: kept where they are, and never turned into small ones."""

from contextlib import nullcontext

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, DomainError, TaylorMap, backend

ALGEBRA = Algebra("x", "y", order=4)
X, Y = ALGEBRA.variables()


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-300, 2.0**300, 2.0**1000])
def test_a_common_factor_that_is_a_power_of_two_changes_no_digit(scale: float) -> None:
    f = 1.25 + X / 3 - Y**2 / 7
    g = f.derivative("x") + X * Y / 11
    assert (scale * f) * g == scale * (f * g)
    assert (scale * f) / (scale * g) == f / g
    assert np.sqrt(scale * f) == np.sqrt(scale) * np.sqrt(f)
    assert tpsa_core.hypot(scale * f, scale * X) == scale * tpsa_core.hypot(f, X)
    assert tpsa_core.atan2(scale * X, scale * f) == tpsa_core.atan2(X, f)


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**-40, 2.0**40])
def test_units_of_the_variables_change_no_digit(unit: float) -> None:
    # f(u·x) has the coefficients of f times powers of u, all of which must survive.
    f = np.exp(np.sin(unit * X + Y) - 1)
    g = np.exp(np.sin(X + Y) - 1)
    factors = unit ** ALGEBRA.exponents[:, 0]
    assert f.coefficients.tolist() == (g.coefficients * factors).tolist()
    taylor_map = TaylorMap([X + Y**2, Y - X * Y])
    inverse = (unit * taylor_map).inverse()
    assert inverse(unit * 0.25, 0.0) == pytest.approx(taylor_map.inverse()(0.25, 0.0), rel=1e-14)


def test_denormal_numbers_are_kept() -> None:
    tiny = 5e-324
    assert (tiny * X)[1, 0] == tiny
    assert (tiny * X + Y - Y).to_dict() == {(1, 0): tiny}
    assert ((tiny * X) * (1 + Y))[1, 1] == tiny
    assert (2 * tiny * X).derivative("x").constant == 2 * tiny


def test_infinite_and_undefined_coefficients_stay_visible() -> None:
    for bad in (np.inf, -np.inf, np.nan):
        f = MTF.from_dict(ALGEBRA, {(0, 0): 1.0, (1, 0): bad})
        with np.errstate(invalid="ignore"):
            for result in (
                f + Y,
                f * (1 + Y),
                1 / f,
                np.exp(f),
                np.sin(f),
                f.derivative("x"),
                f**3,
            ):
                assert not np.isfinite(result.coefficients).all()
            assert not np.isfinite(f(0.5, 0.0))


def test_an_overflow_is_infinite_and_warned_about_where_numpy_computes() -> None:
    warned = pytest.warns(RuntimeWarning, match="overflow")
    with np.errstate(invalid="ignore"), nullcontext() if backend() == "native" else warned:
        assert np.isinf(np.exp(1000 + X).constant)
    with pytest.raises(DomainError):
        np.log(MTF.from_dict(ALGEBRA, {(0, 0): np.nan}))


def test_powers_past_the_largest_number_do_not_matter_where_there_is_no_term() -> None:
    huge = 1e200
    assert (2 * X - Y)(huge, 0.0) == 2 * huge
    assert (X + Y).evaluate(np.full((1_000, 2), huge))[-1] == 2 * huge
    with np.errstate(over="ignore"):
        assert (X + Y**2).substitute({"x": huge}).to_dict() == {(0, 0): huge, (0, 2): 1.0}
        assert Y.integral("x", 0.0, huge).to_dict() == {(0, 1): huge}
