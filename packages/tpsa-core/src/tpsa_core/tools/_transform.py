"""Tools that make new objects of stored ones."""

from typing import Annotated

from pydantic import Field

from tercet import CallContext, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Name
from tpsa_core.tools._cost import Cost, inversion
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import afford, check_variable
from tpsa_core.tools._work import coefficients_of, effort_of, make


@makes()
async def invert_taylor_map(context: CallContext, map_ref: MapRef, name: Name = None) -> Stored:
    """Compute and store the inverse of a Taylor map: the map that undoes it, as a power series.

    The map needs as many components as variables, no constant part, and a linear part of full
    rank, judged by its condition number and not by its scale. The inverse has the same order.
    Example: {"map_ref": "map_0"}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    estimate = inversion(taylor_map.algebra.dimension)
    what = f"the inverse of {map_ref!r}"
    cost = afford(context, estimate, taylor_map.valid_order, what, "/map_ref")
    done = f"Successfully inverted {map_ref!r}"
    return await make(context, effort_of(cost), done, name, TaylorMap.inverse, taylor_map)


@makes()
async def compute_partial_derivative(
    context: CallContext,
    mtf_ref: MtfRef,
    var_index: Annotated[
        int,
        Field(description="Which variable: 1 for x1, 2 for x2, …", ge=1, le=MAX_DIMENSION),
    ],
    name: Name = None,
) -> Stored:
    """Compute and store the first derivative of a Taylor function by one variable.

    The derivative is valid to one order less than the function; call again for higher derivatives.
    Example: {"mtf_ref": "mtf_0", "var_index": 1}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    position = check_variable(var_index, function.algebra.dimension)
    effort = effort_of(Cost(coefficients=coefficients_of(function)))
    done = f"Successfully differentiated {mtf_ref!r} by x{var_index}"
    differentiate = MultivariateTaylorFunction.derivative
    return await make(context, effort, done, name, differentiate, function, position)
