"""The algebra that a session works in where a call names none: an object of the session."""

from typing import Annotated, cast

from pydantic import BaseModel, Field

from tercet import CallContext, ErrorDetail, InvalidInputError, NotFoundError
from tpsa_core._algebra import Algebra
from tpsa_core.tools._arguments import Dimension, MaxOrder
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import tool_algebra

__all__ = [
    "SESSION_ALGEBRA",
    "chosen_algebra",
    "initialize_algebra",
    "initialize_sandalwood",
]

SESSION_ALGEBRA = "session_algebra"
"""The name of the object that holds the choice."""


class AlgebraChoice(BaseModel):
    """What a session works in."""

    max_order: int
    max_dimension: int
    message: str


@makes(idempotent=True)
async def initialize_algebra(
    context: CallContext, max_order: MaxOrder, max_dimension: Dimension
) -> AlgebraChoice:
    """Choose the order and the number of variables for calls of this session that name none.

    May be called again with other values at any time; objects that exist stay as they are. It need
    not be called at all: dimension and max_order can be given in each call.
    Example: {"max_order": 6, "max_dimension": 4}.
    """
    return await _choose(context, max_order, max_dimension)


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
    return await _choose(context, max_order, max_dimension)


async def chosen_algebra(
    context: CallContext, dimension: int | None, max_order: int | None, *, components: int = 1
) -> Algebra:
    """Give the algebra of a call: what the call names, and for the rest what the session chose.

    Raises:
        InvalidInputError: Neither the call nor the session says.
        LimitExceededError: The algebra would be too large.
    """
    if dimension is None or max_order is None:
        try:
            choice = cast("dict[str, int]", await context.load(SESSION_ALGEBRA, dict))
        except NotFoundError:
            missing = [
                pointer
                for pointer, given in (("/dimension", dimension), ("/max_order", max_order))
                if given is None
            ]
            raise InvalidInputError(
                "neither the call nor the session says how many variables and which order",
                hint="give dimension and max_order, or call initialize_algebra once",
                details=[ErrorDetail(pointer=pointer, expected="a number") for pointer in missing],
            ) from None
        dimension = choice["max_dimension"] if dimension is None else dimension
        max_order = choice["max_order"] if max_order is None else max_order
    return tool_algebra(dimension, max_order, components=components)


async def _choose(context: CallContext, max_order: int, max_dimension: int) -> AlgebraChoice:
    tool_algebra(max_dimension, max_order)
    if context.objects is not None:
        known = {handle.ref for handle in await context.objects.list(context)}
        if SESSION_ALGEBRA in known:
            await context.objects.delete(context, SESSION_ALGEBRA)
    choice = {"max_order": max_order, "max_dimension": max_dimension}
    await context.save(choice, name=SESSION_ALGEBRA)
    return AlgebraChoice(
        **choice, message=f"This session works in {max_dimension} variables at order {max_order}."
    )
