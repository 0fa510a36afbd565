"""The libraries that are compared: each gives the same work as calls without arguments."""

import importlib
from collections.abc import Callable, Mapping
from math import comb
from typing import Any

import numpy as np

import tpsa_core as t

Work = Mapping[str, Callable[[], Any]]
STEPS, STEP = 100, 0.01
# Points that values are computed at, and the size of a matrix product.
VALUES, MATRIX = 100_000, 768
LARGEST_SANDALWOOD, LARGEST_SANDALWOOD_MAP = 10_000, 300


def coefficients(size: int, seed: int) -> Any:
    """Dense and positive, with a constant part inside the domain of every function."""
    values = np.random.default_rng(seed).uniform(0.1, 1.0, size)
    values[0] = 1.5
    return values


def deviation(size: int, row: int, dimension: int) -> Any:
    """A component of a dense map near the identity, without a constant part."""
    values = 0.01 * coefficients(size, 100 + row)
    values[0] = 0.0
    values[1 : 1 + dimension] += np.eye(dimension)[row]
    return values


def kepler(state: list[Any], sqrt: Callable[[Any], Any]) -> list[Any]:
    """A satellite, by the classical Runge-Kutta method with a right-hand side in plain Python."""

    def rate(s: list[Any]) -> list[Any]:
        square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
        pull = -1.0 / (square * sqrt(square))
        return [*s[3:], *(pull * x for x in s[:3])]

    def moved(s: list[Any], slope: list[Any], h: float) -> list[Any]:
        return [x + h * k for x, k in zip(s, slope, strict=True)]

    for _ in range(STEPS):
        first = rate(state)
        second = rate(moved(state, first, STEP / 2))
        third = rate(moved(state, second, STEP / 2))
        fourth = rate(moved(state, third, STEP))
        slopes = zip(first, second, third, fourth, strict=True)
        mean = [(a + 2.0 * (b + c) + d) / 6.0 for a, b, c, d in slopes]
        state = moved(state, mean, STEP)
    return state


def ours(dimension: int, order: int) -> Work:
    algebra = t.Algebra(dimension, order=order)
    a, b = (t.MTF(algebra, coefficients(algebra.size, seed)) for seed in (1, 2))
    many = t.TaylorVector.of([a, b] * 4)
    rows = range(dimension)
    taylor_map = t.TaylorMap([t.MTF(algebra, deviation(algebra.size, r, dimension)) for r in rows])
    points = np.random.default_rng(3).uniform(-0.1, 0.1, (VALUES, dimension))
    matrix = np.random.default_rng(4).uniform(-1, 1, (MATRIX, MATRIX))
    orbit = [1.0, 0.0, 0.0, 0.0, 0.8, 0.3]
    return {
        "product": lambda: a * b,
        "sum": lambda: a + b,
        "8 products": lambda: many * many,
        "exp": lambda: t.exp(a),
        "log": lambda: t.log(a),
        "sin + cos": lambda: t.sincos(a),
        "1/x": lambda: 1 / a,
        "sqrt": lambda: t.sqrt(a),
        "power": lambda: a**1.5,
        "erf": lambda: t.erf(a),
        "gamma": lambda: t.gamma(a),
        "compose": lambda: taylor_map @ taylor_map,
        "invert": taylor_map.inverse,
        "evaluate": lambda: taylor_map(points),
        "Kepler": lambda: kepler(
            [c + x for c, x in zip(orbit, algebra.variables(), strict=True)], t.sqrt
        ),
        "2 threads": lambda: taylor_map.evaluate(points, threads=2),
        "dgemm": lambda: matrix @ matrix,
    }


def daceypy(dimension: int, order: int) -> Work:
    d: Any = importlib.import_module("daceypy")
    d.DA.init(order, dimension)
    exponents = t.Algebra(dimension, order=order).exponents.tolist()

    def series(values: Any) -> Any:
        result = d.DA(0.0)
        for powers, value in zip(exponents, values.tolist(), strict=True):
            result.setCoefficient(powers, value)
        return result

    a, b = (series(coefficients(len(exponents), seed)) for seed in (1, 2))
    many = [a, b] * 4
    rows = range(dimension)
    taylor_map = d.array([series(deviation(len(exponents), r, dimension)) for r in rows])
    orbit = [1.0, 0.0, 0.0, 0.0, 0.8, 0.3]
    return {
        "product": lambda: a * b,
        "sum": lambda: a + b,
        "8 products": lambda: [f * f for f in many],
        "exp": a.exp,
        "log": a.log,
        "sin + cos": lambda: (a.sin(), a.cos()),
        "1/x": lambda: 1.0 / a,
        "sqrt": a.sqrt,
        "power": lambda: a**1.5,
        "erf": a.erf,
        "gamma": a.GammaFunction,
        "compose": lambda: taylor_map.eval(taylor_map),
        "invert": taylor_map.invert,
        "Kepler": lambda: kepler(
            [c + d.DA(i + 1) for i, c in enumerate(orbit)], lambda x: x.sqrt()
        ),
    }


def sandalwood(dimension: int, order: int) -> Work:
    s: Any = importlib.import_module("sandalwood")
    if comb(dimension + order, order) > LARGEST_SANDALWOOD:
        # It keeps a table of all pairs: gigabytes.
        return {}
    series = s.MultivariateTaylorFunction
    series.initialize_mtf(order, dimension, "python")
    exponents = np.array(t.Algebra(dimension, order=order).exponents)

    def made(values: Any) -> Any:
        return series((exponents, values), dimension)

    a, b = (made(coefficients(len(exponents), seed)) for seed in (1, 2))
    many = [a, b] * 4
    work: dict[str, Callable[[], Any]] = {
        "product": lambda: a * b,
        "sum": lambda: a + b,
        "8 products": lambda: [f * f for f in many],
        "exp": a.exp,
        "log": a.log,
        "sin + cos": lambda: (a.sin(), a.cos()),
        "1/x": lambda: 1.0 / a,
        "sqrt": a.sqrt,
    }
    # Larger maps take it minutes, and so do their values at many points.
    if len(exponents) <= LARGEST_SANDALWOOD_MAP:
        rows = range(dimension)
        taylor_map = s.TaylorMap([made(deviation(len(exponents), r, dimension)) for r in rows])
        work |= {"compose": lambda: taylor_map.compose(taylor_map), "invert": taylor_map.invert}
    return work


BACKENDS: Mapping[str, Callable[[int, int], Work]] = {
    "tpsa_core": ours,
    "daceypy": daceypy,
    "sandalwood": sandalwood,
}
