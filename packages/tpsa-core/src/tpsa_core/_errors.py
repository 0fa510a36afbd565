"""Everything that can go wrong, as one tree.

::

    TpsaError                        anything this package refuses
    ├── AlgebraError                 an algebra that cannot exist: names, order, dimension
    ├── AlgebraMismatchError         operands of different algebras
    ├── VariableError                a variable that the algebra does not have
    ├── ExponentsError               exponents that address no coefficient
    ├── OrderError                   an order that a value does not reach
    ├── ShapeError                   an array or a list of the wrong length or kind
    ├── DomainError                  a function outside its domain
    ├── SingularMapError             a map without an inverse
    ├── LimitError                   a request past a documented limit
    ├── FormatError                  bytes or a text that hold no value, or a damaged one
    ├── MissingPackageError          an optional package that is not installed
    └── ExpressionError              a text that is no expression, with the place

Catch `TpsaError` for all of them. Each is also the builtin it resembles, so that code which knows
nothing of this package reads it rightly. The message says what was wrong with what; the attribute
`hint` says what to do about it.
"""

from typing import final


class TpsaError(Exception):
    """Anything that this package refuses to do.

    Attributes:
        hint: What to do about it, or None.

    Example:
        >>> try:
        ...     Algebra("x", "px", order=3).variable("y")
        ... except TpsaError as error:
        ...     print(error.hint)
        give one of the names 'x', 'px' or a position from 0
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@final
class AlgebraError(TpsaError, ValueError):
    """An algebra that cannot exist: a bad name, order or number of variables.

    Example:
        >>> Algebra("x", "x", order=3)
        Traceback (most recent call last):
            ...
        AlgebraError: the names 'x', 'x' are not all different
    """


@final
class AlgebraMismatchError(TpsaError, ValueError):
    """Operands that belong to different algebras.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> x + Algebra("y", order=2).variable("y")
        Traceback (most recent call last):
            ...
        AlgebraMismatchError: operands belong to Algebra('x', order=2) and Algebra('y', order=2)
    """


@final
class VariableError(TpsaError, LookupError):
    """A variable that the algebra does not have.

    Example:
        >>> Algebra("x", "px", order=2).variable("y")
        Traceback (most recent call last):
            ...
        VariableError: there is no variable 'y' in Algebra('x', 'px', order=2)
    """


@final
class ExponentsError(TpsaError, IndexError):
    """Exponents that address no coefficient.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> x[3]
        Traceback (most recent call last):
            ...
        ExponentsError: exponents 3 have degree 3, past order 2
    """


@final
class OrderError(TpsaError, ValueError):
    """An order that does not exist, or to which a value is not known.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> x.derivative("x")[2]
        Traceback (most recent call last):
            ...
        OrderError: the coefficient of (2,) is unknown: valid to order 1
    """


@final
class ShapeError(TpsaError, ValueError):
    """An array or a list of the wrong length, shape or element type.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> MTF(x.algebra, [1.0, 2.0])
        Traceback (most recent call last):
            ...
        ShapeError: coefficients of shape (2,) for 3 monomials
    """


@final
class DomainError(TpsaError, ValueError):
    """A function that has no Taylor series at its argument's constant part.

    Attributes:
        function: The function's name.
        constant: The constant part of the argument.
        domain: Where the function has a series, in words.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> try:
        ...     log(x - 1)
        ... except DomainError as error:
        ...     print(error.function, error.constant, error.domain)
        log -1.0 a positive constant part
    """

    def __init__(
        self, function: str, constant: complex, domain: str, *, hint: str | None = None
    ) -> None:
        super().__init__(
            f"{function} needs {domain}, got a constant part of {constant!r}", hint=hint
        )
        self.function = function
        self.constant = constant
        self.domain = domain

    def at(self, column: int) -> "DomainError":
        """The same error with its place in an expression, counted from 1."""
        result = DomainError(self.function, self.constant, self.domain, hint=self.hint)
        result.args = (f"{self} (column {column})",)
        return result


@final
class SingularMapError(TpsaError, ArithmeticError):
    """A map that has no inverse as a power series.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> TaylorMap([x**2]).inverse()
        Traceback (most recent call last):
            ...
        SingularMapError: the linear part of the map is singular
    """


@final
class LimitError(TpsaError, ValueError):
    """A request past a documented limit of size or effort.

    Example:
        >>> Algebra(10, order=20)
        Traceback (most recent call last):
            ...
        LimitError: 10 variables at order 20 have 30045015 monomials, more than the 2000000 allowed
    """


@final
class FormatError(TpsaError, ValueError):
    """Bytes or a text that do not hold a value of this package, or hold a damaged one.

    Example:
        >>> series_from_bytes(b"hello")
        Traceback (most recent call last):
            ...
        FormatError: the bytes have no header
    """


@final
class MissingPackageError(TpsaError, ImportError):
    """An optional package that is not installed.

    Example:
        >>> x = Algebra("x", order=2).variable("x")
        >>> try:
        ...     shown = x.to_sympy()
        ... except MissingPackageError:
        ...     shown = x.table()
        >>> issubclass(MissingPackageError, ImportError)
        True
    """


@final
class ExpressionError(TpsaError, ValueError):
    """A text that is not an expression, or one with no finite value.

    Attributes:
        column: Where in the text, counted from 1.

    Example:
        >>> try:
        ...     parse_expression("2 * foo", Algebra("x", order=2))
        ... except ExpressionError as error:
        ...     print(error, error.column)
        unknown name 'foo' (column 5) 5
    """

    def __init__(self, message: str, *, column: int, hint: str | None = None) -> None:
        super().__init__(f"{message} (column {column})", hint=hint)
        self.column = column
