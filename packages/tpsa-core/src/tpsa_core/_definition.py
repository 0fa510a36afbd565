"""What defines an algebra: named variables and an order, checked before anything is allocated."""

import keyword
from collections.abc import Sequence
from math import comb
from threading import Lock
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from tpsa_core._errors import AlgebraError, ExponentsError, LimitError, VariableError
from tpsa_core._monomials import MonomialTables, monomial_tables
from tpsa_core._numbers import as_natural

MAX_DIMENSION = 1_000
MAX_ORDER = 10_000
# A vector of that many coefficients takes 16 MB, twice as much if complex.
MAX_MONOMIALS = 2_000_000
# Entries of an exponent table: 128 MB.
MAX_EXPONENTS = 32_000_000
MAX_NAME_LENGTH = 100
# So many names are listed in a message.
_LISTED_NAMES = 10


# Every definition in use; values are equal for ever, so that nobody can tell by this.
_known: WeakValueDictionary[tuple[type, tuple[str, ...], int], "AlgebraDefinition"] = (
    WeakValueDictionary()
)
_lock = Lock()


class AlgebraDefinition:
    """The immutable definition of an algebra, and where each coefficient of its elements stands.

    Equal definitions are one object while it is in use, so that kernels can tell by identity.
    """

    __slots__ = ("__weakref__", "_names", "_order", "_tables")

    _names: tuple[str, ...]
    _order: int
    _tables: MonomialTables

    def __new__(cls, *names: str | int, order: int) -> Self:
        """Define an algebra.

        Args:
            *names: The names of the variables, or one number n for the names x1 … xn. A name is an
                ASCII identifier of at most 100 characters and no Python keyword.
            order: The highest total degree that is kept, from 0.

        Raises:
            AlgebraError: If a name, the number of variables or the order is not usable.
            LimitError: If there would be more than 1,000 variables, an order above 10,000, more
                than 2,000,000 monomials or 32,000,000 exponents.
        """
        checked_order, checked_names = _checked_order(order), _checked_names(names)
        _check_size(len(checked_names), checked_order)
        tables = monomial_tables(len(checked_names), checked_order)
        with _lock:
            known = _known.get((cls, checked_names, checked_order))
            if isinstance(known, cls):
                return known
            self = super().__new__(cls)
            self._names, self._order, self._tables = checked_names, checked_order, tables
            _known[cls, checked_names, checked_order] = self
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self._names

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return len(self._names)

    @property
    def order(self) -> int:
        """The highest total degree that is kept."""
        return self._order

    @property
    def size(self) -> int:
        """The number of monomials: binomial(dimension + order, order)."""
        return self._tables.size

    @property
    def tables(self) -> MonomialTables:
        """The index tables, for code that works on coefficient arrays."""
        return self._tables

    @property
    def exponents(self) -> npt.NDArray[np.int32]:
        """The exponents of every monomial in the order of the coefficients, read-only.

        Shape `(size, dimension)`; degree by degree, inside a degree the higher power of the
        earlier variable first.
        """
        return self._tables.exponents

    def position(self, variable: str | int) -> int:
        """The position, from 0, of a variable given by its name or by its position.

        Raises:
            VariableError: If there is no such variable.
        """
        if isinstance(variable, str):
            if variable in self._names:
                return self._names.index(variable)
        elif 0 <= variable < self.dimension:
            return int(variable)
        message = f"there is no variable {variable!r} in {self!r}"
        hint = f"give one of the names {_listed(self._names)} or a position from 0"
        raise VariableError(message, hint=hint)

    def index(self, exponents: Sequence[int]) -> int:
        """The place of the monomial with these exponents among the coefficients.

        Raises:
            ExponentsError: If their number is not the dimension, if one is negative or no integer,
                or if their sum exceeds the order.
        """
        powers = self.powers(exponents)
        degree = sum(powers)
        if degree > self._order:
            message = f"exponents {_listed(powers)} have degree {degree}, past order {self._order}"
            raise ExponentsError(message, hint="use an algebra of a higher order")
        return int(self._tables.places(np.array(powers, dtype=np.intp)))

    def powers(self, exponents: Sequence[int]) -> tuple[int, ...]:
        """The exponents of a monomial of any degree, checked.

        Raises:
            ExponentsError: If their number is not the dimension, or one is negative or no integer.
        """
        given = tuple(exponents)
        if len(given) != self.dimension:
            message = f"got {len(given)} exponents for {self.dimension} variables"
            hint = f"give one exponent for each of {_listed(self._names)}"
            raise ExponentsError(message, hint=hint)
        powers = tuple(power for power in map(as_natural, given) if power is not None)
        if len(powers) < len(given):
            message = f"exponents {_listed(given)} are not all integers from 0"
            raise ExponentsError(message, hint="a power series has no other exponents")
        return powers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AlgebraDefinition):
            return NotImplemented
        return self._names == other._names and self._order == other._order

    def __hash__(self) -> int:
        return hash((self._names, self._order))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._names, self._order)

    def __repr__(self) -> str:
        if self._names == _default_names(self.dimension):
            return f"Algebra({self.dimension}, order={self._order})"
        return f"Algebra({_listed(self._names)}, order={self._order})"


