"""Composition and inversion of maps whose coefficients stay in block order throughout."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tpsa_core import _native as native
from tpsa_core._arrays import Array
from tpsa_core._native_kernels._blocks import from_block
from tpsa_core._native_kernels._maps import inverted_blocks, too_large


def compose_whole(outer: tuple[Any, ...], inner: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The outer series with the inner ones in the place of their variables, in the inner algebra.

    None where the arrays' way has to take over: operands that are not all known to the order of the
    result, that are real and complex side by side, or too large for the compiled kernels.
    """
    try:
        return native.compose_whole(outer, inner)
    except ValueError as error:
        raise too_large(error) from error


def invert_whole(
    components: tuple[Any, ...], inverse_matrix: Callable[[Array], Array]
) -> tuple[Any, ...] | None:
    """The components of the inverse map, or None as in a composition.

    Args:
        components: Those of a square map without a constant part, of order 1 at least.
        inverse_matrix: Inverts a linear part that is near to singular as it stands.
    """
    rows = _packed(components)
    if rows is None:
        return None
    model: native.SeriesBase = components[0]
    plan = model.plan
    linear_inverse = np.empty((len(components), len(components)), dtype=rows.dtype)
    if not native.linear_inverse(plan, rows, linear_inverse):
        places = from_block(plan, np.arange(float(plan.size)))[1 : 1 + len(components)]
        linear_inverse = inverse_matrix(rows[:, places.astype(np.intp)])
    values = inverted_blocks(plan, rows, linear_inverse)
    return type(model).from_rows(model.algebra, plan, values, plan.order)


def _packed(series: tuple[Any, ...]) -> Array | None:
    if not native.are_whole(series):
        return None
    first: native.SeriesBase = series[0]
    kind = np.complex128 if first.is_complex else np.float64
    rows = np.empty((len(series), first.plan.size), dtype=kind)
    native.pack(series, rows)
    return rows
