"""What an operation takes, estimated from the sizes of its operands before anything is computed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import TypeAlias

from tpsa_core._monomials import useful_pairs
from tpsa_core._numpy_kernels._products import CACHED_PAIRS

__all__ = [
    "FUNCTION_PRODUCTS",
    "POWER_PRODUCTS",
    "Cost",
    "Estimate",
    "composition",
    "evaluation",
    "expansion",
    "inversion",
    "products",
]

# Of a coefficient while it is computed with: complex, three times over.
_COEFFICIENT_BYTES = 48
# Of a number of a batch: as it is computed, and as it is kept.
_BATCH_BYTES = 32
# Products that a function takes at most, beside those of Horner's scheme.
FUNCTION_PRODUCTS = 5
# Products of the highest integer power that there may be; exp(g * log(f)) takes fewer.
POWER_PRODUCTS = 20
# Functions that are computed by Horner's scheme take one more for each order.
_BY_HORNER = re.compile(r"\b(?:gamma|loggamma|lgamma|digamma|j0|j1|jn)\s*\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one call takes.

    Attributes:
        coefficients: Of the object that is made, in all its components.
        product: Multiplications in one product of two functions.
        multiplications: In all.
        memory_bytes: At once.
    """

    coefficients: int = 0
    product: int = 0
    multiplications: int = 0
    memory_bytes: int = 0

    @property
    def products(self) -> int:
        """How many products of two functions take as many multiplications."""
        return -(-self.multiplications // self.product) if self.product else 0


Estimate: TypeAlias = Callable[[int], Cost]
"""Gives the cost at an order."""


def products(dimension: int, components: int, count: int) -> Estimate:
    """So many products of functions, and a result of so many components."""

    def cost(order: int) -> Cost:
        size, product = comb(dimension + order, order), useful_pairs(dimension, order)
        tables = 4 * dimension * size + 8 * min(product, CACHED_PAIRS)
        return Cost(
            coefficients=components * size,
            product=product if count else 0,
            multiplications=count * product,
            memory_bytes=_COEFFICIENT_BYTES * components * size + tables,
        )

    return cost


def expansion(dimension: int, expressions: list[str]) -> Estimate:
    """Expressions, one for each component."""
    count, by_horner = 0, 0
    for text in expressions:
        powers = text.count("**") + text.count("^")
        factors = text.count("*") - 2 * text.count("**") + text.count("/")
        count += factors + POWER_PRODUCTS * powers + FUNCTION_PRODUCTS * text.count("(")
        by_horner += len(_BY_HORNER.findall(text))

    def cost(order: int) -> Cost:
        return products(dimension, len(expressions), count + by_horner * order)(order)

    return cost


def composition(outer_dimension: int, inner_dimension: int, components: int) -> Estimate:
    """Functions of one algebra put into functions of another, all of one order."""
    result = products(inner_dimension, components, 0)

    def cost(order: int) -> Cost:
        # A node of degree d in the tree of monomials is multiplied once, at the order that is left.
        work, held = 0, 0
        for degree in range(1, order + 1):
            nodes = components * comb(outer_dimension + degree - 1, degree)
            left = order - degree
            work += nodes * useful_pairs(inner_dimension, left + 1)
            held = max(held, nodes * comb(inner_dimension + left, left))
        base = result(order)
        return replace(
            base,
            product=useful_pairs(inner_dimension, order),
            multiplications=work,
            memory_bytes=base.memory_bytes + _COEFFICIENT_BYTES * held,
        )

    return cost


def inversion(dimension: int) -> Estimate:
    """The inverse of a map: each step composes twice, and all but the last cost one more."""
    step = composition(dimension, dimension, dimension)

    def cost(order: int) -> Cost:
        one = step(order)
        return replace(one, multiplications=4 * one.multiplications)

    return cost


def evaluation(dimension: int, components: int, points: int, held: int) -> Estimate:
    """Values at points, with so many numbers held at once."""

    def cost(order: int) -> Cost:
        work = components * comb(dimension + order, order) * points
        return Cost(multiplications=work, memory_bytes=_BATCH_BYTES * held)

    return cost
