"""Which pairs meet in a product of a restricted algebra.

The partners of a monomial are those whose product with it is kept: those within what its own
degree, its powers of the variables with lower orders and its degree in the parameters leave of the
bounds. Monomials that agree in these have the same partners. Such a class and its partners are one
outer product, as a whole degree and a prefix are in a full algebra; no other pair is looked at.
"""

from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._numpy_kernels._pairs import (
    CACHED_PAIRS,
    CHUNK_PAIRS,
    SORTED_PAIRS,
    SortedPairs,
    cut_by_degree,
    sorted_by_target,
)
from tpsa_core._restricted import RestrictedTables

# What the calls for one piece cost, in pairs of the sorted form: about 10 µs.
_PAIRS_OF_PIECE = 4_000
# So many pieces are looked through for the sake of a few terms.
_FEW_PIECES = 50


class Piece(NamedTuple):
    """Monomials of one class, and all their partners: both in rising order."""

    left: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp]
    # `(left, right)`, where they are kept.
    targets: npt.NDArray[np.intp] | None


@final
class RestrictedPlan:
    """The targets of all pairs of one restricted algebra."""

    def __init__(self, tables: RestrictedTables) -> None:
        self.tables = tables
        self.pairs = tables.pairs

    @cached_property
    def is_small(self) -> bool:
        """Whether the sorted form is faster."""
        if self.pairs <= SORTED_PAIRS:
            return True
        return self.pairs <= min(CACHED_PAIRS, _PAIRS_OF_PIECE * self._pieces_number)

    @cached_property
    def sparse_by_rows(self) -> bool:
        """Whether a product with few terms is faster piece by piece."""
        return self._pieces_number <= _FEW_PIECES

    @cached_property
    def _pieces_number(self) -> int:
        return sum(map(len, self._classes))

    @cached_property
    def _used(self) -> npt.NDArray[np.int32]:
        """What every monomial uses up of each bound, `(size, bounds)`; the degree comes first."""
        bounds, exponents = self.tables.bounds, self.tables.exponents
        columns = [exponents.sum(axis=1)]
        joint = bounds.first_of_group
        for variable, cap in enumerate(bounds.caps):
            # A bound that another one implies would only split classes.
            implied = bounds.order if variable < joint else bounds.joint
            if cap < implied:
                columns.append(exponents[:, variable])
        if bounds.group:
            columns.append(exponents[:, joint:].sum(axis=1))
        return np.stack(columns, axis=1).astype(np.int32)

    @cached_property
    def _classes(self) -> list[list[npt.NDArray[np.intp]]]:
        """Per degree the places of the monomials of each class."""
        result: list[list[npt.NDArray[np.intp]]] = []
        for degree in range(self.tables.order + 1):
            block = self.tables.block(degree)
            _, members = np.unique(self._used[block], axis=0, return_inverse=True)
            members = members.reshape(-1)
            by_class = np.argsort(members, kind="stable") + block.start
            cuts = np.searchsorted(np.sort(members), np.arange(1, int(members.max()) + 1))
            result.append(np.split(by_class, cuts))
        return result

    def _partners(self, place: np.intp) -> npt.NDArray[np.intp]:
        """The places of the partners of the monomial at a place."""
        left = self._used.max(axis=0) - self._used[place]
        stop = self.tables.offsets[int(left[0]) + 1]
        return np.flatnonzero((self._used[:stop] <= left).all(axis=1))

    @cached_property
    def _pieces(self) -> list[list[Piece]]:
        return [self._made(degree) for degree in range(self.tables.order + 1)]

    def _made(self, degree: int) -> list[Piece]:
        pieces = [Piece(left, self._partners(left[0]), None) for left in self._classes[degree]]
        if self.pairs > CACHED_PAIRS:
            return pieces
        return [piece._replace(targets=self.targets(piece)) for piece in pieces]

    def pieces(self, degree: int) -> list[Piece]:
        """The pieces whose left monomials have a degree; made anew each time in large algebras."""
        return self._pieces[degree] if self.pairs <= CACHED_PAIRS else self._made(degree)

    def targets(self, piece: Piece) -> npt.NDArray[np.intp]:
        """Where each product of a piece stands, `(left, right)`."""
        if piece.targets is not None:
            return piece.targets
        tails = self.tables.tails
        return self.tables.places_of_tails(tails[piece.left][:, np.newaxis] + tails[piece.right])

    @cached_property
    def sorted_pairs(self) -> SortedPairs:
        """All pairs in the order of their targets; for small products."""
        pieces = [piece for degree in self._pieces for piece in degree]
        left = np.concatenate([np.repeat(piece.left, len(piece.right)) for piece in pieces])
        right = np.concatenate([np.tile(piece.right, len(piece.left)) for piece in pieces])
        targets = np.concatenate([self.targets(piece).ravel() for piece in pieces])
        return sorted_by_target(self.tables, left, right, targets)

    @cached_property
    def sorted_pairs_by_degree(self) -> list[SortedPairs]:
        """The same pairs, cut by the degree of their targets; starts count from each cut."""
        return cut_by_degree(self.tables, self.sorted_pairs)


@final
class RestrictedMultiplier:
    """A right operand, ready to be multiplied by one degree of a left operand at a time."""

    def __init__(self, plan: RestrictedPlan, values: Array, kind: np.dtype[Any]) -> None:
        """Take an operand.

        Args:
            plan: The pairs of the algebra of all operands.
            values: The coefficients of the right operand, `(size,)`.
            kind: The type of the products.
        """
        self._plan = plan
        self._values = values
        (support,) = values.nonzero()
        self._stop = int(support[-1]) + 1 if len(support) else 0
        # One buffer for all chunks: fresh memory costs more than the arithmetic in it.
        self._products = np.empty(max(CHUNK_PAIRS, self._stop), dtype=kind)

    def add_product(self, total: Array, degree: int, left: Array) -> None:
        """Add to `total` the product with the left coefficients of one degree."""
        start_of_degree = self._plan.tables.offsets[degree]
        for piece in self._plan.pieces(degree):
            factors = left[piece.left - start_of_degree]
            (rows,) = factors.nonzero()
            width = int(np.searchsorted(piece.right, self._stop))
            if len(rows) and width:
                self._add_piece(total, piece, factors, rows, width)

    def _add_piece(
        self,
        total: Array,
        piece: Piece,
        factors: Array,
        rows: npt.NDArray[np.intp],
        width: int,
    ) -> None:
        """Add the products of some rows of a piece with the first of its partners."""
        right = self._values[piece.right[:width]]
        step = max(1, CHUNK_PAIRS // width)
        for start in range(0, len(rows), step):
            chunk = rows[start : start + step]
            products = self._products[: len(chunk) * width]
            np.multiply.outer(factors[chunk], right, out=products.reshape(len(chunk), width))
            np.add.at(total, self._targets(piece, chunk, width), products)

    def _targets(
        self, piece: Piece, rows: npt.NDArray[np.intp], width: int
    ) -> npt.NDArray[np.intp]:
        if piece.targets is None:
            part = Piece(piece.left[rows], piece.right[:width], None)
            return self._plan.targets(part).ravel()
        if rows[-1] - rows[0] + 1 == len(rows):
            return piece.targets[rows[0] : rows[-1] + 1, :width].ravel()
        return piece.targets[rows, :width].ravel()
