"""JSON Schemas of what the tools answer."""

from collections.abc import Mapping
from typing import Any

__all__ = [
    "NULLABLE_INTEGER",
    "NULLABLE_NUMBER",
    "NULLABLE_TEXT",
    "READING",
    "closed_object",
    "described",
]

NULLABLE_INTEGER = {"type": ["integer", "null"]}
NULLABLE_NUMBER = {"type": ["number", "null"]}
NULLABLE_TEXT = {"type": ["string", "null"]}


def closed_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties, all of them always there."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def described(schema: Mapping[str, Any], descriptions: Mapping[str, str]) -> dict[str, Any]:
    """The same object schema, with words for each property that has none."""
    properties: dict[str, dict[str, Any]] = {
        name: {**rules, "description": rules.get("description") or descriptions.get(name, name)}
        for name, rules in schema["properties"].items()
    }
    return {**schema, "properties": properties}


READING = closed_object(
    {
        "value": NULLABLE_NUMBER,
        "timestamp_s": NULLABLE_NUMBER,
        "age_s": NULLABLE_NUMBER,
        "sequence": {"type": "integer"},
        "quality": {"type": "string", "enum": ["good", "stale", "no_data"]},
    }
)
