"""An algebra and its elements: two classes that make each other, hence one module."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, final, overload

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._calculus import weighted
from tpsa_core._checks import order_within
from tpsa_core._composition import known_of_compositions
from tpsa_core._convert import converted, known_there
from tpsa_core._definition import AlgebraDefinition
from tpsa_core._differential import DifferentialSeries
from tpsa_core._element_functions import ElementFunctions
from tpsa_core._errors import OrderError, ShapeError
from tpsa_core._functions import PairFunction
from tpsa_core._json import json_text, read_json
from tpsa_core._kernels import compose, compose_whole
from tpsa_core._known import cut, limits_of
from tpsa_core._numbers import Number, as_number
from tpsa_core._series import require_same
from tpsa_core._stored import SERIES_FORMAT, StoredSeries, single
from tpsa_core._sympy import to_sympy
from tpsa_core._ufuncs import OPERATOR_UFUNCS, PAIR_UFUNCS, SERIES_UFUNCS, boxed


@final
class Algebra(AlgebraDefinition):
    """Truncated power series in named variables, up to an order.

    An algebra is an immutable value: two with equal names and orders are one and the same while it
    is in use. It may be used from many threads at once.

    With `orders` single variables have lower orders of their own; `parameters` are variables of
    which maps need no components, and whose joint degree may have an order of its own. Only the
    monomials that remain are stored and multiplied.

    Example:
        >>> algebra = Algebra("x", "px", order=6)
        >>> x, px = algebra.variables()
        >>> algebra.size
        28
        >>> Algebra(2, order=6).names
        ('x1', 'x2')
        >>> Algebra("x", "px", order=6, parameters=("k1", "k2"), parameter_order=1).size
        70
        >>> Algebra("x", "px", "delta", order=6, orders={"delta": 2}).size
        64
    """

    __slots__ = ()

    def variables(self) -> tuple["MultivariateTaylorFunction", ...]:
        """The identity functions of all variables, in order, the parameters last."""
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

        Terms past the orders of this algebra are cut off. With higher ones the function stays
        valid to the orders that it had.

        Raises:
            VariableError: If the function depends on a variable that this algebra does not have.
        """
        values = converted(function.algebra, self, function.coefficients)
        if function.limits is None and function.algebra.tables.is_full:
            return MultivariateTaylorFunction(self, values, valid_order=function.valid_order)
        return known_function(self, values, known_there(function.algebra, self, function.known))


