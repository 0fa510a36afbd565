"""Tools that put functions into one another, and numbers for variables."""

from typing import Annotated

from pydantic import BaseModel, Field

from tercet import CallContext, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import MapRef, MtfRef, Name, Number
from tpsa_core.tools._cost import Cost, composition
from tpsa_core.tools._declare import makes
from tpsa_core.tools._evaluate import json_value
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import afford, check_variable, highest_order
from tpsa_core.tools._work import coefficients_of, compute, effort_of, make

_Index = Annotated[str, Field(pattern=r"^[1-9][0-9]?$")]


class Substituted(BaseModel):
    """A map with numbers for some of its variables, or its values where all have one."""

    ref: str | None = Field(description="The stored map; null where all variables have a value.")
    message: str
    values: list[Number] | None = Field(
        description="The values of the components; null where variables are left."
    )


@makes()
async def compose_taylor_maps(
    context: CallContext,
    map_ref_1: MapRef,
    map_ref_2: MapRef,
    name: Name = None,
) -> Stored:
    """Compute and store the composition: first the map map_ref_2, then the map map_ref_1.

    The inner map (map_ref_2) needs one component for each variable of the outer one. A constant
    part of the inner map is allowed; the outer map is then taken as a polynomial, exact only if it
    has no terms beyond its order. Example: {"map_ref_1": "map_1", "map_ref_2": "map_0"}.
    """
    outer = await context.load(map_ref_1, TaylorMap)
    inner = await context.load(map_ref_2, TaylorMap)
    estimate = composition(outer.algebra.dimension, inner.algebra.dimension, len(outer))
    what = f"{map_ref_1!r} after {map_ref_2!r}"
    order = min(highest_order(outer), inner.valid_order)
    effort = effort_of(afford(context, estimate, order, what, "/map_ref_1"))
    return await make(context, effort, f"Composed {what}", name, TaylorMap.compose, outer, inner)


@makes()
async def compose_mtfs(
    context: CallContext,
    mtf_ref: MtfRef,
    inner_mtf_refs: Annotated[
        dict[_Index, str],
        Field(
            description=(
                "Which stored function stands for which variable: the index of the variable as "
                "text, from '1', and a ref. Variables that are left out stay as they are."
            ),
            min_length=1,
            max_length=MAX_DIMENSION,
        ),
    ],
    name: Name = None,
) -> Stored:
    """Replace variables of a Taylor function by other functions, and store the result.

    The inner functions belong to one algebra. Where variables are left out, that algebra has to
    have them too. Example: {"mtf_ref": "mtf_0", "inner_mtf_refs": {"1": "mtf_1"}}.
    """
    outer = await context.load(mtf_ref, MultivariateTaylorFunction)
    dimension = outer.algebra.dimension
    given = {
        check_variable(int(index), dimension, "/inner_mtf_refs"): await context.load(
            ref, MultivariateTaylorFunction
        )
        for index, ref in inner_mtf_refs.items()
    }
    inside = next(iter(given.values())).algebra
    if len(given) < dimension and inside.dimension != dimension:
        raise InvalidInputError(
            f"variables stay as they are, but the inner functions have {inside.dimension} "
            f"variables and not {dimension}",
            hint="give a function for every variable",
        )
    what = f"the composition of {mtf_ref!r}"
    order = min(outer.valid_order, *(function.valid_order for function in given.values()))
    estimate = composition(dimension, inside.dimension, 1)
    effort = effort_of(afford(context, estimate, order, what, "/mtf_ref"))
    inner = [given.get(i) or inside.variable(i) for i in range(dimension)]
    compose, done = MultivariateTaylorFunction.compose, f"Composed {mtf_ref!r}"
    return await make(context, effort, done, name, compose, outer, inner)


@makes()
async def substitute_variable_in_mtf(
    context: CallContext,
    mtf_ref: MtfRef,
    var_index: Annotated[
        int, Field(description="Which variable: 1 for x1, 2 for x2, …", ge=1, le=MAX_DIMENSION)
    ],
    value: Annotated[float, Field(description="The number that stands for it.")],
    name: Name = None,
) -> Stored:
    """Put a number for one variable of a Taylor function, and store the result.

    The result has the same variables and no longer depends on this one. It is exact only if the
    function has no terms beyond its order. Example: {"mtf_ref": "mtf_0", "var_index": 2,
    "value": 0.5}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    position = check_variable(var_index, function.algebra.dimension)
    substitute, done = MultivariateTaylorFunction.substitute, f"Put {value:g} for x{var_index} in"
    return await make(
        context,
        effort_of(Cost(coefficients=coefficients_of(function))),
        f"{done} {mtf_ref!r}",
        name,
        substitute,
        function,
        {position: value},
    )


@makes()
async def substitute_in_taylor_map(
    context: CallContext,
    map_ref: MapRef,
    variable_map: Annotated[
        dict[_Index, float],
        Field(
            description="The index of each variable as text, from '1', and the number for it.",
            min_length=1,
            max_length=MAX_DIMENSION,
        ),
    ],
    name: Name = None,
) -> Substituted:
    """Put numbers for variables of a Taylor map.

    With numbers for some variables the result is a stored map that no longer depends on them; with
    numbers for all, the values of the components.
    Example: {"map_ref": "map_0", "variable_map": {"1": 0.1}}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    dimension = taylor_map.algebra.dimension
    given = {
        check_variable(int(index), dimension, "/variable_map"): value
        for index, value in variable_map.items()
    }
    if len(given) == dimension:
        point = [given[i] for i in range(dimension)]
        effort = coefficients_of(taylor_map)
        values = await compute(context, effort, TaylorMap.evaluate, taylor_map, point)
        return Substituted(
            ref=None,
            message=f"Evaluated {map_ref!r}: every variable has a number.",
            values=[json_value(value) for value in values.tolist()],
        )
    effort = effort_of(Cost(coefficients=coefficients_of(taylor_map)))
    done = f"Put numbers into {map_ref!r}"
    kept = await make(context, effort, done, name, TaylorMap.substitute, taylor_map, given)
    return Substituted(ref=kept.ref, message=kept.message, values=None)
