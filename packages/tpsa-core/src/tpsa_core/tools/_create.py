"""Tools that make functions and maps from expressions."""

import json
from typing import Annotated, TypeAlias

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
from tpsa_core.tools._cost import Cost, expansion
from tpsa_core.tools._declare import makes
from tpsa_core.tools._failures import blamed
from tpsa_core.tools._limits import MAX_COMPONENTS, TaylorLimits, require
from tpsa_core.tools._session import chosen_algebra
from tpsa_core.tools._work import TaylorWork, compute, effort_of, make, portions

# Of an expression, so many characters are repeated in an error.
_SHOWN_CHARACTERS = 200
# In multiplications: a character that is read, and the little that is done for it.
_READING = 400

_At: TypeAlias = dict[str, float] | list[float] | None


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
    effort = _afford(context, algebra, [expression], "/expression")
    done = f"Successfully parsed expression{_about(at)}"
    where = (("/expression", expression),)
    return await make(context, effort, done, name, _expanded_alone, where, algebra, at)


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
    effort, count = _afford(context, algebra, expressions, "/expressions"), len(expressions)
    where = tuple((f"/expressions/{i}", text) for i, text in enumerate(expressions))
    at_once = max(1, count * context.setting(TaylorWork).portion // effort)
    components: list[MultivariateTaylorFunction] = []
    for portion in portions(where, at_once):
        share = effort * len(portion) // count
        components += await compute(context, share, _expanded, portion, algebra, at)
        if at_once < count:
            await context.report(len(components), count, "components expanded")
    keeping = effort_of(Cost(coefficients=count * algebra.tables.size))
    done = f"Successfully created a map of {count} components{_about(at)}"
    return await make(context, keeping, done, name, TaylorMap, components)


def _expanded(
    where: tuple[tuple[str, str], ...], algebra: Algebra, at: _At
) -> list[MultivariateTaylorFunction]:
    """Expand texts, each with the pointer to the argument that it is."""
    functions: list[MultivariateTaylorFunction] = []
    for pointer, text in where:
        try:
            functions.append(parse_expression(text, algebra, at=at))
        except TpsaError as error:
            raise _unparsed(error, pointer, text) from error
    return functions


def _expanded_alone(
    where: tuple[tuple[str, str], ...], algebra: Algebra, at: _At
) -> MultivariateTaylorFunction:
    return _expanded(where, algebra, at)[0]


def _afford(context: CallContext, algebra: Algebra, expressions: list[str], pointer: str) -> int:
    cost = require(
        context.setting(TaylorLimits),
        expansion(algebra.dimension, expressions),
        algebra.order,
        what="the expansion",
        pointer=pointer,
        hint="use an order up to {order}",
        or_else="use shorter expressions",
    )
    return effort_of(cost) + _READING * sum(map(len, expressions))


def _about(at: _At) -> str:
    return f" about {json.dumps(at)[:_SHOWN_CHARACTERS]}" if at else ""


def _unparsed(error: TpsaError, pointer: str, expression: str) -> ToolError:
    if isinstance(error, VariableError | ShapeError):
        return blamed(error, "/at", expected="a finite number for each variable", got=None)
    expected = "an expression with a Taylor series at the point"
    return blamed(error, pointer, expected=expected, got=expression[:_SHOWN_CHARACTERS])
