"""What a value that does not fit can be read as, where its schema wants something else.

A reading is taken only if it is the only one. A value of a kind that the schema does allow is
wrong rather than misread, and is left for the model to correct.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_runtime._json_text import decoded, number
from agent_runtime._schema_forms import Form, SchemaForms, kind_of

_NOTHING = {"", "null", "None"}
_BOOLEANS = {"true": True, "false": False}

_SEVERAL = re.compile(r"[,;|&\n\t]|^\s*[\[{`]|\s(and|or)\s", re.IGNORECASE)
"""Text that may be several items, or a list that was written badly."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a value can be read as."""

    value: Any


def only_reading(
    value: object, forms: Sequence[Form], schema: SchemaForms, *, in_list: bool
) -> Reading | None:
    """The one reading of `value`; None if there is none, or more than one.

    Args:
        value: What does not fit.
        forms: The forms that it may have.
        schema: Where they are from.
        in_list: Whether the value is an item of a list. A single item is then not made a list:
            it could as well be a part of one list as a list of its own.
    """
    if kind_of(value) in {_broad(form.kind) for form in forms if form.is_open}:
        return None
    if any(form.choices is not None and schema.fits(value, form) for form in forms):
        return None  # it is wrong for what stands beside it
    found: list[Reading] = []
    for form in forms:
        for reading in _readings(value, form, schema, in_list=in_list):
            if not any(_same(reading, other) for other in found):
                found.append(reading)
    return found[0] if len(found) == 1 else None


def _readings(
    value: object, form: Form, schema: SchemaForms, *, in_list: bool
) -> Iterator[Reading]:
    if isinstance(value, str):
        for reading in _of_text(value, form):
            if form.kind in {"array", "object"} or schema.fits(reading.value, form):
                yield reading
    if form.kind == "array" and not in_list and (item := _single(value)) is not None:
        items = form.schema.get("items")
        if isinstance(items, Mapping) and items and schema.fits([item.value], form):
            yield Reading([item.value])


def _of_text(text: str, form: Form) -> Iterator[Reading]:
    match form.kind:
        case "null" if text in _NOTHING - {""}:
            yield Reading(None)
        case "boolean" if (flag := _BOOLEANS.get(text.lower())) is not None:
            yield Reading(flag)
        case "integer" | "number" if (amount := number(text)) is not None:
            yield Reading(amount)
        case "object" | "array":
            whole = decoded(text)
            if whole is not None and kind_of(whole) == form.kind:
                yield Reading(whole)
        case "string":
            for choice in form.choices or ():
                if isinstance(choice, str) and choice.casefold() == text.casefold():
                    yield Reading(choice)
        case _:
            pass


def _single(value: object) -> Reading | None:
    """The one item that a value outside of a list is; None if it may be none, or several."""
    if isinstance(value, str):
        whole = decoded(value)
        if isinstance(whole, dict):
            return Reading(whole)
        return None if value.strip() in _NOTHING or _SEVERAL.search(value) else Reading(value)
    return None if value is None or isinstance(value, list) else Reading(value)


def _broad(kind: str) -> str:
    return "number" if kind == "integer" else kind


def _same(one: Reading, other: Reading) -> bool:
    return type(one.value) is type(other.value) and one.value == other.value
