"""Rewrites a JSON Schema for providers that know a part of it, node by node.

Each node gives its new form and, where that changes the form of values, the way back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Never, cast
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from referencing import Registry

from agent_runtime._errors import SchemaCompilationError
from agent_runtime._problems import pointer, quote, unescaped
from agent_runtime._schema_family import Rules
from agent_runtime._schema_forms import kind_of
from agent_runtime._schema_hints import annotated, constraints
from agent_runtime._schema_restore import (
    Restore,
    restore_fields,
    restore_items,
    restore_one_of,
    restore_pairs,
)

Path = tuple[str | int, ...]
Node = tuple[dict[str, Any], Restore | None]
"""The new form of a schema, and the way back for values; None if they keep their form."""

_NULL: dict[str, Any] = {"type": "null"}
_ANNOTATIONS = {"default", "description", "examples", "title"}
_UNUSUAL = re.compile(r"[^\w.-]", re.ASCII)
_MOST_NODES = 10_000
"""How large a schema may become where references are replaced by what they refer to."""


class SchemaCompiler:
    """Compiles one schema."""

    def __init__(self, root: Mapping[str, Any], rules: Rules) -> None:
        self._root = root
        self._rules = rules
        registry: Registry[Any] = Registry()
        # Its methods are typed by JSON types that our mappings do not name.
        self._original: Any = Draft202012Validator(root, registry=registry)
        self._names: dict[str, str] = {}
        self._definitions: dict[str, dict[str, Any]] = {}
        self._restores: dict[str, Restore | None] = {}
        self._inside: list[str] = []
        self._nodes = 0

    def compile(self) -> tuple[dict[str, Any], dict[str, Any], Restore]:
        """The root, the definitions that it refers to, and the way back.

        Raises:
            SchemaCompilationError: If the schema cannot be said in this form.
        """
        node, restore = self._node(self._root, ())
        return node, self._definitions, restore or (lambda value: value)

    def _node(self, schema: object, path: Path) -> Node:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            self._refuse(path, "becomes too large without references")
        if not isinstance(schema, Mapping) or not schema:
            self._refuse(path, "says nothing of what is wanted")
        fields = cast("Mapping[str, Any]", schema)
        for keyword, compiled in (
            ("$ref", self._reference),
            ("anyOf", self._union),
            ("oneOf", self._union),
            ("allOf", self._all_of),
            ("const", self._choices),
            ("enum", self._choices),
        ):
            if keyword in fields:
                return compiled(fields, path)
        return self._typed(fields, path)

    def _typed(self, schema: Mapping[str, Any], path: Path) -> Node:
        kinds = schema.get("type", _implied(schema))
        if isinstance(kinds, list):
            bare = {key: part for key, part in schema.items() if key not in _ANNOTATIONS}
            forms = [{**bare, "type": kind} for kind in cast("list[str]", kinds)]
            node, restore = self._either(forms, path)
            _, hints = constraints(schema, self._rules, schema.keys() - {"default", "examples"})
            return annotated(node, schema, hints), restore
        if kinds is None:
            self._refuse(path, "has no type")
        if kinds == "object":
            return self._object(schema, path)
        if kinds == "array":
            return self._array(schema, path)
        if kinds == "null":
            return dict(_NULL), None
        kept, hints = constraints(schema, self._rules, ("type",))
        return annotated({"type": kinds, **kept}, schema, hints), None

    # --- references ---------------------------------------------------------------------------

    def _reference(self, schema: Mapping[str, Any], path: Path) -> Node:
        reference = str(schema["$ref"])
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        definition = self._resolved(reference, path)
        if not self._rules.references:
            return self._inlined(reference, definition, beside, path)
        name = self._name(reference)
        if name not in self._restores:
            # Known before it is compiled: it may contain itself.
            self._restores[name] = None
            self._definitions[name] = {}
            node, restore = self._node(definition, (*path, name))
            self._definitions[name] = node
            self._restores[name] = restore

        def restore_later(value: Any) -> Any:
            restore = self._restores[name]
            return value if restore is None else restore(value)

        link: dict[str, Any] = {"$ref": f"#/$defs/{name}"}
        _, hints = constraints(beside, self._rules, ())
        if hints or "description" in beside:
            # A reference stands alone.
            link = annotated({"anyOf": [link]}, {**beside, "title": None}, hints)
        return link, restore_later

    def _inlined(
        self, reference: str, definition: object, beside: Mapping[str, Any], path: Path
    ) -> Node:
        if reference in self._inside:
            self._refuse(path, f"contains itself by {reference!r}, and there are no references")
        self._inside.append(reference)
        node, restore = self._node(definition, path)
        self._inside.pop()
        _, hints = constraints(beside, self._rules, ())
        return annotated(node, {**beside, "title": node.get("title")}, hints), restore

    def _resolved(self, reference: str, path: Path) -> object:
        here: Any = self._root
        try:
            if not (reference == "#" or reference.startswith("#/")):
                raise LookupError  # noqa: TRY301 -- one handler words every reference that fails
            for part in unescaped(unquote(reference[1:])):
                here = here[int(part) if isinstance(cast("object", here), list) else part]
        except (LookupError, TypeError, ValueError):
            self._refuse(path, f"refers to {reference!r}, which is not part of it")
        return here

    def _name(self, reference: str) -> str:
        """The name of the definition that a reference leads to."""
        if reference not in self._names:
            last = unescaped(reference[1:])[-1] if reference != "#" else "root"
            wanted = _UNUSUAL.sub("_", last)
            taken, count, name = set(self._names.values()), 2, wanted
            while name in taken:
                name, count = f"{wanted}_{count}", count + 1
            self._names[reference] = name
        return self._names[reference]

    # --- alternatives -------------------------------------------------------------------------

    def _union(self, schema: Mapping[str, Any], path: Path) -> Node:
        keyword = "anyOf" if "anyOf" in schema else "oneOf"
        beside = {key: value for key, value in schema.items() if key != keyword}
        structure = beside.keys() & {"allOf", "enum", "items", "oneOf", "properties"}
        if structure:
            self._refuse(path, f"has {keyword} beside {', '.join(sorted(structure))}")
        node, restore = self._either(schema[keyword], (*path, keyword))
        _, hints = constraints(beside, self._rules, ("type",))
        return annotated(node, beside, hints), restore

    def _either(self, schemas: Sequence[object], path: Path) -> Node:
        compiled = [self._node(schema, (*path, at)) for at, schema in enumerate(schemas)]
        ways = [(schema, restore) for schema, (_, restore) in zip(schemas, compiled, strict=True)]
        return self._joined([node for node, _ in compiled]), restore_one_of(ways, self._is_valid)

    def _is_valid(self, schema: object, value: object) -> bool:
        return bool(self._original.evolve(schema=schema).is_valid(value))

    def _joined(self, nodes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """One node for all of them."""
        flat: list[dict[str, Any]] = []
        for node in nodes:
            inner = (
                cast("list[dict[str, Any]]", node["anyOf"]) if node.keys() == {"anyOf"} else [node]
            )
            flat.extend(each for each in inner if each not in flat)
        if not self._rules.null_is_keyword:
            return flat[0] if len(flat) == 1 else {"anyOf": flat}
        some = [node for node in flat if node != _NULL]
        if not some:
            return _NULL
        joined = some[0] if len(some) == 1 else {"anyOf": some}
        return {**joined, "nullable": True} if len(some) < len(flat) else joined

    def _all_of(self, schema: Mapping[str, Any], path: Path) -> Node:
        parts = cast("list[Mapping[str, Any]]", schema["allOf"])
        beside = {key: value for key, value in schema.items() if key != "allOf"}
        if len(parts) != 1 or beside.keys() & parts[0].keys() - {"description", "title"}:
            self._refuse(path, "has allOf, which cannot be joined")
        return self._node({**parts[0], **beside}, path)

    def _choices(self, schema: Mapping[str, Any], path: Path) -> Node:
        values: list[object] = [schema["const"]] if "const" in schema else schema["enum"]
        if not values:
            self._refuse(path, "lists no choices")
        by_kind: dict[str, list[object]] = {}
        for value in values:
            kind = kind_of(value)
            if kind in {"object", "array"}:
                self._refuse(path, f"lists {quote(value)} among its choices")
            whole = kind == "number" and isinstance(value, int)
            by_kind.setdefault("integer" if whole else kind, []).append(value)
        nodes: list[dict[str, Any]] = []
        for kind, choices in by_kind.items():
            if kind == "null":
                nodes.append(_NULL)
            elif kind == "string" or not self._rules.text_choices_only:
                nodes.append({"type": kind, "enum": choices})
            else:
                listed = " or ".join(quote(choice) for choice in choices)
                nodes.append({"type": kind, "description": f"({listed})"})
        _, hints = constraints(schema, self._rules, ("const", "enum", "type"))
        return annotated(self._joined(nodes), schema, hints), None

    # --- objects and lists --------------------------------------------------------------------

    def _array(self, schema: Mapping[str, Any], path: Path) -> Node:
        first = cast("list[object]", schema.get("prefixItems", []))
        rest = schema.get("items", False if first else {})
        places = [*first] if rest is False else [*first, rest]
        if not places:
            self._refuse(path, "is a list of nothing")
        compiled = [self._node(each, (*path, at)) for at, each in enumerate(places)]
        kept, hints = constraints(schema, self._rules, ("type", "items", "prefixItems"))
        if first:
            kinds = ", ".join(str(node.get("type", "another form")) for node, _ in compiled)
            hints.append(f"items in this order: {kinds}")
        node = {"type": "array", "items": self._joined([node for node, _ in compiled]), **kept}
        return annotated(node, schema, hints), restore_items([restore for _, restore in compiled])

    def _object(self, schema: Mapping[str, Any], path: Path) -> Node:
        declared = cast("Mapping[str, Any]", schema.get("properties", {}))
        others = schema.get("additionalProperties", "properties" not in schema)
        if "patternProperties" in schema:
            self._refuse(path, "has patternProperties")
        if others == {}:
            others = True  # the same, said in another way
        if others is not False and not declared:
            return self._pairs(schema, others, path)
        if not isinstance(others, bool):
            self._refuse(path, "has fields of any name beside those that it declares")
        return self._fields(schema, declared, path)

    def _fields(self, schema: Mapping[str, Any], declared: Mapping[str, Any], path: Path) -> Node:
        required = cast("list[str]", schema.get("required", []))
        unknown = [name for name in required if name not in declared]
        if unknown:
            self._refuse(path, f"requires {', '.join(unknown)}, which it does not declare")
        nodes: dict[str, Any] = {}
        restores: dict[str, Restore] = {}
        absent: set[str] = set()
        for name, part in declared.items():
            node, restore = self._node(part, (*path, name))
            if self._rules.closed and name not in required:
                if _NULL not in node.get("anyOf", ()):
                    node = self._joined([node, _NULL])
                if not self._is_valid(part, None):
                    absent.add(name)
            nodes[name] = node
            if restore is not None:
                restores[name] = restore
        said = ("type", "properties", "required", "additionalProperties")
        kept, hints = constraints(schema, self._rules, said)
        node = {"type": "object", "properties": nodes, **kept, "required": required}
        if self._rules.closed:
            node |= {"required": list(nodes), "additionalProperties": False}
        return annotated(node, schema, hints), restore_fields(restores, absent)

    def _pairs(self, schema: Mapping[str, Any], part: object, path: Path) -> Node:
        """An object with fields of any name, as a list of names and values."""
        value_node, restore = self._node(part, (*path, "*"))
        names = {"type": "string", **schema.get("propertyNames", {})}
        key_node, _ = self._node(names, (*path, "propertyNames"))
        counts = {"minProperties": "minItems", "maxProperties": "maxItems"}
        renamed = {counts.get(key, key): value for key, value in schema.items()}
        said = ("type", "additionalProperties", "propertyNames", "properties", "required")
        kept, hints = constraints(renamed, self._rules, said)
        required = cast("list[str]", schema.get("required", []))
        hints.append("one item for each name, which is its key")
        hints += [f"the names {', '.join(required)} are required"] if required else []
        pair: dict[str, Any] = {
            "type": "object",
            "properties": {"key": key_node, "value": value_node},
            "required": ["key", "value"],
        }
        if self._rules.closed:
            pair["additionalProperties"] = False
        node = {"type": "array", "items": pair, **kept}
        return annotated(node, schema, hints), restore_pairs(restore)

    def _refuse(self, path: Path, what: str) -> Never:
        where = pointer(path) or "the root"
        raise SchemaCompilationError(
            f"the schema cannot be said in this form: {where} {what}",
            hint="describe the value more closely, or choose the schema family 'generic'",
        )


def _implied(schema: Mapping[str, Any]) -> str | None:
    """The type that a schema without one means."""
    if schema.keys() & {"additionalProperties", "properties"}:
        return "object"
    return "array" if schema.keys() & {"items", "prefixItems"} else None
