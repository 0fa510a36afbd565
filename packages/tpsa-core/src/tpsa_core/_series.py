"""The immutable value behind a series: its coefficients, and how to look at them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from tpsa_core._arrays import Array
from tpsa_core._bounds import Bounds
from tpsa_core._checks import numeric_array, order_within
from tpsa_core._definition import AlgebraDefinition, AlgebraT
from tpsa_core._errors import AlgebraMismatchError, OrderError, ShapeError
from tpsa_core._format import SHOWN_TERMS, coefficient_table
from tpsa_core._known import cut, described, known_set, limits_of
from tpsa_core._numbers import Number
from tpsa_core._storage import SeriesStorage


class Term(NamedTuple):
    """One term of a series: its coefficient, its total degree and its exponents.

    Example:
        >>> x, y = Algebra("x", "y", order=3).variables()
        >>> (2 * x * y).terms()
        [Term(coefficient=2.0, order=2, exponents=(1, 1))]
        >>> [term.order for term in (1 + x * y).terms()]
        [0, 2]
    """

    coefficient: float | complex
    order: int
    exponents: tuple[int, ...]


class Series(SeriesStorage[AlgebraT]):
    """The coefficients of one series, their algebra, and the order to which they are known."""

    __slots__ = ()

    # Without this Python would iterate over f[0], f[1], …
    __iter__ = None

    def __new__(
        cls, algebra: AlgebraT, coefficients: npt.ArrayLike, *, valid_order: int | None = None
    ) -> Self:
        """Make a function from its coefficients.

        Args:
            algebra: The algebra that it belongs to.
            coefficients: `(algebra.size,)` numbers in the order of `algebra.exponents`; copied.
            valid_order: The order to which they are known; the algebra's order, if None. What is
                past it counts as unknown and becomes zero.

        Raises:
            ShapeError: If the coefficients are no numbers or not as many.
            OrderError: If the valid order is negative.
        """
        values = numeric_array(coefficients, "coefficients").copy()
        if values.shape != (algebra.size,):
            message = f"coefficients of shape {values.shape} for {algebra.size} monomials"
            raise ShapeError(message, hint=f"give an array of shape ({algebra.size},)")
        order = algebra.order
        if valid_order is not None:
            order = order_within(valid_order, order)
            values[algebra.tables.offsets[order + 1] :] = 0
        return cls.adopt(algebra, values, order)

    @property
    def known(self) -> Bounds:
        """The set of the monomials whose coefficients are known, for code on coefficient arrays."""
        return known_set(self.algebra, self.valid_order, self.limits)

    @property
    def valid_orders(self) -> dict[str, int]:
        """The highest known power of each variable, by name.

        Mostly the order of the variable in the algebra, or the valid order if that is lower. In an
        algebra where variables have lower orders, a derivative with respect to one of them knows
        one power less of it, and so does what is computed from the derivative.
        """
        return dict(zip(self.algebra.names, self.known.caps, strict=True))

    @property
    def valid_parameter_order(self) -> int:
        """The highest joint degree of the parameters that is known; 0 if there are none."""
        return self.known.joint_degree(len(self.algebra.parameters))

    def _like(self, values: Array) -> Self:
        """A function with other coefficients, known as far as this one."""
        return self.adopt(self.algebra, values, self.valid_order, self.limits)

    def _known_on(self, values: Array, known: Bounds) -> Self:
        """A function with the coefficients of a set out of an array, which may be shorter."""
        algebra = self.algebra
        if len(values) < algebra.size:
            padded = np.zeros(algebra.size, dtype=values.dtype)
            padded[: len(values)] = values
            values = padded
        return self.adopt(
            algebra, cut(algebra.tables, values, known), known.order, limits_of(algebra, known)
        )

    @classmethod
    def from_dict(cls, algebra: AlgebraT, terms: Mapping[tuple[int, ...], Number]) -> Self:
        """A function from its coefficients by exponents; those not named are zero.

        Raises:
            ExponentsError: If exponents do not belong to the algebra.
            ShapeError: If a coefficient is no number.
        """
        places = [algebra.index(exponents) for exponents in terms]
        coefficients = numeric_array([*terms.values()], "coefficients")
        values = np.zeros(algebra.size, dtype=coefficients.dtype)
        values[places] = coefficients
        return cls.adopt(algebra, values, algebra.order)

    @property
    def real(self) -> Self:
        """The function with the real parts of the coefficients."""
        return self._like(self.coefficients.real.copy())

    @property
    def imag(self) -> Self:
        """The function with the imaginary parts of the coefficients."""
        return self._like(self.coefficients.imag.copy())

    def conjugate(self) -> Self:
        """The function with the conjugate coefficients."""
        return self._like(self.coefficients.conj())

    def __getitem__(self, exponents: int | tuple[int, ...]) -> float | complex:
        """The coefficient of one monomial, `f[1, 0]`.

        Raises:
            ExponentsError: If the exponents do not belong to the algebra.
            OrderError: If the coefficient is past the order to which the function is valid.
        """
        powers = exponents if isinstance(exponents, tuple) else (exponents,)
        place = self.algebra.index(powers)
        if sum(powers) > self.valid_order:
            message = f"the coefficient of {powers!r} is unknown: valid to order {self.valid_order}"
            raise OrderError(message, hint="start from an algebra of a higher order")
        if self.limits is not None and not self.limits.contain(np.array(powers)):
            orders = described(self.algebra, self.limits)
            message = f"the coefficient of {powers!r} is unknown: valid to order {orders}"
            raise OrderError(message, hint="start from an algebra with higher orders")
        return self.coefficients[place].item()

    def to_dict(self) -> dict[tuple[int, ...], float | complex]:
        """The non-zero coefficients by exponents, in graded order."""
        places = np.flatnonzero(self.coefficients)
        exponents = self.algebra.exponents[places].tolist()
        values = self.coefficients[places].tolist()
        return {tuple(powers): value for powers, value in zip(exponents, values, strict=True)}

    def terms(self, limit: int | None = None) -> list[Term]:
        """The non-zero terms, the largest absolute coefficients first, at most `limit` of them."""
        places = np.flatnonzero(self.coefficients)
        largest = np.argsort(-np.abs(self.coefficients[places]), kind="stable")
        if limit is not None:
            largest = largest[: max(limit, 0)]
        return [
            Term(self.coefficients[place].item(), int(powers.sum()), tuple(powers.tolist()))
            for place in places[largest]
            for powers in (self.algebra.exponents[place],)
        ]

    @property
    def low_order(self) -> int | None:
        """The lowest degree of a non-zero term; None for the zero function."""
        (support,) = self.coefficients.nonzero()
        return self.algebra.tables.degree_at(int(support[0])) if len(support) else None

    @property
    def high_order(self) -> int | None:
        """The highest degree of a non-zero term; None for the zero function."""
        (support,) = self.coefficients.nonzero()
        return self.algebra.tables.degree_at(int(support[-1])) if len(support) else None

    @property
    def active_variables(self) -> tuple[str, ...]:
        """The names of the variables that appear in a non-zero term, in order."""
        exponents = self.algebra.exponents[np.flatnonzero(self.coefficients)]
        used = np.flatnonzero(exponents.sum(axis=0)).tolist()
        return tuple(self.algebra.names[position] for position in used)

    def norm(self, p: float = np.inf) -> float:
        """The norm of the vector of all coefficients.

        Args:
            p: `inf` for the largest absolute coefficient, 1 for their sum, which bounds the values
                where no variable exceeds one, 2 for the root of the sum of squares.
        """
        return float(np.linalg.norm(self.coefficients, p))

    def order_norms(self, p: float = np.inf) -> npt.NDArray[np.floating[Any]]:
        """The norm of the terms of each degree, `(order + 1,)`; see `norm`."""
        blocks = map(self.algebra.tables.block, range(self.algebra.order + 1))
        return np.array([np.linalg.norm(self.coefficients[block], p) for block in blocks])

    def is_close(self, other: Self, *, rtol: float = 1e-9, atol: float = 0.0) -> bool:
        """Whether all coefficients up to the order that both are valid to agree within tolerances.

        Args:
            other: A function of the same algebra.
            rtol: The allowed difference relative to the coefficient of `other`.
            atol: The allowed absolute difference.

        Raises:
            AlgebraMismatchError: If the other belongs to another algebra.
        """
        require_same(self.algebra, other.algebra)
        known = self.algebra.tables.offsets[min(self.valid_order, other.valid_order) + 1]
        first, second = self.coefficients[:known], other.coefficients[:known]
        if self.limits is not None or other.limits is not None:
            both = self.known.meet(other.known).contain(self.algebra.exponents[:known])
            first, second = first[both], second[both]
        return bool(np.allclose(first, second, rtol=rtol, atol=atol))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        if self.algebra != other.algebra:
            return False
        return bool(np.array_equal(self.coefficients, other.coefficients))

    def __hash__(self) -> int:
        # Over numbers and not over bytes: 1.0, 1+0j and the zeros of either sign hash alike.
        return hash((self.algebra, tuple(self.to_dict().items())))

    def table(self, limit: int | None = None) -> str:
        """The non-zero terms as a table: coefficient, order, exponents.

        Args:
            limit: So many terms in graded order, the rest is counted; all, if None.
        """
        order = f"order {self.algebra.order}"
        if self.limits is not None:
            orders = described(self.algebra, self.limits)
            order += f" (valid to {self.valid_order}, and to {orders})"
        elif self.valid_order < self.algebra.order:
            order += f" (valid to {self.valid_order})"
        title = f"Taylor function of {order}"
        algebra = self.algebra
        shown = algebra.size if limit is None else max(limit, 0)
        return coefficient_table(
            title, algebra.names, algebra.exponents, self.coefficients, limit=shown
        )

    def __repr__(self) -> str:
        return self.table(SHOWN_TERMS)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        parts = type(self), self.algebra, self.coefficients, self.valid_order
        return _restored, parts if self.limits is None else (*parts, self.limits)


def _restored(
    kind: type[Series[AlgebraT]],
    algebra: AlgebraT,
    values: Array,
    valid_order: int,
    limits: Bounds | None = None,
) -> Series[AlgebraT]:
    """A series out of a pickle, whose array has lost its write protection."""
    return kind.adopt(algebra, values, valid_order, limits)


def require_same(first: AlgebraDefinition, second: AlgebraDefinition) -> None:
    """Refuse operands of different algebras.

    Raises:
        AlgebraMismatchError: If they differ.
    """
    if first is not second and first != second:
        raise AlgebraMismatchError(
            f"operands belong to {first!r} and {second!r}",
            hint="bring one into the other's algebra first: f + f.algebra.convert(g)",
        )
