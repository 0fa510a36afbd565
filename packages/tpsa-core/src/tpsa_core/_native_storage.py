"""What a series holds where the compiled kernels compute: numbers inside the object itself."""

from collections.abc import Sequence
from typing import Generic, Self

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._definition import AlgebraT
from tpsa_core._native import SeriesBase, pack
from tpsa_core._native_kernels import plan_of, to_block


class SeriesStorage(SeriesBase, Generic[AlgebraT]):
    """A series with fast operators: of the same attributes as the one that holds an array."""

    __slots__ = ()

    @classmethod
    def adopt(
        cls, algebra: AlgebraT, values: Array, valid_order: int, limits: Bounds | None = None
    ) -> Self:
        """A function with the coefficients of an array, unchecked."""
        if limits is None:
            return cls.from_graded(algebra, plan_of(algebra.tables), values, valid_order)
        return cls.within(algebra, plan_of(algebra.tables), values, valid_order, limits)

    @classmethod
    def adopt_rows(cls, algebra: AlgebraT, rows: Array, valid_order: int) -> tuple[Self, ...]:
        """Functions with the coefficients of rows in the order of the kernels in use."""
        return cls.from_rows(algebra, plan_of(algebra.tables), rows, valid_order)

    @staticmethod
    def stored_rows(functions: "Sequence[SeriesStorage[AlgebraT]]") -> Array:
        """The coefficients of functions of one algebra in the order of the kernels in use."""
        first = functions[0]
        if any(function.is_complex != first.is_complex for function in functions):
            values = np.array([function.coefficients for function in functions])
            return to_block(first.plan, values)
        kind = np.complex128 if first.is_complex else np.float64
        rows = np.empty((len(functions), first.plan.size), dtype=kind)
        pack(tuple(functions), rows)
        return rows

    @property
    def coefficients(self) -> Array:
        """All coefficients, `(algebra.size,)` in the order of `algebra.exponents`, read-only.

        A new array each time: keep it where it is needed more than once.
        """
        values = np.empty(self.plan.size, dtype=np.complex128 if self.is_complex else np.float64)
        self.to_graded(values)
        values.setflags(write=False)
        return values
