"""Arguments against their schema: strictly, all faults at once, worded for who must mend them."""

import difflib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from pydantic import ValidationError as PydanticValidationError

from tercet._errors import ErrorDetail, InvalidInputError
from tercet._json import escape_pointer, find_unsayable

__all__ = ["check_arguments", "details_of", "explain_pydantic", "refuse"]

_MOST_DETAILS = 20
_MOST_TEXT = 200
_WORDS = {
    "const": "exactly",
    "enum": "one of",
    "exclusiveMaximum": "less than",
    "exclusiveMinimum": "more than",
    "maxItems": "a length of at most",
    "maxLength": "a length of at most",
    "maximum": "at most",
    "minItems": "a length of at least",
    "minLength": "a length of at least",
    "minimum": "at least",
    "pattern": "text that matches",
}


def check_arguments(
    tool_name: str,
    faults_of: Callable[[Mapping[str, Any]], Sequence[ErrorDetail]],
    arguments: Mapping[str, Any],
) -> None:
    """Refuse arguments that do not fit.

    Raises:
        InvalidInputError: With one detail for each fault.
    """
    faults = [
        ErrorDetail(pointer=pointer, expected=expected, got=got)
        for pointer, expected, got in find_unsayable(arguments)
    ]
    # The schema speaks of values; what is none would only be named again.
    found = faults or faults_of(arguments)
    if found:
        raise refuse(tool_name, found)


def refuse(tool_name: str, faults: Sequence[ErrorDetail]) -> InvalidInputError:
    """Word a refusal so that it can be acted on from its text alone."""
    said = "; ".join(_sentence(fault) for fault in faults[:_MOST_DETAILS])
    more = f"; and {len(faults) - _MOST_DETAILS} more" if len(faults) > _MOST_DETAILS else ""
    return InvalidInputError(
        f"the arguments do not fit {tool_name!r}: {said}{more}",
        hint="correct the arguments named by the pointers and call again; nothing was done",
        details=faults[:_MOST_DETAILS],
    )


def details_of(validator: Draft202012Validator, value: Any) -> list[ErrorDetail]:
    """Find every fault of a value, in the order of where it stands."""
    errors = cast("Iterator[ValidationError]", validator.iter_errors(value))  # pyright: ignore[reportUnknownMemberType] -- jsonschema is partly typed
    details = [detail for error in errors for detail in _details(error)]
    return sorted(details, key=lambda detail: detail.pointer)


def explain_pydantic(error: PydanticValidationError) -> list[ErrorDetail]:
    """Give pydantic's faults the same form."""
    return [
        ErrorDetail(
            pointer=_pointer(fault["loc"]), expected=fault["msg"], got=_bounded(fault["input"])
        )
        for fault in error.errors(include_url=False, include_context=False)
    ]


def _details(error: ValidationError) -> Iterator[ErrorDetail]:
    path: list[str | int] = list(error.absolute_path)
    schema = cast("Mapping[str, Any]", error.schema)
    got: Any = error.instance
    keyword = str(error.validator)
    if keyword == "additionalProperties" and isinstance(got, dict):
        known = list(cast("Mapping[str, Any]", schema.get("properties", {})))
        members = cast("dict[str, Any]", got)
        for name in [name for name in members if name not in known]:
            near = difflib.get_close_matches(name, known, n=1)
            yield ErrorDetail(
                pointer=_pointer([*path, name]),
                expected=f"no argument of this name (known: {', '.join(known) or 'none'})",
                got=_bounded(members[name]),
                nearest=near[0] if near else None,
            )
    elif keyword == "required":
        # One error for each missing name; the message begins with the name in quotes.
        required = cast("list[str]", error.validator_value)
        members = cast("dict[str, Any]", got)
        for name in required:
            if name not in members and error.message.startswith(repr(name)):
                properties = cast("Mapping[str, Any]", schema.get("properties", {}))
                yield ErrorDetail(
                    pointer=_pointer([*path, name]),
                    expected=f"{_expected_by(properties.get(name, {}))} (required)",
                )
    elif keyword in ("anyOf", "oneOf") and error.context:
        # The branch that came furthest says best what is missing.
        best = max(error.context, key=lambda branch: len(branch.absolute_path))
        if len(best.absolute_path) > len(path):
            yield from _details(best)
        else:
            yield ErrorDetail(
                pointer=_pointer(path), expected=_expected_by(schema), got=_bounded(got)
            )
    else:
        yield ErrorDetail(
            pointer=_pointer(path),
            expected=_expected(keyword, error.validator_value, schema),
            got=None if schema.get("secret") else _bounded(got),
            nearest=_nearest(keyword, error.validator_value, got),
        )


def _expected(keyword: str, rule: Any, schema: Mapping[str, Any]) -> str:
    if keyword == "type":
        return _expected_by(schema)
    return f"{_WORDS.get(keyword, keyword)} {_compact(rule)}"


def _expected_by(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "a value"
    rules = cast("Mapping[str, Any]", schema)
    if "enum" in rules:
        return f"one of {_compact(rules['enum'])}"
    if branches := cast("Sequence[Any]", rules.get("anyOf") or rules.get("oneOf") or ()):
        return " or ".join(_expected_by(branch) for branch in branches)
    kinds = rules.get("type", "a value")
    kind = " or ".join(cast("list[str]", kinds)) if isinstance(kinds, list) else str(kinds)
    bounds = [
        f"{word} {rules[keyword]}"
        for keyword, word in (("minimum", ">="), ("maximum", "<="))
        if keyword in rules
    ]
    items = f" of {_expected_by(rules['items'])}" if "items" in rules else ""
    return " ".join([kind + items, *bounds])


def _nearest(keyword: str, rule: Any, got: Any) -> Any:
    match keyword, got:
        case (("minimum" | "maximum"), _):
            return rule
        case "enum", str():
            words = [word for word in cast("list[Any]", rule) if isinstance(word, str)]
            by_case = {word.casefold(): word for word in words}
            near = difflib.get_close_matches(got.casefold(), list(by_case), n=1)
            return by_case[near[0]] if near else None
        case "enum", int() | float():
            numbers = [
                number
                for number in cast("list[Any]", rule)
                if isinstance(number, int | float) and not isinstance(number, bool)
            ]
            return min(numbers, key=lambda number: abs(number - got), default=None)
        case _:
            return None


def _sentence(fault: ErrorDetail) -> str:
    where = fault.pointer or "the arguments"
    got = "" if fault.got is None else f", got {_compact(fault.got)}"
    near = "" if fault.nearest is None else f" (nearest: {_compact(fault.nearest)})"
    return f"{where}: expected {fault.expected}{got}{near}"


def _pointer(path: Sequence[str | int]) -> str:
    return "".join(f"/{escape_pointer(part)}" for part in path)


def _compact(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"


def _bounded(value: Any) -> Any:
    """Keep small values as they are and shorten the rest, so that a refusal stays small."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        text = str(value)
        return value if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"
    text = _compact(value)
    if isinstance(value, str):
        return value if len(value) <= _MOST_TEXT else f"{value[:_MOST_TEXT]}…"
    return json.loads(text) if not text.endswith("…") else text
