"""The orders of an algebra: checked, made into bounds, and written down again."""

from bisect import bisect_left
from collections.abc import Mapping
from math import comb
from typing import Any

from tpsa_core._bounds import Bounds, bounded, monomials_number
from tpsa_core._errors import AlgebraError, LimitError
from tpsa_core._names import listed
from tpsa_core._numbers import as_natural

MAX_ORDER = 10_000
# A vector of that many coefficients takes 16 MB, twice as much if complex.
MAX_MONOMIALS = 2_000_000
# Entries of an exponent table: 128 MB.
MAX_EXPONENTS = 32_000_000
# Numbers of monomials above are not exact.
_EXACT = 2.0**53


def checked_bounds(
    names: tuple[str, ...],
    parameters: int,
    order: int,
    orders: Mapping[str, int] | None,
    parameter_order: int | None,
) -> Bounds:
    """The monomials of an algebra.

    Args:
        names: The names of its variables, the parameters last.
        parameters: How many of them are parameters.
        order: The highest total degree.
        orders: The highest powers of some of them.
        parameter_order: The highest joint degree of the parameters; the order, if None.

    Raises:
        AlgebraError: If an order is not usable.
        LimitError: If there would be too many monomials.
    """
    natural = as_natural(order)
    if natural is None:
        raise AlgebraError(f"the order {order!r} is no integer from 0", hint="give order=6, say")
    if natural > MAX_ORDER:
        raise LimitError(f"order {natural} exceeds {MAX_ORDER}", hint="choose a lower order")
    joint = natural
    if parameter_order is not None:
        if not parameters:
            hint = 'name them, parameters=("k1", "k2")'
            raise AlgebraError("there is a parameter order and no parameter", hint=hint)
        joint = _checked_part("the parameter order", parameter_order, natural)
    caps = [natural] * len(names)
    for name, cap in _entries(orders):
        if name not in names:
            message = f"there is no variable {name!r} to have an order of its own"
            raise AlgebraError(message, hint=f"the variables are {listed(names)}")
        caps[names.index(name)] = _checked_part(f"the order of {name!r}", cap, natural)
    bounds = bounded(natural, caps, parameters, joint)
    if bounds.order < natural:
        message = (
            f"no monomial has degree {natural}: "
            f"with these lower orders the highest degree is {bounds.order}"
        )
        raise AlgebraError(
            message, hint=f"use order={bounds.order}, which keeps the same monomials"
        )
    _check_size(bounds)
    return bounds


def _entries(orders: Mapping[str, int] | None) -> list[tuple[str, Any]]:
    if orders is None:
        return []
    # Callers without a type checker pass anything here.
    if not isinstance(orders, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] -- see above
        message = f"the orders {orders!r} are no orders by names"
        raise AlgebraError(message, hint='give a dictionary, orders={"delta": 2}')
    return list(orders.items())


def _checked_part(what: str, value: Any, order: int) -> int:
    natural = as_natural(value)
    if not natural:
        hint = "leave the variable out" if natural == 0 else "give an integer"
        raise AlgebraError(f"{what}, {value!r}, is no integer from 1", hint=hint)
    if natural > order:
        message = f"{what}, {natural}, is above the order {order}"
        raise AlgebraError(message, hint=f"give at most {order}, or raise the order")
    return natural


def _check_size(bounds: Bounds) -> None:
    dimension, order = bounds.dimension, bounds.order
    allowed = min(MAX_MONOMIALS, MAX_EXPONENTS // dimension)
    if bounds.is_full:
        monomials = comb(dimension + order, order)
        if monomials > allowed:
            fitting = max(n for n in range(order) if comb(dimension + n, n) <= allowed)
            raise _too_many(
                f"{dimension} variables at order {order}",
                f"{monomials}",
                allowed,
                (f"the highest order that fits {dimension} variables is {fitting}"),
            )
        return
    number = monomials_number(bounds)
    if number > allowed:
        # The number rises with the order, and order 1 has no more than the full algebra.
        fitting = (
            bisect_left(
                range(order), allowed + 1.0, key=lambda n: monomials_number(bounds.lowered(n))
            )
            - 1
        )
        shown = f"{int(number)}" if number <= _EXACT else "over 9 · 10¹⁵"
        raise _too_many(
            f"{dimension} variables at order {order} with these lower orders",
            shown,
            allowed,
            f"the highest order that fits is {fitting}; lower orders of single variables help too",
        )


def _too_many(what: str, monomials: str, allowed: int, hint: str) -> LimitError:
    message = f"{what} have {monomials} monomials, more than the {allowed} allowed"
    return LimitError(message, hint=hint)


def lower_orders(bounds: Bounds, names: tuple[str, ...], parameters: int) -> dict[str, int]:
    """The orders of single variables that exclude something which nothing else does."""
    joint = bounds.joint_degree(parameters)
    implied = [bounds.order] * (len(names) - parameters) + [joint] * parameters
    orders = zip(names, bounds.caps, implied, strict=True)
    return {name: cap for name, cap, free in orders if cap < free}
