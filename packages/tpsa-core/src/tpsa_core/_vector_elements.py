"""What every vector of series is: one array of coefficients, and how to look at it."""

from collections.abc import Iterable, Iterator
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._calculus import antiderivative, derivative
from tpsa_core._checks import numeric_array, order_within
from tpsa_core._errors import OrderError, ShapeError
from tpsa_core._kernels import from_stored, to_stored
from tpsa_core._known import cut, known_of_all, known_set, limits_of
from tpsa_core._series import require_same
from tpsa_core._values import values_at


class VectorElements:
    """Series of one algebra, all real or all complex, valid to one order."""

    __slots__ = ("_algebra", "_limits", "_stored", "_valid_order")

    _algebra: Algebra
    # The coefficients in the order that the kernels in use work in.
    _stored: Array
    _valid_order: int
    _limits: Bounds | None

    def __init__(
        self, algebra: Algebra, coefficients: npt.ArrayLike, *, valid_order: int | None = None
    ) -> None:
        """Make a vector from its coefficients.

        Args:
            algebra: The algebra that the elements belong to.
            coefficients: `(length, algebra.size)` numbers; copied.
            valid_order: The order to which they are known; the algebra's order, if None. What is
                past it counts as unknown and becomes zero.

        Raises:
            ShapeError: If the coefficients are no numbers or of another shape, or there are none.
            OrderError: If the valid order is negative.
        """
        values = numeric_array(coefficients, "coefficients").copy()
        if values.shape[1:] != (algebra.size,) or not len(values):
            message = f"coefficients of shape {values.shape} for {algebra.size} monomials"
            raise ShapeError(message, hint=f"give an array of shape (length, {algebra.size})")
        order = algebra.order if valid_order is None else order_within(valid_order, algebra.order)
        self._take(algebra, values, algebra.bounds.lowered(order))

    def _take(self, algebra: Algebra, values: Array, known: Bounds) -> None:
        self._algebra = algebra
        self._valid_order = known.order
        self._limits = limits_of(algebra, known)
        if self._limits is not None:
            values = cut(algebra.tables, values, known)
        values[:, algebra.tables.offsets[known.order + 1] :] = 0
        self._stored = to_stored(algebra.tables, values)
        self._stored.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[MultivariateTaylorFunction]) -> Self:
        """The vector of some functions, or of the components of a map.

        It is complex if one of them is, and valid to the lowest of their orders.

        Raises:
            ShapeError: If there is none.
            AlgebraMismatchError: If they belong to different algebras.
        """
        elements = list(functions)
        if not elements:
            raise ShapeError("a vector needs at least one element", hint="give a list of functions")
        algebra = elements[0].algebra
        for element in elements:
            require_same(algebra, element.algebra)
        known = known_of_all(elements)
        rows = MultivariateTaylorFunction.stored_rows(elements)
        if known is algebra.bounds:
            return cls.adopt_stored(algebra, rows, known.order)
        return cls.adopt(algebra, from_stored(algebra.tables, rows), known)

    @classmethod
    def adopt(cls, algebra: Algebra, values: Array, known: Bounds) -> Self:
        """A vector that takes over an array, of which it knows a set."""
        self = cls.__new__(cls)
        self._take(algebra, values, known)
        return self

    @classmethod
    def adopt_stored(
        cls, algebra: Algebra, values: Array, valid_order: int, limits: Bounds | None = None
    ) -> Self:
        """A vector that takes over an array in the order of the kernels in use, unchecked."""
        self = cls.__new__(cls)
        self._algebra = algebra
        self._valid_order = valid_order
        self._limits = limits
        values.setflags(write=False)
        self._stored = values
        return self

    @property
    def stored(self) -> Array:
        """The coefficients in the order of the kernels in use, read-only; for their callers."""
        return self._stored

    def has_shape_of(self, other: "VectorElements") -> bool:
        """Whether the stored coefficients of both stand at the same places."""
        return self._algebra == other.algebra and len(self) == len(other)

    @property
    def algebra(self) -> Algebra:
        """The algebra that the elements belong to."""
        return self._algebra

    @property
    def coefficients(self) -> Array:
        """All coefficients, `(length, algebra.size)`, read-only."""
        values = from_stored(self._algebra.tables, self._stored)
        values.setflags(write=False)
        return values

    @property
    def valid_order(self) -> int:
        """The order to which all elements are known."""
        return self._valid_order

    @property
    def limits(self) -> Bounds | None:
        """Which coefficients are known, where the valid order does not say it."""
        return self._limits

    @property
    def known(self) -> Bounds:
        """The set of the monomials whose coefficients are known, for code on coefficient arrays."""
        return known_set(self._algebra, self._valid_order, self._limits)

    @property
    def is_complex(self) -> bool:
        """Whether the coefficients are complex numbers."""
        return self._stored.dtype.kind == "c"

    @property
    def constant(self) -> Array:
        """The values where all variables are zero, `(length,)`."""
        return self._stored[:, 0]

    def __len__(self) -> int:
        return len(self._stored)

    def __iter__(self) -> Iterator[MultivariateTaylorFunction]:
        return iter(self._functions(self._stored))

    @overload
    def __getitem__(self, index: int) -> MultivariateTaylorFunction: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> MultivariateTaylorFunction | Self:
        """An element, or the vector of the elements of a slice.

        Raises:
            ShapeError: If the slice is empty.
            IndexError: If there is no such element.
        """
        if not isinstance(index, slice):
            return self._functions(self._stored[index][np.newaxis])[0]
        rows = self._stored[index]
        if not len(rows):
            raise ShapeError("a vector needs at least one element", hint="take a longer slice")
        return self.adopt_stored(self._algebra, rows.copy(), self._valid_order, self._limits)

    def concatenate(self, *others: Self) -> Self:
        """The vector of the elements of this and of other vectors, one after the other.

        Raises:
            AlgebraMismatchError: If they belong to different algebras.
        """
        for other in others:
            require_same(self._algebra, other.algebra)
        stored = np.concatenate([self._stored, *(other.stored for other in others)])
        known = known_of_all([self, *others])
        if all(vector.known == known for vector in (self, *others)):
            return self.adopt_stored(self._algebra, stored, self._valid_order, self._limits)
        return self.adopt(self._algebra, from_stored(self._algebra.tables, stored), known)

    def truncate(self, order: int) -> Self:
        """The terms up to an order, valid to that order."""
        order = order_within(order, self._valid_order)
        return self.adopt(self._algebra, self.coefficients.copy(), self.known.lowered(order))

    def derivative(self, variable: str | int) -> Self:
        """The derivatives of all elements, valid to one order less; see that of a function.

        Raises:
            VariableError: If there is no such variable.
            OrderError: If the vector is valid to order 0 only.
        """
        position = self._algebra.position(variable)
        if not self._valid_order:
            message = "a vector that is valid to order 0 has no known derivative"
            raise OrderError(message, hint="start from an algebra of a higher order")
        known = self.known.over(position)
        if known is None:
            message = f"a vector that is valid to order 0 in {variable!r} has no known derivative"
            raise OrderError(message, hint="start from an algebra of a higher order in it")
        values = derivative(self._algebra.tables, self.coefficients, position)
        return self.adopt(self._algebra, values, known)

    def antiderivative(self, variable: str | int) -> Self:
        """The integrals of all elements over a variable from zero; see that of a function."""
        position = self._algebra.position(variable)
        values = antiderivative(self._algebra.tables, self.coefficients, position)
        return self.adopt(
            self._algebra, values, self.known.times(position).meet(self._algebra.bounds)
        )

    def sum(self) -> MultivariateTaylorFunction:
        """The sum of all elements."""
        return self._functions(self._stored.sum(axis=0, keepdims=True))[0]

    def _functions(self, rows: Array) -> tuple[MultivariateTaylorFunction, ...]:
        kind = MultivariateTaylorFunction
        if self._limits is None:
            return kind.adopt_rows(self._algebra, rows, self._valid_order)
        values = from_stored(self._algebra.tables, rows)
        return tuple(
            kind.adopt(self._algebra, row.copy(), self._valid_order, self._limits) for row in values
        )

    def evaluate(
        self,
        points: npt.ArrayLike,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[Any] | None = None,
        threads: int = 1,
    ) -> npt.NDArray[Any]:
        """The values at points `(..., dimension)`: `(..., length)`; see that of a function."""
        tables, coefficients = self._algebra.tables, self.coefficients
        return values_at(tables, coefficients, points, dtype=dtype, out=out, threads=threads)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        same = self._algebra == other.algebra
        return same and np.array_equal(self.coefficients, other.coefficients)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def is_close(self, other: Self, *, rtol: float = 1e-9, atol: float = 0.0) -> bool:
        """Whether all elements agree within tolerances; see `is_close` of a function.

        Raises:
            ShapeError: If the other vector has another length.
            AlgebraMismatchError: If it belongs to another algebra.
        """
        require_same(self._algebra, other.algebra)
        if len(other) != len(self):
            message = f"vectors of {len(self)} and {len(other)} elements"
            raise ShapeError(message, hint="compare vectors of the same length")
        pairs = zip(self, other, strict=True)
        return all(first.is_close(second, rtol=rtol, atol=atol) for first, second in pairs)

    def __repr__(self) -> str:
        kind = "complex" if self.is_complex else "real"
        return (
            f"Taylor vector of {len(self)} {kind} functions in {', '.join(self._algebra.names)}, "
            f"valid to order {self._valid_order} of {self._algebra.order}"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        parts = type(self), self._algebra, self.coefficients.copy(), self._valid_order
        return _restored, parts if self._limits is None else (*parts, self._limits)


def _restored(
    kind: type[VectorElements],
    algebra: Algebra,
    values: Array,
    valid_order: int,
    limits: Bounds | None = None,
) -> VectorElements:
    """A vector out of a pickle, whose array has lost its write protection."""
    return kind.adopt(algebra, values, known_set(algebra, valid_order, limits))
