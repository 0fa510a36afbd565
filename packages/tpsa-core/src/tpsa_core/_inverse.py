"""The inverse of a linear part, judged by its condition and not by its scale."""

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._errors import SingularMapError

_SINGULAR_HINT = (
    "only a map whose linear part has full rank has an inverse; look for a row of zeros, for two "
    "components with the same linear part, or for a variable that appears only in higher powers"
)
# Far below what is singular to working precision: about 1e15.
_REGULAR_CONDITION = 1e8


def inverse_matrix(matrix: Array) -> Array:
    """The inverse of a square matrix, judged by its condition and not by its scale.

    Rows, then columns are first scaled by powers of two to a largest entry near one, so that units
    play no part: a map of 1e-8 times the identity is as regular as the identity.

    Raises:
        SingularMapError: If the scaled matrix is singular to working precision.
    """
    regular = _regular_inverse(matrix)
    if regular is not None:
        return regular
    if not np.isfinite(matrix).all():
        raise SingularMapError(
            "the linear part of the map is not finite", hint="look for inf and nan in its terms"
        )
    rows = _power_of_two(np.abs(matrix).max(axis=1))
    columns = _power_of_two(np.abs(matrix / rows[:, np.newaxis]).max(axis=0))
    scaled = matrix / rows[:, np.newaxis] / columns
    singular_values = np.linalg.svd(scaled, compute_uv=False)
    smallest, largest = float(singular_values[-1]), float(singular_values[0])
    if not smallest > len(scaled) * np.finfo(np.float64).eps * largest:
        message = "the linear part of the map is singular"
        if smallest > 0:
            message += f" to working precision: its condition number is {largest / smallest:.1e}"
        raise SingularMapError(message, hint=_SINGULAR_HINT)
    return np.linalg.inv(scaled) / columns[:, np.newaxis] / rows


def _regular_inverse(matrix: Array) -> Array | None:
    """The inverse, if the sums of squares say that the matrix is far from singular as it stands.

    The root of their product is a condition number, and costs much less than singular values. Where
    a sum overflows or vanishes, the product is not below the limit.
    """
    try:
        result = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    squares = float(np.vdot(matrix, matrix).real) * float(np.vdot(result, result).real)
    return result if squares < _REGULAR_CONDITION**2 else None


def _power_of_two(scale: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The power of two next to each number, and one for zero."""
    _, exponent = np.frexp(scale)
    return np.where(scale > 0, np.ldexp(1.0, exponent), 1.0)
