"""Maps: several series of one algebra, composed, inverted and evaluated together."""

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self, final, overload

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction, composed
from tpsa_core._arithmetic import Arithmetic
from tpsa_core._checks import points_array
from tpsa_core._errors import ShapeError, SingularMapError
from tpsa_core._evaluate import evaluate
from tpsa_core._inverse import inverse
from tpsa_core._kernel import Array
from tpsa_core._monomials import monomial_tables
from tpsa_core._numbers import Number, as_number
from tpsa_core._series import require_same

# A repr shows so many components.
_SHOWN_COMPONENTS = 6


@final
class TaylorMap(Arithmetic):
    """An immutable list of series over one algebra: a function of several variables.

    `outer @ inner` and `outer.compose(inner)` are the map "first inner, then outer". Called with
    numbers a map gives its values, with an array of points `(..., dimension)` an array
    `(..., components)`, with a map the composition. Arithmetic is by components, with a map of as
    many components or with a number.

    Example:
        ```python
        x, px = Algebra("x", "px", order=4).variables()
        henon = TaylorMap([x + px, px - (x + px) ** 2])
        assert (henon.inverse() @ henon).is_close(TaylorMap.identity(x.algebra), atol=1e-13)
        ```
    """

    __slots__ = ("_components",)

    # numpy leaves operators with a map to the map.
    __array_ufunc__ = None

    _components: tuple[MultivariateTaylorFunction, ...]

    def __init__(self, components: Sequence[MultivariateTaylorFunction]) -> None:
        """Make a map from its components.

        Args:
            components: At least one function; all of one algebra.

        Raises:
            ShapeError: If there is none, or one is no function.
            AlgebraMismatchError: If they belong to different algebras.
        """
        functions = tuple(components)
        if not functions:
            raise ShapeError("a map needs at least one component", hint="give a list of functions")
        for function in functions:
            # Callers without a type checker pass numbers here.
            if not isinstance(function, MultivariateTaylorFunction):  # pyright: ignore[reportUnnecessaryIsInstance] -- see above
                message = f"the component {function!r} is no function"
                raise ShapeError(message, hint="make a number one with algebra.constant(number)")
            require_same(functions[0].algebra, function.algebra)
        self._components = functions

    @classmethod
    def identity(cls, algebra: Algebra) -> Self:
        """The map whose components are the variables."""
        return cls(algebra.variables())

    @property
    def algebra(self) -> Algebra:
        """The algebra that the components belong to."""
        return self._components[0].algebra

    @property
    def components(self) -> tuple[MultivariateTaylorFunction, ...]:
        """The components."""
        return self._components

    @property
    def valid_order(self) -> int:
        """The order to which all components are valid."""
        return min(function.valid_order for function in self._components)

    @property
    def coefficients(self) -> Array:
        """All coefficients, `(components, algebra.size)`: complex if one component is."""
        return np.array([function.coefficients for function in self._components])

    @property
    def constant(self) -> Array:
        """The values where all variables are zero, `(components,)`."""
        return np.array([function.constant for function in self._components])

    def __len__(self) -> int:
        return len(self._components)

    def __iter__(self) -> Iterator[MultivariateTaylorFunction]:
        return iter(self._components)

    def __getitem__(self, index: int) -> MultivariateTaylorFunction:
        return self._components[index]

    @overload
    def __call__(self, arguments: "TaylorMap", /) -> "TaylorMap": ...
    @overload
    def __call__(self, arguments: npt.ArrayLike, /) -> Array: ...
    @overload
    def __call__(self, *arguments: Number) -> Array: ...
    def __call__(self, *arguments: Any) -> Any:
        """The composition with a map, or the values at points.

        Args:
            arguments: A map; or points `(..., dimension)`; or one number for each variable.

        Returns:
            A map; or values `(..., components)`; or values `(components,)`.

        Raises:
            ShapeError: If the numbers are not one for each variable.
        """
        if len(arguments) == 1 and isinstance(arguments[0], TaylorMap):
            return self.compose(arguments[0])
        if len(arguments) == 1 and as_number(arguments[0]) is None:
            return self.evaluate(arguments[0])
        return self.evaluate(np.array(arguments))

    def evaluate(self, points: npt.ArrayLike) -> Array:
        """The values at points `(..., dimension)`: `(..., components)`; integers become real.

        Raises:
            ShapeError: If the points are no numbers or have another number of coordinates.
        """
        coordinates = points_array(points, self.algebra.dimension)
        flat = coordinates.reshape(-1, self.algebra.dimension)
        values = evaluate(self.algebra.tables, self.coefficients, flat)
        return np.ascontiguousarray(values.T).reshape(*coordinates.shape[:-1], len(self))

    def compose(self, inner: "TaylorMap") -> "TaylorMap":
        """The map "first inner, then this one", with one component for each of this map.

        The inner map may have a constant part; this map is then taken as polynomials, exact only if
        it has no terms past its order.

        Raises:
            ShapeError: If the inner map has not one component for each variable of this one.
        """
        return TaylorMap(composed(self._components, inner.components))

    def __matmul__(self, inner: "TaylorMap") -> "TaylorMap":
        # For operands that are no maps, whatever the annotation says.
        return self.compose(inner) if isinstance(inner, TaylorMap) else NotImplemented  # pyright: ignore[reportUnnecessaryIsInstance] -- see above

    def inverse(self) -> "TaylorMap":
        """The map that undoes this one, up to the order to which all components are valid.

        The linear part is judged by its condition after its rows and columns were scaled, not by
        the size of its determinant: units play no part.

        Raises:
            ShapeError: If there are not as many components as variables.
            SingularMapError: If there is a constant part, or the linear part is singular.
        """
        dimension = self.algebra.dimension
        if len(self) != dimension:
            message = f"a map of {len(self)} components in {dimension} variables has no inverse"
            raise ShapeError(message, hint="give one component for each variable")
        if self.constant.any():
            raise SingularMapError(
                f"the map has the constant part {self.constant.tolist()!r}",
                hint="invert it without that part, m - m.constant[i] in every component i, and "
                "subtract the same numbers from the arguments of the inverse",
            )
        order = self.valid_order
        if not order:
            raise SingularMapError(
                "the map is valid to order 0 only: its linear part is not known",
                hint="start from an algebra of a higher order",
            )
        tables = monomial_tables(dimension, order)
        values = inverse(tables, self.coefficients[:, : tables.size])
        missing = self.algebra.size - tables.size
        return TaylorMap(
            [
                MultivariateTaylorFunction.adopt(self.algebra, np.pad(row, (0, missing)), order)
                for row in values
            ]
        )

    def jacobian(self, point: npt.ArrayLike | None = None) -> Array:
        """The first derivatives at a point: rows for components, columns for variables.

        Args:
            point: `(dimension,)` coordinates; zero, if None.

        Returns:
            `(components, dimension)` derivatives.
        """
        dimension = self.algebra.dimension
        if point is None:
            return self.coefficients[:, 1 : 1 + dimension]
        coordinates = points_array(point, dimension)
        if coordinates.ndim != 1:
            message = f"an array of shape {coordinates.shape} is no single point"
            raise ShapeError(message, hint=f"give {dimension} numbers")
        names = self.algebra.names
        return np.array(
            [[f.derivative(name).evaluate(coordinates) for name in names] for f in self._components]
        )

    def truncate(self, order: int) -> "TaylorMap":
        """The terms up to an order, valid to that order."""
        return TaylorMap([function.truncate(order) for function in self._components])

    def is_close(self, other: "TaylorMap", *, rtol: float = 1e-9, atol: float = 0.0) -> bool:
        """Whether all components agree within tolerances, see `is_close` of a function.

        Raises:
            ShapeError: If the other map has another number of components.
            AlgebraMismatchError: If it belongs to another algebra.
        """
        pairs = self._paired(other)
        return all(first.is_close(second, rtol=rtol, atol=atol) for first, second in pairs)

    def _paired(
        self, other: "TaylorMap"
    ) -> list[tuple[MultivariateTaylorFunction, MultivariateTaylorFunction]]:
        if len(other) != len(self):
            message = f"maps of {len(self)} and {len(other)} components"
            raise ShapeError(message, hint="operate on maps of as many components")
        return list(zip(self._components, other.components, strict=True))

    def _by_components(
        self, other: object, operation: Callable[[Any, Any], MultivariateTaylorFunction]
    ) -> "TaylorMap":
        if isinstance(other, TaylorMap):
            return TaylorMap([operation(first, second) for first, second in self._paired(other)])
        number = as_number(other)
        if number is None:
            return NotImplemented
        return TaylorMap([operation(function, number) for function in self._components])

    def _negative(self) -> "TaylorMap":
        return TaylorMap([-function for function in self._components])

    def _plus(self, other: object) -> "TaylorMap":
        return self._by_components(other, operator.add)

    def _minus(self, other: object) -> "TaylorMap":
        return self._by_components(other, operator.sub)

    def _times(self, other: object) -> "TaylorMap":
        return self._by_components(other, operator.mul)

    def _divided_by(self, other: object) -> "TaylorMap":
        return self._by_components(other, lambda first, second: first / second)

    def _dividing(self, other: object) -> "TaylorMap":
        return self._by_components(other, lambda function, number: number / function)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TaylorMap):
            return NotImplemented
        return self._components == other._components

    def __hash__(self) -> int:
        return hash(self._components)

    def __repr__(self) -> str:
        parts = [f"Taylor map of {len(self)} components"]
        for index, function in enumerate(self._components[:_SHOWN_COMPONENTS]):
            parts.append(f"[{index}] {function!r}")
        if len(self) > _SHOWN_COMPONENTS:
            parts.append(f"… and {len(self) - _SHOWN_COMPONENTS} more components")
        return "\n".join(parts)
