"""Validation by JSON Schema, Draft 2020-12, its errors reworded as problems.

langchain-core does not validate the arguments of a tool whose schema is a dictionary.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from agent_runtime._problems import Problem, nearest, pointer, quote, shorten
from agent_runtime._validate import MISSING, REQUIRED, Checked, UnknownArguments, unknown_name

_COMPOSED = {"$ref", "allOf", "anyOf", "if", "oneOf", "patternProperties"}
"""Keywords under which the declared properties are not all that may be sent."""

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}

PHRASES = {
    "const": "exactly {}",
    "exclusiveMaximum": "less than {}",
    "exclusiveMinimum": "more than {}",
    "format": "the format {}",
    "maximum": "at most {}",
    "maxItems": "at most {} items",
    "maxLength": "at most {} characters",
    "maxProperties": "at most {} fields",
    "minimum": "at least {}",
    "minItems": "at least {} items",
    "minLength": "at least {} characters",
    "minProperties": "at least {} fields",
    "multipleOf": "a multiple of {}",
    "pattern": "a match of {}",
    "uniqueItems": "items that all differ",
}
"""Constraints in words, as what was expected."""


class JsonSchemaValidator:
    """Validates against one schema; the arguments pass through unchanged."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        """A validator of `schema`, which must be complete in itself.

        Raises:
            ValueError: If the schema is not valid, or refers to something outside of it.
        """
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            where = pointer(error.absolute_path) or "its root"
            message = f"the JSON Schema is not valid at {where}: {shorten(error.message)}"
            raise ValueError(message) from error
        # An empty registry: a schema that came from elsewhere must not make us fetch anything.
        registry: Registry[Any] = Registry()
        _resolve_references(schema, registry)
        # Its methods are typed by JSON types that our mappings do not name.
        self._validator: Any = Draft202012Validator(
            schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
        )
        self._known: Collection[str] | None = None
        decided = _COMPOSED | {"additionalProperties", "unevaluatedProperties"}
        if "properties" in schema and not decided & schema.keys():
            self._known = cast("Mapping[str, Any]", schema["properties"]).keys()

    def check(self, args: Mapping[str, Any]) -> Checked:
        """The verdict on `args`."""
        found: dict[tuple[str, str], Problem] = {}
        for error in cast("Iterable[ValidationError]", self._validator.iter_errors(args)):
            for problem in _problems(error):
                found.setdefault((problem.path, problem.expected), problem)
        known = self._known if self._known is not None else args.keys()
        unknown = UnknownArguments.among(args, known)
        problems = (*found.values(), *unknown.misspelled)
        if problems:
            return Checked(args=None, problems=problems)
        return Checked(args=args, ignored=unknown.ignored)


def _resolve_references(schema: Mapping[str, Any], registry: "Registry[Any]") -> None:
    """Make sure that every reference leads somewhere."""
    resolver = registry.resolver_with_root(DRAFT202012.create_resource(dict(schema)))
    for reference in references(schema):
        try:
            resolver.lookup(reference)
        except Unresolvable as error:
            message = f"the JSON Schema refers to {reference!r}, which is not part of it"
            raise ValueError(message) from error


def references(node: object) -> Iterator[str]:
    """Every reference in a schema."""
    if isinstance(node, Mapping):
        for key, value in cast("Mapping[str, object]", node).items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            yield from references(item)


def _problems(error: ValidationError) -> Iterable[Problem]:
    """The problems behind one error of the validator."""
    match error.validator:
        case "required":
            return _missing(error)
        case "additionalProperties" | "unevaluatedProperties" if error.validator_value is False:
            return _unknown(error)
        case "anyOf" | "oneOf" if error.context:
            return _closest_form(error)
        case "enum":
            return [_enum(error)]
        case _:
            return [_plain(error, _expected(error))]


def _missing(error: ValidationError) -> Iterator[Problem]:
    # The validator raises one error for each missing name, without saying which: list them all.
    present = cast("Mapping[str, object]", error.instance)
    for name in cast("list[str]", error.validator_value):
        if name not in present:
            path = pointer((*error.absolute_path, name))
            yield Problem(path=path, expected=REQUIRED, got=MISSING)


def _unknown(error: ValidationError) -> Iterable[Problem]:
    schema = cast("Mapping[str, Any]", error.schema)
    declared = cast("Mapping[str, Any]", schema.get("properties", {}))
    present = cast("Mapping[str, object]", error.instance)
    if schema.keys() & _COMPOSED:
        # Which of them are extra depends on more than the names declared here.
        return [_plain(error, "no other fields than the declared ones")]
    unsent = [name for name in declared if name not in present]
    return [
        unknown_name(error.absolute_path, name, present[name], nearest(name, unsent))
        for name in present
        if name not in declared
    ]


def _closest_form(error: ValidationError) -> Iterable[Problem]:
    """The problems of the alternative that has the fewest, of those whose constants are right."""
    forms: dict[object, list[ValidationError]] = {}
    for inner in error.context:
        forms.setdefault(inner.schema_path[0], []).append(inner)
    closest = min(forms.values(), key=lambda form: (_is_other_variant(form), len(form)))
    return [problem for inner in closest for problem in _problems(inner)]


def _is_other_variant(errors: Iterable[ValidationError]) -> bool:
    """Whether a field that is there has another value than the constant of the alternative."""
    return any(error.validator == "const" and error.relative_path for error in errors)


def _enum(error: ValidationError) -> Problem:
    allowed = cast("list[object]", error.validator_value)
    listed = ", ".join(quote(choice) for choice in allowed)
    problem = _plain(error, f"one of {shorten(listed, 300)}")
    return Problem(
        path=problem.path,
        expected=problem.expected,
        got=problem.got,
        nearest=nearest(error.instance, allowed),
    )


def _expected(error: ValidationError) -> str:
    keyword, value = str(error.validator), cast("object", error.validator_value)
    if keyword == "type":
        names = cast("list[str]", value) if isinstance(value, list) else [str(value)]
        return " or ".join(_TYPES[name] for name in names)
    if keyword in PHRASES:
        return PHRASES[keyword].format(quote(value))
    return f"what the schema asks for: {shorten(error.message, 200)}"


def _plain(error: ValidationError, expected: str) -> Problem:
    path = pointer(error.absolute_path)
    return Problem(path=path, expected=expected, got=quote(error.instance))
