"""Series of the extension's own type, for tests of what is computed of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

Maker = Callable[..., Any]


class Owner:
    """Stands for an algebra: the operators only compare its identity."""

    keeps: Any = None


def graded(one: Any, series: Any) -> Any:
    """The coefficients in graded order."""
    result = np.empty(one.size, dtype=complex if series.is_complex else float)
    series.to_graded(result)
    return result
