"""Which values may be calculated with."""

import math
from typing import TypeGuard

__all__ = ["is_finite_number"]


def is_finite_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number, not a truth value, and fits a finite float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond every float
        return False
