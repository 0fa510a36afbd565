"""Random chains of operations on series, whose results two backends have to agree on.

Run as a program with a number of chains, it prints their results as JSON.
"""

import json
import random
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tpsa_core import MTF, Algebra, OrderError, TaylorVector, exp, log, sin, sqrt

Operation: TypeAlias = Callable[[Any, Any, random.Random], Any]

SHAPES = [(1, 6), (2, 5), (3, 4), (4, 6), (6, 4), (3, 10), (7, 3), (5, 2)]
LENGTH = 25
COMPARED = 12
LARGEST = 1e3

OPERATIONS: list[Operation] = [
    lambda f, g, _: f + g,
    lambda f, g, _: f - g,
    lambda f, g, _: f * g,
    lambda f, g, _: g * f,
    lambda f, _, __: f * f,
    lambda f, g, _: f / (g - g.constant + 1.25),
    lambda f, _, __: 2.5 / (f - f.constant + 2),
    lambda f, _, rnd: f.derivative(rnd.randrange(f.algebra.dimension)),
    lambda f, _, rnd: f.antiderivative(rnd.randrange(f.algebra.dimension)),
    lambda f, _, __: exp(f - f.constant),
    lambda f, _, __: sin(0.3 * f),
    lambda f, _, __: sqrt(f - f.constant + 2),
    lambda f, _, __: (f - f.constant + 1.5) ** 0.7,
    lambda f, _, __: log(f - f.constant + 1.5),
    lambda f, _, rnd: f.truncate(rnd.randint(0, f.algebra.order)),
    lambda f, _, __: -f + 1,
]


def starts(algebra: Algebra, rnd: random.Random, seed: int) -> list[MTF]:
    """Variables, and series that are dense, sparse in degree, partly unknown, and complex."""
    rng = np.random.default_rng(seed)
    dense, sparse, unknown, real, imaginary = rng.uniform(-1, 1, (5, algebra.size))
    sparse *= algebra.exponents.sum(axis=1) >= rnd.randint(0, algebra.order)
    return [
        *algebra.variables(),
        algebra.constant(1.5),
        1 + algebra.variable(0),
        MTF(algebra, dense),
        MTF(algebra, sparse),
        MTF(algebra, unknown, valid_order=rnd.randint(0, algebra.order)),
        MTF(algebra, real + 1j * imaginary),
    ]


def described(thing: MTF | TaylorVector) -> list[Any]:
    """What has to agree: exactly the first two, the others to rounding."""
    values = thing.coefficients.ravel()
    return [thing.valid_order, thing.is_complex, values.real.tolist(), values.imag.tolist()]


def chain(seed: int) -> list[list[Any]]:
    """The last results of one chain, and those of a vector of its first series."""
    rnd = random.Random(seed)  # noqa: S311 -- chains that are the same each time
    dimension, order = rnd.choice(SHAPES)
    series = starts(Algebra(dimension, order=order), rnd, seed)
    for _ in range(LENGTH):
        operation, f, g = rnd.choice(OPERATIONS), rnd.choice(series), rnd.choice(series)
        try:
            result = operation(f, g, rnd)
        except OrderError:
            continue
        norm = result.norm()
        series.append(result / norm if norm > LARGEST else result)
    vector = TaylorVector.of(series[:5])
    combined = vector * vector + vector / 2 - vector * series[5]
    return [*map(described, series[-COMPARED:]), described(combined)]


if __name__ == "__main__":
    sys.stdout.write(json.dumps([chain(seed) for seed in range(int(sys.argv[1]))]))
