"""Checks of numbers that come from outside, where a bool, a NaN or a huge integer may come too."""

from math import isfinite
from typing import TypeGuard


def is_count(value: object, least: int) -> TypeGuard[int]:
    """Whether `value` is an integer of at least `least`."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_amount(value: object) -> TypeGuard[int | float]:
    """Whether `value` is a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return isfinite(value) and value >= 0
    except OverflowError:  # an integer that no float can hold
        return False
