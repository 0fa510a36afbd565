"""Tools that make functions and maps from expressions."""

from typing import Annotated

from pydantic import Field

from tercet import CallContext, Example, Stored, ToolError
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import TpsaError
from tpsa_core._expression import parse_expression
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import Expression, Name, OptionalDimension, OptionalOrder
from tpsa_core.tools._declare import makes
from tpsa_core.tools._failures import blamed
from tpsa_core.tools._limits import MAX_COMPONENTS
from tpsa_core.tools._session import chosen_algebra

# Of an expression, so many characters are repeated in an error.
_SHOWN_CHARACTERS = 200


@makes(
    examples=[
        Example(arguments={"expression": "sqrt(2)*x1 + sin(x2)", "dimension": 2, "max_order": 5})
    ],
)
async def parse_expression_to_mtf(
    context: CallContext,
    expression: Expression,
    dimension: OptionalDimension = None,
    max_order: OptionalOrder = None,
    name: Name = None,
) -> Stored:
    """Expand an expression into a Taylor function of x1 … xN about zero and store it.

    Gives a ref and a summary: terms, constant part, norm (the largest absolute coefficient) and
    the five largest terms. To expand about another point write the variable as point plus
    distance: log(1 + x1). Fails where a function has no Taylor series at zero, such as 1/x1.
    Example: {"expression": "sqrt(2)*x1 + sin(x2)", "dimension": 2, "max_order": 5}.
    """
    algebra = await chosen_algebra(context, dimension, max_order)

    def work() -> MultivariateTaylorFunction:
        try:
            return parse_expression(expression, algebra)
        except TpsaError as error:
            raise _unparsed(error, "/expression", expression) from error

    function = await context.compute(work)
    handle = await context.save(function, prefix="mtf", name=name)
    return Stored.of(handle, "Successfully parsed expression")


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
    expressions: Annotated[
        list[Expression],
        Field(
            description="One expression in x1 … xN for each component of the map.",
            min_length=1,
            max_length=MAX_COMPONENTS,
        ),
    ],
    dimension: OptionalDimension = None,
    max_order: OptionalOrder = None,
    name: Name = None,
) -> Stored:
    """Expand one expression for each component into a Taylor map about zero and store it.

    Gives a ref and a summary of all components. A map that is to be inverted needs as many
    expressions as variables, and no constant part.
    Example: {"expressions": ["x1 + x2", "x2 - (x1 + x2)**2"], "dimension": 2, "max_order": 6}.
    """
    algebra = await chosen_algebra(context, dimension, max_order, components=len(expressions))

    def work() -> TaylorMap:
        components: list[MultivariateTaylorFunction] = []
        for index, expression in enumerate(expressions):
            # Nobody waits for the rest once the call was withdrawn.
            context.check()
            try:
                components.append(parse_expression(expression, algebra))
            except TpsaError as error:
                raise _unparsed(error, f"/expressions/{index}", expression) from error
        return TaylorMap(components)

    taylor_map = await context.compute(work)
    handle = await context.save(taylor_map, prefix="map", name=name)
    return Stored.of(handle, f"Successfully created a map of {len(taylor_map)} components")


def _unparsed(error: TpsaError, pointer: str, expression: str) -> ToolError:
    expected = "an expression with a Taylor series at zero"
    return blamed(error, pointer, expected=expected, got=expression[:_SHOWN_CHARACTERS])
