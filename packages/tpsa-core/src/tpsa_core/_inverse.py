"""The inverse of a map of power series, each step doubling the order to which it is right.

With E = F∘G - id, which starts at degree k + 1 when G is right to order k, the map G∘(id - E) is
right to order 2k: F∘G∘(id - E) = id - E + E∘(id - E), and the two last terms differ by a product
of E and its derivative. Each step also removes the rounding errors of those before it. The work
is done at the order that is being reached, so the last step costs as much as all others together.
"""

import numpy as np
import numpy.typing as npt

from tpsa_core._compose import compose
from tpsa_core._errors import SingularMapError
from tpsa_core._kernel import Array
from tpsa_core._monomials import MonomialTables, monomial_tables

_SINGULAR_HINT = (
    "only a map whose linear part has full rank has an inverse; look for a row of zeros, for two "
    "components with the same linear part, or for a variable that appears only in higher powers"
)


def inverse(tables: MonomialTables, values: Array) -> Array:
    """The inverse of a square map without a constant part.

    Args:
        tables: The monomials of the map, up to order 1 at least.
        values: Its coefficients, `(dimension, size)`.

    Raises:
        SingularMapError: If the linear part cannot be inverted in floating point.
    """
    dimension = tables.dimension
    linear = monomial_tables(dimension, 1)
    result = np.zeros((dimension, linear.size), dtype=values.dtype)
    result[:, 1:] = inverse_matrix(values[:, 1 : linear.size])
    for order in _orders(tables.order):
        step = monomial_tables(dimension, order)
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


def inverse_matrix(matrix: Array) -> Array:
    """The inverse of a square matrix, judged by its condition and not by its scale.

    Rows, then columns are first scaled by powers of two to a largest entry near one, so that units
    play no part: a map of 1e-8 times the identity is as regular as the identity.

    Raises:
        SingularMapError: If the scaled matrix is singular to working precision.
    """
    if not np.isfinite(matrix).all():
        raise SingularMapError(
            "the linear part of the map is not finite", hint="look for inf and nan in its terms"
        )
    rows = _power_of_two(np.abs(matrix).max(axis=1))
    columns = _power_of_two(np.abs(matrix / rows[:, np.newaxis]).max(axis=0))
    scaled = matrix / rows[:, np.newaxis] / columns
    singular_values = np.linalg.svd(scaled, compute_uv=False)
    smallest, largest = float(singular_values[-1]), float(singular_values[0])
    if not smallest > len(matrix) * np.finfo(np.float64).eps * largest:
        message = "the linear part of the map is singular"
        if smallest > 0:
            message += f" to working precision: its condition number is {largest / smallest:.1e}"
        raise SingularMapError(message, hint=_SINGULAR_HINT)
    return np.linalg.inv(scaled) / columns[:, np.newaxis] / rows


def _power_of_two(scale: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The power of two next to each number, and one for zero."""
    _, exponent = np.frexp(scale)
    return np.where(scale > 0, np.ldexp(1.0, exponent), 1.0)
