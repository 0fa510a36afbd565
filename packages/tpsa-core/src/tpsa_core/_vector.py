"""Vectors of series: many through one call, as one array of coefficients."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self, TypeAlias, cast, final

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._arithmetic import Arithmetic
from tpsa_core._arrays import Array
from tpsa_core._checks import numeric_array
from tpsa_core._errors import DomainError, ShapeError
from tpsa_core._functions import SeriesFunction
from tpsa_core._kernels import from_stored, multiply_stored_rows
from tpsa_core._known import known_of_all
from tpsa_core._monomials import MonomialTables
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
        >>> x, y = Algebra("x", "y", order=4).variables()
        >>> state = TaylorVector.of([1 + x, y])
        >>> (state * state)[0] == (1 + x) ** 2
        True
        >>> (np.array([2.0, 3.0]) * state)[1] == 3 * y
        True
    """

    __slots__ = ()

    def mapped(self, function: SeriesFunction) -> Self:
        """The results of a function that works on the coefficients of one element."""
        return self.of([element.mapped(function) for element in self])

    def __pow__(self, exponent: Number) -> Self:
        return self.of([function**exponent for function in self])

    def _negative(self) -> Self:
        return self.adopt_stored(self._algebra, -self._stored, self._valid_order, self._limits)

    def _plus(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._combined(other, lambda _tables, left, right: left + right)
        values = self._stored.astype(np.result_type(self._stored, numbers))
        # The constant part stands first in any order.
        values[:, 0] += numbers
        return self.adopt_stored(self._algebra, values, self._valid_order, self._limits)

    def _minus(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._combined(other, lambda _tables, left, right: left - right)
        return self._plus(-numbers)

    def _times(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            return self._combined(other, multiply_stored_rows)
        values = self._stored * numbers[:, np.newaxis]
        return self.adopt_stored(self._algebra, values, self._valid_order, self._limits)

    def _divided_by(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is None:
            divisors = self._partners(other)
            if divisors is None:
                return NotImplemented
            return self.of([f / g for f, g in zip(self, divisors, strict=True)])
        if not numbers.all():
            hint = "the quotient exists only for divisors other than zero"
            raise DomainError("division", 0.0, "divisors other than 0", hint=hint)
        values = self._stored / numbers[:, np.newaxis]
        return self.adopt_stored(self._algebra, values, self._valid_order, self._limits)

    def _dividing(self, other: object) -> Self:
        numbers = self._numbers(other)
        if numbers is not None:
            dividends = np.broadcast_to(numbers, (len(self),)).tolist()
        else:
            dividends = self._partners(other)
            if dividends is None:
                return NotImplemented
        return self.of([f / g for f, g in zip(dividends, self, strict=True)])

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

    def _partners(self, other: object) -> Sequence[MultivariateTaylorFunction] | None:
        """One function for each element, or None for what is neither a vector nor a function.

        Raises:
            AlgebraMismatchError: If they belong to another algebra.
            ShapeError: If there are not as many.
        """
        if isinstance(other, MultivariateTaylorFunction):
            require_same(self._algebra, other.algebra)
            return [other] * len(self)
        if not isinstance(other, TaylorVector):
            return None
        require_same(self._algebra, other.algebra)
        if len(other) != len(self):
            message = f"vectors of {len(self)} and {len(other)} elements"
            raise ShapeError(message, hint="operate on vectors of the same length")
        return list(other)

    def _combined(
        self, other: object, operation: Callable[[MonomialTables, Array, Array], Array]
    ) -> Self:
        """The result of an operation on stored rows, up to the order that both know."""
        if isinstance(other, TaylorVector) and other.has_shape_of(self):
            vector = other
        else:
            partners = self._partners(other)
            if partners is None:
                return NotImplemented
            vector = self.of(partners)
        result = operation(self._algebra.tables, self._stored, vector.stored)
        order = self._algebra.order
        if self._valid_order == vector.valid_order == order and not (self._limits or vector.limits):
            return self.adopt_stored(self._algebra, result, order)
        known = known_of_all((self, vector))
        return self.adopt(self._algebra, from_stored(self._algebra.tables, result), known)

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
