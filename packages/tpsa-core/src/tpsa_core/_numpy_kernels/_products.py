"""Which pairs of monomials meet in a truncated product, and where each product lands.

Only useful pairs are kept: a monomial of degree d meets those up to degree order - d, a prefix of
the graded table. There are binomial(order + 2·dimension, 2·dimension) of them, for six variables
at order six 2 % of all pairs. Two forms are built on first use:

- rows: for every degree, one row of targets per left monomial. The products of a whole block are
  one outer product, so nothing is gathered; 8 bytes per pair.
- sorted pairs, for small products only, where the number of numpy calls decides.

Past `CACHED_PAIRS` the rows are computed for every product anew, so that memory stays linear in the
number of monomials.
"""

from functools import cached_property, lru_cache
from typing import final

import numpy as np
import numpy.typing as npt

from tpsa_core._monomials import MonomialTables, inside
from tpsa_core._numpy_kernels._pairs import (
    CACHED_PAIRS,
    SORTED_PAIRS,
    SortedPairs,
    cut_by_degree,
    sorted_by_target,
)
from tpsa_core._numpy_kernels._restricted import RestrictedPlan
from tpsa_core._restricted import RestrictedTables

__all__ = ["CACHED_PAIRS", "ProductPlan", "product_plan"]

# Plans of up to this many pairs, 2 MiB, are shared freely; of larger ones only a few are kept.
_SHARED_PAIRS = 1 << 18


@final
class ProductPlan:
    """The targets of all pairs of one shape."""

    def __init__(self, tables: MonomialTables) -> None:
        self.tables = tables
        self.pairs = tables.pairs
        self.is_small = self.pairs <= SORTED_PAIRS
        self.sparse_by_rows = True

    @cached_property
    def _rows(self) -> list[npt.NDArray[np.intp]]:
        """Per degree d the targets `(monomials of degree d, monomials up to order - d)`."""
        tables = self.tables
        rows = [np.arange(tables.size, dtype=np.intp)[np.newaxis]]
        for degree in range(1, tables.order + 1):
            block = tables.block(degree)
            width = tables.offsets[tables.order - degree + 1]
            targets = np.empty((block.stop - block.start, width), dtype=np.intp)
            for variable, start, stop, parents in tables.branches(degree):
                products = rows[-1][inside(parents, tables.offsets[degree - 1]), :width]
                _, successors = tables.moves(variable)
                targets[start - block.start : stop - block.start] = successors[products]
            rows.append(targets)
        return rows

    @cached_property
    def sorted_pairs(self) -> SortedPairs:
        """All pairs in the order of their targets; for small products."""
        widths = [rows.shape[1] for rows in self._rows]
        left = np.repeat(
            np.arange(self.tables.size, dtype=np.intp),
            [widths[int(degree)] for degree in self.tables.degrees],
        )
        right = np.concatenate(
            [np.tile(np.arange(rows.shape[1], dtype=np.intp), len(rows)) for rows in self._rows]
        )
        targets = np.concatenate([rows.ravel() for rows in self._rows])
        return sorted_by_target(self.tables, left, right, targets)

    @cached_property
    def sorted_pairs_by_degree(self) -> list[SortedPairs]:
        """The same pairs, cut by the degree of their targets; starts count from each cut."""
        return cut_by_degree(self.tables, self.sorted_pairs)

    def targets(
        self, degree: int, rows: npt.NDArray[np.intp], columns: slice
    ) -> npt.NDArray[np.intp]:
        """Where the left monomials `rows` of a degree, counted inside it, times `columns` land.

        Returns:
            The targets, flattened row by row.
        """
        if self.pairs <= CACHED_PAIRS:
            table = self._rows[degree]
            if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
                return table[rows[0] : rows[-1] + 1, columns].ravel()
            return table[rows, columns].ravel()
        tables = self.tables
        left = tables.tails[rows + tables.offsets[degree]]
        return tables.places_of_tails(left[:, np.newaxis] + tables.tails[columns]).ravel()


def _plan(tables: MonomialTables) -> ProductPlan | RestrictedPlan:
    return RestrictedPlan(tables) if isinstance(tables, RestrictedTables) else ProductPlan(tables)


@lru_cache(maxsize=32)
def _shared_plan(tables: MonomialTables) -> ProductPlan | RestrictedPlan:
    return _plan(tables)


@lru_cache(maxsize=4)
def _large_plan(tables: MonomialTables) -> ProductPlan | RestrictedPlan:
    return _plan(tables)


def product_plan(tables: MonomialTables) -> ProductPlan | RestrictedPlan:
    """The plan of one shape, shared while it is in use or was lately."""
    if tables.pairs <= _SHARED_PAIRS:
        return _shared_plan(tables)
    return _large_plan(tables)
