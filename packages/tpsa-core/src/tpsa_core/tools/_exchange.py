"""Tools that bring objects out of a session and into one, exactly."""

import json
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import BaseModel, Field

from tercet import CallContext, ErrorDetail, InvalidInputError, LimitExceededError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import TpsaError
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import Name
from tpsa_core.tools._declare import makes, reads
from tpsa_core.tools._limits import MAX_ORDER, TaylorLimits, tool_algebra
from tpsa_core.tools._operands import TaylorObject, load_either
from tpsa_core.tools._table_reader import read_tables
from tpsa_core.tools._tables import ROW_CHARACTERS, write_tables
from tpsa_core.tools._work import compute, make

_MOST_TEXT = 2_000_000
# In multiplications: a term that is written, and a character that is read.
_WRITING = 600
_READING = 200

Format = Literal["json", "cosy", "dace"]


class Exported(BaseModel):
    """An object as text."""

    kind: str = Field(description="mtf or taylor_map.")
    text: str = Field(description="The object; import_object reads it back exactly.")


@reads()
async def export_object(
    context: CallContext,
    ref: Annotated[str, Field(description="The ref of a function or a map.", max_length=64)],
    format: Annotated[  # noqa: A002 -- the argument's name in calls
        Format,
        Field(
            description="json, or a table in the layout of COSY INFINITY or of DACE, one for each "
            "component: number, coefficient with 17 digits, order, exponents."
        ),
    ] = "json",
) -> Exported:
    """Give a whole stored function or map as text, with every coefficient exact.

    For keeping it elsewhere; to look at it, mtf_info and taylor_map_info are shorter. A text that
    is too long for an answer is stored, and read_object gives it in parts; at most 2,000,000
    characters. Tables are of real objects. Example: {"ref": "mtf_0", "format": "dace"}.
    """
    value = await load_either(context, ref)
    functions = value.components if isinstance(value, TaylorMap) else (value,)
    kind = "taylor_map" if isinstance(value, TaylorMap) else "mtf"
    if format != "json" and any(function.is_complex for function in functions):
        raise InvalidInputError(
            f"{ref!r} is complex, and a table has one number for each term",
            hint="export it as json, or take its real_part and imag_part first",
            details=[ErrorDetail(pointer="/format", expected="json", got=format, nearest="json")],
        )
    # The least it can take, so that no text is written only to be thrown away.
    terms = sum(int((function.coefficients != 0).sum()) for function in functions)
    shortest = 2 * value.algebra.dimension if format == "json" else ROW_CHARACTERS
    _check_length(ref, terms * shortest)
    text = await compute(context, 1 + _WRITING * terms, _written, value, kind, format)
    _check_length(ref, len(text))
    return Exported(kind=kind, text=text)


@makes()
async def import_object(
    context: CallContext,
    text: Annotated[
        str,
        Field(
            description="The text that export_object gave, or tables that COSY INFINITY or DACE "
            "printed.",
            min_length=2,
            max_length=_MOST_TEXT,
        ),
    ],
    max_order: Annotated[
        int | None,
        Field(
            description="The order for tables that do not say it. Left out: that of their highest "
            "term.",
            ge=1,
            le=MAX_ORDER,
        ),
    ] = None,
    name: Name = None,
) -> Stored:
    r"""Store a function or a map from text, exactly: JSON, or tables of coefficients.

    One table is a function, several are a map. A fault is told with its line.
    Example: {"text": "{\"format\": \"tpsa-series\", \"version\": 1, \"variables\": [\"x1\"],
    \"order\": 1, \"components\": [{\"valid_order\": 1, \"type\": \"real\", \"terms\":
    [[[1], 2.0]]}]}"}.
    """
    limits, done = context.setting(TaylorLimits), "Imported the object"
    effort = _READING * len(text)
    if text.lstrip()[:1] == "{":
        return await make(context, effort, done, name, _read_json, text, limits)
    return await make(context, effort, done, name, _read_tables, text, max_order, limits)


def _written(value: TaylorObject, kind: str, style: Format) -> str:
    if style == "json":
        return value.to_json()
    functions = value.components if isinstance(value, TaylorMap) else (value,)
    return write_tables(functions, kind, style)


def _read_json(text: str, limits: TaylorLimits) -> TaylorObject:
    try:
        header: Any = json.loads(text)
        is_map = header["format"] == "tpsa-map"
        variables, order = cast("list[Any]", header["variables"]), int(header["order"])
        components = len(header["components"])
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise _unreadable(text, "it has no header of a function or a map") from error
    # Before anything is allocated: a short text may name a large algebra.
    tool_algebra(limits, max(1, len(variables)), max(0, order), components=max(1, components))
    try:
        value = (TaylorMap if is_map else MultivariateTaylorFunction).from_json(text)
    except TpsaError as error:
        raise _unreadable(text, str(error)) from error
    if not np.isfinite(value.coefficients).all():
        raise _unreadable(text, "some of its coefficients are not finite numbers")
    return value


def _read_tables(text: str, max_order: int | None, limits: TaylorLimits) -> TaylorObject:
    read = read_tables(text)
    dimension = len(read.names) or read.dimension
    if not dimension:
        raise _unreadable(text, "all is zero, and nothing says how many variables there are")
    order = read.order if read.order is not None else max_order or max(1, read.highest)
    if order < read.highest:
        raise _unreadable(text, f"there are terms of order {read.highest}, above {order}")
    try:
        algebra = tool_algebra(
            limits, dimension, order, components=len(read.tables), names=tuple(read.names)
        )
    except TpsaError as error:
        raise _unreadable(text, str(error)) from error
    functions = [
        MultivariateTaylorFunction.from_dict(algebra, {**table.terms}).truncate(
            order if table.valid_order is None else table.valid_order
        )
        for table in read.tables
    ]
    is_map = len(functions) > 1 or read.kind == "taylor_map"
    return TaylorMap(functions) if is_map else functions[0]


def _unreadable(text: str, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"the text cannot be imported: {why}",
        hint="pass the text that export_object gave, unchanged",
        details=[ErrorDetail(pointer="/text", expected="what export_object gave", got=text[:80])],
    )


def _check_length(ref: str, characters: int) -> None:
    if characters > _MOST_TEXT:
        raise LimitExceededError(
            f"{ref!r} as text takes {characters} characters or more; {_MOST_TEXT} are allowed",
            hint="export its components one by one, or truncate_object first",
        )
