"""Laws of the forms of the provider families, for schemas of any shape."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_forms import FAMILIES, Cat, Options, Owner, Pet, Prices, schema_of

from agent_runtime import (
    compile_schema,
)


def scalar() -> st.SearchStrategy[tuple[dict[str, Any], Any, Any]]:
    return st.sampled_from(
        [
            ({"type": "string"}, "text", "text"),
            ({"type": "string"}, "", ""),
            ({"type": "integer", "minimum": 0}, 3, 3),
            ({"type": ["number", "null"]}, None, None),
            ({"type": ["number", "null"]}, 0.5, 0.5),
            ({"enum": ["a", 1, True, None]}, 1, 1),
            ({"const": "x"}, "x", "x"),
            ({"type": "boolean"}, False, False),
        ]
    )


def structures(
    inner: st.SearchStrategy[tuple[dict[str, Any], Any, Any]],
) -> st.SearchStrategy[tuple[dict[str, Any], Any, Any]]:
    @st.composite
    def lists(draw: st.DrawFn) -> tuple[dict[str, Any], Any, Any]:
        schema, value, sent = draw(inner)
        size = draw(st.integers(0, 2))
        return {"type": "array", "items": schema}, [value] * size, [sent] * size

    @st.composite
    def maps(draw: st.DrawFn) -> tuple[dict[str, Any], Any, Any]:
        schema, value, sent = draw(inner)
        names = draw(st.lists(st.text(max_size=3), unique=True, max_size=2))
        pairs = [{"key": name, "value": sent} for name in names]
        whole = {"type": "object", "additionalProperties": schema}
        return whole, dict.fromkeys(names, value), pairs

    @st.composite
    def objects(draw: st.DrawFn) -> tuple[dict[str, Any], Any, Any]:
        properties: dict[str, Any] = {}
        required: list[str] = []
        value: dict[str, Any] = {}
        sent: dict[str, Any] = {}
        for name in draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=3)):
            properties[name], one, other = draw(inner)
            takes_null = Draft202012Validator(properties[name]).is_valid(None)
            if draw(st.booleans()) and not takes_null:
                sent[name] = None  # left out
                continue
            if draw(st.booleans()):
                required.append(name)
            value[name], sent[name] = one, other
        schema = {"type": "object", "properties": properties, "required": required}
        return schema, value, sent

    @st.composite
    def unions(draw: st.DrawFn) -> tuple[dict[str, Any], Any, Any]:
        # Told apart by a constant, so that a value has one reading.
        forms = [draw(inner) for _ in range(2)]
        tagged = [
            {
                "type": "object",
                "properties": {"kind": {"const": str(at)}, "it": schema},
                "required": ["kind", "it"],
            }
            for at, (schema, _, _) in enumerate(forms)
        ]
        at = draw(st.integers(0, 1))
        _, value, sent = forms[at]
        return {"oneOf": tagged}, {"kind": str(at), "it": value}, {"kind": str(at), "it": sent}

    return lists() | maps() | objects() | unions()


CASE = st.recursive(scalar(), structures, max_leaves=6)


@given(case=CASE)
def test_any_value_survives_the_way_there_and_back(case: tuple[dict[str, Any], Any, Any]) -> None:
    schema, value, sent = case
    root = {"type": "object", "properties": {"it": schema}, "required": ["it"]}
    assert Draft202012Validator(root).is_valid({"it": value})
    result = compile_schema(root, "openai")
    Draft202012Validator(result.schema).validate({"it": sent})
    restored = result.restore({"it": sent})
    assert json.dumps(restored, sort_keys=True) == json.dumps({"it": value}, sort_keys=True)


def test_a_value_of_none_of_the_forms_is_left_for_validation() -> None:
    schema = {
        "type": "object",
        "properties": {"a": schema_of(Pet)},
        "$defs": schema_of(Pet)["$defs"],
    }
    sent = {"a": {"kind": "owl", "tricks": [{"key": "sit", "value": 1}]}}
    assert compile_schema(schema, "openai").restore(sent) == sent


def test_what_is_sent_in_no_form_at_all_is_left_as_it_is() -> None:
    nonsense: list[Any] = [None, 3, "x", [], [1], {"value": 1}, {"by_node": 3}]
    for form in (Prices, Owner, Options, dict[str, Cat], list[Cat]):
        for family in FAMILIES:
            restore = compile_schema(schema_of(form), family).restore
            for value in nonsense:
                assert isinstance(restore(value), type(value)) or isinstance(value, Mapping)
