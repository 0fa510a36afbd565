"""Coefficient by coefficient against daceypy 1.4, an independent implementation, if it is there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, TaylorMap

REASON = "daceypy is a witness, not a dependency; the exact and 50-digit tests run without it"
daceypy: Any = pytest.importorskip("daceypy", reason=REASON)

ALGEBRA = Algebra(3, order=6)


def _random(seed: int, *, constant: float) -> MTF:
    values = 0.5 * np.random.default_rng(seed).normal(size=ALGEBRA.size)
    values[0] = constant
    return MTF(ALGEBRA, values)


def _theirs(function: MTF) -> Any:
    daceypy.DA.init(ALGEBRA.order, ALGEBRA.dimension)
    # Nothing is to be cut off for being small.
    daceypy.DA.setEps(0.0)
    result = daceypy.DA(0.0)
    for powers, value in function.to_dict().items():
        result.setCoefficient(list(powers), value.real)
    return result


def _assert_same(ours: MTF, theirs: Any, *, units: float = 2_000) -> None:
    coefficients = [theirs.getCoefficient(powers) for powers in ALGEBRA.exponents.tolist()]
    scale = np.finfo(np.float64).eps * max(1.0, ours.norm())
    assert np.abs(ours.coefficients - coefficients).max() <= units * scale


FUNCTIONS: list[tuple[Callable[[MTF], MTF], Callable[[Any], Any], float]] = [
    (tpsa_core.exp, lambda f: f.exp(), 0.5),
    (tpsa_core.log, lambda f: f.log(), 1.5),
    (tpsa_core.log2, lambda f: f.log2(), 1.5),
    (tpsa_core.log10, lambda f: f.log10(), 1.5),
    (tpsa_core.sqrt, lambda f: f.sqrt(), 1.5),
    (tpsa_core.cbrt, lambda f: f.cbrt(), 1.5),
    (tpsa_core.reciprocal, lambda f: 1.0 / f, 1.5),
    (tpsa_core.sin, lambda f: f.sin(), 0.5),
    (tpsa_core.cos, lambda f: f.cos(), 0.5),
    (tpsa_core.tan, lambda f: f.tan(), 0.5),
    (tpsa_core.asin, lambda f: f.asin(), 0.2),
    (tpsa_core.acos, lambda f: f.acos(), 0.2),
    (tpsa_core.atan, lambda f: f.atan(), 0.5),
    (tpsa_core.sinh, lambda f: f.sinh(), 0.5),
    (tpsa_core.cosh, lambda f: f.cosh(), 0.5),
    (tpsa_core.tanh, lambda f: f.tanh(), 0.5),
    (tpsa_core.asinh, lambda f: f.asinh(), 0.5),
    (tpsa_core.acosh, lambda f: f.acosh(), 2.5),
    (tpsa_core.atanh, lambda f: f.atanh(), 0.2),
    (tpsa_core.erf, lambda f: f.erf(), 0.5),
    (tpsa_core.erfc, lambda f: f.erfc(), 0.5),
    (tpsa_core.gamma, lambda f: f.GammaFunction(), 2.5),
    (tpsa_core.loggamma, lambda f: f.LogGammaFunction(), 2.5),
    (tpsa_core.digamma, lambda f: f.PsiFunction(0), 2.5),
    (lambda f: tpsa_core.jn(2, f), lambda f: f.BesselJFunction(2), 2.5),
]


@pytest.mark.parametrize(("ours", "theirs", "constant"), FUNCTIONS)
def test_functions_agree(
    ours: Callable[[MTF], MTF], theirs: Callable[[Any], Any], constant: float
) -> None:
    argument = _random(1, constant=constant)
    _assert_same(ours(argument), theirs(_theirs(argument)))


def test_functions_of_two_series_agree() -> None:
    first, second = _random(1, constant=0.75), _random(2, constant=-1.25)
    theirs, others = _theirs(first), _theirs(second)
    _assert_same(first * second, theirs * others)
    _assert_same(first / second, theirs / others)
    _assert_same(tpsa_core.hypot(first, second), theirs.hypot(others))
    _assert_same(tpsa_core.atan2(first, second), theirs.atan2(others))


def test_derivatives_agree() -> None:
    function = _random(3, constant=0.0)
    for variable in range(ALGEBRA.dimension):
        _assert_same(function.derivative(variable), _theirs(function).deriv(variable + 1))
        _assert_same(function.antiderivative(variable), _theirs(function).integ(variable + 1))


def test_compositions_and_inverses_agree() -> None:
    identity = TaylorMap.identity(ALGEBRA)
    noise = TaylorMap([_random(seed, constant=0.0) / 8 for seed in (4, 5, 6)])
    taylor_map = identity + noise
    theirs = daceypy.array([_theirs(function) for function in taylor_map])
    others = daceypy.array([_theirs(function) for function in noise])
    for ours, other in zip(taylor_map @ noise, theirs.eval(others), strict=True):
        _assert_same(ours, other)
    for ours, other in zip(taylor_map.inverse(), theirs.invert(), strict=True):
        _assert_same(ours, other)
