"""Which coefficients a value knows.

A value of an algebra is known on a set of monomials, which contains every divisor of its members.
Mostly these are all monomials of the algebra up to the valid order, and the order says it all. If
not, as for the derivative with respect to a variable of a lower order, `limits` holds the set.
Coefficients outside it are held as zero.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._monomials import MonomialTables


class Known(Protocol):
    """What says how far a value is known."""

    @property
    def algebra(self) -> AlgebraDefinition:
        """The algebra that the value belongs to."""
        ...

    @property
    def valid_order(self) -> int:
        """The order to which it is known."""
        ...

    @property
    def limits(self) -> Bounds | None:
        """The set on which it is known, if the order does not say it."""
        ...


def known_set(algebra: AlgebraDefinition, valid_order: int, limits: Bounds | None) -> Bounds:
    """The set of the known coefficients of a value."""
    return algebra.bounds.lowered(valid_order) if limits is None else limits


def limits_of(algebra: AlgebraDefinition, known: Bounds) -> Bounds | None:
    """What a value that is known on a set has to hold beside its valid order."""
    usual = algebra.bounds.lowered(known.order)
    return None if usual is known or usual == known else known


def known_of_all(values: Sequence[Known]) -> Bounds:
    """The set on which all values of one algebra are known: its own bounds, if everything is."""
    algebra = values[0].algebra
    if not any(value.limits for value in values):
        return algebra.bounds.lowered(min([value.valid_order for value in values]))
    first, *others = values
    result = known_set(algebra, first.valid_order, first.limits)
    for value in others:
        result = result.meet(known_set(algebra, value.valid_order, value.limits))
    return result


def cut(tables: MonomialTables, values: Array, known: Bounds) -> Array:
    """The coefficients `(..., size)` with zeros in the place of those that are not known."""
    result = values.copy()
    result[..., _unknown(tables, known)] = 0
    return result


@lru_cache(maxsize=32)
def _unknown(tables: MonomialTables, known: Bounds) -> npt.NDArray[np.intp]:
    return np.flatnonzero(~known.contain(tables.exponents))


def described(algebra: AlgebraDefinition, limits: Bounds) -> str:
    """How far a value is known beside its order, as a part of a sentence."""
    usual = algebra.bounds.lowered(limits.order)
    parts: list[str] = []
    for place, (name, cap) in enumerate(zip(algebra.names, limits.caps, strict=True)):
        is_implied = place >= limits.first_of_group and cap == limits.joint
        if cap < usual.caps[place] and not is_implied:
            parts.append(f"{cap} in {name!r}")
    if limits.group and limits.joint < usual.joint_degree(limits.group):
        group = algebra.names[limits.first_of_group :]
        parts.append(f"{limits.joint} in {', '.join(map(repr, group))} together")
    return ", ".join(parts)
