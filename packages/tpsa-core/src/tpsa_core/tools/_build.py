"""Tools that take maps apart and put them together."""

from typing import Annotated

from pydantic import Field

from tercet import CallContext, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, Name, OptionalDimension, OptionalOrder
from tpsa_core.tools._cost import Cost, products
from tpsa_core.tools._declare import makes
from tpsa_core.tools._limits import MAX_COMPONENTS, MAX_ORDER, TaylorLimits, require
from tpsa_core.tools._operands import check_component, load_either
from tpsa_core.tools._session import chosen_algebra
from tpsa_core.tools._work import coefficients_of, effort_of, make


@makes()
async def identity_map(
    context: CallContext,
    dimension: OptionalDimension = None,
    max_order: OptionalOrder = None,
    name: Name = None,
) -> Stored:
    """Make and store the identity map: each component is one of the variables x1 … xN.

    Example: {"dimension": 4, "max_order": 6}.
    """
    algebra = await chosen_algebra(context, dimension, max_order, components=None)
    done = f"Made the identity map of {algebra.dimension} variables"
    effort = effort_of(Cost(coefficients=algebra.dimension * algebra.tables.size))
    return await make(context, effort, done, name, TaylorMap.identity, algebra)


@makes()
async def map_from_components(
    context: CallContext,
    mtf_refs: Annotated[
        list[Annotated[str, Field(max_length=64)]],
        Field(
            description="The refs of stored functions of one algebra, in order.",
            min_length=1,
            max_length=MAX_COMPONENTS,
        ),
    ],
    name: Name = None,
) -> Stored:
    """Put stored Taylor functions together as the components of a map, and store it.

    Example: {"mtf_refs": ["mtf_0", "mtf_1"]}.
    """
    components = [await context.load(ref, MultivariateTaylorFunction) for ref in mtf_refs]
    algebra = components[0].algebra
    cost = require(
        context.setting(TaylorLimits),
        products(algebra.dimension, len(components), 0),
        algebra.order,
        what="the map",
        pointer="/mtf_refs",
        hint="make the functions in an algebra of order {order}",
        or_else="take fewer functions",
    )
    done = "Made a map of its components"
    return await make(context, effort_of(cost), done, name, TaylorMap, components)


@makes()
async def extract_map_component(
    context: CallContext,
    map_ref: MapRef,
    index: Annotated[int, Field(description="Which component, counted from 0.", ge=0)],
    name: Name = None,
) -> Stored:
    """Store one component of a Taylor map as a function of its own.

    Example: {"map_ref": "map_0", "index": 0}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    check_component(index, taylor_map, "/index")
    component, done = taylor_map[index], f"Took component {index} of {map_ref!r}"
    effort = effort_of(Cost(coefficients=coefficients_of(component)))
    return await make(context, effort, done, name, _itself, component)


@makes()
async def truncate_object(
    context: CallContext,
    ref: Annotated[str, Field(description="The ref of a function or a map.", max_length=64)],
    order: Annotated[int, Field(description="The highest order that stays.", ge=0, le=MAX_ORDER)],
    name: Name = None,
) -> Stored:
    """Cut a Taylor function or map off above an order, and store the result.

    The object itself stays as it is. Example: {"ref": "map_0", "order": 3}.
    """
    value = await load_either(context, ref)
    if order > value.algebra.order:
        raise InvalidInputError(
            f"{ref!r} has the order {value.algebra.order}; it cannot be cut off above that",
            hint=f"use an order from 0 to {value.algebra.order}",
        )
    effort = effort_of(Cost(coefficients=coefficients_of(value)))
    done = f"Cut {ref!r} off at order {order}"
    return await make(context, effort, done, name, type(value).truncate, value, order)


def _itself(function: MultivariateTaylorFunction) -> MultivariateTaylorFunction:
    return function
