"""What a series holds where the compiled kernels compute: numbers inside the object itself."""

from typing import Generic, Self

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._definition import AlgebraT
from tpsa_core._native import SeriesBase
from tpsa_core._native_kernels import plan_of


class SeriesStorage(SeriesBase, Generic[AlgebraT]):
    """A series with fast operators: of the same attributes as the one that holds an array."""

    __slots__ = ()

    @classmethod
    def adopt(cls, algebra: AlgebraT, values: Array, valid_order: int) -> Self:
        """A function with the coefficients of an array, unchecked."""
        return cls.from_graded(algebra, plan_of(algebra.tables), values, valid_order)

    @property
    def coefficients(self) -> Array:
        """All coefficients, `(algebra.size,)` in the order of `algebra.exponents`, read-only.

        A new array each time: keep it where it is needed more than once.
        """
        values = np.empty(self.plan.size, dtype=np.complex128 if self.is_complex else np.float64)
        self.to_graded(values)
        values.setflags(write=False)
        return values
