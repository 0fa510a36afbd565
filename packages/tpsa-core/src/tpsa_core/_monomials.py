"""The monomials of an algebra in graded order, and where each one stands.

Monomials stand degree by degree, and inside a degree with the higher power of the earlier variable
first: 1, x1, x2, x1², x1·x2, x2², x1³ … The place of a monomial is its rank in the combinatorial
number system (Knuth, The Art of Computer Programming 4A, section 7.2.1.3): with the tail sums
t_k = e_k + … + e_v it is the sum of binomial(t_k + v - k, v - k + 1) over k = 1 … v.

Two facts carry the whole package. The first monomials up to any lower order are the same, so a
truncated series is a prefix. And the monomials of degree d are, in order, x1 times all monomials
of degree d - 1, then x2 times those without x1, and so on: a tree whose branches are slices.

`_restricted` has the same tables for algebras that keep some of these monomials only.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tpsa_core._bounds import Bounds

# Some of the coefficients of a series.
Places: TypeAlias = slice | npt.NDArray[np.intp]

# Tables of up to this many exponents, some 4 MB, are shared by all algebras of one shape; of larger
# ones only a few are kept, so that the memory held stays bounded.
SHARED_EXPONENTS = 250_000


class Branch(NamedTuple):
    """The monomials `start:stop`: one variable times those of the degree below at `parents`."""

    variable: int
    start: int
    stop: int
    parents: Places


class MonomialTables:
    """Index tables for all monomials in `dimension` variables up to `order`.

    Values never change once computed; two threads that need a table first may both compute it and
    get equal ones.
    """

    # Whether all monomials up to the order are kept.
    is_full: ClassVar[bool] = True

    def __init__(self, dimension: int, order: int, offsets: tuple[int, ...] | None = None) -> None:
        self.dimension = dimension
        self.order = order
        self.bounds = Bounds.full(dimension, order)
        # offsets[d] is the number of monomials of a degree below d.
        self.offsets = offsets or tuple(
            comb(dimension + d - 1, dimension) for d in range(order + 2)
        )
        self.size = self.offsets[-1]
        # What the compiled kernels know of these monomials, made by them on first use.
        self.native_plan: Any = None
        self._moves: dict[int, tuple[Places, npt.NDArray[np.intp]]] = {}

    @cached_property
    def pairs(self) -> int:
        """The number of coefficient products in one dense truncated product."""
        return useful_pairs(self.dimension, self.order)

    def truncated(self, order: int) -> "MonomialTables":
        """The tables of those of these monomials that do not exceed an order."""
        return self if order >= self.order else monomial_tables(self.dimension, order)

    def highest_power(self, place: int) -> int:
        """The highest power of the monomial at a place, not the first, that is kept."""
        return self.order // self.degree_at(place)

    def block(self, degree: int) -> slice:
        """The places of the monomials of one degree."""
        return slice(self.offsets[degree], self.offsets[degree + 1])

    def degree_at(self, place: int) -> int:
        """The degree of the monomial at a place."""
        return bisect_right(self.offsets, place) - 1

    def branches(self, degree: int) -> Sequence[Branch]:
        """How the monomials of a degree, at least 1, grow out of those of the degree below."""
        start = self.offsets[degree]
        end_of_parents = start
        result: list[Branch] = []
        for variable in range(self.dimension):
            count = comb(self.dimension - variable + degree - 2, degree - 1)
            parents = slice(end_of_parents - count, end_of_parents)
            result.append(Branch(variable, start, start + count, parents))
            start += count
        return result

    @cached_property
    def exponents(self) -> npt.NDArray[np.int32]:
        """The exponents of every monomial, `(size, dimension)`, read-only."""
        table = np.zeros((self.size, self.dimension), dtype=np.int32)
        for degree in range(1, self.order + 1):
            for variable, start, stop, parents in self.branches(degree):
                table[start:stop] = table[parents]
                table[start:stop, variable] += 1
        table.setflags(write=False)
        return table

    @cached_property
    def degrees(self) -> npt.NDArray[np.float64]:
        """The degree of every monomial as a factor, `(size,)`, read-only."""
        counts = np.diff(np.array(self.offsets))
        table = np.repeat(np.arange(self.order + 1, dtype=np.float64), counts)
        table.setflags(write=False)
        return table

    @cached_property
    def tails(self) -> npt.NDArray[np.int32]:
        """The tail sums of every monomial's exponents, `(size, dimension)`."""
        return np.ascontiguousarray(self.exponents[:, ::-1].cumsum(axis=1, dtype=np.int32)[:, ::-1])

    @cached_property
    def ranks(self) -> npt.NDArray[np.intp]:
        """What each tail sum adds to a monomial's place, `(dimension, order + 1)`."""
        remaining = range(self.dimension, 0, -1)
        tails = range(self.order + 1)
        return np.array([[comb(tail + k - 1, k) for tail in tails] for k in remaining], np.intp)

    def places(self, exponents: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
        """The places of monomials, `(..., dimension)` to `(...)`; none may exceed the order."""
        tails = exponents[..., ::-1].cumsum(axis=-1, dtype=np.intp)[..., ::-1]
        return self.places_of_tails(tails)

    def places_of_tails(self, tails: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
        """The places of monomials given by their tail sums, which add up under products."""
        total = np.zeros(tails.shape[:-1], dtype=np.intp)
        for k in range(self.dimension):
            total += self.ranks[k].take(tails[..., k])
        return total

    def moves(self, variable: int) -> tuple[Places, npt.NDArray[np.intp]]:
        """The monomials that stay within the tables when multiplied by a variable, and their goals.

        Returns:
            Their places, all below the top degree in full tables, and those of the products.
        """
        move = self._moves.get(variable)
        if move is None:
            move = self._moves[variable] = self._move(variable)
        return move

    def _move(self, variable: int) -> tuple[Places, npt.NDArray[np.intp]]:
        below = slice(0, self.offsets[self.order])
        tails = self.tails[below].copy()
        tails[:, : variable + 1] += 1
        return below, self.places_of_tails(tails)


def inside(places: Places, start: int) -> Places:
    """The same places, counted from another one."""
    if isinstance(places, slice):
        return slice(places.start - start, places.stop - start)
    return places - start


def useful_pairs(dimension: int, order: int) -> int:
    """The number of coefficient products in one dense truncated product."""
    return comb(order + 2 * dimension, order)


@lru_cache(maxsize=32)
def _shared_tables(dimension: int, order: int) -> MonomialTables:
    return MonomialTables(dimension, order)


@lru_cache(maxsize=4)
def _large_tables(dimension: int, order: int) -> MonomialTables:
    return MonomialTables(dimension, order)


def monomial_tables(dimension: int, order: int) -> MonomialTables:
    """The tables of one shape, shared while they are in use or were lately."""
    if dimension * comb(dimension + order, order) <= SHARED_EXPONENTS:
        return _shared_tables(dimension, order)
    return _large_tables(dimension, order)
