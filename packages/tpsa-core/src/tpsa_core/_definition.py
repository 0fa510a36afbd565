"""What defines an algebra: named variables and orders, checked before anything is allocated."""

from collections.abc import Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any, Self, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from tpsa_core._bounds import Bounds
from tpsa_core._errors import ExponentsError, VariableError
from tpsa_core._monomials import MonomialTables
from tpsa_core._names import checked_names, checked_parameters, default_names, listed
from tpsa_core._numbers import as_natural
from tpsa_core._restricted import tables_of
from tpsa_core._restrictions import checked_bounds, lower_orders

# What tells algebras apart: the names, how many of them are parameters, and the monomials.
_Key: TypeAlias = tuple[tuple[str, ...], int, Bounds]
# Every definition in use; values are equal for ever, so that nobody can tell by this.
_known: WeakValueDictionary[tuple[type, _Key], "AlgebraDefinition"] = WeakValueDictionary()
_lock = Lock()


class AlgebraDefinition:
    """The immutable definition of an algebra, and where each coefficient of its elements stands.

    Equal definitions are one object while it is in use, so that kernels can tell by identity.
    """

    __slots__ = ("__weakref__", "_bounds", "_names", "_order", "_parameters", "_tables")

    _names: tuple[str, ...]
    _order: int
    _parameters: int
    _bounds: Bounds
    _tables: MonomialTables

    def __new__(
        cls,
        *names: str | int,
        order: int,
        orders: Mapping[str, int] | None = None,
        parameters: Sequence[str] = (),
        parameter_order: int | None = None,
    ) -> Self:
        """Define an algebra.

        Args:
            *names: The names of the variables, or one number n for the names x1 … xn. A name is an
                ASCII identifier of at most 100 characters and no Python keyword.
            order: The highest total degree that is kept, from 0.
            orders: The highest powers that are kept of single variables or parameters, by name,
                each from 1 to the order.
            parameters: The names of parameters: variables that come after all others, and that maps
                carry along.
            parameter_order: The highest joint degree of the parameters that is kept, from 1 to the
                order; the order, if None.

        Raises:
            AlgebraError: If a name, the number of variables or an order is not usable.
            LimitError: If there would be more than 1,000 variables, an order above 10,000, more
                than 2,000,000 monomials or 32,000,000 exponents.
        """
        variables = checked_names(names)
        parameter_names = checked_parameters(variables, parameters)
        count, all_names = len(parameter_names), variables + parameter_names
        bounds = checked_bounds(all_names, count, order, orders, parameter_order)
        tables = tables_of(bounds)
        key = (all_names, count, bounds)
        with _lock:
            known = _known.get((cls, key))
            if isinstance(known, cls):
                return known
            self = super().__new__(cls)
            self._names, self._parameters, self._bounds = key
            self._order, self._tables = bounds.order, tables
            _known[cls, key] = self
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, the parameters last."""
        return self._names

    @property
    def dimension(self) -> int:
        """The number of variables, parameters among them."""
        return len(self._names)

    @property
    def order(self) -> int:
        """The highest total degree that is kept."""
        return self._order

    @property
    def orders(self) -> Mapping[str, int]:
        """The lower orders of single variables, by name; empty where none excludes anything."""
        return MappingProxyType(lower_orders(self._bounds, self._names, self._parameters))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, the last of the variables."""
        return self._names[len(self._names) - self._parameters :]

    @property
    def parameter_order(self) -> int:
        """The highest joint degree of the parameters; 0 if there are none."""
        return self._bounds.joint_degree(self._parameters)

    @property
    def bounds(self) -> Bounds:
        """Which monomials are kept, for code that works on coefficient arrays."""
        return self._bounds

    @property
    def size(self) -> int:
        """The number of monomials: binomial(dimension + order, order), without lower orders."""
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
        hint = f"give one of the names {listed(self._names)} or a position from 0"
        raise VariableError(message, hint=hint)

    def index(self, exponents: Sequence[int]) -> int:
        """The place of the monomial with these exponents among the coefficients.

        Raises:
            ExponentsError: If their number is not the dimension, if one is negative or no integer,
                or if they or their sums exceed an order.
        """
        powers = self.powers(exponents)
        degree = sum(powers)
        if degree > self._order:
            message = f"exponents {listed(powers)} have degree {degree}, past order {self._order}"
            raise ExponentsError(message, hint="use an algebra of a higher order")
        if not self._tables.is_full:
            self._check_lower_orders(powers)
        return int(self._tables.places(np.array(powers, dtype=np.intp)))

    def _check_lower_orders(self, powers: tuple[int, ...]) -> None:
        bounds = self._bounds
        joint = sum(powers[bounds.first_of_group :])
        if bounds.group and joint > bounds.joint:
            message = (
                f"exponents {listed(powers)} have degree {joint} in the parameters, "
                f"past their order {bounds.joint}"
            )
            raise ExponentsError(message, hint="use an algebra of a higher parameter order")
        for name, power, cap in zip(self._names, powers, bounds.caps, strict=True):
            if power > cap:
                message = f"exponents {listed(powers)} exceed the order {cap} of {name!r}"
                raise ExponentsError(message, hint=f"use an algebra of a higher order in {name!r}")

    def powers(self, exponents: Sequence[int]) -> tuple[int, ...]:
        """The exponents of a monomial of any degree, checked.

        Raises:
            ExponentsError: If their number is not the dimension, or one is negative or no integer.
        """
        given = tuple(exponents)
        if len(given) != self.dimension:
            message = f"got {len(given)} exponents for {self.dimension} variables"
            hint = f"give one exponent for each of {listed(self._names)}"
            raise ExponentsError(message, hint=hint)
        powers = tuple(power for power in map(as_natural, given) if power is not None)
        if len(powers) < len(given):
            message = f"exponents {listed(given)} are not all integers from 0"
            raise ExponentsError(message, hint="a power series has no other exponents")
        return powers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AlgebraDefinition):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> _Key:
        return self._names, self._parameters, self._bounds

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        restrictions = self.restrictions()
        if restrictions:
            return _restored, (type(self), self._names, self._order, restrictions)
        return _restored, (type(self), self._names, self._order)

    def restrictions(self) -> dict[str, Any]:
        """What defines the algebra beside its names and its order; nothing for an ordinary one."""
        extras: dict[str, Any] = {}
        if self.orders:
            extras["orders"] = dict(self.orders)
        if self._parameters:
            extras["parameters"] = self.parameters
            if self.parameter_order < self._order:
                extras["parameter_order"] = self.parameter_order
        return extras

    def as_kind(self, kind: "type[AlgebraT]") -> "AlgebraT":
        """The same definition as an object of a subclass."""
        return _restored(kind, self._names, self._order, self.restrictions())

    def __repr__(self) -> str:
        variables = self._names[: self.dimension - self._parameters]
        shown = listed(variables)
        if variables == default_names(len(variables)):
            shown = str(len(variables))
        extras = [f"{name}={value!r}" for name, value in self.restrictions().items()]
        return f"Algebra({', '.join([shown, f'order={self._order}', *extras])})"


AlgebraT = TypeVar("AlgebraT", bound=AlgebraDefinition)


def _restored(
    kind: type[AlgebraT],
    names: tuple[str, ...],
    order: int,
    restrictions: Mapping[str, Any] = MappingProxyType({}),
) -> AlgebraT:
    """An algebra out of a pickle: its tables are made anew, or shared."""
    variables = names[: len(names) - len(restrictions.get("parameters", ()))]
    return kind(*variables, order=order, **restrictions)
