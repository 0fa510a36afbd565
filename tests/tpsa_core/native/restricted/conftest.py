"""Restricted plans, and plain arithmetic on the coefficients that they keep."""

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

Array = npt.NDArray[Any]
Exponents = tuple[int, ...]


class Restricted(NamedTuple):
    """A plan's arguments, and what it keeps by a rule of its own."""

    order: int
    caps: tuple[int, ...]
    group: int = 0
    joint: int = 0
    inner: int = 0

    def keeps(self, powers: Exponents) -> bool:
        joint = sum(powers[len(powers) - self.group :]) if self.group else 0
        within = all(power <= cap for power, cap in zip(powers, self.caps, strict=True))
        return sum(powers) <= self.order and within and joint <= self.joint

    def plan(self, native: ModuleType) -> Any:
        dimension = len(self.caps)
        return native.Plan(dimension, self.order, self.inner, self.caps, self.group, self.joint)


# Free variables first, last or between; some of each kind, one bound, all bound; blocks in rows,
# and of two variables past the generated kernels.
PLANS = [
    Restricted(4, (4, 4, 2, 2), 2, 2),
    Restricted(4, (2, 4, 1)),
    Restricted(5, (2, 5, 5, 1), 1, 1),
    Restricted(4, (4, 4, 2, 1), 2, 2, inner=1),
    Restricted(3, (1, 1, 1)),
    Restricted(6, (4, 5, 3)),
    Restricted(3, (2, 1, 2, 2), 2, 2),
    Restricted(12, (12, 2)),
    Restricted(4, (4, 4, 4, 4, 3, 2, 2), 2, 3, inner=2),
    Restricted(3, (3,) + (1,) * 9, 9, 1),
    Restricted(5, (2,)),
    Restricted(9, (9, 9, 9, 2), inner=1),
    Restricted(3, (3, 3, 3, 3, 3, 2, 2), 2, 2, inner=3),
    Restricted(14, (14, 1, 14)),
    # Blocks side by side.
    Restricted(5, (5, 5, 5, 5, 5, 2), inner=2),
    Restricted(5, (5, 5, 5, 5, 2, 2), inner=2),
]


@cache
def kept(case: Restricted) -> list[Exponents]:
    every = np.ndindex(*(cap + 1 for cap in case.caps))
    inside = [powers for powers in every if case.keeps(powers)]
    return sorted(inside, key=lambda powers: (sum(powers), [-power for power in powers]))


@cache
def pairs(case: Restricted) -> Array:
    """The places of all factors whose product is kept, and of the product: `(3, pairs)`."""
    index = {powers: place for place, powers in enumerate(kept(case))}
    found: list[tuple[int, int, int]] = []
    for left, powers in enumerate(kept(case)):
        for right, others in enumerate(kept(case)):
            target = index.get(tuple(x + y for x, y in zip(powers, others, strict=True)))
            if target is not None:
                found.append((left, right, target))
    return np.array(found).T


class Series:
    """A plan, and plain arithmetic on coefficients in graded order."""

    def __init__(self, native: ModuleType, case: Restricted) -> None:
        self.native, self.case, self.plan = native, case, case.plan(native)
        self.exponents = kept(case)
        self.index = {powers: place for place, powers in enumerate(self.exponents)}
        self.degrees = np.array([sum(powers) for powers in self.exponents])
        self.size = len(self.exponents)

    def block(self, graded: Array) -> Array:
        result = np.empty_like(graded)
        self.plan.to_block(graded, result)
        return result

    def graded(self, block: Array) -> Array:
        result = np.empty_like(block)
        self.plan.from_block(block, result)
        return result

    def call(self, name: str, *arguments: Any) -> Array:
        arrays = [value for value in arguments if isinstance(value, np.ndarray)]
        result = np.full(self.size, np.nan, dtype=np.result_type(*arrays))
        given = [self.block(v) if isinstance(v, np.ndarray) else v for v in arguments]
        getattr(self.native, name)(self.plan, *given, result)
        return self.graded(result)

    def product(self, left: Array, right: Array) -> Array:
        result = np.zeros(self.size, dtype=np.result_type(left, right))
        first, second, targets = pairs(self.case)
        np.add.at(result, targets, left[first] * right[second])
        return result

    def integers(self, rng: np.random.Generator, *, is_complex: bool = False) -> Array:
        values = rng.integers(-5, 6, self.size).astype(float)
        return values + 1j * rng.integers(-5, 6, self.size) if is_complex else values


@pytest.fixture(params=PLANS, ids=str)
def series(request: pytest.FixtureRequest, native: ModuleType) -> Series:
    return Series(native, request.param)


@pytest.fixture
def plans(native: ModuleType) -> list[Any]:
    """All of these plans."""
    return [case.plan(native) for case in PLANS]
