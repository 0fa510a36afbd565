"""Constraints of a schema in words, for providers whose schemas cannot say them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agent_runtime._problems import quote
from agent_runtime._schema_family import Rules
from agent_runtime._validate_json_schema import PHRASES

_SILENT = {
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "readOnly",
    "title",
    "writeOnly",
}
"""Keywords that forbid nothing, and are kept or dropped by themselves."""

_LOOK_AROUND = re.compile(r"\(\?[=!<]")


def annotated(
    node: Mapping[str, Any], schema: Mapping[str, Any], hints: Iterable[str] = ()
) -> dict[str, Any]:
    """The node with the title and the description of the schema, and with hints in words."""
    described = dict(node)
    if isinstance(schema.get("title"), str):
        described["title"] = schema["title"]
    words = "; ".join(hints)
    parts = (node.get("description"), schema.get("description"), f"({words})" if words else "")
    text = " ".join(part for part in parts if isinstance(part, str) and part)
    if text:
        described["description"] = text
    return described


def constraints(
    schema: Mapping[str, Any], rules: Rules, said: Iterable[str]
) -> tuple[dict[str, Any], list[str]]:
    """The constraints that the family knows, and the others in words; `said` are done already."""
    kept: dict[str, Any] = {}
    hints: list[str] = []
    done = {*said, *_SILENT}
    for keyword, value in schema.items():
        if keyword in done:
            continue
        if keyword in rules.keywords and _is_known(keyword, value, rules):
            kept[keyword] = value
        else:
            hints.append(hint(keyword, value))
    return kept, hints


def hint(keyword: str, value: object) -> str:
    """One constraint in words."""
    if keyword == "default":
        return f"by default {quote(value)}"
    if keyword in PHRASES:
        return PHRASES[keyword].format(quote(value))
    return f"{keyword}: {quote(value)}"


def _is_known(keyword: str, value: object, rules: Rules) -> bool:
    if keyword == "format":
        return value in rules.formats
    # The engines behind the providers have no look-around, which pydantic's decimals use.
    return keyword != "pattern" or not _LOOK_AROUND.search(str(value))
