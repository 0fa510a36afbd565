"""What an array of coefficients is, and the two operations on it that every kernel needs."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tpsa_core._monomials import MonomialTables

# float64 or complex128; the stubs of numpy widen sums of the two to any inexact type.
Array: TypeAlias = npt.NDArray[np.inexact[Any]]


def euler(tables: MonomialTables, values: Array) -> Array:
    """The terms of every degree k times k: Euler's operator."""
    return values * tables.degrees


def empty(tables: MonomialTables, *operands: Array | complex) -> Array:
    """Zeros of the type that the operands have together."""
    return np.zeros(tables.size, dtype=np.result_type(np.float64, *operands))
