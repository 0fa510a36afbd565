"""Maps: several series of one algebra, composed, inverted and evaluated together."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt

from tpsa_core._algebra import (
    MultivariateTaylorFunction,
    composed,
    functions_of,
    known_function,
    substituted,
)
from tpsa_core._arrays import Array
from tpsa_core._canonical import Pairs, canonical_pairs
from tpsa_core._componentwise import ComponentwiseMap
from tpsa_core._composition import known_of_composition
from tpsa_core._errors import ShapeError, SingularMapError
from tpsa_core._inverse import inverse_matrix
from tpsa_core._json import json_text, read_json
from tpsa_core._kernels import inverse, invert_whole
from tpsa_core._known import known_of_all
from tpsa_core._numbers import Number, as_number
from tpsa_core._squaring import raised
from tpsa_core._stored import MAP_FORMAT


@final
class TaylorMap(ComponentwiseMap):
    """An immutable list of series over one algebra: a function of several variables.

    `outer @ inner` and `outer.compose(inner)` are the map "first inner, then outer". Called with
    numbers a map gives its values, with an array of points `(..., dimension)` an array
    `(..., components)`, with a map the composition. Arithmetic is by components, with a map of as
    many components or with one function or number for all.

    In an algebra with parameters a map needs no components for them: composition, inversion and
    powers carry them along.

    Example:
        >>> x, px = Algebra("x", "px", order=4).variables()
        >>> henon = TaylorMap([x + px, px - (x + px) ** 2])
        >>> henon(1.0, 0.5).tolist()
        [1.5, -1.75]
        >>> (henon.inverse() @ henon).is_close(TaylorMap.identity(x.algebra), atol=1e-12)
        True
    """

    __slots__ = ()

    # numpy leaves operators with a map to the map.
    __array_ufunc__ = None

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

    def compose(self, inner: "TaylorMap") -> "TaylorMap":
        """The map "first inner, then this one", with one component for each of this map.

        The inner map may have a constant part; this map is then taken as polynomials, exact only if
        it has no terms past its order. See `compose` of a function.

        Raises:
            ShapeError: If the inner map has not one component for each variable of this one, those
                for the parameters left out or not.
            VariableError: If they are left out, and its algebra has not the same parameters.
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
            ShapeError: If there are not as many components as variables, those of the parameters
                left out or not.
            SingularMapError: If there is a constant part, or the linear part is singular.
        """
        self._square("inverse")
        if any(component.constant for component in self._components):
            raise SingularMapError(
                f"the map has the constant part {self.constant.tolist()!r}",
                hint="invert it without that part, m - m.constant[i] in every component i, and "
                "subtract the same numbers from the arguments of the inverse",
            )
        if (
            self.algebra.tables.is_full
            and self.algebra.order
            and len(self) == self.algebra.dimension
        ):
            whole = invert_whole(self._components, inverse_matrix)
            if whole is not None:
                return TaylorMap(whole)
        known = known_of_all(self._components)
        if not known.order or not min(known.caps):
            raise SingularMapError(
                "the map is valid to order 0 only: its linear part is not known",
                hint="start from an algebra of a higher order",
            )
        components = self._components
        if len(self) < self.algebra.dimension:
            names = self.algebra.names[len(self) :]
            components += tuple(self.algebra.variable(name) for name in names)
        result = self._inverted(components, known.order)
        if self.algebra.tables.is_full and known.is_full:
            return TaylorMap(result[: len(self)])
        known = known_of_composition(known, result)
        if known == self.algebra.bounds:
            return TaylorMap(result[: len(self)])
        return TaylorMap(
            [known_function(self.algebra, f.coefficients, known) for f in result[: len(self)]]
        )

    def _inverted(
        self, components: tuple[MultivariateTaylorFunction, ...], order: int
    ) -> tuple[MultivariateTaylorFunction, ...]:
        """The inverse of one component for each variable, up to an order, known or not."""
        whole = invert_whole(components, inverse_matrix)
        if whole is not None:
            return whole
        tables = self.algebra.tables.truncated(order)
        values = np.array([component.coefficients[: tables.size] for component in components])
        linear = values[:, 1 : 1 + self.algebra.dimension]
        rows = inverse(tables, values, inverse_matrix(linear))
        bounds = self.algebra.bounds.lowered(order)
        return tuple(known_function(self.algebra, row, bounds) for row in rows)

    def partial_inverse(self, variables: Sequence[str | int]) -> "TaylorMap":
        """The map with some variables exchanged for the components of the same positions.

        Let this map give `(u, v)` for `(x, y)`, with x the named variables. The result gives
        `(x, v)` for `(u, y)`. With all variables it is the inverse, with none the map itself. With
        the components of y equal to y it is an inverse that keeps y as parameters; with positions
        for x and momenta for y it is the mixed-variable form behind generating functions. The
        algebra's parameters are kept if the map has no components for them.

        Args:
            variables: Names or positions from 0.

        Raises:
            ShapeError: If there are not as many components as variables, or none for a variable.
            VariableError: If there is no such variable.
            SingularMapError: If one of those components has a constant part, or the linear part of
                the equations u(x, y) = u is singular in x.
        """
        self._square("partial inverse")
        solved = {self.algebra.position(variable) for variable in variables}
        lacking = [self.algebra.names[place] for place in sorted(solved) if place >= len(self)]
        if lacking:
            message = f"the map has no component in the place of the parameters {lacking!r}"
            raise ShapeError(message, hint="exchange variables that are no parameters")
        kept = self.algebra.variables()
        equations = TaylorMap(
            [f if place in solved else kept[place] for place, f in enumerate(self._components)]
        )
        solution = equations.inverse()
        others = [place for place in range(len(self)) if place not in solved]
        result = list(solution.components)
        if others:
            values = TaylorMap([self._components[place] for place in others]).compose(solution)
            for place, function in zip(others, values, strict=True):
                result[place] = function
        return TaylorMap(result)

    def power(self, exponent: int) -> "TaylorMap":
        """The map composed with itself so many times; a negative power is one of the inverse.

        Takes about two compositions for every bit of the exponent. Not the operator `**`, because
        `*` goes by components.

        Raises:
            ShapeError: If there are not as many components as variables, or the power is no
                integer.
            LimitError: If the power is beyond ±2**53.
            SingularMapError: If it is negative and the map has no inverse.
        """
        self._square("powers")
        # Callers without a type checker pass anything here.
        if isinstance(exponent, bool) or not isinstance(exponent, Integral):
            message = f"the power {exponent!r} is no integer"
            raise ShapeError(message, hint="a map has integer powers only")
        times = int(exponent)
        if not times:
            return TaylorMap(self.algebra.variables()[: len(self)]).truncate(self.valid_order)
        return raised(self if times > 0 else self.inverse(), abs(times), TaylorMap.compose)

    def substitute(
        self, replacements: Mapping[str | int, MultivariateTaylorFunction | Number]
    ) -> "TaylorMap":
        """The map with some variables replaced, all at once; see `substitute` of a function."""
        return TaylorMap(substituted(self._components, replacements))

    def symplectic_errors(self, *, pairs: Pairs | None = None) -> Array:
        """How far the map is from symplectic, order by order: `(valid_order,)` numbers.

        The entry k is the largest coefficient of degree k in the Poisson brackets of all pairs of
        components, minus what the brackets of the variables are: ±1 for a position and its
        momentum, else 0. A map that is valid to order n says something up to degree n - 1.

        Args:
            pairs: Each position with its momentum; see `poisson_bracket` of a function. The
                components of a pair are at the positions of its variables.

        Raises:
            ShapeError: If the variables do not form pairs, or a component of a pair is missing.
            OrderError: If the map is valid to order 0 only.
        """
        positions = canonical_pairs(self.algebra, pairs)
        if max(max(pair) for pair in positions) >= len(self):
            message = f"a map of {len(self)} components lacks some of the pairs {positions!r}"
            raise ShapeError(message, hint="give one component for each variable of a pair")
        brackets = self.poisson_brackets(pairs=pairs)
        for q, p in positions:
            brackets[q, p] -= 1
            brackets[p, q] += 1
        norms = [bracket.order_norms() for bracket in brackets.ravel().tolist()]
        return np.max(norms, axis=0)[: self.valid_order]

    def symplectic_error(self, *, pairs: Pairs | None = None) -> float:
        """The largest of the `symplectic_errors`."""
        return float(self.symplectic_errors(pairs=pairs).max())

    def is_symplectic(self, *, atol: float = 1e-9, pairs: Pairs | None = None) -> bool:
        """Whether the map preserves the Poisson brackets of the variables within a tolerance."""
        return self.symplectic_error(pairs=pairs) <= atol

    def to_json(self) -> str:
        """The map as a JSON text, exact to the last bit; see `from_json`."""
        return json_text(MAP_FORMAT, self._components)

    @classmethod
    def from_json(cls, text: str) -> "TaylorMap":
        """The map that `to_json` wrote.

        Raises:
            FormatError: If the text does not hold a map.
        """
        return cls(functions_of(read_json(MAP_FORMAT, text)))

    def _square(self, asked: str) -> None:
        """Refuse what is asked, if there are not as many components as variables.

        Those of the parameters may be left out.
        """
        dimension, count = self.algebra.dimension, len(self)
        if count not in (dimension, dimension - len(self.algebra.parameters)):
            message = f"a map of {count} components in {dimension} variables has no {asked}"
            raise ShapeError(message, hint="give one component for each variable")
