"""The inverse of a map of power series, each step doubling the order to which it is right.

With E = F∘G - id, which starts at degree k + 1 when G is right to order k, the map G∘(id - E) is
right to order 2k: F∘G∘(id - E) = id - E + E∘(id - E), and the two last terms differ by a product
of E and its derivative. Each step also removes the rounding errors of those before it. The work
is done at the order that is being reached, so the last step costs as much as all others together.
"""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._compose import compose


def inverse(tables: MonomialTables, values: Array, linear_inverse: Array) -> Array:
    """The inverse of a square map without a constant part.

    Args:
        tables: The monomials of the map, up to order 1 at least.
        values: Its coefficients, `(dimension, size)`.
        linear_inverse: The inverse of its linear part, `(dimension, dimension)`.
    """
    dimension = tables.dimension
    linear = tables.truncated(1)
    result = np.zeros((dimension, linear.size), dtype=values.dtype)
    result[:, 1:] = linear_inverse
    for order in _orders(tables.order):
        step = tables.truncated(order)
        padded = np.zeros((dimension, step.size), dtype=values.dtype)
        padded[:, : result.shape[1]] = result
        defect = compose(step, values[:, : step.size], step, padded)
        correction = -defect
        correction[:, 1 : dimension + 1] += 2 * np.eye(dimension)
        result = compose(step, padded, step, correction)
    return result


def _orders(order: int) -> list[int]:
    """The orders of the steps: each at most twice the one before it, the last one `order`."""
    steps = [order]
    while steps[-1] > 2:  # noqa: PLR2004 -- the linear part alone leads to order two
        steps.append((steps[-1] + 1) // 2)
    return steps[::-1]
