"""What was probably meant, or would have been accepted."""

import math
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from netctl._number import is_finite_number

__all__ = ["nearest_in_range", "nearest_of"]


def nearest_of(value: Any, choices: Iterable[Any]) -> Any:
    """The choice closest to a value: by spelling for texts, by distance for numbers; or None."""
    choices = list(choices)
    if isinstance(value, str):
        names = {str(choice).lower(): choice for choice in choices}
        matches = get_close_matches(value.lower(), list(names), n=1, cutoff=0.5)
        return names[matches[0]] if matches else None
    numbers = [choice for choice in choices if is_finite_number(choice)]
    if not is_finite_number(value) or not numbers:
        return None
    return min(numbers, key=lambda number: abs(number - value))


def nearest_in_range(
    value: float, *, minimum: float, maximum: float, step: float | None = None
) -> float:
    """The value in a closed range, on its steps counted from the minimum, closest to a number."""
    inside = min(max(value, minimum), maximum)
    if step is None:
        return inside
    # The slack keeps a maximum that is a whole number of steps away from falling off by rounding.
    most = math.floor((maximum - minimum) / step + 1e-9)
    # Rounding in decimal digits gives 12.3, where 0 + 123 * 0.1 gives 12.300000000000001.
    return round(minimum + min(round((inside - minimum) / step), most) * step, 9)
