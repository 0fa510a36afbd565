"""Tools that bring objects out of a session and into one, exactly."""

import json
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field

from tercet import CallContext, ErrorDetail, InvalidInputError, Stored
from tpsa_core._algebra import MultivariateTaylorFunction
from tpsa_core._errors import TpsaError
from tpsa_core._map import TaylorMap
from tpsa_core.tools._arguments import Name
from tpsa_core.tools._declare import makes, reads
from tpsa_core.tools._limits import tool_algebra
from tpsa_core.tools._operands import keep, load_either

_MOST_TEXT = 2_000_000


class Exported(BaseModel):
    """An object as text."""

    kind: str = Field(description="mtf or taylor_map.")
    text: str = Field(description="The object as JSON text; import_object reads it back exactly.")


@reads()
async def export_object(
    context: CallContext,
    ref: Annotated[str, Field(description="The ref of a function or a map.", max_length=64)],
) -> Exported:
    """Give a whole stored function or map as JSON text, exact to the last bit.

    For keeping it elsewhere; to look at it, mtf_info and taylor_map_info are shorter. A text that
    is too long for an answer is stored, and read_object gives it in parts.
    Example: {"ref": "mtf_0"}.
    """
    value = await load_either(context, ref)
    kind = "taylor_map" if isinstance(value, TaylorMap) else "mtf"
    return Exported(kind=kind, text=await context.compute(value.to_json))


@makes()
async def import_object(
    context: CallContext,
    text: Annotated[
        str,
        Field(description="The text that export_object gave.", min_length=2, max_length=_MOST_TEXT),
    ],
    name: Name = None,
) -> Stored:
    r"""Store a function or a map from the JSON text that export_object gave, exactly.

    Example: {"text": "{\"format\": \"tpsa-series\", \"version\": 1, \"variables\": [\"x1\"],
    \"order\": 1, \"components\": [{\"valid_order\": 1, \"type\": \"real\", \"terms\":
    [[[1], 2.0]]}]}"}.
    """
    value = await context.compute(_read, text)
    return await keep(context, value, "Imported the object", name)


def _read(text: str) -> MultivariateTaylorFunction | TaylorMap:
    try:
        header: Any = json.loads(text)
        is_map = header["format"] == "tpsa-map"
        variables, order = cast("list[Any]", header["variables"]), int(header["order"])
        components = len(header["components"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _unreadable(text, "it has no header of a function or a map") from error
    # Before anything is allocated: a short text may name a large algebra.
    tool_algebra(max(1, len(variables)), max(0, order), components=max(1, components))
    try:
        return (TaylorMap if is_map else MultivariateTaylorFunction).from_json(text)
    except TpsaError as error:
        raise _unreadable(text, str(error)) from error


def _unreadable(text: str, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"the text cannot be imported: {why}",
        hint="pass the text that export_object gave, unchanged",
        details=[ErrorDetail(pointer="/text", expected="what export_object gave", got=text[:80])],
    )
