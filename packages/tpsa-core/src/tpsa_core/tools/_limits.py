"""How large an object of the tools may be: checked before anything is computed."""

from math import comb

from tercet import ErrorDetail, LimitExceededError
from tpsa_core._algebra import Algebra
from tpsa_core._products import useful_pairs

MAX_DIMENSION = 50
MAX_ORDER = 100
# One product of that many multiplications takes some ten milliseconds; the slowest tool, the
# inverse of a map, takes a few hundred products.
MAX_PAIRS = 4_000_000
MAX_COMPONENTS = 50
MAX_MAP_COEFFICIENTS = 1_000_000


def tool_algebra(dimension: int, order: int, *, components: int = 1) -> Algebra:
    """The algebra in x1 … xN, if objects of so many components may be that large.

    Raises:
        LimitExceededError: If not; it says which order would fit.
    """
    if not _fits(dimension, order, components):
        fitting = max(n for n in range(order) if _fits(dimension, n, components))
        raise LimitExceededError(
            f"{dimension} variables at order {order} take {useful_pairs(dimension, order)} "
            f"multiplications in one product, or too many coefficients; at most {MAX_PAIRS} and "
            f"{MAX_MAP_COEFFICIENTS} are allowed",
            hint=f"use an order up to {fitting}, or fewer variables",
            details=[
                ErrorDetail(
                    pointer="/max_order",
                    expected=f"at most {fitting} for {dimension} variables",
                    got=order,
                    nearest=fitting,
                )
            ],
        )
    return Algebra(dimension, order=order)


def _fits(dimension: int, order: int, components: int) -> bool:
    coefficients = components * comb(dimension + order, order)
    return useful_pairs(dimension, order) <= MAX_PAIRS and coefficients <= MAX_MAP_COEFFICIENTS
