"""A JSON Schema seen as the forms that a value in it may have, as far as that is certain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from jsonschema import Draft202012Validator
from referencing import Registry

from agent_runtime._problems import unescaped

_UNCERTAIN = {"$dynamicRef", "allOf", "else", "if", "not", "then"}
_CLOSED_FORMATS = {"date", "date-time", "duration", "ipv4", "ipv6", "time", "uuid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One kind of value that a schema allows."""

    kind: str
    """A type of JSON Schema."""
    schema: Mapping[str, Any]

    @property
    def choices(self) -> Sequence[object] | None:
        """The only values of this form, if they are listed."""
        if "const" in self.schema:
            return [self.schema["const"]]
        return self.schema.get("enum")

    @property
    def is_open(self) -> bool:
        """Whether a wrong value of this kind may still be meant as one: any text may be text."""
        if self.kind != "string":
            return True
        return self.choices is None and self.schema.get("format") not in _CLOSED_FORMATS


def kind_of(value: object) -> str:
    """The type of a JSON value; `number` also for an integer."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case Mapping():
            return "object"
        case _:
            return "array"


class SchemaForms:
    """The forms at each place of one schema. None stands for: anything, or not certain."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        registry: Registry[Any] = Registry()
        # Its methods are typed by JSON types that our mappings do not name.
        self._validator: Any = Draft202012Validator(root, registry=registry)

    def at(self, args: Mapping[str, Any], path: Sequence[str | int]) -> list[Form] | None:
        """The forms of the value at `path`, given the values on the way to it."""
        forms = self._forms(self._root, ())
        here: Any = args
        for part in path:
            if forms is None:
                return None
            forms = self._below([form for form in forms if _may_be(here, form, part)], part)
            here = here[part]
        return forms

    def fits(self, value: object, form: Form) -> bool:
        """Whether `value` is valid in this form."""
        return self._validator.evolve(schema=form.schema).is_valid(value)

    def _forms(self, node: object, inside: tuple[str, ...]) -> list[Form] | None:
        if not isinstance(node, Mapping):
            return None
        schema = cast("Mapping[str, Any]", node)
        if schema.keys() & _UNCERTAIN:
            return None
        if "$ref" in schema:
            return self._referred(schema["$ref"], inside)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                composed = schema.keys() & {"enum", "const", "properties", "type"}
                return None if composed else self._joined(schema[keyword], inside)
        return _simple(schema)

    def _referred(self, reference: str, inside: tuple[str, ...]) -> list[Form] | None:
        if reference in inside or not (reference == "#" or reference.startswith("#/")):
            return None
        node: Any = self._root
        for part in unescaped(reference[1:]):
            # References were resolved when the schema was accepted; one through a list is rare.
            if not isinstance(node, Mapping):
                return None
            node = cast("Mapping[str, Any]", node)[part]
        return self._forms(node, (*inside, reference))

    def _joined(self, nodes: Sequence[object], inside: tuple[str, ...] = ()) -> list[Form] | None:
        joined: list[Form] = []
        for node in nodes:
            forms = self._forms(node, inside)
            if forms is None:
                return None
            joined.extend(forms)
        return joined

    def _below(self, forms: Sequence[Form], part: str | int) -> list[Form] | None:
        return self._joined([_child(form, part) for form in forms])


def _may_be(value: object, form: Form, part: str | int) -> bool:
    """Whether `value` may be meant in this form, whatever it holds at `part`.

    Its kind tells, and so do the constants by which variants differ.
    """
    if kind_of(value) != form.kind:
        return False
    if not isinstance(value, Mapping):
        return True
    fields = cast("Mapping[str, Any]", value)
    declared = cast("Mapping[str, Any]", form.schema.get("properties", {}))
    return all(
        name == part or name not in fields or fields[name] == node["const"]
        for name, node in declared.items()
        if _is_constant(node)
    )


def _simple(schema: Mapping[str, Any]) -> list[Form] | None:
    """The forms of a schema that refers to no other."""
    kinds = schema.get("type", "object" if "properties" in schema else None)
    if kinds is None:
        choices = Form(kind="", schema=schema).choices
        if choices is None:
            return None
        kinds = sorted({kind_of(choice) for choice in choices})
    listed = [kinds] if isinstance(kinds, str) else cast("list[str]", kinds)
    return [Form(kind=kind, schema=schema) for kind in listed]


def _is_constant(node: object) -> bool:
    return isinstance(node, Mapping) and "const" in node


def _child(form: Form, part: str | int) -> object:
    """The schema of what a value of this form holds at `part`; None if it says nothing of it."""
    if isinstance(part, str):
        declared = cast("Mapping[str, Any]", form.schema.get("properties", {}))
        return declared.get(part, form.schema.get("additionalProperties"))
    first = cast("Sequence[object]", form.schema.get("prefixItems", ()))
    return first[part] if part < len(first) else form.schema.get("items")
