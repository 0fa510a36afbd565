"""The monomials of an algebra that keeps some of them only, and where each one stands.

They stand as in the full algebra, those that are not kept left out: truncated series are prefixes
here, too. With c_k(t) the number of monomials in the variables from k on of degree t, and C_k(t)
those of a lower degree, as many stand before a monomial with tail sums t_k, inside its degree, as
the sum of C_{k+1}(t_{k+1}) - C_{k+1}(t_k - min(cap_k, t_k)) over all variables k says: those with a
higher power of k, and the same ones before. It is a sum of one number for each tail sum again.
"""

from functools import cached_property, lru_cache
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from tpsa_core._bounds import Bounds, monomials_number, pairs_number, tail_counts
from tpsa_core._monomials import (
    SHARED_EXPONENTS,
    Branch,
    MonomialTables,
    Places,
    monomial_tables,
)


@final
class RestrictedTables(MonomialTables):
    """Index tables for the monomials within some bounds of which not only the order binds."""

    is_full: ClassVar[bool] = False

    def __init__(self, bounds: Bounds) -> None:
        counts = tail_counts(bounds).astype(np.intp)
        offsets = (0, *counts[0].cumsum().tolist())
        super().__init__(bounds.dimension, bounds.order, offsets)
        self.bounds = bounds
        self._counts = counts
        self._branches: dict[int, list[Branch]] = {}

    @cached_property
    def pairs(self) -> int:
        """The number of coefficient products in one dense truncated product."""
        return int(pairs_number(self.bounds))

    def truncated(self, order: int) -> MonomialTables:
        """The tables of those of these monomials that do not exceed an order."""
        return self if order >= self.order else tables_of(self.bounds.lowered(order))

    def highest_power(self, place: int) -> int:
        """The highest power of the monomial at a place, not the first, that is kept."""
        return self.bounds.highest_power(self.exponents[place].tolist())

    def branches(self, degree: int) -> list[Branch]:
        """How the monomials of a degree, at least 1, grow out of those of the degree below."""
        known = self._branches.get(degree)
        if known is None:
            known = self._branches[degree] = self._grown(degree, self.exponents)
        return known

    def _grown(self, degree: int, exponents: npt.NDArray[np.int32]) -> list[Branch]:
        """The branches, from exponents that are filled in below this degree."""
        bounds, start = self.bounds, self.offsets[degree]
        end_of_parents = start
        result: list[Branch] = []
        for variable in range(self.dimension):
            # Without the variables before; they stand last in their degree.
            first = end_of_parents - int(self._counts[variable, degree - 1])
            if variable >= bounds.first_of_group and degree > bounds.joint:
                first = end_of_parents
            fits = exponents[first:end_of_parents, variable] < bounds.caps[variable]
            parents: Places = first + np.flatnonzero(fits)
            count = len(parents)
            if count == end_of_parents - first:
                parents = slice(first, end_of_parents)
            result.append(Branch(variable, start, start + count, parents))
            start += count
        return result

    @cached_property
    def exponents(self) -> npt.NDArray[np.int32]:
        """The exponents of every monomial, `(size, dimension)`, read-only."""
        table = np.zeros((self.size, self.dimension), dtype=np.int32)
        for degree in range(1, self.order + 1):
            branches = self._branches[degree] = self._grown(degree, table)
            for variable, start, stop, parents in branches:
                table[start:stop] = table[parents]
                table[start:stop, variable] += 1
        table.setflags(write=False)
        return table

    @cached_property
    def ranks(self) -> npt.NDArray[np.intp]:
        """What each tail sum adds to a monomial's place, `(dimension, order + 1)`."""
        tails = np.arange(self.order + 1)
        # below[k, t]: the monomials in the variables from k on of a degree below t.
        below = np.zeros((self.dimension + 1, self.order + 2), dtype=np.intp)
        self._counts.cumsum(axis=1, out=below[:, 1:])
        result = np.empty((self.dimension, self.order + 1), dtype=np.intp)
        for variable, cap in enumerate(self.bounds.caps):
            before = np.array(self.offsets[:-1]) if not variable else below[variable, :-1]
            result[variable] = before - below[variable + 1][tails - np.minimum(tails, cap)]
        return result

    def _move(self, variable: int) -> tuple[Places, npt.NDArray[np.intp]]:
        below = self.exponents[: self.offsets[self.order]]
        fits = below[:, variable] < self.bounds.caps[variable]
        if variable >= self.bounds.first_of_group:
            joint = below[:, self.bounds.first_of_group :].sum(axis=1)
            fits &= joint < self.bounds.joint
        sources = np.flatnonzero(fits)
        tails = self.tails[sources]
        tails[:, : variable + 1] += 1
        return sources, self.places_of_tails(tails)


@lru_cache(maxsize=32)
def _shared_tables(bounds: Bounds) -> RestrictedTables:
    return RestrictedTables(bounds)


@lru_cache(maxsize=4)
def _large_tables(bounds: Bounds) -> RestrictedTables:
    return RestrictedTables(bounds)


def tables_of(bounds: Bounds) -> MonomialTables:
    """The tables of a set of monomials, shared while they are in use or were lately."""
    if bounds.is_full:
        return monomial_tables(bounds.dimension, bounds.order)
    if bounds.dimension * monomials_number(bounds) <= SHARED_EXPONENTS:
        return _shared_tables(bounds)
    return _large_tables(bounds)
