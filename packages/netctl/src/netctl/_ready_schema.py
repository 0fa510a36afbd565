"""A schema made ready for where it is asked for every command: a quick yes, or the whole check.

The quick yes is for flat objects of plain values, which commands are. It never says no: whatever
it is not sure of goes to the whole check, which also explains.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from netctl._number import is_finite_number
from netctl._schema import find_violations, validator_of
from netctl._violation import Violation

__all__ = ["ReadySchema"]

_OBJECT = {"type", "properties", "required", "additionalProperties"}
_WORDS = {"description", "title", "default"}
_PLAIN = {"type", "enum", "minimum", "maximum"}
_TYPES: Mapping[str, frozenset[type]] = {
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "string": frozenset({str}),
    "boolean": frozenset({bool}),
}
_NUMBERS = _TYPES["number"]
_LARGEST = 1e300
"""Numbers beyond it are left to the whole check, as are those that are none."""


class _Rule(NamedTuple):
    types: frozenset[type]
    choices: frozenset[Any] | None
    minimum: float
    maximum: float


class ReadySchema:
    """A schema, made ready.

    Args:
        schema: A JSON Schema 2020-12 of an object.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._validator = validator_of(schema)
        self._rules = _rules_of(schema)
        self._required = tuple(schema.get("required", ()))

    def violations(self, instance: Any) -> tuple[Violation, ...]:
        """The ways in which a value does not fit, in the order of where; at most 20."""
        if self.surely_fits(instance):
            return ()
        return find_violations(self._validator, instance)

    def surely_fits(self, instance: Any) -> bool:
        """Whether a value fits beyond doubt; False says nothing."""
        rules = self._rules
        if rules is None or type(instance) is not dict:
            return False
        parts = cast("dict[Any, Any]", instance)
        for name in self._required:
            if name not in parts:
                return False
        for name, value in parts.items():
            rule = rules.get(name)
            if rule is None or type(value) not in rule.types:
                return False
            if rule.choices is not None and value not in rule.choices:
                return False
            # False for what is not a number at all: NaN.
            if type(value) in _NUMBERS and not rule.minimum <= value <= rule.maximum:
                return False
        return True


def _rules_of(schema: Mapping[str, Any]) -> dict[str, _Rule] | None:
    """The rules of a flat object of plain values; None: it is another schema."""
    flat = schema.get("type") == "object" and schema.get("additionalProperties") is False
    if not flat or schema.keys() - _OBJECT - _WORDS:
        return None
    rules: dict[str, _Rule] = {}
    for name, part in schema.get("properties", {}).items():
        rule = _rule_of(part)
        if rule is None:
            return None
        rules[name] = rule
    return rules


def _rule_of(part: Any) -> _Rule | None:
    if not isinstance(part, dict):
        return None
    given = cast("dict[str, Any]", part)
    types = _TYPES.get(given["type"]) if isinstance(given.get("type"), str) else None
    choices, limits = given.get("enum"), (given.get("minimum"), given.get("maximum"))
    if types is None or given.keys() - _PLAIN - _WORDS:
        return None
    if any(limit is not None and not is_finite_number(limit) for limit in limits):
        return None
    # Python takes True for 1; a schema does not.
    if choices is not None and any(type(choice) not in (str, int) for choice in choices):
        return None
    minimum, maximum = limits
    return _Rule(
        types=types,
        choices=None if choices is None else frozenset(choices),
        minimum=-_LARGEST if minimum is None else max(minimum, -_LARGEST),
        maximum=_LARGEST if maximum is None else min(maximum, _LARGEST),
    )
