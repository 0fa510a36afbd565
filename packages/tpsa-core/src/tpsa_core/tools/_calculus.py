"""Tools of calculus beyond the single derivative."""

from typing import Annotated

from pydantic import Field

from tercet import CallContext, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MtfRef, Name
from tpsa_core.tools._declare import makes
from tpsa_core.tools._failures import quietly
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import check_variable, keep

_Limit = Annotated[float | None, Field(description="For a definite integral: give both limits.")]


@makes()
async def compute_gradient(context: CallContext, mtf_ref: MtfRef, name: Name = None) -> Stored:
    """Compute and store the gradient of a Taylor function: a map of its first derivatives.

    The map has one component for each variable and is valid to one order less than the function.
    Example: {"mtf_ref": "mtf_0"}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)

    def work() -> TaylorMap:
        positions = range(function.algebra.dimension)
        return TaylorMap([function.derivative(position) for position in positions])

    result = await context.compute(quietly, work)
    return await keep(context, result, f"Computed the gradient of {mtf_ref!r}", name)


@makes()
async def compute_poisson_bracket(
    context: CallContext, mtf_ref_1: MtfRef, mtf_ref_2: MtfRef, name: Name = None
) -> Stored:
    """Compute and store the Poisson bracket [f, g] of two Taylor functions.

    The variables are pairs of a position and its momentum, in order: (x1, x2), (x3, x4), …; with an
    odd number the last is a parameter. The bracket is the sum over the pairs of df/dq dg/dp minus
    df/dp dg/dq, valid to one order less.
    Example: {"mtf_ref_1": "mtf_0", "mtf_ref_2": "mtf_1"}.
    """
    first = await context.load(mtf_ref_1, MultivariateTaylorFunction)
    second = await context.load(mtf_ref_2, MultivariateTaylorFunction)
    pairs = [(i, i + 1) for i in range(0, first.algebra.dimension - 1, 2)]

    def work() -> MultivariateTaylorFunction:
        return first.poisson_bracket(second, pairs=pairs)

    result = await context.compute(quietly, work)
    return await keep(context, result, f"Computed the bracket of {mtf_ref_1} and {mtf_ref_2}", name)


@makes()
async def integrate_mtf(
    context: CallContext,
    *,
    mtf_ref: MtfRef,
    var_index: Annotated[
        int, Field(description="Which variable: 1 for x1, 2 for x2, …", ge=1, le=MAX_DIMENSION)
    ],
    lower_limit: _Limit = None,
    upper_limit: _Limit = None,
    name: Name = None,
) -> Stored:
    """Integrate a Taylor function over one variable, and store the result.

    Without limits: the integral from zero, whose terms beyond the order are cut off. With both: the
    definite integral, which no longer depends on that variable.
    Example: {"mtf_ref": "mtf_0", "var_index": 1, "lower_limit": 0, "upper_limit": 1}.
    """
    if (lower_limit is None) != (upper_limit is None):
        raise InvalidInputError(
            "one limit of the integral is given without the other",
            hint="give both limits, or neither",
        )
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    algebra = function.algebra
    position = check_variable(var_index, algebra.dimension)

    def work() -> MultivariateTaylorFunction:
        integral = _raised(function).antiderivative(position)
        if lower_limit is None or upper_limit is None:
            return algebra.convert(integral)
        return algebra.convert(_at(integral, position, upper_limit)) - algebra.convert(
            _at(integral, position, lower_limit)
        )

    result = await context.compute(quietly, work)
    return await keep(context, result, f"Integrated {mtf_ref!r} over x{var_index}", name)


def _raised(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    """Give the function in an algebra of one order more, where its integral is whole."""
    algebra = type(function.algebra)(*function.algebra.names, order=function.algebra.order + 1)
    raised = algebra.convert(function)
    # As a polynomial it is known to every order.
    return MultivariateTaylorFunction(algebra, raised.coefficients)


def _at(
    function: MultivariateTaylorFunction, position: int, value: float
) -> MultivariateTaylorFunction:
    if function.algebra.dimension == 1:
        return function.algebra.constant(function(value))
    inner: list[MultivariateTaylorFunction | float] = list(function.algebra.variables())
    inner[position] = value
    return function.compose(inner)
