"""The algebra that a session works in where a call names none: an object of the session."""

from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from tercet import (
    CallContext,
    ErrorDetail,
    InvalidInputError,
    NotFoundError,
    TypeMismatchError,
)
from tpsa_core._algebra import Algebra
from tpsa_core._steps import CONSTANTS, FUNCTIONS
from tpsa_core.tools._arguments import Dimension, MaxOrder, Names
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import TaylorLimits, tool_algebra
from tpsa_core.tools._operands import wrong_count

__all__ = [
    "SESSION_ALGEBRA",
    "chosen_algebra",
    "initialize_algebra",
    "initialize_sandalwood",
]

SESSION_ALGEBRA = "session_algebra"
"""The name of the object that holds the choice."""


class _Choice(BaseModel):
    max_order: int | None = None
    max_dimension: int | None = None
    names: list[str] = []


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
        names=choice.names if len(choice.names) == dimension else (),
    )


async def _choice(context: CallContext) -> _Choice:
    """Give what the session chose: nothing, where another object has the name of the choice."""
    try:
        return _Choice.model_validate(await context.load(SESSION_ALGEBRA, dict))
    except (NotFoundError, TypeMismatchError, ValidationError):
        return _Choice()


async def _choose(
    context: CallContext, max_order: int, max_dimension: int, names: list[str] | None
) -> AlgebraChoice:
    if names is not None:
        _check_names(names, max_dimension)
    limits = context.setting(TaylorLimits)
    algebra = tool_algebra(limits, max_dimension, max_order, names=names or ())
    if context.objects is not None:
        known = {handle.ref for handle in await context.objects.list(context)}
        if SESSION_ALGEBRA in known:
            await context.objects.delete(context, SESSION_ALGEBRA)
    names = list(algebra.names)
    choice = _Choice(max_order=max_order, max_dimension=max_dimension, names=names)
    await context.save(choice.model_dump(), name=SESSION_ALGEBRA)
    return AlgebraChoice(
        max_order=max_order,
        max_dimension=max_dimension,
        names=names,
        message=f"This session works in {max_dimension} variables at order {max_order}.",
    )


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
