"""Everything that can go wrong, as one tree.

::

    TpsaError                        anything this package refuses
    ├── AlgebraError                 an algebra that cannot exist: names, order, dimension
    ├── AlgebraMismatchError         operands of different algebras
    ├── VariableError                a variable that the algebra does not have
    ├── ExponentsError               exponents that address no (known) coefficient
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
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@final
class AlgebraError(TpsaError, ValueError):
    """An algebra that cannot exist: a bad name, order or number of variables."""


@final
class AlgebraMismatchError(TpsaError, ValueError):
    """Operands that belong to different algebras."""


@final
class VariableError(TpsaError, LookupError):
    """A variable that the algebra does not have."""


@final
class ExponentsError(TpsaError, IndexError):
    """Exponents that address no coefficient, or one that is not known."""


@final
class OrderError(TpsaError, ValueError):
    """An order that does not exist, or to which a value is not known."""


@final
class ShapeError(TpsaError, ValueError):
    """An array or a list of the wrong length, shape or element type."""


@final
class DomainError(TpsaError, ValueError):
    """A function that has no Taylor series at its argument's constant part.

    Attributes:
        function: The function's name.
        constant: The constant part of the argument.
        domain: Where the function has a series, in words.
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
    """A map that has no inverse as a power series."""


@final
class LimitError(TpsaError, ValueError):
    """A request past a documented limit of size or effort."""


@final
class FormatError(TpsaError, ValueError):
    """Bytes or a text that do not hold a value of this package, or hold a damaged one."""


@final
class MissingPackageError(TpsaError, ImportError):
    """An optional package that is not installed."""


@final
class ExpressionError(TpsaError, ValueError):
    """A text that is not an expression, or one with no finite value.

    Attributes:
        column: Where in the text, counted from 1.
    """

    def __init__(self, message: str, *, column: int, hint: str | None = None) -> None:
        super().__init__(f"{message} (column {column})", hint=hint)
        self.column = column
