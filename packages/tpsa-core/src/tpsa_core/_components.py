"""What every map is: an immutable sequence of series over one algebra."""

from collections.abc import Iterator, Sequence
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._arrays import Array
from tpsa_core._errors import ShapeError
from tpsa_core._series import require_same

# A repr shows so many components.
_SHOWN_COMPONENTS = 6


class Components:
    """Functions of one algebra, in order."""

    __slots__ = ("_components",)

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
            if function.algebra is not functions[0].algebra:
                require_same(functions[0].algebra, function.algebra)
        self._components = functions

    @classmethod
    def identity(cls, algebra: Algebra) -> Self:
        """The map whose components are the variables, without the parameters."""
        return cls(algebra.variables()[: algebra.dimension - len(algebra.parameters)])

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

    @overload
    def __getitem__(self, index: int) -> MultivariateTaylorFunction: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> MultivariateTaylorFunction | Self:
        """A component, or the map of the components of a slice.

        Raises:
            ShapeError: If the slice is empty.
            IndexError: If there is no such component.
        """
        if isinstance(index, slice):
            return type(self)(self._components[index])
        return self._components[index]

    def concatenate(self, *others: Self) -> Self:
        """The map of the components of this and of other maps, one after the other.

        Raises:
            AlgebraMismatchError: If they belong to different algebras.
        """
        components = list(self._components)
        for other in others:
            components += other.components
        return type(self)(components)

    def truncate(self, order: int) -> Self:
        """The terms up to an order, valid to that order."""
        return type(self)([function.truncate(order) for function in self._components])

    def norm(self, p: float = np.inf) -> float:
        """The largest norm of a component; see `norm` of a function."""
        return max(function.norm(p) for function in self._components)

    def order_norms(self, p: float = np.inf) -> npt.NDArray[np.floating[Any]]:
        """The largest norm of the terms of each degree, `(order + 1,)`."""
        return np.max([function.order_norms(p) for function in self._components], axis=0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
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
