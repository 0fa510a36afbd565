"""Composition of series: Horner's scheme over the tree of monomials, for all components at once.

Each node of the tree holds, for every outer component, the sum of the terms below it divided by
the node's own monomial. A level is folded into the one above it by multiplying by the inner
series: one variable, one slice of the level, one matrix product. A node of degree d will be
multiplied by d series without a constant part, so it is kept to order - d only: most nodes are
deep, and those are tiny. This is cheaper than building all monomials of the inner series.
"""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._calculus import shifted
from tpsa_core._monomials import MonomialTables, inside
from tpsa_core._numpy_kernels._multiply import multiply
from tpsa_core._numpy_kernels._products import product_plan
from tpsa_core._numpy_kernels._restricted import RestrictedPlan

# Measured costs, in nanoseconds: a multiply-add inside a matrix product, an entry of such a matrix
# and a pair put into it, a pair of a single truncated product and the calls around that product.
_MATRIX_STEP_NS = 0.1
_MATRIX_ENTRY_NS = 0.5
_MATRIX_PAIR_NS = 5.0
_PAIR_NS = 2.0
_PRODUCT_NS = 20_000.0
# The largest multiplication matrix that is built, in entries: 64 MiB for real numbers.
_MATRIX_ENTRIES = 1 << 23


def compose(
    outer_tables: MonomialTables, outer: Array, inner_tables: MonomialTables, inner: Array
) -> Array:
    """The series `outer(inner(x))`, truncated at the order of the inner tables.

    Args:
        outer_tables: The monomials of the outer series.
        outer: Their coefficients, `(components, outer size)`.
        inner_tables: The monomials of the inner series.
        inner: Their coefficients, `(outer dimension, inner size)`. A constant part is allowed:
            the outer series, taken as polynomials, are then moved to it first.

    Returns:
        The coefficients, `(components, inner size)`.
    """
    outer = shifted(outer_tables, outer, inner[:, 0])
    kind = np.result_type(outer, inner)
    support = np.flatnonzero(outer.any(axis=0))
    highest = outer_tables.degree_at(int(support[-1])) if len(support) else 0
    depth = min(highest, inner_tables.order)
    level = np.zeros((0, 0, 0), dtype=kind)
    for degree in range(depth, -1, -1):
        tables = inner_tables.truncated(inner_tables.order - degree)
        first, stop = outer_tables.offsets[degree : degree + 2]
        above = np.zeros((stop - first, len(outer), tables.size), dtype=kind)
        above[:, :, 0] = outer[:, first:stop].T
        for branch in outer_tables.branches(degree + 1) if degree < depth else ():
            children = level[branch.start - stop : branch.stop - stop]
            if not len(children):
                continue
            places = inside(branch.parents, first)
            # In a restricted algebra the parents may be a copy.
            parents = above[places]
            width = children.shape[2]
            _fold(
                tables,
                children.reshape(-1, width),
                inner[branch.variable, : tables.size],
                parents.reshape(-1, tables.size),
            )
            if not isinstance(places, slice):
                above[places] = parents
        level = above
    return level[0]


def _fold(tables: MonomialTables, children: Array, factor: Array, parents: Array) -> None:
    """Add to every parent the product of its child with one series.

    Args:
        tables: The monomials of the parents.
        children: Series up to one order less, `(rows, width)`.
        factor: The series to multiply by, `(size,)`, its constant part is not used.
        parents: The series that are added to, `(rows, size)`.
    """
    rows = np.flatnonzero(children.any(axis=1))
    if not len(rows):
        return
    width = children.shape[1]
    factor = factor.copy()
    # The constant part was moved into the outer series.
    factor[0] = 0
    if _matrix_is_cheaper(tables, len(rows), width):
        parents[rows] += children[rows] @ _multiplication_matrix(tables, factor, width)
        return
    padded = np.zeros(tables.size, dtype=children.dtype)
    for row in rows:
        padded[:width] = children[row]
        parents[row] += multiply(tables, padded, factor)


def _matrix_is_cheaper(tables: MonomialTables, rows: int, width: int) -> bool:
    entries = width * tables.size
    if entries > _MATRIX_ENTRIES:
        return False
    pairs = product_plan(tables).pairs
    by_matrix = entries * (rows * _MATRIX_STEP_NS + _MATRIX_ENTRY_NS) + pairs * _MATRIX_PAIR_NS
    return by_matrix < rows * (_PRODUCT_NS + pairs * _PAIR_NS)


def _multiplication_matrix(tables: MonomialTables, factor: Array, width: int) -> Array:
    """The matrix whose product with a row of coefficients is that series times the factor.

    Args:
        tables: The monomials of the result.
        factor: A series without a constant part, `(size,)`.
        width: The number of monomials below the top degree, all that a row needs.
    """
    plan = product_plan(tables)
    matrix = np.zeros((width, tables.size), dtype=factor.dtype)
    entries = matrix.reshape(-1)
    if isinstance(plan, RestrictedPlan):
        for degree in range(tables.order):
            for piece in plan.pieces(degree):
                targets = plan.targets(piece) + piece.left[:, np.newaxis] * tables.size
                entries[targets] = factor[piece.right]
        return matrix
    for degree in range(tables.order):
        block = tables.block(degree)
        columns = slice(1, tables.offsets[tables.order - degree + 1])
        rows = np.arange(block.stop - block.start, dtype=np.intp)
        targets = plan.targets(degree, rows, columns).reshape(len(rows), -1)
        targets = targets + ((rows + block.start) * tables.size)[:, np.newaxis]
        entries[targets] = factor[columns]
    return matrix
