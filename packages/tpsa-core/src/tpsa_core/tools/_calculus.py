"""Tools of calculus beyond the single derivative."""

from typing import Annotated

from pydantic import Field

from tercet import CallContext, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MtfRef, Name
from tpsa_core.tools._cost import Cost, products
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import MAX_DIMENSION, TaylorLimits, require
from tpsa_core.tools._operands import afford, check_variable
from tpsa_core.tools._work import coefficients_of, effort_of, make

_Limit = Annotated[float | None, Field(description="For a definite integral: give both limits.")]


@makes()
async def compute_gradient(context: CallContext, mtf_ref: MtfRef, name: Name = None) -> Stored:
    """Compute and store the gradient of a Taylor function: a map of its first derivatives.

    The map has one component for each variable and is valid to one order less than the function.
    Example: {"mtf_ref": "mtf_0"}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    dimension = function.algebra.dimension
    cost = require(
        context.setting(TaylorLimits),
        products(dimension, dimension, 0),
        function.algebra.order,
        what=f"the gradient of {mtf_ref!r}",
        pointer="/mtf_ref",
        hint="make the function in an algebra of order {order}",
    )
    done = f"Computed the gradient of {mtf_ref!r}"
    return await make(context, effort_of(cost), done, name, _gradient, function)


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
    dimension = first.algebra.dimension
    pairs = [(i, i + 1) for i in range(0, dimension - 1, 2)]
    what = f"the bracket of {mtf_ref_1!r} and {mtf_ref_2!r}"
    cost = afford(
        context,
        products(dimension, 1, dimension),
        min(first.valid_order, second.valid_order),
        what,
        "/mtf_ref_1",
    )
    done = f"Computed the bracket of {mtf_ref_1} and {mtf_ref_2}"
    return await make(context, effort_of(cost), done, name, _bracket, first, second, pairs)


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
    position = check_variable(var_index, function.algebra.dimension)
    limits = None if lower_limit is None or upper_limit is None else (lower_limit, upper_limit)
    effort = effort_of(Cost(coefficients=coefficients_of(function)))
    done = f"Integrated {mtf_ref!r} over x{var_index}"
    return await make(context, effort, done, name, _integral, function, position, limits)


def _gradient(function: MultivariateTaylorFunction) -> TaylorMap:
    return TaylorMap([function.derivative(i) for i in range(function.algebra.dimension)])


def _bracket(
    first: MultivariateTaylorFunction,
    second: MultivariateTaylorFunction,
    pairs: list[tuple[int, int]],
) -> MultivariateTaylorFunction:
    return first.poisson_bracket(second, pairs=pairs)


def _integral(
    function: MultivariateTaylorFunction, position: int, limits: tuple[float, float] | None
) -> MultivariateTaylorFunction:
    if limits is None:
        return function.antiderivative(position)
    return function.integral(position, *limits)
