"""Tools that read coefficients: one, the largest, or page by page."""

from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, Field

from tercet import CallContext
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._map import TaylorMap
from tpsa_core._series import Term
from tpsa_core.tools._arguments import MapRef, MtfRef, Number
from tpsa_core.tools._declare import reads
from tpsa_core.tools._limits import MAX_DIMENSION
from tpsa_core.tools._operands import check_component, wrong_count
from tpsa_core.tools._summary import json_number, json_term, map_summary
from tpsa_core.tools._work import coefficients_of, compute

# In multiplications, of each coefficient: to find those that are not zero, and to sort them.
_LOOKING = 2
_SORTING = 40

Offset = Annotated[int, Field(description="How many terms to skip.", ge=0)]
Limit = Annotated[int, Field(description="How many terms to give at most.", ge=1, le=200)]


class Coefficient(BaseModel):
    """One coefficient."""

    exponents: list[int]
    coefficient: Number


class TermPage(BaseModel):
    """Terms of a function."""

    variables: list[str]
    order: int
    valid_order: int = Field(description="The order to which the coefficients are known.")
    terms: list[dict[str, Any]] = Field(description="Coefficient and exponents of each term.")
    total: int = Field(description="How many terms are not zero.")
    next_offset: int | None = Field(description="Where the next page begins; null: no more.")


class MapPage(BaseModel):
    """A map, and terms of one of its components."""

    summary: dict[str, Any]
    component: int
    page: TermPage


@reads()
async def get_mtf_coefficient(
    context: CallContext,
    mtf_ref: MtfRef,
    exponents: Annotated[
        list[Annotated[int, Field(ge=0)]],
        Field(
            description="One exponent for each variable: [2, 1] is the coefficient of x1**2*x2.",
            min_length=1,
            max_length=MAX_DIMENSION,
        ),
    ],
) -> Coefficient:
    """Give one coefficient of a stored Taylor function.

    Example: {"mtf_ref": "mtf_0", "exponents": [2, 1]}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    dimension = function.algebra.dimension
    if len(exponents) != dimension:
        raise wrong_count("/exponents", exponents, f"{dimension} exponents, one for each variable")
    return Coefficient(exponents=exponents, coefficient=json_number(function[tuple(exponents)]))


@reads()
async def get_top_terms(context: CallContext, mtf_ref: MtfRef, limit: Limit = 10) -> TermPage:
    """Give the terms of a stored Taylor function with the largest coefficients, largest first.

    Example: {"mtf_ref": "mtf_0", "limit": 5}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    return await compute(context, _SORTING * coefficients_of(function), _top_page, function, limit)


@reads()
async def mtf_info(
    context: CallContext, mtf_ref: MtfRef, offset: Offset = 0, limit: Limit = 50
) -> TermPage:
    """Give the terms of a stored Taylor function page by page, lowest order first.

    Example: {"mtf_ref": "mtf_0"}.
    """
    function = await context.load(mtf_ref, MultivariateTaylorFunction)
    effort = _LOOKING * coefficients_of(function)
    return await compute(context, effort, _graded_page, function, offset, limit)


@reads()
async def taylor_map_info(
    context: CallContext,
    map_ref: MapRef,
    component: Annotated[int, Field(description="Which component, counted from 0.", ge=0)] = 0,
    offset: Offset = 0,
    limit: Limit = 50,
) -> MapPage:
    """Give a summary of a stored Taylor map, and the terms of one component page by page.

    Example: {"map_ref": "map_0", "component": 1}.
    """
    taylor_map = await context.load(map_ref, TaylorMap)
    check_component(component, taylor_map, "/component")
    effort = _SORTING * coefficients_of(taylor_map)
    return await compute(context, effort, _map_page, taylor_map, component, offset, limit)


def _map_page(taylor_map: TaylorMap, component: int, offset: int, limit: int) -> MapPage:
    return MapPage(
        summary=map_summary(taylor_map),
        component=component,
        page=_graded_page(taylor_map[component], offset, limit),
    )


def _top_page(function: MultivariateTaylorFunction, limit: int) -> TermPage:
    return _page(function, function.terms(limit), 0, last=True)


def _graded_page(function: MultivariateTaylorFunction, offset: int, limit: int) -> TermPage:
    # The coefficients are in graded order already.
    coefficients = function.coefficients
    places = np.flatnonzero(coefficients)[offset : offset + limit]
    exponents = map(tuple, function.algebra.exponents[places].tolist())
    values = coefficients[places].tolist()
    terms = [
        Term(value, sum(powers), powers) for value, powers in zip(values, exponents, strict=True)
    ]
    return _page(function, terms, offset)


def _page(
    function: MultivariateTaylorFunction, terms: list[Term], offset: int, *, last: bool = False
) -> TermPage:
    total = int((function.coefficients != 0).sum())
    end = offset + len(terms)
    return TermPage(
        variables=list(function.algebra.names),
        order=function.algebra.order,
        valid_order=function.valid_order,
        terms=[json_term(term) for term in terms],
        total=total,
        next_offset=end if end < total and not last else None,
    )
