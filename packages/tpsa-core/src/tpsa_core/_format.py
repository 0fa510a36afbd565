"""A series as a table that people can read: coefficient, order, exponents."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array

# So many terms and variables a repr shows; the rest is counted.
SHOWN_TERMS = 20
_SHOWN_NAMES = 12


def coefficient_table(
    title: str,
    names: Sequence[str],
    exponents: npt.NDArray[np.int32],
    coefficients: Array,
    *,
    limit: int,
) -> str:
    """A table of the first non-zero terms in graded order.

    Args:
        title: How the first line begins.
        names: The names of the variables.
        exponents: The exponents of every monomial, `(size, dimension)`.
        coefficients: The coefficients, `(size,)`.
        limit: So many terms are shown.
    """
    places = np.flatnonzero(coefficients)
    shown_names = ", ".join(names[:_SHOWN_NAMES])
    if len(names) > _SHOWN_NAMES:
        shown_names += f", … ({len(names)} in all)"
    lines = [f"{title} in {shown_names}: {len(places)} of {len(coefficients)} terms"]
    if len(places):
        lines.append(f"{'coefficient':>24}  order  exponents")
    for place in places[:limit]:
        powers = exponents[place]
        shown = " ".join(str(power) for power in powers[:_SHOWN_NAMES])
        dots = " …" if len(powers) > _SHOWN_NAMES else ""
        coefficient = coefficients[place].item()
        lines.append(f"{coefficient!s:>24}  {powers.sum():>5}  {shown}{dots}")
    if len(places) > limit:
        lines.append(f"{'…':>24}  and {len(places) - limit} more terms")
    return "\n".join(lines)
