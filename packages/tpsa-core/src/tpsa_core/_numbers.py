"""Which values count as numbers: Python's and numpy's, also arrays of no dimension."""

from numbers import Complex, Integral, Real
from typing import Any, TypeAlias

import numpy as np

Number: TypeAlias = complex | np.number[Any]


def as_number(value: object) -> float | complex | None:
    """A Python float, a complex number for complex ones, or None for what is no number."""
    if isinstance(value, np.ndarray):
        # Read as an array, an object array of one number gives that number.
        return as_number(value.tolist()) if value.ndim == 0 else None
    if isinstance(value, float | int | Real):
        return float(value)
    if isinstance(value, complex | Complex):
        return complex(value)
    return None


def as_natural(value: object) -> int | None:
    """A Python integer from zero, or None for anything else; a truth value is no number here."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return None
    number = int(value)
    return number if number >= 0 else None
