"""Values of a series at points, and the series about another point."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tpsa_core._calculus import shifted
from tpsa_core._checks import point_array
from tpsa_core._definition import AlgebraT
from tpsa_core._series import Series
from tpsa_core._values import values_at


class PointwiseSeries(Series[AlgebraT]):
    """A series that has values."""

    __slots__ = ()

    def evaluate(
        self,
        points: npt.ArrayLike,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[Any] | None = None,
        threads: int = 1,
    ) -> npt.NDArray[Any]:
        """The values at points `(..., dimension)`: `(...)`, real or complex; integers become real.

        Args:
            points: Numbers of any type.
            dtype: The type of the values: float64 or complex128 by default. With float32 and
                complex64 numpy computes in single precision, at about half the time; the compiled
                kernels compute in double precision, and round.
            out: An array `(...)` for the values, of one of those types; of a single one, it is as
                if `dtype` were that type.
            threads: How many threads share the points. They run side by side, as the kernels do
                not hold the interpreter's lock.

        Raises:
            ShapeError: If the points are no numbers or have another number of coordinates, or the
                type or the array do not fit the values, or there is less than one thread.
        """
        into = None if out is None else out[..., np.newaxis]
        rows = self.coefficients[np.newaxis]
        values = values_at(
            self.algebra.tables, rows, points, dtype=dtype, out=into, threads=threads
        )
        return values[..., 0] if out is None else out

    def translate(self, offset: npt.ArrayLike) -> Self:
        """The function of `x + offset`: the expansion about the point `offset`, in distances to it.

        The function is taken as a polynomial, which is moved exactly, up to rounding. What a Taylor
        series says about a function that is no polynomial holds near its first point only: terms
        that were cut off there are missing in every order here.

        Args:
            offset: `(dimension,)` numbers.

        Raises:
            ShapeError: If they are no numbers or not as many.
        """
        origin = point_array(offset, self.algebra.dimension)
        values = shifted(self.algebra.tables, self.coefficients, origin)
        # A zero offset gives the array itself, which is never written to.
        return self._like(values)
