"""Arrays from callers, made into the arrays that the kernels take, or refused."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._errors import OrderError, ShapeError
from tpsa_core._numbers import Number, as_natural


def numeric_array(values: npt.ArrayLike | Sequence[Number], what: str) -> Array:
    """A float64 or complex128 copy or view of numbers of any type.

    Raises:
        ShapeError: If the values are no numbers or do not form an array.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        message = f"the {what} do not form an array"
        raise ShapeError(message, hint="give rows of equal length") from error
    if array.dtype.kind == "c":
        return array.astype(np.complex128, copy=False)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, copy=False)
    raise ShapeError(f"the {what} are no numbers", hint="give real or complex numbers")


def points_array(points: npt.ArrayLike, dimension: int) -> Array:
    """Points `(..., dimension)` as numbers.

    Raises:
        ShapeError: If they are no numbers or have another number of coordinates.
    """
    array = numeric_array(points, "points")
    if not array.ndim or array.shape[-1] != dimension:
        message = f"points of shape {array.shape} for {dimension} variables"
        raise ShapeError(message, hint=f"the last axis must have length {dimension}")
    return array


def order_within(order: int, highest: int) -> int:
    """An order from 0, cut at the highest one.

    Raises:
        OrderError: If it is negative or no integer.
    """
    natural = as_natural(order)
    if natural is None:
        raise OrderError(f"the order {order!r} is no integer from 0", hint="give an order from 0")
    return min(natural, highest)


def point_array(point: npt.ArrayLike, dimension: int) -> Array:
    """One point `(dimension,)` as numbers.

    Raises:
        ShapeError: If it is no point of that many coordinates.
    """
    coordinates = points_array(point, dimension)
    if coordinates.ndim != 1:
        message = f"an array of shape {coordinates.shape} is no single point"
        raise ShapeError(message, hint=f"give {dimension} numbers")
    return coordinates
