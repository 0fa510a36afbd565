"""The ring of series: sums, products, quotients, powers and functions of them."""

import operator
from collections.abc import Callable
from numbers import Integral
from typing import Self

import numpy as np
import numpy.typing as npt

from tpsa_core._arithmetic import Arithmetic
from tpsa_core._arrays import Array
from tpsa_core._checks import numeric_array
from tpsa_core._definition import AlgebraT
from tpsa_core._errors import DomainError, ShapeError
from tpsa_core._functions import SERIES_FUNCTIONS, PairFunction, SeriesFunction, divide, power
from tpsa_core._kernels import compose_univariate, multiply
from tpsa_core._monomials import MonomialTables
from tpsa_core._numbers import Number, as_number
from tpsa_core._pointwise import PointwiseSeries
from tpsa_core._series import require_same
from tpsa_core._squaring import raised
from tpsa_core._whole_series import whole_power, whole_result

_DIVISION_HINT = "the quotient exists only for a divisor other than zero"


class RingSeries(PointwiseSeries[AlgebraT], Arithmetic[Number]):
    """A series that can be added, multiplied, divided, and put into functions."""

    __slots__ = ()

    def apply(self, coefficients: npt.ArrayLike) -> Self:
        """Any analytic function F of this one, from the Taylor coefficients of F.

        Costs 1 + n/(2v + 1) products for v variables at order n, by Horner's scheme.

        Args:
            coefficients: F(c), F'(c), F''(c)/2, …, F⁽ᵏ⁾(c)/k! at the constant part c of this
                function. With k + 1 of them the result is valid to order k at most; give zeros if
                F is a polynomial.

        Raises:
            ShapeError: If they are no numbers, or none.

        Example:
            >>> x = Algebra("x", order=3).variable("x")
            >>> (2 * x).apply([0, 1, 0, -1 / 6]).is_close(np.sin(2 * x))
            True
        """
        outer = numeric_array(coefficients, "coefficients")
        if outer.ndim != 1 or not len(outer):
            message = f"coefficients of shape {outer.shape} are not those of one function"
            raise ShapeError(message, hint="give a list of at least one number")
        order = min(self.valid_order, len(outer) - 1)
        tables = self.algebra.tables.truncated(order)
        values = compose_univariate(tables, outer, self.coefficients[: tables.size])
        if self.limits is not None:
            return self._known_on(values, self.limits.lowered(order))
        return self._padded(values, order)

    def mapped(self, function: SeriesFunction) -> Self:
        """The result of a function that works on coefficient arrays, at the valid order.

        Args:
            function: Takes index tables and the coefficients up to their order, gives as many.
        """
        whole = whole_result(function, self)
        if whole is not None:
            return whole
        tables = self.algebra.tables.truncated(self.valid_order)
        return self._as_known(function(tables, self.coefficients[: tables.size]))

    def mapped_twice(
        self, function: Callable[[MonomialTables, Array], tuple[Array, Array]]
    ) -> tuple[Self, Self]:
        """Both results of a function that gives two, see `mapped`."""
        whole = whole_result(function, self)
        if whole is not None:
            return whole
        tables = self.algebra.tables.truncated(self.valid_order)
        first, second = function(tables, self.coefficients[: tables.size])
        return self._as_known(first), self._as_known(second)

    def _negative(self) -> Self:
        return self._like(-self.coefficients)

    def _plus(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return self.combined(other, lambda _tables, left, right: left + right)
        number = as_number(other)
        if number is None:
            return NotImplemented
        values = self.coefficients.astype(np.result_type(self.coefficients, type(number)))
        values[0] += number
        return self._like(values)

    def _minus(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return self.combined(other, lambda _tables, left, right: left - right)
        number = as_number(other)
        if number is None:
            return NotImplemented
        return self._plus(-number)

    def _times(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return self.combined(other, multiply)
        number = as_number(other)
        if number is None:
            return NotImplemented
        return self._like(self.coefficients * number)

    def _divided_by(self, other: object) -> Self:
        if isinstance(other, type(self)):
            return self.combined(other, divide)
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0:
            raise DomainError("division", number, "a divisor other than 0", hint=_DIVISION_HINT)
        return self._like(self.coefficients / number)

    def _dividing(self, other: object) -> Self:
        number = as_number(other)
        if number is None:
            return NotImplemented
        numerator = np.zeros(self.algebra.size, dtype=type(number))
        numerator[0] = number
        return self.mapped(lambda tables, values: divide(tables, numerator[: tables.size], values))

    def __pow__(self, exponent: Self | Number) -> Self:
        if isinstance(exponent, RingSeries):
            try:
                logarithm = self.mapped(SERIES_FUNCTIONS["log"])
            except DomainError as error:
                domain = f"for a series as exponent a base with {error.domain}"
                raise DomainError("power", self.constant, domain, hint=error.hint) from error
            return (logarithm * exponent).mapped(SERIES_FUNCTIONS["exp"])
        number = as_number(exponent)
        if number is None:
            return NotImplemented
        if isinstance(number, float) and number.is_integer():
            return self._integer_power(int(exponent if isinstance(exponent, Integral) else number))
        whole = whole_power(self, number)
        if whole is not None:
            return whole
        return self.mapped(lambda tables, values: power(tables, values, number))

    def __rpow__(self, base: Number) -> Self:
        number = as_number(base)
        if number is None:
            return NotImplemented
        if number == 0 or (isinstance(number, float) and not number > 0):
            domain = "a positive base for a series as exponent"
            raise DomainError("power", number, domain, hint="a complex base may be anything but 0")
        return (self * np.log(number).item()).mapped(SERIES_FUNCTIONS["exp"])

    def _integer_power(self, exponent: int) -> Self:
        """An integer power by repeated squaring, a negative one of the reciprocal."""
        if not exponent:
            one = np.zeros_like(self.coefficients)
            one[0] = 1
            return self._like(one)
        factor = self if exponent > 0 else self.mapped(SERIES_FUNCTIONS["reciprocal"])
        return raised(factor, abs(exponent), operator.mul)

    def combined(
        self,
        other: Self,
        function: PairFunction,
    ) -> Self:
        """The result of a function that works on two coefficient arrays, where both are valid.

        Raises:
            AlgebraMismatchError: If the other function belongs to another algebra.
        """
        algebra = self.algebra
        if other.algebra is not algebra:
            require_same(algebra, other.algebra)
        order = min(self.valid_order, other.valid_order)
        if order == algebra.order and self.limits is None and other.limits is None:
            # The usual case, in a fraction of the time that a small product takes.
            values = function(algebra.tables, self.coefficients, other.coefficients)
            return self.adopt(algebra, values, order)
        tables = algebra.tables.truncated(order)
        left, right = self.coefficients[: tables.size], other.coefficients[: tables.size]
        values = function(tables, left, right)
        if self.limits is not None or other.limits is not None:
            return self._known_on(values, self.known.meet(other.known))
        return self._padded(values, order)

    def _as_known(self, values: Array) -> Self:
        """The function with coefficients up to the valid order, known as far as this one."""
        if self.limits is not None:
            return self._known_on(values, self.limits)
        return self._padded(values, self.valid_order)

    def _padded(self, values: Array, order: int) -> Self:
        if order < self.algebra.order:
            padded = np.zeros(self.algebra.size, dtype=values.dtype)
            padded[: len(values)] = values
            values = padded
        return self.adopt(self.algebra, values, order)
