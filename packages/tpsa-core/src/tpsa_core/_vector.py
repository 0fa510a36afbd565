"""Vectors of series: many through one call, as one array of coefficients."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Self, TypeAlias, cast, final

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._arithmetic import Arithmetic
from tpsa_core._arrays import Array
from tpsa_core._checks import numeric_array
from tpsa_core._errors import DomainError, ShapeError
from tpsa_core._functions import SeriesFunction, divide
from tpsa_core._kernels import multiply_rows
from tpsa_core._monomials import MonomialTables, monomial_tables
from tpsa_core._numbers import Number
from tpsa_core._series import require_same
from tpsa_core._ufuncs import SERIES_UFUNCS
from tpsa_core._vector_elements import VectorElements

Operand: TypeAlias = MultivariateTaylorFunction | Number | npt.NDArray[Any]


@final
class TaylorVector(VectorElements, Arithmetic[Operand]):
    """An immutable vector of series of one algebra, all real or all complex, valid to one order.

    For states of differential equations and ensembles: a sum or a product of two vectors is one
    call for all elements. The other operand may be a vector of the same length, one function or one
    number for all, or an array of as many numbers. `TaylorMap(vector)` makes a map of it, which can
    be composed and inverted, and whose components keep their own types and orders.

    Example:
        ```python
        x, y = Algebra("x", "y", order=4).variables()
        state = TaylorVector.of([1 + x, y])
        assert (state * state)[0] == (1 + x) ** 2
        assert (np.array([2.0, 3.0]) * state)[1] == 3 * y
        ```
    """

    __slots__ = ()

    def mapped(self, function: SeriesFunction) -> Self:
        """The results of a function that works on the coefficients of one element."""
        return self.of([element.mapped(function) for element in self])

    def __pow__(self, exponent: Number) -> Self:
        return self.of([function**exponent for function in self])

    def _negative(self) -> Self:
        return self.adopt(self._algebra, -self._coefficients, self._valid_order)

    def _plus(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._by_rows(other, lambda _tables, left, right: left + right)
        kind = np.result_type(self._coefficients, numbers)
        values = self._coefficients.astype(kind)
        values[:, 0] += numbers
        return self.adopt(self._algebra, values, self._valid_order)

    def _minus(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._by_rows(other, lambda _tables, left, right: left - right)
        return self._plus(-numbers)

    def _times(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._by_rows(other, multiply_rows)
        values = self._coefficients * numbers[:, np.newaxis]
        return self.adopt(self._algebra, values, self._valid_order)

    def _divided_by(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._by_rows(other, _divide_rows)
        if not numbers.all():
            hint = "the quotient exists only for divisors other than zero"
            raise DomainError("division", 0.0, "divisors other than 0", hint=hint)
        values = self._coefficients / numbers[:, np.newaxis]
        return self.adopt(self._algebra, values, self._valid_order)

    def _dividing(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._by_rows(
                other, lambda tables, left, right: _divide_rows(tables, right, left)
            )
        numerators = np.zeros((len(self), self._algebra.size), dtype=numbers.dtype)
        numerators[:, 0] = numbers
        dividend = self.adopt(self._algebra, numerators, self._algebra.order)
        return self._by_rows(dividend, _dividing_rows)

    def _numbers(self, other: object) -> Array | None:
        """A number or an array of numbers as an array `(length,)` or `(1,)`; None for the rest."""
        if isinstance(other, TaylorVector | MultivariateTaylorFunction):
            return None
        if not isinstance(other, complex | float | int | np.number | np.ndarray):
            return None
        numbers = np.atleast_1d(numeric_array(cast("npt.ArrayLike", other), "numbers"))
        if numbers.shape not in {(1,), (len(self),)}:
            message = f"numbers of shape {numbers.shape} for a vector of {len(self)} elements"
            raise ShapeError(message, hint="give one number, or one for each element")
        return numbers

    def _by_rows(
        self, other: object, operation: Callable[[MonomialTables, Array, Array], Array]
    ) -> Self:
        """The result of an operation on the coefficients up to the order that both know."""
        if isinstance(other, MultivariateTaylorFunction):
            rows = np.broadcast_to(other.coefficients, (len(self), other.algebra.size))
        elif isinstance(other, TaylorVector):
            rows = other.coefficients
        else:
            return NotImplemented
        require_same(self._algebra, other.algebra)
        if len(rows) != len(self):
            message = f"vectors of {len(self)} and {len(rows)} elements"
            raise ShapeError(message, hint="operate on vectors of the same length")
        order = min(self._valid_order, other.valid_order)
        tables = self._valid_tables(order)
        left, right = self._coefficients[:, : tables.size], rows[:, : tables.size]
        return self._padded(operation(tables, left, right), order)

    def _valid_tables(self, order: int) -> MonomialTables:
        return monomial_tables(self._algebra.dimension, order)

    def _padded(self, values: Array, order: int) -> Self:
        missing = self._algebra.size - values.shape[1]
        if missing:
            values = np.pad(values, ((0, 0), (0, missing)))
        return self.adopt(self._algebra, values, order)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Numpy's functions of vectors, and of vectors with numbers, arrays and functions."""
        if method != "__call__" or options:
            return NotImplemented
        if ufunc in SERIES_UFUNCS:
            return self.mapped(SERIES_UFUNCS[ufunc])
        if ufunc not in _BINARY_UFUNCS:
            return NotImplemented
        forward, reflected = _BINARY_UFUNCS[ufunc]
        if isinstance(inputs[0], TaylorVector):
            return forward(inputs[0], inputs[1])
        return reflected(self, inputs[0])


def _divide_rows(tables: MonomialTables, numerators: Array, denominators: Array) -> Array:
    pairs = zip(numerators, denominators, strict=True)
    return np.array([divide(tables, numerator, denominator) for numerator, denominator in pairs])


def _dividing_rows(tables: MonomialTables, denominators: Array, numerators: Array) -> Array:
    return _divide_rows(tables, numerators, denominators)


# numpy's binary functions: with the vector first, and with it second.
_Binary: TypeAlias = Callable[[Any, Any], Any]
_BINARY_UFUNCS: Mapping[np.ufunc, tuple[_Binary, _Binary]] = MappingProxyType(
    {
        np.add: (TaylorVector.__add__, TaylorVector.__radd__),
        np.subtract: (TaylorVector.__sub__, TaylorVector.__rsub__),
        np.multiply: (TaylorVector.__mul__, TaylorVector.__rmul__),
        np.true_divide: (TaylorVector.__truediv__, TaylorVector.__rtruediv__),
    }
)
