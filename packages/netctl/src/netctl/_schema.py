"""JSON Schema 2020-12, strictly: all violations at once, each with what would have fitted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry

from netctl._errors import DeclarationError
from netctl._nearest import nearest_of
from netctl._number import is_finite_number
from netctl._violation import Violation

__all__ = ["check_schema", "find_violations", "object_schema", "validator_of"]

_MOST_VIOLATIONS = 20
# Without this, an unknown reference in a schema would be fetched over the network.
_NO_REMOTE_SCHEMAS: Registry[Any] = Registry()


def object_schema(fragment: Mapping[str, Any]) -> dict[str, Any]:
    """The strict schema of an object with the `properties` and `required` of a fragment."""
    return {
        "type": "object",
        "properties": fragment.get("properties", {}),
        "required": fragment.get("required", []),
        "additionalProperties": False,
    }


def check_schema(schema: Mapping[str, Any], *, owner: str) -> None:
    """Make sure that a schema is one, of the allowed kind.

    Raises:
        DeclarationError: If it is no JSON Schema 2020-12, or requires what it does not describe.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise DeclarationError(
            f"the schema of {owner} is no JSON Schema: {error.message}",
            hint="see https://json-schema.org/draft/2020-12",
        ) from error
    properties = schema.get("properties", {})
    if lacking := [name for name in schema.get("required", []) if name not in properties]:
        raise DeclarationError(
            f"the schema of {owner} requires {lacking!r} but does not describe them",
            hint="add them to its properties",
        )


def validator_of(schema: Mapping[str, Any]) -> Draft202012Validator:
    """A schema made ready, for where it is asked often."""
    return Draft202012Validator(schema, registry=_NO_REMOTE_SCHEMAS)


def find_violations(
    schema: Mapping[str, Any] | Draft202012Validator, instance: Any
) -> tuple[Violation, ...]:
    """The ways in which a value does not fit a schema, in the order of where; at most 20."""
    validator = schema if isinstance(schema, Draft202012Validator) else validator_of(schema)
    errors = cast("list[ValidationError]", list(validator.iter_errors(instance)))  # pyright: ignore[reportUnknownMemberType] -- jsonschema is partly typed
    found = {
        (violation.pointer, violation.expected): violation
        for error in errors
        for violation in _explain(error)
    }
    for pointer, value in _not_finite(instance, ""):
        found[pointer, ""] = Violation(pointer=pointer, expected="a finite number", got=value)
    inorder = sorted(found.values(), key=lambda violation: violation.pointer)
    return tuple(inorder[:_MOST_VIOLATIONS])


def _explain(error: ValidationError) -> Iterator[Violation]:
    where, rule = _pointer(error.absolute_path), str(error.validator)
    limit, got = cast("Any", error.validator_value), cast("Any", error.instance)
    schema = cast("Mapping[str, Any]", error.schema)
    nearest = None
    match rule:
        case "additionalProperties" if limit is False:
            known = list(schema.get("properties", {}))
            for name in (name for name in got if name not in known):
                yield Violation(
                    pointer=f"{where}{_pointer([name])}",
                    expected=f"no such argument; known are {known!r}",
                    got=got[name],
                    nearest=nearest_of(name, known),
                )
            return
        case "required":
            for name in (name for name in limit if name not in got):
                yield Violation(pointer=f"{where}{_pointer([name])}", expected="a value")
            return
        case "enum":
            expected, nearest = f"one of {limit!r}", nearest_of(got, limit)
        case "type":
            expected = limit if isinstance(limit, str) else f"one of {limit!r}"
        case "minimum" | "maximum":
            nearest = limit
            expected = f"at {'least' if rule == 'minimum' else 'most'} {limit!r}"
        case _:
            expected = f"what {rule} {limit!r:.100} allows"
    yield Violation(pointer=where, expected=expected, got=got, nearest=nearest)


def _not_finite(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """NaN and infinities: no JSON, yet every comparison of a schema lets NaN pass."""
    if isinstance(value, Mapping):
        for name, part in cast("Mapping[Any, Any]", value).items():
            yield from _not_finite(part, f"{pointer}{_pointer([name])}")
    elif isinstance(value, list | tuple):
        for index, part in enumerate(cast("Sequence[Any]", value)):
            yield from _not_finite(part, f"{pointer}{_pointer([index])}")
    elif (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and not is_finite_number(value)
    ):
        yield pointer, value


def _pointer(path: Iterable[str | int]) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
