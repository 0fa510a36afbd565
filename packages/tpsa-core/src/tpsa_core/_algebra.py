"""An algebra and its elements: two classes that make each other, hence one module."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt

from tpsa_core._arithmetic import Arithmetic
from tpsa_core._calculus import antiderivative, derivative
from tpsa_core._checks import order_within, points_array
from tpsa_core._compose import compose
from tpsa_core._convert import converted
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._errors import DomainError, LimitError, OrderError, ShapeError
from tpsa_core._evaluate import evaluate
from tpsa_core._functions import SERIES_FUNCTIONS, SeriesFunction, divide, power
from tpsa_core._kernel import Array, multiply
from tpsa_core._monomials import MonomialTables, monomial_tables
from tpsa_core._numbers import Number, as_number
from tpsa_core._series import Series, require_same
from tpsa_core._ufuncs import OPERATOR_UFUNCS, SERIES_UFUNCS, boxed

# Integers up to here are exact as floats, too; a higher power takes more than a hundred products.
MAX_POWER = 2**53
_DIVISION_HINT = "the quotient exists only for a divisor other than zero"


@final
class Algebra(AlgebraDefinition):
    """Truncated power series in named variables, up to an order.

    An algebra is an immutable value: two with equal names and order are equal, hash alike and share
    their index tables. It may be used from many threads at once.

    Example:
        ```python
        algebra = Algebra("x", "px", order=6)
        x, px = algebra.variables()
        assert Algebra(2, order=6).names == ("x1", "x2")
        ```
    """

    __slots__ = ()

    def variables(self) -> tuple["MultivariateTaylorFunction", ...]:
        """The identity functions of all variables, in order."""
        return tuple(self.variable(position) for position in range(self.dimension))

    def variable(self, variable: str | int) -> "MultivariateTaylorFunction":
        """The identity function of one variable, given by name or by position from 0.

        Raises:
            VariableError: If there is no such variable.
            OrderError: If the order is 0, which has constants only.
        """
        place = 1 + self.position(variable)
        if not self.order:
            raise OrderError(f"{self!r} has constants only", hint="use an order of at least 1")
        values = np.zeros(self.size)
        values[place] = 1
        return MultivariateTaylorFunction.adopt(self, values, self.order)

    def constant(self, value: Number) -> "MultivariateTaylorFunction":
        """A constant function."""
        number = as_number(value)
        if number is None:
            raise ShapeError(f"{value!r} is no number", hint="give a real or complex number")
        values = np.zeros(self.size, dtype=type(number))
        values[0] = number
        return MultivariateTaylorFunction.adopt(self, values, self.order)

    def zero(self) -> "MultivariateTaylorFunction":
        """The function that is zero everywhere."""
        return self.constant(0.0)

    def convert(self, function: "MultivariateTaylorFunction") -> "MultivariateTaylorFunction":
        """A function of another algebra as one of this: variables are matched by their names.

        Terms past the order of this algebra are cut off. With a higher order the function stays
        valid to the order that it had.

        Raises:
            VariableError: If the function depends on a variable that this algebra does not have.
        """
        values = converted(function.algebra, self, function.coefficients)
        return MultivariateTaylorFunction(self, values, valid_order=function.valid_order)


@final
class MultivariateTaylorFunction(Series[Algebra], Arithmetic):
    """One truncated power series: an immutable value of an algebra, real or complex.

    Arithmetic truncates by order alone; nothing is dropped for being small. A value knows the order
    to which it is valid: an operation on several values is valid to the lowest of their orders, a
    derivative to one order less, an antiderivative to one more (at most the algebra's), a truncated
    value to the order of the cut. Coefficients past that order are unknown and held as zero.

    Numbers, numpy's scalars and its functions work: `2 * f`, `np.sin(f)`, `np.multiply(2.0, f)`;
    with an array of numbers a binary operation gives an array of series. Floating-point warnings
    follow `numpy.errstate`. `==` compares coefficients exactly; see `is_close` for rounding.
    """

    __slots__ = ()

    def derivative(self, variable: str | int) -> "MultivariateTaylorFunction":
        """The derivative with respect to a variable, valid to one order less.

        Raises:
            VariableError: If there is no such variable.
            OrderError: If the function is valid to order 0 only.
        """
        position = self._algebra.position(variable)
        if not self._valid_order:
            message = "a function that is valid to order 0 has no known derivative"
            raise OrderError(message, hint="start from an algebra of a higher order")
        values = derivative(self._algebra.tables, self._coefficients, position)
        return self.adopt(self._algebra, values, self._valid_order - 1)

    def antiderivative(self, variable: str | int) -> "MultivariateTaylorFunction":
        """The integral over a variable from zero, valid to one order more if the algebra has it.

        Terms past the algebra's order are cut off.

        Raises:
            VariableError: If there is no such variable.
        """
        position = self._algebra.position(variable)
        values = antiderivative(self._algebra.tables, self._coefficients, position)
        order = min(self._valid_order + 1, self._algebra.order)
        return self.adopt(self._algebra, values, order)

    def truncate(self, order: int) -> "MultivariateTaylorFunction":
        """The terms up to an order, valid to that order.

        Raises:
            OrderError: If the order is negative.
        """
        order = order_within(order, self._valid_order)
        return MultivariateTaylorFunction(self._algebra, self._coefficients, valid_order=order)

    def evaluate(self, points: npt.ArrayLike) -> Array:
        """The values at points `(..., dimension)`: `(...)`, real or complex; integers become real.

        Raises:
            ShapeError: If the points are no numbers or have another number of coordinates.
        """
        coordinates = points_array(points, self._algebra.dimension)
        flat = coordinates.reshape(-1, self._algebra.dimension)
        values = evaluate(self._algebra.tables, self._coefficients[np.newaxis], flat)
        return values[0].reshape(coordinates.shape[:-1])

    @overload
    def __call__(self, *arguments: Number) -> float | complex: ...
    @overload
    def __call__(self, *arguments: "MultivariateTaylorFunction | Number") -> Any: ...
    def __call__(self, *arguments: Any) -> Any:
        """The value at a point, one number for each variable; with functions the composition.

        Raises:
            ShapeError: If the arguments are not one number or function for each variable.
        """
        if any(isinstance(argument, MultivariateTaylorFunction) for argument in arguments):
            return self.compose(arguments)
        numbers = [as_number(argument) for argument in arguments]
        if None in numbers or len(numbers) != self._algebra.dimension:
            message = f"{len(numbers)} arguments that are not {self._algebra.dimension} numbers"
            raise ShapeError(message, hint="give one number for each variable, or use evaluate")
        return self.evaluate(np.array(numbers)).item()

    def compose(
        self, inner: Sequence["MultivariateTaylorFunction | Number"]
    ) -> "MultivariateTaylorFunction":
        """The function with every variable replaced by a function of one other algebra.

        The constant parts of the inner functions need not be zero: this function is then taken as
        a polynomial, exact only if it has no terms past its order. The result is valid to the
        lowest of all valid orders.

        Args:
            inner: One function, or number, for each variable; at least one function.

        Raises:
            ShapeError: If there are not as many as variables, or only numbers.
            AlgebraMismatchError: If the inner functions belong to different algebras.
        """
        return composed((self,), inner)[0]

    def mapped(self, function: SeriesFunction) -> "MultivariateTaylorFunction":
        """The result of a function that works on coefficient arrays, at the valid order.

        Args:
            function: Takes index tables and the coefficients up to their order, gives as many.
        """
        tables = self._valid_tables(self._valid_order)
        return self._padded(function(tables, self._coefficients[: tables.size]), self._valid_order)

    def _negative(self) -> "MultivariateTaylorFunction":
        return self.adopt(self._algebra, -self._coefficients, self._valid_order)

    def _plus(self, other: object) -> "MultivariateTaylorFunction":
        if isinstance(other, MultivariateTaylorFunction):
            return self._combined(other, lambda _tables, left, right: left + right)
        number = as_number(other)
        if number is None:
            return NotImplemented
        values = self._coefficients.astype(np.result_type(self._coefficients, type(number)))
        values[0] += number
        return self.adopt(self._algebra, values, self._valid_order)

    def _minus(self, other: object) -> "MultivariateTaylorFunction":
        if isinstance(other, MultivariateTaylorFunction):
            return self._combined(other, lambda _tables, left, right: left - right)
        number = as_number(other)
        return NotImplemented if number is None else self._plus(-number)

    def _times(self, other: object) -> "MultivariateTaylorFunction":
        if isinstance(other, MultivariateTaylorFunction):
            return self._combined(other, multiply)
        number = as_number(other)
        if number is None:
            return NotImplemented
        return self.adopt(self._algebra, self._coefficients * number, self._valid_order)

    def _divided_by(self, other: object) -> "MultivariateTaylorFunction":
        if isinstance(other, MultivariateTaylorFunction):
            return self._combined(other, divide)
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0:
            raise DomainError("division", number, "a divisor other than 0", hint=_DIVISION_HINT)
        return self.adopt(self._algebra, self._coefficients / number, self._valid_order)

    def _dividing(self, other: object) -> "MultivariateTaylorFunction":
        number = as_number(other)
        if number is None:
            return NotImplemented
        numerator = np.zeros(self._algebra.size, dtype=type(number))
        numerator[0] = number
        return self.mapped(lambda tables, values: divide(tables, numerator[: tables.size], values))

    def __pow__(
        self, exponent: "MultivariateTaylorFunction | Number"
    ) -> "MultivariateTaylorFunction":
        if isinstance(exponent, MultivariateTaylorFunction):
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
        return self.mapped(lambda tables, values: power(tables, values, number))

    def __rpow__(self, base: Number) -> "MultivariateTaylorFunction":
        number = as_number(base)
        if number is None:
            return NotImplemented
        if number == 0 or (isinstance(number, float) and not number > 0):
            domain = "a positive base for a series as exponent"
            raise DomainError("power", number, domain, hint="a complex base may be anything but 0")
        return (self * np.log(number).item()).mapped(SERIES_FUNCTIONS["exp"])

    def _integer_power(self, exponent: int) -> "MultivariateTaylorFunction":
        """An integer power by repeated squaring, a negative one of the reciprocal."""
        if abs(exponent) > MAX_POWER:
            raise LimitError(
                f"an integer power beyond ±{MAX_POWER}", hint="use a smaller power, or exp and log"
            )
        factor = self if exponent >= 0 else self.mapped(SERIES_FUNCTIONS["reciprocal"])
        result: MultivariateTaylorFunction | None = None
        remaining = abs(exponent)
        while remaining:
            if remaining & 1:
                result = factor if result is None else result * factor
            remaining >>= 1
            if remaining:
                factor = factor * factor
        if result is None:
            one = np.zeros_like(self._coefficients)
            one[0] = 1
            return self.adopt(self._algebra, one, self._valid_order)
        return result

    def _combined(
        self,
        other: "MultivariateTaylorFunction",
        kernel: Callable[[MonomialTables, Array, Array], Array],
    ) -> "MultivariateTaylorFunction":
        """The result of an operation on the coefficients up to the order that both are valid to."""
        require_same(self._algebra, other.algebra)
        order = min(self._valid_order, other.valid_order)
        tables = self._valid_tables(order)
        left, right = self._coefficients[: tables.size], other.coefficients[: tables.size]
        return self._padded(kernel(tables, left, right), order)

    def _valid_tables(self, order: int) -> MonomialTables:
        if order == self._algebra.order:
            return self._algebra.tables
        return monomial_tables(self._algebra.dimension, order)

    def _padded(self, values: Array, order: int) -> "MultivariateTaylorFunction":
        if order < self._algebra.order:
            padded = np.zeros(self._algebra.size, dtype=values.dtype)
            padded[: len(values)] = values
            values = padded
        return self.adopt(self._algebra, values, order)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Numpy's functions of series, and of series with numbers or arrays of them."""
        if method != "__call__" or options:
            return NotImplemented
        if any(isinstance(value, np.ndarray) and value.ndim for value in inputs):
            return ufunc(*(boxed(value) for value in inputs))
        if ufunc in SERIES_UFUNCS:
            return self.mapped(SERIES_UFUNCS[ufunc])
        # Numbers as Python's own, because numpy's would ask for a ufunc again.
        operands = [
            value if isinstance(value, MultivariateTaylorFunction) else as_number(value)
            for value in inputs
        ]
        if ufunc not in OPERATOR_UFUNCS or None in operands:
            return NotImplemented
        return OPERATOR_UFUNCS[ufunc](*operands)


def composed(
    outer: Sequence[MultivariateTaylorFunction],
    inner: Sequence[MultivariateTaylorFunction | Number],
) -> tuple[MultivariateTaylorFunction, ...]:
    """Functions of one algebra with every variable replaced; see `compose` of one function."""
    dimension = outer[0].algebra.dimension
    if len(inner) != dimension:
        message = f"{len(inner)} functions for {dimension} variables"
        raise ShapeError(message, hint="give one function or number for each variable")
    algebras = [f.algebra for f in inner if isinstance(f, MultivariateTaylorFunction)]
    if not algebras:
        raise ShapeError("only numbers and no function to compose with", hint="use evaluate")
    algebra = algebras[0]
    for other in algebras:
        require_same(algebra, other)
    functions = [
        f if isinstance(f, MultivariateTaylorFunction) else algebra.constant(f) for f in inner
    ]
    orders = [min(f.valid_order, *(g.valid_order for g in functions)) for f in outer]
    tables = monomial_tables(algebra.dimension, max(orders))
    values = compose(
        outer[0].algebra.tables,
        np.array([f.coefficients for f in outer]),
        tables,
        np.array([f.coefficients[: tables.size] for f in functions]),
    )
    real_inner = not any(f.is_complex for f in functions)
    return tuple(
        MultivariateTaylorFunction(
            algebra,
            np.pad(
                row if f.is_complex or not real_inner else row.real, (0, algebra.size - len(row))
            ),
            valid_order=order,
        )
        for f, row, order in zip(outer, values, orders, strict=True)
    )
