"""What a series holds where numpy computes: an array, an algebra and a valid order."""

from collections.abc import Sequence
from typing import Generic, Self

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._definition import AlgebraT


class SeriesStorage(Generic[AlgebraT]):
    """The coefficients of one series, their algebra, and the order to which they are known."""

    __slots__ = ("_algebra", "_coefficients", "_limits", "_valid_order")

    _algebra: AlgebraT
    _coefficients: Array
    _valid_order: int
    _limits: Bounds | None

    @classmethod
    def adopt(
        cls, algebra: AlgebraT, values: Array, valid_order: int, limits: Bounds | None = None
    ) -> Self:
        """A function that takes over an array, unchecked: for code that has just computed it."""
        self = object.__new__(cls)
        self._algebra = algebra
        self._valid_order = valid_order
        self._limits = limits
        values.setflags(write=False)
        self._coefficients = values
        return self

    @classmethod
    def adopt_rows(cls, algebra: AlgebraT, rows: Array, valid_order: int) -> tuple[Self, ...]:
        """Functions that take over rows in the order of the kernels in use, `(n, size)`."""
        return tuple(cls.adopt(algebra, row, valid_order) for row in rows)

    @staticmethod
    def stored_rows(functions: Sequence["SeriesStorage[AlgebraT]"]) -> Array:
        """The coefficients of functions of one algebra in the order of the kernels in use."""
        return np.array([function.coefficients for function in functions])

    @property
    def algebra(self) -> AlgebraT:
        """The algebra that the function belongs to."""
        return self._algebra

    @property
    def coefficients(self) -> Array:
        """All coefficients, `(algebra.size,)` in the order of `algebra.exponents`, read-only."""
        return self._coefficients

    @property
    def valid_order(self) -> int:
        """The order to which the coefficients are known; see `valid_orders`, too."""
        return self._valid_order

    @property
    def limits(self) -> Bounds | None:
        """Which coefficients are known, where the valid order does not say it."""
        return self._limits

    @property
    def is_complex(self) -> bool:
        """Whether the coefficients are complex numbers."""
        return self._coefficients.dtype.kind == "c"

    @property
    def constant(self) -> float | complex:
        """The value where all variables are zero."""
        return self._coefficients[0].item()
