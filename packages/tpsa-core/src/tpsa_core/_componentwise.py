"""Maps component by component: values, derivatives and arithmetic."""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._arithmetic import Arithmetic
from tpsa_core._arrays import Array
from tpsa_core._canonical import Pairs
from tpsa_core._components import Components
from tpsa_core._errors import ShapeError
from tpsa_core._numbers import Number, as_number
from tpsa_core._values import values_at


class ComponentwiseMap(Components, Arithmetic[MultivariateTaylorFunction | Number]):
    """What goes component by component.

    The other operand is a map of as many components, or one function or number for all of them.
    """

    __slots__ = ()

    def evaluate(
        self,
        points: npt.ArrayLike,
        *,
        dtype: npt.DTypeLike | None = None,
        out: npt.NDArray[Any] | None = None,
        threads: int = 1,
    ) -> npt.NDArray[Any]:
        """The values at points `(..., dimension)`: `(..., components)`; integers become real.

        Args:
            points: Numbers of any type.
            dtype: The type of the values, and with it the precision; see `evaluate` of a function.
            out: An array `(..., components)` for the values.
            threads: How many threads share the points.

        Raises:
            ShapeError: If the points are no numbers or have another number of coordinates, or the
                type or the array do not fit the values, or there is less than one thread.
        """
        tables, coefficients = self.algebra.tables, self.coefficients
        return values_at(tables, coefficients, points, dtype=dtype, out=out, threads=threads)

    def jacobian(self, point: npt.ArrayLike | None = None) -> Array:
        """The first derivatives at a point: rows for components, columns for variables.

        Args:
            point: `(dimension,)` coordinates; zero, if None.

        Returns:
            `(components, dimension)` derivatives.

        Raises:
            ShapeError: If the point has another number of coordinates.
            OrderError: If a component is valid to order 0 only.
        """
        return np.array([function.gradient(point) for function in self._components])

    def derivative(self, variable: str | int | Sequence[int]) -> Self:
        """The derivatives of all components; see `derivative` of a function."""
        return type(self)([function.derivative(variable) for function in self._components])

    def translate(self, offset: npt.ArrayLike) -> Self:
        """The map of `x + offset`; see `translate` of a function.

        The values stay as they are: for a map about another orbit, subtract those of the offset.
        """
        return type(self)([function.translate(offset) for function in self._components])

    def poisson_brackets(self, *, pairs: Pairs | None = None) -> npt.NDArray[np.object_]:
        """The Poisson brackets of every component with every other, `(components, components)`.

        Args:
            pairs: Each position with its momentum; see `poisson_bracket` of a function.
        """
        count = len(self._components)
        result = np.empty((count, count), dtype=object)
        for row, first in enumerate(self._components):
            result[row, row] = first.poisson_bracket(first, pairs=pairs)
            for column, second in enumerate(self._components[:row]):
                bracket = first.poisson_bracket(second, pairs=pairs)
                result[row, column], result[column, row] = bracket, -bracket
        return result

    def is_close(self, other: Self, *, rtol: float = 1e-9, atol: float = 0.0) -> bool:
        """Whether all components agree within tolerances, see `is_close` of a function.

        Raises:
            ShapeError: If the other map has another number of components.
            AlgebraMismatchError: If it belongs to another algebra.
        """
        pairs = self._paired(other)
        return all(first.is_close(second, rtol=rtol, atol=atol) for first, second in pairs)

    def _paired(
        self, other: Self
    ) -> list[tuple[MultivariateTaylorFunction, MultivariateTaylorFunction]]:
        if len(other) != len(self):
            message = f"maps of {len(self)} and {len(other)} components"
            raise ShapeError(message, hint="operate on maps of as many components")
        return list(zip(self._components, other.components, strict=True))

    def _by_components(
        self, other: object, operation: Callable[[Any, Any], MultivariateTaylorFunction]
    ) -> Self:
        if isinstance(other, type(self)):
            return type(self)([operation(first, second) for first, second in self._paired(other)])
        operand = other if isinstance(other, MultivariateTaylorFunction) else as_number(other)
        if operand is None:
            return NotImplemented
        return type(self)([operation(function, operand) for function in self._components])

    def _negative(self) -> Self:
        return type(self)([-function for function in self._components])

    def _plus(self, other: object) -> Self:
        return self._by_components(other, operator.add)

    def _minus(self, other: object) -> Self:
        return self._by_components(other, operator.sub)

    def _times(self, other: object) -> Self:
        return self._by_components(other, operator.mul)

    def _divided_by(self, other: object) -> Self:
        return self._by_components(other, lambda first, second: first / second)

    def _dividing(self, other: object) -> Self:
        return self._by_components(other, lambda function, number: number / function)
