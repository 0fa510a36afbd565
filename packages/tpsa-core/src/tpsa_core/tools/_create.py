"""Tools that make functions and maps from expressions."""

import json
from typing import Annotated

from pydantic import Field

from tercet import CallContext, Example, Stored, ToolError
from tpsa_core._algebra import Algebra, MultivariateTaylorFunction
from tpsa_core._errors import ShapeError, TpsaError, VariableError
from tpsa_core._expression import parse_expression
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import (
    ExpandAt,
    Expression,
    Name,
    OptionalDimension,
    OptionalOrder,
)
from tpsa_core.tools._cost import expansion
from tpsa_core.tools._declare import makes
from tpsa_core.tools._failures import blamed
from tpsa_core.tools._limits import MAX_COMPONENTS, TaylorLimits, require
from tpsa_core.tools._session import chosen_algebra

# Of an expression, so many characters are repeated in an error.
_SHOWN_CHARACTERS = 200


@makes(
    examples=[
        Example(arguments={"expression": "sqrt(2)*x1 + sin(x2)", "dimension": 2, "max_order": 5}),
        Example(
            arguments={"expression": "log(x1)", "at": {"x1": 2}, "dimension": 1, "max_order": 5}
        ),
    ],
)
async def parse_expression_to_mtf(
    context: CallContext,
    *,
    expression: Expression,
    at: ExpandAt = None,
    dimension: OptionalDimension = None,
    max_order: OptionalOrder = None,
    name: Name = None,
) -> Stored:
    """Expand an expression into a Taylor function of x1 … xN about a point and store it.

    Gives a ref and a summary: terms, constant part, norm (the largest absolute coefficient) and
    the five largest terms. Without "at" the point is the origin. Fails where a function has no
    Taylor series at the point, such as 1/x1 at the origin; the hint then suggests another point.
    Example: {"expression": "sqrt(2)*x1 + sin(x2)", "dimension": 2, "max_order": 5}.
    """
    algebra = await chosen_algebra(context, dimension, max_order)
    _afford(context, algebra, [expression], "/expression")

    def work() -> MultivariateTaylorFunction:
        try:
            return parse_expression(expression, algebra, at=at)
        except TpsaError as error:
            raise _unparsed(error, "/expression", expression) from error

    function = await context.compute(work)
    handle = await context.save(function, prefix="mtf", name=name)
    return Stored.of(handle, f"Successfully parsed expression{_about(at)}")


@makes(
    examples=[
        Example(
            arguments={
                "expressions": ["x1 + x2", "x2 - (x1 + x2)**2"],
                "dimension": 2,
                "max_order": 6,
            }
        )
    ],
)
async def create_taylor_map(
    context: CallContext,
    *,
    expressions: Annotated[
        list[Expression],
        Field(
            description="One expression in x1 … xN for each component of the map.",
            min_length=1,
            max_length=MAX_COMPONENTS,
        ),
    ],
    at: ExpandAt = None,
    dimension: OptionalDimension = None,
    max_order: OptionalOrder = None,
    name: Name = None,
) -> Stored:
    """Expand one expression for each component into a Taylor map about a point and store it.

    Gives a ref and a summary of all components. A map that is to be inverted needs as many
    expressions as variables, and no constant part. Without "at" the point is the origin; with it
    the variables are distances from the point, the components values and no distances.
    Example: {"expressions": ["x1 + x2", "x2 - (x1 + x2)**2"], "dimension": 2, "max_order": 6}.
    """
    algebra = await chosen_algebra(context, dimension, max_order, components=len(expressions))
    _afford(context, algebra, expressions, "/expressions")

    def work() -> TaylorMap:
        components: list[MultivariateTaylorFunction] = []
        for index, expression in enumerate(expressions):
            # Nobody waits for the rest once the call was withdrawn.
            context.check()
            try:
                components.append(parse_expression(expression, algebra, at=at))
            except TpsaError as error:
                raise _unparsed(error, f"/expressions/{index}", expression) from error
        return TaylorMap(components)

    taylor_map = await context.compute(work)
    handle = await context.save(taylor_map, prefix="map", name=name)
    done = f"Successfully created a map of {len(taylor_map)} components{_about(at)}"
    return Stored.of(handle, done)


def _afford(context: CallContext, algebra: Algebra, expressions: list[str], pointer: str) -> None:
    require(
        context.setting(TaylorLimits),
        expansion(algebra.dimension, expressions),
        algebra.order,
        what="the expansion",
        pointer=pointer,
        hint="use an order up to {order}",
        or_else="use shorter expressions",
    )


def _about(at: dict[str, float] | list[float] | None) -> str:
    return f" about {json.dumps(at)[:_SHOWN_CHARACTERS]}" if at else ""


def _unparsed(error: TpsaError, pointer: str, expression: str) -> ToolError:
    if isinstance(error, VariableError | ShapeError):
        return blamed(error, "/at", expected="a finite number for each variable", got=None)
    expected = "an expression with a Taylor series at the point"
    return blamed(error, pointer, expected=expected, got=expression[:_SHOWN_CHARACTERS])
