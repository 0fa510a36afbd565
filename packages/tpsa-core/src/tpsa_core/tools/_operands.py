"""What several tools ask of stored objects before they compute with them."""

import difflib
from collections.abc import Mapping, Sequence
from typing import TypeVar

from tercet import CallContext, ErrorDetail, InvalidInputError, TypeMismatchError
from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._cost import Cost, Estimate
from tpsa_core.tools._limits import TaylorLimits, require

__all__ = [
    "afford",
    "check_component",
    "check_variable",
    "cut_to_valid",
    "find_numbers",
    "find_variable",
    "highest_order",
    "load_either",
    "wrong_count",
]

_MOST_DIGITS = 9

TaylorObject = MultivariateTaylorFunction | TaylorMap
TaylorT = TypeVar("TaylorT", MultivariateTaylorFunction, TaylorMap)


async def load_either(context: CallContext, ref: str) -> TaylorObject:
    """Give a stored function or map.

    Raises:
        TypeMismatchError: The object is neither.
    """
    value = await context.load(ref, object)
    if isinstance(value, MultivariateTaylorFunction | TaylorMap):
        return value
    raise TypeMismatchError(
        f"{ref!r} is neither a Taylor function nor a Taylor map",
        hint="list the objects to find one of kind 'mtf' or 'taylor_map'",
    )


def afford(
    context: CallContext,
    estimate: Estimate,
    order: int,
    what: str,
    pointer: str,
    *,
    or_else: str = "ask for less",
) -> Cost:
    """Give the cost; refuse what would take too much for a stored object of that order.

    Raises:
        LimitExceededError: With the estimate and the highest order that would fit.
    """
    return require(
        context.setting(TaylorLimits),
        estimate,
        order,
        what=what,
        pointer=pointer,
        hint="truncate_object to order {order} first",
        or_else=or_else,
    )


def highest_order(value: TaylorObject) -> int:
    """Give the order to which at least one component is valid: nothing is computed beyond it."""
    functions = value.components if isinstance(value, TaylorMap) else (value,)
    return max(function.valid_order for function in functions)


def cut_to_valid(value: TaylorT) -> TaylorT:
    """Give the object in the smallest algebra that holds it, where its values take least."""
    algebra = Algebra(*value.algebra.names, order=highest_order(value))
    if isinstance(value, TaylorMap):
        return TaylorMap([algebra.convert(component) for component in value])
    return algebra.convert(value)


def check_variable(var_index: int, dimension: int, pointer: str = "/var_index") -> int:
    """Give the position from 0 of a variable that is counted from 1.

    Raises:
        InvalidInputError: There is no such variable.
    """
    if not 1 <= var_index <= dimension:
        nearest = min(max(var_index, 1), dimension)
        raise InvalidInputError(
            f"there is no variable x{var_index} in an object of {dimension} variables",
            hint=f"use an index from 1 to {dimension}",
            details=[
                ErrorDetail(
                    pointer=pointer,
                    expected=f"from 1 to {dimension}",
                    got=var_index,
                    nearest=nearest,
                )
            ],
        )
    return var_index - 1


def check_component(index: int, taylor_map: TaylorMap, pointer: str) -> None:
    """See that a map has a component of that index, counted from 0.

    Raises:
        InvalidInputError: It has not.
    """
    last = len(taylor_map) - 1
    if index > last:
        raise InvalidInputError(
            f"there is no such component in a map of {len(taylor_map)}",
            hint=f"components are counted from 0: use an index from 0 to {last}",
            details=[
                ErrorDetail(pointer=pointer, expected=f"from 0 to {last}", got=index, nearest=last)
            ],
        )


def find_variable(variable: int | str, algebra: Algebra, pointer: str) -> int:
    """Give the position from 0 of a variable named by its number from 1, its name, or both: x1.

    Raises:
        InvalidInputError: There is no such variable.
    """
    if isinstance(variable, int):
        return check_variable(variable, algebra.dimension, pointer)
    if variable in algebra.names:
        return algebra.names.index(variable)
    number = variable.removeprefix("x")
    # Of a longer number the digits would only be a way to make Python work.
    if number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS:
        return check_variable(int(number), algebra.dimension, pointer)
    near = difflib.get_close_matches(variable, algebra.names, n=1)
    raise InvalidInputError(
        f"there is no variable {variable!r}",
        hint=f"the variables are {', '.join(algebra.names)}",
        details=[
            ErrorDetail(
                pointer=pointer,
                expected="a variable",
                got=variable,
                nearest=near[0] if near else None,
            )
        ],
    )


def find_numbers(given: Mapping[str, float], algebra: Algebra, pointer: str) -> dict[int, float]:
    """Give numbers by the positions from 0 of the variables that they are for.

    Raises:
        InvalidInputError: There is no such variable, or it has two numbers.
    """
    numbers: dict[int, float] = {}
    for variable, value in given.items():
        place = find_variable(variable, algebra, pointer)
        if place in numbers:
            raise InvalidInputError(
                f"the variable {algebra.names[place]!r} has two numbers",
                hint="name each variable once",
                details=[ErrorDetail(pointer=pointer, expected="one number", got=variable)],
            )
        numbers[place] = value
    return numbers


def wrong_count(pointer: str, values: Sequence[object], expected: str) -> InvalidInputError:
    """Word the refusal of a list of the wrong length."""
    return InvalidInputError(
        f"{len(values)} values where there have to be {expected}",
        hint=f"give {expected}",
        details=[ErrorDetail(pointer=pointer, expected=expected, got=len(values))],
    )