AlgebraT = TypeVar("AlgebraT", bound=AlgebraDefinition)


def _restored(kind: type[AlgebraT], names: tuple[str, ...], order: int) -> AlgebraT:
    """An algebra out of a pickle: its tables are made anew, or shared."""
    return kind(*names, order=order)


def _default_names(dimension: int) -> tuple[str, ...]:
    return tuple(f"x{position}" for position in range(1, dimension + 1))


def _checked_names(names: tuple[str | int, ...]) -> tuple[str, ...]:
    if len(names) > MAX_DIMENSION:
        raise _too_many_variables(len(names))
    texts = tuple(name for name in names if isinstance(name, str))
    if len(texts) < len(names):
        dimension = as_natural(names[0])
        if dimension and len(names) == 1:
            if dimension > MAX_DIMENSION:
                raise _too_many_variables(dimension)
            return _default_names(dimension)
        message = f"variables {_listed(names)} are neither names nor one number from 1"
        raise AlgebraError(message, hint='write Algebra("x", "y", order=4) or Algebra(2, order=4)')
    if not texts:
        raise AlgebraError("an algebra needs at least one variable", hint="give names or a number")
    for name in texts:
        is_name = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        if not is_name or len(name) > MAX_NAME_LENGTH:
            message = f"{name[:MAX_NAME_LENGTH]!r} is no name for a variable"
            hint = "use letters, digits and underscores, no digit first, and no Python keyword"
            raise AlgebraError(message, hint=hint)
    if len(set(texts)) < len(texts):
        message = f"the names {_listed(texts)} are not all different"
        raise AlgebraError(message, hint="give every variable a name of its own")
    return texts


def _checked_order(order: int) -> int:
    natural = as_natural(order)
    if natural is None:
        raise AlgebraError(f"the order {order!r} is no integer from 0", hint="give order=6, say")
    if natural > MAX_ORDER:
        raise LimitError(f"order {natural} exceeds {MAX_ORDER}", hint="choose a lower order")
    return natural


def _check_size(dimension: int, order: int) -> None:
    monomials = comb(dimension + order, order)
    allowed = min(MAX_MONOMIALS, MAX_EXPONENTS // dimension)
    if monomials > allowed:
        fitting = max(n for n in range(order) if comb(dimension + n, n) <= allowed)
        raise LimitError(
            f"{dimension} variables at order {order} have {monomials} monomials, "
            f"more than the {allowed} allowed",
            hint=f"the highest order that fits {dimension} variables is {fitting}",
        )


def _too_many_variables(dimension: int) -> LimitError:
    message = f"{dimension} variables are more than {MAX_DIMENSION}"
    return LimitError(message, hint="use fewer variables")


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(repr(value) for value in values[:_LISTED_NAMES])
    return shown if len(values) <= _LISTED_NAMES else f"{shown}, … ({len(values)} in all)"