@final
class MultivariateTaylorFunction(DifferentialSeries[Algebra], ElementFunctions):
    """One truncated power series: an immutable value of an algebra, real or complex.

    Arithmetic truncates by order alone; nothing is dropped for being small. A value knows the order
    to which it is valid: an operation on several values is valid to the lowest of their orders, a
    derivative to one order less, an antiderivative to one more (at most the algebra's), a truncated
    value to the order of the cut. Coefficients past that order are unknown and held as zero.

    Numbers, numpy's scalars and its functions work: `2 * f`, `np.sin(f)`, `np.multiply(2.0, f)`;
    with an array of numbers a binary operation gives an array of series. Where numpy computes,
    floating-point warnings follow `numpy.errstate`; the compiled kernels give none. `==` compares
    coefficients exactly; see `is_close` for rounding.

    Example:
        >>> x, y = Algebra("x", "y", order=3).variables()
        >>> f = (1 + x) / (1 - y)
        >>> f[1, 2], f(0.5, 0.0)
        (1.0, 1.5)
        >>> f.derivative("y").valid_order
        2
    """

    __slots__ = ()

    def truncate(self, order: int) -> "MultivariateTaylorFunction":
        """The terms up to an order, valid to that order.

        Raises:
            OrderError: If the order is negative.
        """
        order = order_within(order, self.valid_order)
        if self.limits is not None:
            return known_function(self.algebra, self.coefficients, self.limits.lowered(order))
        return MultivariateTaylorFunction(self.algebra, self.coefficients, valid_order=order)

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
        if None in numbers or len(numbers) != self.algebra.dimension:
            message = f"{len(numbers)} arguments that are not {self.algebra.dimension} numbers"
            raise ShapeError(message, hint="give one number for each variable, or use evaluate")
        return self.evaluate(np.array(numbers)).item()

    def compose(
        self, inner: Sequence["MultivariateTaylorFunction | Number"]
    ) -> "MultivariateTaylorFunction":
        """The function with every variable replaced by a function of one other algebra.

        The constant parts of the inner functions need not be zero: this function is then taken as
        a polynomial, exact only if it has no terms past its order. The result is valid to the
        lowest of all valid orders. A variable of this algebra with a lower order of its own makes
        that lower, unless what replaces it keeps to a variable with such an order as well.

        Args:
            inner: One function, or number, for each variable; at least one function. Those for the
                parameters may be left out: they are the variables of the same names then.

        Raises:
            ShapeError: If there are not as many as variables, or only numbers.
            VariableError: If those of the parameters are left out, and one does not exist there.
            AlgebraMismatchError: If the inner functions belong to different algebras.
        """
        return composed((self,), inner)[0]

    def substitute(
        self, replacements: Mapping[str | int, "MultivariateTaylorFunction | Number"]
    ) -> "MultivariateTaylorFunction":
        """The function with some variables replaced by numbers or functions, all at once.

        The algebra stays the same. As in `compose`, the function is taken as a polynomial.

        Args:
            replacements: Numbers, or functions of the same algebra, by names or positions from 0.

        Raises:
            VariableError: If there is no such variable.
            ShapeError: If a replacement is neither a number nor a function.
            AlgebraMismatchError: If a function belongs to another algebra.
        """
        return substituted((self,), replacements)[0]

    def to_sympy(self, symbols: Sequence[Any] | None = None) -> Any:
        """The function's polynomial as an expression of SymPy, with all 17 digits.

        Args:
            symbols: One symbol or expression for each variable; symbols of their names, if None.

        Raises:
            MissingPackageError: If SymPy is not installed.
            ShapeError: If there are not as many symbols as variables.
        """
        return to_sympy(self, symbols)

    def to_json(self) -> str:
        """The function as a JSON text, exact to the last bit; see `from_json`."""
        return json_text(SERIES_FORMAT, [self])

    @classmethod
    def from_json(cls, text: str) -> "MultivariateTaylorFunction":
        """The function that `to_json` wrote.

        Raises:
            FormatError: If the text does not hold a function.
        """
        return single(functions_of(read_json(SERIES_FORMAT, text)))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Numpy's functions of series, and of series with numbers or arrays of them."""
        if method != "__call__" or options:
            return NotImplemented
        if any(isinstance(value, np.ndarray) and value.ndim for value in inputs):
            boxes = [boxed(value) for value in inputs]
            if ufunc in PAIR_UFUNCS:
                return np.frompyfunc(partial(paired, PAIR_UFUNCS[ufunc]), 2, 1)(*boxes)
            return ufunc(*boxes)
        if ufunc in SERIES_UFUNCS:
            return self.mapped(SERIES_UFUNCS[ufunc])
        operation: Callable[..., Any] | None = OPERATOR_UFUNCS.get(ufunc)
        if ufunc in PAIR_UFUNCS:
            operation = partial(paired, PAIR_UFUNCS[ufunc])
        # Numbers as Python's own, because numpy's would ask for a ufunc again.
        operands = [
            value if isinstance(value, MultivariateTaylorFunction) else as_number(value)
            for value in inputs
        ]
        known = [operand for operand in operands if operand is not None]
        if operation is None or len(known) < len(operands):
            return NotImplemented
        return operation(*known)


def paired(
    function: PairFunction,
    first: MultivariateTaylorFunction | Number,
    second: MultivariateTaylorFunction | Number,
) -> MultivariateTaylorFunction:
    """A function of two arguments, one of which may be a number.

    Raises:
        ShapeError: If one is neither a number nor a function, or both are numbers.
        AlgebraMismatchError: If they belong to different algebras.
    """
    if isinstance(first, MultivariateTaylorFunction):
        other = second
        if not isinstance(other, MultivariateTaylorFunction):
            other = first.algebra.constant(other)
        return first.combined(other, function)
    if isinstance(second, MultivariateTaylorFunction):
        return second.algebra.constant(first).combined(second, function)
    message = f"{first!r} and {second!r} are no functions"
    raise ShapeError(message, hint="one of them must be a Taylor function")


