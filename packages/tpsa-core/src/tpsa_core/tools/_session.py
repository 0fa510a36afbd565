"""The algebra that a session works in where a call names none: an object of the session.

A new choice is kept beside the last one, under the next number, and from then on it counts: one
step, so that no moment and no fault leaves a session without its choice.
"""

import re
from contextlib import suppress
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tercet import (
    CallContext,
    ConflictError,
    ErrorDetail,
    InvalidInputError,
    NotFoundError,
    ObjectRegistry,
    TypeMismatchError,
)
from tpsa_core._algebra import Algebra
from tpsa_core._steps import CONSTANTS, FUNCTIONS
from tpsa_core.tools._arguments import Dimension, MaxOrder, Names
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import TaylorLimits, tool_algebra
from tpsa_core.tools._operands import wrong_count

__all__ = [
    "chosen_algebra",
    "initialize_algebra",
    "initialize_sandalwood",
]

_NAME = "session_algebra"
_NUMBERED = re.compile(rf"{_NAME}(?:\.[0-9]+)?")
# Of an object that has the name of a choice and is none, or is gone by now.
_NO_CHOICE = (NotFoundError, TypeMismatchError, ValidationError)


class _Choice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_order: int
    max_dimension: int
    names: list[str]


class AlgebraChoice(BaseModel):
    """What a session works in."""

    max_order: int
    max_dimension: int
    names: list[str] = Field(description="The names of the variables, in order.")
    message: str


@makes(idempotent=True)
async def initialize_algebra(
    context: CallContext, max_order: MaxOrder, max_dimension: Dimension, names: Names = None
) -> AlgebraChoice:
    """Choose order, number and names of the variables for calls of this session that say neither.

    May be called again with other values at any time; objects that exist stay as they are. It need
    not be called at all: dimension and max_order can be given in each call. The names hold in calls
    for as many variables. Example: {"max_order": 6, "max_dimension": 2, "names": ["x", "px"]}.
    """
    return await _choose(context, max_order, max_dimension, names)


@makes(idempotent=True)
async def initialize_sandalwood(
    context: CallContext,
    max_order: MaxOrder,
    max_dimension: Dimension,
    implementation: Annotated[
        str,
        Field(
            description="Kept for prompts that exist; there is one implementation.", max_length=40
        ),
    ] = "python",
) -> AlgebraChoice:
    """Do what initialize_algebra does, under the name that existing prompts use.

    Example: {"max_order": 4, "max_dimension": 2}.
    """
    del implementation
    return await _choose(context, max_order, max_dimension, None)


async def chosen_algebra(
    context: CallContext,
    dimension: int | None,
    max_order: int | None,
    *,
    components: int | None = 1,
) -> Algebra:
    """Give the algebra of a call: what the call names, and for the rest what the session chose.

    Args:
        context: Whose session it is.
        dimension: What the call says, if anything.
        max_order: Likewise.
        components: Of the map that is to be made; None for as many as variables.

    Raises:
        InvalidInputError: Neither the call nor the session says.
        LimitExceededError: The algebra would be too large.
    """
    choice = await _choice(context)
    if choice is not None:
        dimension = choice.max_dimension if dimension is None else dimension
        max_order = choice.max_order if max_order is None else max_order
    if dimension is None or max_order is None:
        given = (("/dimension", dimension), ("/max_order", max_order))
        raise InvalidInputError(
            "neither the call nor the session says how many variables and which order",
            hint="give dimension and max_order, or call initialize_algebra once",
            details=[
                ErrorDetail(pointer=pointer, expected="a number")
                for pointer, value in given
                if value is None
            ],
        )
    return tool_algebra(
        context.setting(TaylorLimits),
        dimension,
        max_order,
        components=dimension if components is None else components,
        # The names hold for as many variables as they were given for.
        names=choice.names if choice and len(choice.names) == dimension else (),
    )


async def _choice(context: CallContext) -> _Choice | None:
    """Give what the session chose last."""
    for name in reversed(await _numbered(context)):
        with suppress(*_NO_CHOICE):
            return _Choice.model_validate(await context.load(name, dict))
    return None


async def _numbered(context: CallContext) -> list[str]:
    """Give the objects that have the name of a choice, in the order of their numbers."""
    if context.objects is None:
        return []
    names = [handle.ref for handle in await context.objects.list(context)]
    return sorted(filter(_NUMBERED.fullmatch, names), key=_number)


def _number(name: str) -> int:
    return int(name.removeprefix(_NAME).removeprefix(".") or 0)


async def _choose(
    context: CallContext, max_order: int, max_dimension: int, names: list[str] | None
) -> AlgebraChoice:
    if names is not None:
        _check_names(names, max_dimension)
    limits = context.setting(TaylorLimits)
    algebra = tool_algebra(limits, max_dimension, max_order, names=names or ())
    names = list(algebra.names)
    choice = _Choice(max_order=max_order, max_dimension=max_dimension, names=names)
    await _keep(context, choice)
    return AlgebraChoice(
        max_order=max_order,
        max_dimension=max_dimension,
        names=names,
        message=f"This session works in {max_dimension} variables at order {max_order}.",
    )


async def _keep(context: CallContext, choice: _Choice) -> None:
    """Keep a choice, as the last step; the one before it stays until the next."""
    numbered = await _numbered(context)
    if context.objects is not None:
        await _tidy(context.objects, context, numbered)
    name = f"{_NAME}.{_number(numbered[-1]) + 1}" if numbered else _NAME
    try:
        await context.save(choice.model_dump(), name=name)
    except ConflictError as error:
        raise ConflictError(
            "another call chose the algebra of this session at the same moment",
            hint="call again, if the session is to work in this one",
        ) from error


async def _tidy(objects: ObjectRegistry, owner: CallContext, numbered: list[str]) -> None:
    """Delete all choices but the last, and no object that only has such a name."""
    choices: list[str] = []
    for name in numbered:
        with suppress(*_NO_CHOICE):
            _Choice.model_validate(await objects.get(owner, name, dict))
            choices.append(name)
    for name in choices[:-1]:
        # Gone already, or inside an atomic program, where nothing is deleted.
        with suppress(NotFoundError, ConflictError):
            await objects.delete(owner, name)


def _check_names(names: list[str], dimension: int) -> None:
    if len(names) != dimension:
        raise wrong_count("/names", names, f"{dimension} names, one for each variable")
    taken = [name for name in names if name in FUNCTIONS or name in CONSTANTS]
    if taken:
        raise InvalidInputError(
            f"{taken[0]!r} already means something in expressions",
            hint="give the variable another name",
            details=[ErrorDetail(pointer="/names", expected="free names", got=taken[0])],
        )
