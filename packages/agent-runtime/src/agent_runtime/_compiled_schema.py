"""Schemas in the form of a family of providers, and the way back for what is sent under them."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_runtime._errors import SchemaCompilationError
from agent_runtime._schema_compiler import SchemaCompiler
from agent_runtime._schema_family import RULES, SchemaFamily
from agent_runtime._schema_restore import Restore
from agent_runtime._validate_json_schema import references

_WRAPPED = "value"
"""The one field of the object around a schema that is no plain object."""

_LOCAL = ("#/$defs/", "#/definitions/")
_UNIONS = {"allOf", "anyOf", "oneOf"}
_MAPS = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledSchema:
    """A schema for the arguments of a tool, as one family of providers takes it."""

    family: SchemaFamily
    schema: Mapping[str, Any]
    restore: Restore
    """From arguments under this schema to the arguments that they stand for under the original.
    What is not in the form of this schema is left as it is, for validation to refuse."""


def compile_schema(json_schema: Mapping[str, Any], family: SchemaFamily) -> CompiledSchema:
    """The schema in the form of a family.

    Nothing that the original allows is lost but what an object may hold besides its declared
    fields; what the form cannot forbid is said in descriptions, and forbidden by validation under
    the original.

    Args:
        json_schema: A JSON Schema, complete in itself.
        family: The family.

    Raises:
        SchemaCompilationError: If it cannot be said in this form: the message says what, and where.
    """
    if family in RULES:
        compiler = SchemaCompiler(json_schema, RULES[family])
        node, definitions, restore = compiler.compile()
    else:
        node, definitions, restore = dict(json_schema), {}, _same
        if family == "anthropic":
            node = _with_any_of(node)
    # A copy: what takes a schema may change it, and the original is the caller's.
    node, definitions = copy.deepcopy(node), copy.deepcopy(definitions)
    if _is_plain_object(node, unions=family == "generic"):
        schema = {"type": "object", **node, **({"$defs": definitions} if definitions else {})}
        return CompiledSchema(family=family, schema=schema, restore=restore)
    return _wrapped(family, node, definitions, restore)


def _wrapped(
    family: SchemaFamily,
    node: dict[str, Any],
    definitions: Mapping[str, Any],
    restore: Restore,
) -> CompiledSchema:
    inner = dict(node)
    kept = {key: inner.pop(key) for key in ("$defs", "definitions") if key in inner}
    outside = [ref for ref in references([node, definitions]) if not ref.startswith(_LOCAL)]
    if outside:
        raise SchemaCompilationError(
            f"the root of the schema is no plain object, and {outside[0]!r} is referred to: inside "
            "of an object it would lead elsewhere",
            hint="put what is referred to into $defs",
        )

    def unwrap(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        return restore(fields[_WRAPPED]) if fields.keys() == {_WRAPPED} else fields

    schema: dict[str, Any] = {
        "type": "object",
        "properties": {_WRAPPED: inner},
        "required": [_WRAPPED],
        **({} if family == "gemini" else {"additionalProperties": False}),
        **kept,
        **({"$defs": definitions} if definitions else {}),
    }
    return CompiledSchema(family=family, schema=schema, restore=unwrap)


def _is_plain_object(node: Mapping[str, Any], *, unions: bool) -> bool:
    """Whether a schema may be the root; `unions` if one beside the fields is no matter."""
    if node.get("type") != "object" and "properties" not in node:
        return False
    return unions or not node.keys() & _UNIONS


def _with_any_of(schema: Any) -> Any:
    """The schema with `anyOf` for each `oneOf`; that only one may fit is left to validation."""
    if not isinstance(cast("object", schema), dict):
        return schema
    fields = cast("dict[str, Any]", schema)
    if "oneOf" in fields and "anyOf" in fields:
        raise SchemaCompilationError("a schema has both oneOf and anyOf", hint="leave one of them")
    changed: dict[str, Any] = {}
    for keyword, value in fields.items():
        if keyword in _MAPS and isinstance(value, dict):
            parts = cast("dict[str, Any]", value)
            changed[keyword] = {name: _with_any_of(part) for name, part in parts.items()}
        elif keyword in _LISTS and isinstance(value, list):
            name = "anyOf" if keyword == "oneOf" else keyword
            changed[name] = [_with_any_of(part) for part in cast("list[Any]", value)]
        elif keyword == "discriminator":
            continue  # OpenAPI's; the constants of the alternatives say the same
        elif keyword in {"const", "default", "dependentRequired", "enum", "examples"}:
            changed[keyword] = value
        else:
            changed[keyword] = _with_any_of(value)
    return changed


def _same(value: Any) -> Any:
    return value