def substituted(
    functions: Sequence[MultivariateTaylorFunction],
    replacements: Mapping[str | int, MultivariateTaylorFunction | Number],
) -> tuple[MultivariateTaylorFunction, ...]:
    """Functions of one algebra with some variables replaced; see `substitute` of one function."""
    algebra = functions[0].algebra
    series: dict[int, MultivariateTaylorFunction] = {}
    numbers: dict[int, float | complex] = {}
    for variable, value in replacements.items():
        place = algebra.position(variable)
        if isinstance(value, MultivariateTaylorFunction):
            require_same(algebra, value.algebra)
            series[place] = value
            continue
        number = as_number(value)
        if number is None:
            message = f"the replacement {value!r} is neither a number nor a function"
            raise ShapeError(message, hint="give a number or a Taylor function")
        numbers[place] = number
    powers = np.arange(algebra.order + 1)
    fixed: list[MultivariateTaylorFunction] = []
    for function in functions:
        values = function.coefficients
        for place, number in numbers.items():
            values = weighted(algebra.tables, values, place, number**powers)
        fixed.append(function.adopt(algebra, values, function.valid_order, function.limits))
    if not series:
        return tuple(fixed)
    variables = enumerate(algebra.variables())
    return composed(fixed, [series.get(place, variable) for place, variable in variables])


def functions_of(stored: StoredSeries) -> list[MultivariateTaylorFunction]:
    """The functions that a text or bytes held."""
    algebra = stored.definition.as_kind(Algebra)
    return [
        MultivariateTaylorFunction.adopt(algebra, one.values, one.valid_order, one.limits)
        for one in stored.components
    ]


def composed(
    outer: Sequence[MultivariateTaylorFunction],
    inner: Sequence[MultivariateTaylorFunction | Number],
) -> tuple[MultivariateTaylorFunction, ...]:
    """Functions of one algebra with every variable replaced; see `compose` of one function."""
    functions = _all_inner(outer[0].algebra, inner)
    algebra = functions[0].algebra
    knowns: list[Bounds] | None = None
    if not outer[0].algebra.tables.is_full:
        knowns = known_of_compositions(outer, functions)
    if knowns is None or all(known == algebra.bounds for known in knowns):
        whole = compose_whole(tuple(outer), functions)
        if whole is not None:
            return whole
    if knowns is None:
        knowns = known_of_compositions(outer, functions)
    tables = algebra.tables.truncated(max(known.order for known in knowns))
    values = compose(
        outer[0].algebra.tables,
        np.array([f.coefficients for f in outer]),
        tables,
        np.array([f.coefficients[: tables.size] for f in functions]),
    )
    real_inner = not any(f.is_complex for f in functions)
    return tuple(
        known_function(algebra, row if f.is_complex or not real_inner else row.real, known)
        for f, row, known in zip(outer, values, knowns, strict=True)
    )


def _all_inner(
    outer: Algebra, inner: Sequence[MultivariateTaylorFunction | Number]
) -> tuple[MultivariateTaylorFunction, ...]:
    """One function of one algebra for each variable of the outer one."""
    if len(inner) not in (outer.dimension, outer.dimension - len(outer.parameters)):
        message = f"{len(inner)} functions for {outer.dimension} variables"
        raise ShapeError(message, hint="give one function or number for each variable")
    algebra: Algebra | None = None
    for f in inner:
        if isinstance(f, MultivariateTaylorFunction):
            if algebra is None:
                algebra = f.algebra
            elif f.algebra is not algebra:
                require_same(algebra, f.algebra)
    if algebra is None:
        raise ShapeError("only numbers and no function to compose with", hint="use evaluate")
    functions = [
        f if isinstance(f, MultivariateTaylorFunction) else algebra.constant(f) for f in inner
    ]
    if len(functions) < outer.dimension:
        functions += [algebra.variable(name) for name in outer.names[len(functions) :]]
    return tuple(functions)


def known_function(algebra: Algebra, values: Array, known: Bounds) -> MultivariateTaylorFunction:
    """The function with the first coefficients of an array, zeros outside of what is known."""
    limits = limits_of(algebra, known)
    count = algebra.tables.offsets[known.order + 1]
    coefficients = np.zeros(algebra.size, dtype=values.dtype)
    coefficients[:count] = values[:count]
    if limits is not None:
        coefficients = cut(algebra.tables, coefficients, known)
    return MultivariateTaylorFunction.adopt(algebra, coefficients, known.order, limits)
