"""Tools that compute with functions: the four operations, powers, elementary functions."""

import math
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import Field

from tercet import CallContext, ErrorDetail, InvalidInputError, NotFoundError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._functions import SERIES_FUNCTIONS
from tpsa_core.tools._arguments import MtfRef, Name
from tpsa_core.tools._cost import FUNCTION_PRODUCTS, POWER_PRODUCTS, Cost, products
from tpsa_core.tools._declare import makes
from tpsa_core.tools._operands import afford
from tpsa_core.tools._work import coefficients_of, effort_of, make

_MOST_POWER = 1000

_Part: TypeAlias = Literal["conjugate", "real_part", "imag_part"]
_Value: TypeAlias = MultivariateTaylorFunction | float | complex

Operand = Annotated[
    str | float,
    Field(
        description=(
            "The ref of a stored Taylor function, such as mtf_0, or a number; a number may also be "
            "given as text, such as '2.5' or '1+2j'."
        )
    ),
]
FunctionName = Annotated[
    str,
    Field(
        description="The function: " + ", ".join(sorted(SERIES_FUNCTIONS)) + ". Angles in radians.",
        json_schema_extra={"enum": [*sorted(SERIES_FUNCTIONS)]},
    ),
]


@makes()
async def perform_mtf_arithmetic(
    context: CallContext,
    op: Annotated[Literal["+", "-", "*", "/", "**"], Field(description="The operation.")],
    mtf_ref_1: Operand,
    mtf_ref_2: Operand,
    name: Name = None,
) -> Stored:
    """Compute and store one arithmetic operation on Taylor functions, or on one and a number.

    At least one operand is a stored function; two functions need the same variables and order.
    A division needs a divisor with a constant part other than zero. Integer powers (up to 1000 in
    size) are exact products; other powers need a positive constant part.
    Example: {"op": "**", "mtf_ref_1": "mtf_0", "mtf_ref_2": 2}.
    """
    left = await _operand(context, mtf_ref_1)
    right = await _operand(context, mtf_ref_2)
    if not isinstance(left, MultivariateTaylorFunction) and not isinstance(
        right, MultivariateTaylorFunction
    ):
        raise InvalidInputError(
            "both operands are numbers",
            hint="give the ref of a stored function for one of them",
            details=[
                ErrorDetail(pointer="/mtf_ref_1", expected="the ref of a function", got=mtf_ref_1)
            ],
        )
    if op == "**" and isinstance(right, int | float) and abs(right) > _MOST_POWER:
        raise InvalidInputError(
            f"the power {right:g} is beyond ±{_MOST_POWER}",
            hint=f"use a power from -{_MOST_POWER} to {_MOST_POWER}",
            details=[
                ErrorDetail(
                    pointer="/mtf_ref_2",
                    expected=f"from -{_MOST_POWER} to {_MOST_POWER}",
                    got=right,
                    nearest=math.copysign(_MOST_POWER, right),
                )
            ],
        )
    effort, done = _afford(context, op, left, right), f"Computed {mtf_ref_1} {op} {mtf_ref_2}"
    return await make(context, effort, done, name, _calculated, op, left, right)


@makes()
async def apply_function(
    context: CallContext, function: FunctionName, mtf_ref: MtfRef, name: Name = None
) -> Stored:
    """Apply an elementary function to a stored Taylor function and store the result.

    The constant part has to lie where the function has a Taylor series: log and sqrt need it
    positive, asin and acos between -1 and 1, reciprocal other than zero.
    Example: {"function": "exp", "mtf_ref": "mtf_0"}.
    """
    argument = await context.load(mtf_ref, MultivariateTaylorFunction)
    algebra = argument.algebra
    # Horner's scheme takes one product an order, and no function takes more.
    estimate = products(algebra.dimension, 1, FUNCTION_PRODUCTS + algebra.order)
    what = f"{function} of {mtf_ref!r}"
    effort = effort_of(afford(context, estimate, argument.valid_order, what, "/mtf_ref"))
    return await make(context, effort, f"Computed {what}", name, _applied, function, argument)


@makes()
async def perform_complex_operation(
    context: CallContext,
    op: Annotated[_Part, Field(description="The operation.")],
    mtf_ref: MtfRef,
    name: Name = None,
) -> Stored:
    """Compute and store the conjugate, the real part or the imaginary part of a function.

    The operation acts on the coefficients: the variables count as real.
    Example: {"op": "real_part", "mtf_ref": "mtf_0"}.
    """
    value = await context.load(mtf_ref, MultivariateTaylorFunction)
    effort = effort_of(Cost(coefficients=coefficients_of(value)))
    return await make(context, effort, f"Computed the {op} of {mtf_ref!r}", name, _part, op, value)


def _afford(context: CallContext, op: str, left: _Value, right: _Value) -> int:
    functions = [f for f in (left, right) if isinstance(f, MultivariateTaylorFunction)]
    count = POWER_PRODUCTS if op == "**" else int(op in {"*", "/"})
    order = min(function.valid_order for function in functions)
    estimate = products(functions[0].algebra.dimension, 1, count)
    return effort_of(afford(context, estimate, order, f"the result of {op}", "/mtf_ref_1"))


def _applied(name: str, argument: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    return argument.mapped(SERIES_FUNCTIONS[name])


def _part(op: _Part, value: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    match op:
        case "conjugate":
            return value.conjugate()
        case "real_part":
            return value.real
        case "imag_part":
            return value.imag


def _calculated(op: str, left: _Value, right: _Value) -> MultivariateTaylorFunction:
    # At least one is a function, and with it the result.
    match op:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/":
            result = left / right
        case _:
            result = left**right
    return cast("MultivariateTaylorFunction", result)


async def _operand(context: CallContext, given: str | float) -> _Value:
    if not isinstance(given, str):
        return given
    try:
        return await context.load(given, MultivariateTaylorFunction)
    except NotFoundError:
        # A name is looked for first, so that no object can be hidden by looking like a number.
        number = _number(given)
        if number is None:
            raise
        return number


def _number(text: str) -> float | complex | None:
    try:
        value = complex(text.replace(" ", "").replace("i", "j"))
    except ValueError:
        return None
    if not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return None
    return value if value.imag else value.real
