"""Values at points of callers: any shape, single or double precision, into an array of theirs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._checks import points_array
from tpsa_core._errors import ShapeError
from tpsa_core._kernels import evaluate
from tpsa_core._monomials import MonomialTables, monomial_tables

_SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))


def values_at(
    tables: MonomialTables,
    coefficients: Array,
    points: npt.ArrayLike,
    *,
    dtype: npt.DTypeLike | None,
    out: npt.NDArray[Any] | None,
) -> npt.NDArray[Any]:
    """The values of several series at points.

    Args:
        tables: The monomials of the series.
        coefficients: `(components, size)`.
        points: `(..., dimension)`.
        dtype: In which precision to compute: single if it is or `out` is, else double.
        out: Where the values go, `(..., components)`.

    Returns:
        The values, `(..., components)`.

    Raises:
        ShapeError: If the points, the type or the array do not fit.
    """
    coordinates = points_array(points, tables.dimension)
    flat = coordinates.reshape(-1, tables.dimension)
    kind = _precision(dtype if dtype is not None or out is None else out.dtype)
    needed = np.result_type(coefficients, coordinates)
    if needed.kind == "c" and kind is not None and kind.kind != "c":
        message = f"complex values do not fit the type {kind}"
        raise ShapeError(message, hint="ask for complex64 or complex128")
    # Higher powers than there are would cost time, and overflow to no purpose.
    support = np.flatnonzero(coefficients.any(axis=0))
    highest = tables.degree_at(int(support[-1])) if len(support) else 0
    if highest < tables.order:
        tables = monomial_tables(tables.dimension, highest)
        coefficients = coefficients[:, : tables.size]
    if kind is not None and kind in _SINGLE:
        coefficients, flat = _in_single(coefficients), _in_single(flat)
    values = np.ascontiguousarray(evaluate(tables, coefficients, flat).T)
    shaped = values.reshape(*coordinates.shape[:-1], len(coefficients))
    if out is not None:
        if out.shape != shaped.shape:
            message = f"an array of shape {out.shape} for values of shape {shaped.shape}"
            raise ShapeError(message, hint="give an array of the shape of the values")
        np.copyto(out, shaped, casting="same_kind")
        return out
    return shaped if kind is None else shaped.astype(kind, copy=False)


def _precision(dtype: npt.DTypeLike | None) -> np.dtype[Any] | None:
    if dtype is None:
        return None
    kind = np.dtype(dtype)
    if kind not in _SINGLE + _DOUBLE:
        message = f"values of type {kind} are not computed"
        raise ShapeError(message, hint="use float32, float64, complex64 or complex128")
    return kind


def _in_single(values: Array) -> Array:
    return values.astype(np.complex64 if values.dtype.kind == "c" else np.float32)
