"""What several tools ask of stored objects before they compute with them."""

from collections.abc import Sequence

from tercet import CallContext, ErrorDetail, InvalidInputError, Stored, TypeMismatchError
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._failures import require_finite

__all__ = ["check_variable", "keep", "load_either", "wrong_count"]

TaylorObject = MultivariateTaylorFunction | TaylorMap


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


async def keep(context: CallContext, value: TaylorObject, done: str, name: str | None) -> Stored:
    """Store a new function or map, and say what was done.

    Raises:
        ComputationError: A coefficient is not finite.
    """
    is_map = isinstance(value, TaylorMap)
    require_finite(value.components if is_map else (value,), "the result")
    handle = await context.save(value, prefix="map" if is_map else "mtf", name=name)
    return Stored.of(handle, done)


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


def wrong_count(pointer: str, values: Sequence[object], expected: str) -> InvalidInputError:
    """Word the refusal of a list of the wrong length."""
    return InvalidInputError(
        f"{len(values)} values where there have to be {expected}",
        hint=f"give {expected}",
        details=[ErrorDetail(pointer=pointer, expected=expected, got=len(values))],
    )
