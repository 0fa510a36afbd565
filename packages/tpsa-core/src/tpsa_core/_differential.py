"""Derivatives and integrals of a series, and what is made of them."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Self

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._calculus import antiderivative, derivative, weighted
from tpsa_core._canonical import Pairs, canonical_pairs
from tpsa_core._checks import point_array
from tpsa_core._definition import AlgebraT
from tpsa_core._errors import OrderError, ShapeError
from tpsa_core._known import limits_of
from tpsa_core._numbers import Number, as_number
from tpsa_core._pointwise import PointwiseSeries
from tpsa_core._ring import RingSeries
from tpsa_core._series import require_same
from tpsa_core._whole_series import whole_antiderivative, whole_derivative

# The degree of second derivatives.
_SECOND = 2


class DifferentialSeries(RingSeries[AlgebraT]):
    """A series that can be differentiated and integrated."""

    __slots__ = ()

    def derivative(self, variable: str | int | Sequence[int]) -> Self:
        """The derivative with respect to a variable, valid to one order less.

        If the variable has a lower order of its own, or is a parameter, the derivative is valid to
        one less of that, too: the terms with its highest power would come from terms that are not
        kept. See `valid_orders`.

        Args:
            variable: A name, or a position from 0. A sequence of exponents, one for each variable,
                asks for the mixed derivative: `f.derivative((2, 1))` is ∂³f/∂x1²∂x2, valid to
                three orders less.

        Raises:
            VariableError: If there is no such variable.
            ExponentsError: If the exponents do not belong to the algebra.
            OrderError: If the function is not valid to so high an order.
        """
        if isinstance(variable, Sequence) and not isinstance(variable, str):
            powers = self.algebra.powers(variable)
        else:
            powers = [0] * self.algebra.dimension
            powers[self.algebra.position(variable)] = 1
        order = self.valid_order - sum(powers)
        if order < 0:
            message = (
                f"a function that is valid to order {self.valid_order} only "
                f"has no known derivative of order {sum(powers)}"
            )
            raise OrderError(message, hint="start from an algebra of a higher order")
        result = self
        for position, power in enumerate(powers):
            for _ in range(power):
                result = result._slope(position)
        return result

    def _slope(self, position: int) -> Self:
        """The first derivative; the function is valid to order one at least."""
        whole = whole_derivative(self, position)
        if whole is not None:
            return whole
        values = derivative(self.algebra.tables, self.coefficients, position)
        if self.limits is None and self.algebra.tables.is_full:
            return self.adopt(self.algebra, values, self.valid_order - 1)
        known = self.known.over(position)
        if known is None:
            name = self.algebra.names[position]
            message = f"a function that is valid to order 0 in {name!r} has no known derivative"
            raise OrderError(message, hint=f"start from an algebra of a higher order in {name!r}")
        return self.adopt(self.algebra, values, known.order, limits_of(self.algebra, known))

    def derivatives(self) -> tuple[Self, ...]:
        """The first derivatives with respect to all variables, in order."""
        return tuple(self.derivative(position) for position in range(self.algebra.dimension))

    def antiderivative(self, variable: str | int) -> Self:
        """The integral over a variable from zero, valid to one order more if the algebra has it.

        Terms past the algebra's orders are cut off.

        Raises:
            VariableError: If there is no such variable.
        """
        position = self.algebra.position(variable)
        whole = whole_antiderivative(self, position)
        if whole is not None:
            return whole
        values = antiderivative(self.algebra.tables, self.coefficients, position)
        if self.limits is not None:
            return self._known_on(values, self.limits.times(position).meet(self.algebra.bounds))
        order = min(self.valid_order + 1, self.algebra.order)
        return self.adopt(self.algebra, values, order)

    def integral(self, variable: str | int, lower: Number, upper: Number) -> Self:
        """The definite integral over a variable, a function of the others.

        The function is taken as a polynomial, exact only if it has no terms past its order; none is
        cut off on the way.

        Args:
            variable: A name, or a position from 0.
            lower: Where the integral begins.
            upper: Where it ends.

        Raises:
            VariableError: If there is no such variable.
            ShapeError: If a limit is no number.
        """
        position = self.algebra.position(variable)
        ends = [as_number(lower), as_number(upper)]
        if ends[0] is None or ends[1] is None:
            message = f"limits {lower!r} and {upper!r} that are not both numbers"
            raise ShapeError(message, hint="use antiderivative and substitute for functions")
        exponents = np.arange(1.0, self.algebra.order + 2)
        weights = (ends[1] ** exponents - ends[0] ** exponents) / exponents
        values = weighted(self.algebra.tables, self.coefficients, position, weights)
        return self._like(values)

    def gradient(self, point: npt.ArrayLike | None = None) -> Array:
        """The first derivatives at a point, `(dimension,)`; see `derivatives` for functions.

        Args:
            point: `(dimension,)` coordinates; zero, if None.

        Raises:
            ShapeError: If the point has another number of coordinates.
            OrderError: If the function is valid to order 0 only.
        """
        return np.array([_value(function, point) for function in self.derivatives()])

    def hessian(self, point: npt.ArrayLike | None = None) -> Array:
        """The second derivatives at a point, `(dimension, dimension)` and symmetric.

        Args:
            point: `(dimension,)` coordinates; zero, if None.

        Raises:
            ShapeError: If the point has another number of coordinates.
            OrderError: If the function is not valid to order 2, or to a lower one in a variable.
        """
        if self.valid_order < _SECOND:
            message = f"a function that is valid to order {self.valid_order} has no known curvature"
            raise OrderError(message, hint="start from an algebra of a higher order")
        known = self.known
        if not known.lowered(_SECOND).is_full:
            names = [name for name, cap in self.valid_orders.items() if cap < _SECOND]
            names = names or list(self.algebra.names[known.first_of_group :])
            message = f"not all second derivatives with respect to {', '.join(names)} are known"
            raise OrderError(message, hint="start from an algebra with higher orders of these")
        function = self if point is None else self.translate(point)
        terms = function.coefficients[self.algebra.tables.block(_SECOND)]
        dimension = self.algebra.dimension
        result = np.zeros((dimension, dimension), dtype=terms.dtype)
        # The monomials of degree two stand like the rows of a triangle.
        result[np.triu_indices(dimension)] = terms
        return result + result.T

    def directional_derivative(self, direction: Sequence[Self | Number]) -> Self:
        """The derivative along a vector, valid to one order less.

        Args:
            direction: One number, or one function of the same algebra, for each variable. With
                functions this is the Lie derivative along a vector field.

        Raises:
            ShapeError: If there are not as many as variables.
        """
        if len(direction) != self.algebra.dimension:
            message = f"a direction of {len(direction)} for {self.algebra.dimension} variables"
            raise ShapeError(message, hint="give one number or function for each variable")
        parts = zip(self.derivatives(), direction, strict=True)
        return reduce(add, (slope * component for slope, component in parts))

    def laplacian(self) -> Self:
        """The sum of the second derivatives with respect to every variable."""
        dimension = self.algebra.dimension
        powers = 2 * np.eye(dimension, dtype=int)
        return reduce(add, (self.derivative(row) for row in powers.tolist()))

    def poisson_bracket(self, other: Self, *, pairs: Pairs | None = None) -> Self:
        """The Poisson bracket Σ ∂f/∂q·∂g/∂p - ∂f/∂p·∂g/∂q, valid to one order less.

        Args:
            other: A function g of the same algebra.
            pairs: Each position with its momentum, by names or positions from 0. If None, the
                variables in order are q1, p1, q2, p2, …, as in `Algebra("x", "px", "y", "py", …)`.
                Variables in no pair are parameters.

        Raises:
            AlgebraMismatchError: If the other belongs to another algebra.
            ShapeError: If the variables do not form pairs.
            OrderError: If one is valid to order 0 only.
        """
        require_same(self.algebra, other.algebra)
        return reduce(
            add,
            (
                self.derivative(q) * other.derivative(p) - self.derivative(p) * other.derivative(q)
                for q, p in canonical_pairs(self.algebra, pairs)
            ),
        )


def _value(function: PointwiseSeries[AlgebraT], point: npt.ArrayLike | None) -> float | complex:
    """The value at one point; where all variables are zero, if None."""
    if point is None:
        return function.constant
    return function.evaluate(point_array(point, function.algebra.dimension)).item()
