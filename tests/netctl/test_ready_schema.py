"""The quick yes of a schema: never where the whole check has something to say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl._ready_schema import ReadySchema
from netctl._schema import find_violations

PARTS: list[Any] = [
    {"type": "integer"},
    {"type": "integer", "enum": [1, 8]},
    {"type": "integer", "minimum": 0, "maximum": 10},
    {"type": "number", "minimum": -1.5},
    {"type": "number", "maximum": 1e308, "description": "words"},
    {"type": "string"},
    {"type": "string", "enum": ["line", "booster"], "default": "line"},
    {"type": "boolean"},
]
values = st.one_of(
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.sampled_from(["line", "booster", 1, 8, 8.0, True, -1.5, 10]),
    st.lists(st.integers(), max_size=1),
)
names = st.sampled_from(["a", "b", "c"])


@given(
    st.dictionaries(names, st.sampled_from(PARTS), min_size=1),
    st.lists(names, unique=True),
    st.dictionaries(st.one_of(names, st.just("d")), values),
)
def test_what_surely_fits_fits(
    properties: dict[str, Any], required: list[str], instance: dict[str, Any]
) -> None:
    schema = {
        "type": "object",
        "properties": properties,
        "required": [name for name in required if name in properties],
        "additionalProperties": False,
    }
    ready = ReadySchema(schema)

    assert ready.violations(instance) == find_violations(schema, instance)
    if ready.surely_fits(instance):
        assert find_violations(schema, instance) == ()


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_an_ordinary_command_surely_fits() -> None:
    schema = closed(node_id={"type": "integer", "enum": [8]}, gain={"type": "number"})

    assert ReadySchema(schema).surely_fits({"node_id": 8, "gain": 15.0})


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"type": "object", "properties": {}}, {}),
        ({"additionalProperties": False}, {}),
        (closed() | {"minProperties": 1}, {}),
        (closed(a=True), {"a": 1}),
        (closed(a={"type": ["integer", "null"]}), {"a": 1}),
        (closed(a={"type": "object"}), {"a": {}}),
        (closed(a={"type": "integer", "multipleOf": 2}), {"a": 2}),
        (closed(a={"type": "integer", "enum": [True, 1]}), {"a": 1}),
        (closed(a={"type": "number", "maximum": 10**400}), {"a": 1}),
        (closed(a={"type": "number"}), {"a": 1e301}),
        (closed(a={"type": "number"}), {"a": float("nan")}),
        (closed(a={"type": "integer"}), {"a": 1.0}),
        (closed(a={"type": "integer"}), None),
    ],
)
def test_what_is_not_plain_is_left_to_the_whole_check(schema: Any, instance: Any) -> None:
    assert not ReadySchema(schema).surely_fits(instance)
