"""Values at points of callers: any shape, single or double precision, into an array of theirs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._checks import points_array
from tpsa_core._errors import ShapeError
from tpsa_core._kernels import evaluate
from tpsa_core._monomials import MonomialTables
from tpsa_core._numbers import as_natural

_SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
# Fewer points are not worth starting a thread.
_POINTS_OF_A_THREAD = 1_000
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))


def values_at(
    tables: MonomialTables,
    coefficients: Array,
    points: npt.ArrayLike,
    *,
    dtype: npt.DTypeLike | None,
    out: npt.NDArray[Any] | None,
    threads: int = 1,
) -> npt.NDArray[Any]:
    """The values of several series at points.

    Args:
        tables: The monomials of the series.
        coefficients: `(components, size)`.
        points: `(..., dimension)`.
        dtype: In which precision to compute: single if it is or `out` is, else double.
        out: Where the values go, `(..., components)`.
        threads: How many threads share the points; no more than are worth it.

    Returns:
        The values, `(..., components)`.

    Raises:
        ShapeError: If the points, the type, the array or the number of threads do not fit.
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
        tables = tables.truncated(highest)
        coefficients = coefficients[:, : tables.size]
    if kind is not None and kind in _SINGLE:
        coefficients, flat = _in_single(coefficients), _in_single(flat)
    values = _shared_out(tables, coefficients, flat, _thread_count(threads, len(flat)))
    shaped = values.reshape(*coordinates.shape[:-1], len(coefficients))
    if out is not None:
        if out.shape != shaped.shape:
            message = f"an array of shape {out.shape} for values of shape {shaped.shape}"
            raise ShapeError(message, hint="give an array of the shape of the values")
        np.copyto(out, shaped, casting="same_kind")
        return out
    return shaped if kind is None else shaped.astype(kind, copy=False)


def _thread_count(threads: int, points: int) -> int:
    wanted = as_natural(threads)
    if not wanted:
        message = f"{threads!r} threads"
        raise ShapeError(message, hint="give the number of threads as an integer from 1")
    return max(1, min(wanted, points // _POINTS_OF_A_THREAD))


def _shared_out(
    tables: MonomialTables, coefficients: Array, points: Array, threads: int
) -> npt.NDArray[Any]:
    """The values `(n, components)`, each thread computing those of a range of points."""
    result = np.empty((len(points), len(coefficients)), np.result_type(coefficients, points))
    bounds = np.linspace(0, len(points), threads + 1).astype(int)

    def compute(start: int, stop: int) -> None:
        result[start:stop] = evaluate(tables, coefficients, points[start:stop]).T

    if threads == 1:
        compute(0, len(points))
        return result
    # A fifth of the time to import this package, for the few who want threads.
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 -- see above

    with ThreadPoolExecutor(max_workers=threads) as workers:
        # The list waits for all, and raises what one of them raised.
        list(workers.map(compute, bounds[:-1].tolist(), bounds[1:].tolist()))
    return result


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
