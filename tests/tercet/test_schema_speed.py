"""The quick yes to a value says what the whole check says, for any schema and any value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tercet import CallContext, Tool, ToolRegistry

pytestmark = pytest.mark.anyio

NUMBERS = st.integers(-4, 4) | st.sampled_from([0.5, 1.0, -2.5, 1e300, 10**30])
TEXTS = st.text("ab1é\U0001f44d \n", max_size=4)
PLAIN = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=6,
)


def schemas_of(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    lists = st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 3),
            "uniqueItems": st.booleans(),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
        },
    )
    objects = st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), unique=True, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "minProperties": st.integers(0, 2),
        },
    )
    several = st.sampled_from(["anyOf", "oneOf", "allOf"]).flatmap(
        lambda word: st.fixed_dictionaries({word: st.lists(inner, min_size=1, max_size=2)})
    )
    return lists | objects | several | inner.map(lambda schema: {"not": schema})


SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "number", "integer", "boolean", "null"])},
        optional={
            "minimum": NUMBERS,
            "exclusiveMaximum": NUMBERS,
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 3),
            "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$", "1|é", "^(ab)*$"]),
        },
    )
    | st.fixed_dictionaries({"enum": st.lists(PLAIN, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"const": PLAIN}),
    schemas_of,
    max_leaves=4,
)


@given(SCHEMAS, VALUES)
async def test_arguments_and_results_are_taken_if_and_only_if_they_fit(
    schema: dict[str, Any], value: Any
) -> None:
    async def give_back(context: CallContext, arguments: dict[str, Any]) -> Any:
        del context
        return arguments["value"]

    def holding(one: dict[str, Any], result: dict[str, Any]) -> ToolRegistry:
        made = Tool.from_schema(
            name="give_back",
            description="Give a value back.",
            input_schema={"type": "object", "properties": {"value": one}},
            output_schema=result,
            function=give_back,
            app="test",
            kind="test",
            effect="read",
        )
        return ToolRegistry([made])

    fits = Draft202012Validator(schema).is_valid(value)
    taken = await holding(schema, {}).call_tool("give_back", {"value": value})
    given_back = await holding({}, schema).call_tool("give_back", {"value": value})
    assert (taken.status == "success") == fits
    assert (given_back.status == "success") == fits


async def test_a_schema_that_names_an_address_gets_nothing_from_there() -> None:
    async def answer(context: CallContext, arguments: dict[str, Any]) -> str:
        del context, arguments
        return "never"

    schema = {"type": "object", "properties": {"value": {"$ref": "http://127.0.0.1:9/schema"}}}
    made = Tool.from_schema(
        name="elsewhere",
        description="Take what a schema elsewhere says.",
        input_schema=schema,
        function=answer,
        app="test",
        kind="test",
        effect="read",
    )
    told = await ToolRegistry([made]).call_tool("elsewhere", {"value": 1})
    assert told.status == "error"
