"""Pairs of monomials in the order of the monomials that they make."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tpsa_core._monomials import MonomialTables

# 4 Mi pairs are 32 MiB of targets.
CACHED_PAIRS = 1 << 22
# Below this number of pairs the sorted form was measured to be faster (1.9 against 2.4 ns a pair).
SORTED_PAIRS = 20_000
# Pairs handled at once: products and targets of a chunk stay in a second-level cache.
CHUNK_PAIRS = 1 << 16


class SortedPairs(NamedTuple):
    """All pairs of a product, those of one target side by side; each of shape `(pairs,)`."""

    left: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp]
    # Where each target's pairs begin, `(size,)`.
    starts: npt.NDArray[np.intp]


def sorted_by_target(
    tables: MonomialTables,
    left: npt.NDArray[np.intp],
    right: npt.NDArray[np.intp],
    targets: npt.NDArray[np.intp],
) -> SortedPairs:
    """The pairs, each with the place where its product stands, in the order of these places."""
    order = np.argsort(targets, kind="stable")
    starts = np.searchsorted(targets[order], np.arange(tables.size))
    return SortedPairs(left[order], right[order], starts)


def cut_by_degree(tables: MonomialTables, pairs: SortedPairs) -> list[SortedPairs]:
    """The same pairs, cut by the degree of their targets; starts count from each cut."""
    left, right, starts = pairs
    offsets = tables.offsets
    cuts = [*(int(starts[offset]) for offset in offsets[:-1]), len(left)]
    return [
        SortedPairs(
            left[cuts[degree] : cuts[degree + 1]],
            right[cuts[degree] : cuts[degree + 1]],
            starts[offsets[degree] : offsets[degree + 1]] - cuts[degree],
        )
        for degree in range(tables.order + 1)
    ]
