"""Arguments are repaired where their schema leaves one reading, on record; never where it leaves
two, and never under `strict`."""

import json
from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool, ToolException
from pydantic import BaseModel, Field, field_validator

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    ExtractResult,
    InvalidOptionsError,
    TargetNotCalledError,
    extract,
    extract_sync,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Item(BaseModel):
    name: str
    price: float = Field(ge=0)


class Order(BaseModel):
    items: list[Item]
    tags: list[str] = []
    urgent: bool = False
    due: date | None = None
    note: str | None = None
    size: Literal["small", "LARGE"] = "small"
    weights: dict[str, list[int]] = {}


GOOD_ITEM = {"name": "fibre", "price": 2.5}


def show(**arguments: Any) -> str:
    return json.dumps(arguments)


def by_json_schema(**properties: Any) -> StructuredTool:
    schema = {"type": "object", "properties": properties}
    return StructuredTool(name="submit", description="Submit.", args_schema=schema, func=show)


async def submitted(target: Any, args: dict[str, Any], **options: Any) -> ExtractResult[Any]:
    name = "submit" if isinstance(target, StructuredTool) else "submit_order"
    agent = Agent(model=ScriptedModel([call(name, args)]))
    return await extract(agent, "go", until_tool_success=target, max_runs=1, **options)


async def reading(schema: dict[str, Any], value: Any, **definitions: Any) -> list[Any]:
    """What `value` is taken for where `schema` is wanted: one value, or none."""
    submit = by_json_schema(it=schema)
    assert isinstance(submit.args_schema, dict)
    submit.args_schema.update(definitions)
    attempt: list[Any] = []
    try:
        attempt.append((await submitted(submit, {"it": value})).value["it"])
    except AttemptsExhaustedError as error:
        repaired = list(error.warnings)
    else:
        repaired = []
    assert not repaired
    return attempt


def repairs(result: ExtractResult[Any]) -> list[tuple[str | None, str]]:
    return [(w.path, w.message) for w in result.warnings if w.kind == "argument_repaired"]


@pytest.mark.parametrize(
    "text", [json.dumps([GOOD_ITEM]), f"```json\n{json.dumps([GOOD_ITEM], indent=1)}\n```\n"]
)
async def test_a_nested_list_that_came_as_text_is_repaired_with_a_warning(text: str) -> None:
    result = await submitted(Order, {"items": text})
    assert result.value == Order(items=[Item(name="fibre", price=2.5)])
    [(path, message)] = repairs(result)
    assert path == "/items"
    assert "submit_order was sent" in message
    # What the model sent stays on record.
    assert result.raw_args == result.attempts[0].raw_args == {"items": text}


async def test_strict_judges_arguments_as_they_were_sent() -> None:
    with pytest.raises(AttemptsExhaustedError) as caught:
        await submitted(Order, {"items": json.dumps([GOOD_ITEM])}, strict=True)
    assert [p.path for p in caught.value.attempts[0].problems] == ["/items"]
    assert not caught.value.warnings
    with pytest.raises(InvalidOptionsError, match="strict must be"):
        await submitted(Order, {}, strict="yes")


async def test_every_repair_of_a_call_is_recorded_with_its_path() -> None:
    result = await submitted(
        Order,
        {
            "items": json.dumps(GOOD_ITEM),
            "tags": "new",
            "due": "None",
            "size": "large",
            "weights": json.dumps({"a/b": 3}),
        },
    )
    assert result.value == Order(
        items=[Item(name="fibre", price=2.5)],
        tags=["new"],
        size="LARGE",
        weights={"a/b": [3]},
    )
    paths = [path for path, _ in repairs(result)]
    assert paths == ["/items", "/tags", "/due", "/size", "/weights", "/weights/a~1b"]


async def test_the_body_gets_the_repaired_arguments() -> None:
    seen: list[Any] = []

    def submit(items: list[Item], counts: list[int]) -> str:
        """Submit."""
        seen.append((items, counts))
        return "ok"

    agent = Agent(
        model=ScriptedModel([call("submit", {"items": GOOD_ITEM, "counts": "[1, 2]"})]),
        tools=[submit],
    )
    result = await extract(agent, "go", until_tool_success="submit", max_runs=1)
    assert seen == [([Item(name="fibre", price=2.5)], [1, 2])]
    assert result.args == {"items": [GOOD_ITEM], "counts": [1, 2]}


async def test_what_is_still_wrong_after_a_repair_is_told_by_its_place_inside() -> None:
    with pytest.raises(AttemptsExhaustedError) as caught:
        await submitted(Order, {"items": json.dumps([{"name": "fibre", "price": -1}])})
    assert [p.path for p in caught.value.attempts[0].problems] == ["/items/0/price"]
    assert [w.path for w in caught.value.warnings] == ["/items"]


async def test_a_type_that_reads_text_in_its_own_way_keeps_doing_so() -> None:
    class Tagged(BaseModel):
        tags: list[str]
        count: int | None

        @field_validator("tags", mode="before")
        @classmethod
        def split(cls, value: Any) -> Any:
            return value.split() if isinstance(value, str) else value

    model = ScriptedModel([call("submit_tagged", {"tags": "a b", "count": "null"})])
    result = await extract(Agent(model=model), "go", until_tool_success=Tagged)
    assert result.value == Tagged(tags=["a", "b"], count=None)
    assert [path for path, _ in repairs(result)] == ["/count"]


STRINGS = {"type": "array", "items": {"type": "string"}}
NUMBERS = {"type": "array", "items": {"type": "number"}}
POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}},
    "required": ["x"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value", "taken"),
    [
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "False", False),
        ({"type": "integer"}, "12", 12),
        ({"type": "number"}, "-1.5e3", -1500.0),
        ({"type": ["number", "null"]}, "null", None),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "3", 3),
        ({"enum": ["low", "high"]}, "HIGH", "high"),
        ({"enum": [1, 2, None]}, "2", 2),
        ({"const": "Only"}, "only", "Only"),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}, "None", None),
        ({"oneOf": [POINT, {"type": "null"}]}, '{"x": 1}', {"x": 1}),
        (POINT, '```\n{"x": "1"}\n```', {"x": 1}),
        (NUMBERS, " ```JSON \n[1,\n2]``` ", [1, 2]),
        ({"anyOf": [POINT, STRINGS]}, {"x": "1"}, {"x": 1}),
        (NUMBERS, 3, [3]),
        (NUMBERS, "[1, 2]", [1, 2]),
        (STRINGS, "one", ["one"]),
        (STRINGS, '["one, two"]', ["one, two"]),
        ({"type": "array", "items": POINT}, {"x": 1}, [{"x": 1}]),
        ({"type": "array", "items": POINT}, '{"x": 1}', [{"x": 1}]),
        ({"type": "array", "prefixItems": [{"type": "boolean"}]}, ["true"], [True]),
        ({"type": "object", "additionalProperties": {"type": "number"}}, {"a": "1"}, {"a": 1}),
    ],
)
async def test_a_value_with_one_reading_is_taken_for_it(
    schema: dict[str, Any], value: Any, taken: Any
) -> None:
    [got] = await reading(schema, value)
    assert (got, type(got)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        # Two readings.
        ({"anyOf": [{"type": "boolean"}, STRINGS]}, "true"),
        ({"enum": ["ab", "AB"]}, "Ab"),
        (STRINGS, "one, two"),
        (STRINGS, "one and two"),
        (STRINGS, "[one"),
        (STRINGS, "null"),
        (STRINGS, ""),
        (STRINGS, None),
        ({"type": "array", "items": STRINGS}, ["a", "b"]),
        (POINT, '{"x": 1, "x": 2}'),
        # A kind that is wanted, and wrong.
        ({"anyOf": [{"type": "string", "minLength": 9}, NUMBERS]}, "[1, 2]"),
        ({"anyOf": [{"type": "number", "maximum": 1}, NUMBERS]}, 3),
        # No reading.
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, 1),
        ({"type": "integer"}, "1.5"),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "1e999"),
        ({"type": "number"}, "1_000"),
        ({"type": "integer"}, "9" * 5_000),
        ({"type": "number"}, "null"),
        ({"enum": [1, 2]}, "3"),
        (POINT, "[1]"),
        (POINT, '```python\n{"x": 1}\n```'),
        (POINT, "```json\n" + " " * 200_000),
        (POINT, "{'x': 1}"),
        (POINT, '{"x": Infinity}'),
        (POINT, "[" * 100_000),
        (NUMBERS, '{"x": 1}'),
        ({**NUMBERS, "minItems": 2}, 3),
        ({"type": "array", "maxItems": 3}, 3),
        # A schema that does not say enough.
        ({"allOf": [{"type": "boolean"}]}, "true"),
        ({"anyOf": [{"type": "boolean"}, {"not": {"type": "string"}}]}, "true"),
        ({"type": "number", "anyOf": [{"minimum": 1}, {"maximum": 0}]}, "3"),
        ({"minimum": 3}, 2),
        ({"type": "array", "items": False}, ["true"]),
        ({"type": "object", "maxProperties": 0}, {"a": "1"}),
    ],
)
async def test_a_value_with_no_or_several_readings_is_left_to_the_model(
    schema: dict[str, Any], value: Any
) -> None:
    assert await reading(schema, value) == []


async def test_text_inside_text_is_followed_to_a_bounded_depth() -> None:
    def nested(depth: int) -> str:
        return json.dumps({"on": nested(depth - 1)} if depth else {})

    node = {"type": "object", "properties": {"on": {"$ref": "#/$defs/node"}}}
    [taken] = await reading({"$ref": "#/$defs/node"}, nested(4), **{"$defs": {"node": node}})
    assert taken == {"on": {"on": {"on": {"on": {}}}}}
    agent = Agent(model=ScriptedModel([call("submit", {"it": nested(12)})]))
    submit = by_json_schema(it={"$ref": "#/$defs/node"})
    assert isinstance(submit.args_schema, dict)
    submit.args_schema["$defs"] = {"node": node}
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=submit, max_runs=1)
    assert len(caught.value.warnings) == 8
    assert caught.value.attempts[0].outcome == "invalid"


async def test_references_and_recursion_are_followed() -> None:
    children = {"type": "array", "items": {"$ref": "#/$defs/node"}}
    node = {
        "type": "object",
        "properties": {"on": {"type": "boolean"}, "children": children},
    }
    tree = {"on": True, "children": json.dumps([{"on": "false"}])}
    taken = await reading({"$ref": "#/$defs/node"}, tree, **{"$defs": {"node": node}})
    assert taken == [{"on": True, "children": [{"on": False}]}]


@pytest.mark.parametrize(
    "definition",
    [{"$ref": "#named"}, {"$ref": "#/$defs/list/anyOf/0"}, {"$ref": "#/$defs/circle"}],
)
async def test_a_reference_that_leads_in_a_circle_or_astray_repairs_nothing(
    definition: dict[str, Any],
) -> None:
    definitions = {
        "list": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "named": {"type": "boolean", "$anchor": "named"},
        "circle": {"anyOf": [{"$ref": "#/$defs/circle"}, {"type": "boolean"}]},
    }
    assert await reading(definition, "true", **{"$defs": definitions}) == []


async def test_a_variant_is_told_by_its_constant() -> None:
    def variant(kind: str, of: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": {"kind": {"const": kind}, "size": of}}

    schema = {"oneOf": [variant("text", {"type": "string"}), variant("number", {"type": "number"})]}
    assert await reading(schema, {"kind": "number", "size": "3"}) == [{"kind": "number", "size": 3}]
    # Without it, text is as good as a number.
    either = {"oneOf": [{**variant("a", {"enum": [True]})}, {**variant("b", STRINGS)}]}
    assert await reading(either, {"size": "true"}) == []


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_valid_arguments_are_never_changed(value: Any) -> None:
    submit = by_json_schema(it={})
    agent = Agent(model=ScriptedModel([call("submit", {"it": value})]))
    result = extract_sync(agent, "go", until_tool_success=submit)
    assert result.value == {"it": value}
    assert not result.warnings


async def prose(text: str, target: Any = Item, **options: Any) -> ExtractResult[Any]:
    model = ScriptedModel([text])
    return await extract(
        Agent(model=model), "go", until_tool_success=target, max_nudges=0, max_runs=1, **options
    )


@pytest.mark.parametrize("text", [json.dumps(GOOD_ITEM), f"```json\n{json.dumps(GOOD_ITEM)}\n```"])
async def test_prose_that_is_the_submission_is_taken_for_it_with_a_warning(text: str) -> None:
    result = await prose(text)
    assert result.value == Item(name="fibre", price=2.5)
    assert [w.kind for w in result.warnings] == ["submission_in_prose"]
    # The conversation that comes back is well-formed: the reply has the call that is answered.
    reply, answer = result.messages[1:]
    assert isinstance(reply, AIMessage)
    assert isinstance(answer, ToolMessage)
    assert reply.tool_calls[0]["id"] == answer.tool_call_id == result.attempts[0].call_id


class Part(BaseModel):
    name: str
    price: float


class Explodes(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def explode(cls, value: str) -> str:
        raise RuntimeError(value)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("It is " + json.dumps(GOOD_ITEM), Item),
        (json.dumps({"name": "fibre", "price": -1}), Item),
        (json.dumps({**GOOD_ITEM, "colour": "red"}), Item),
        (json.dumps(GOOD_ITEM), [Item, Part]),
        (json.dumps([GOOD_ITEM]), list[Item]),
        ("{}", Order),
        (json.dumps({"anything": 1}), {"type": "object"}),
        (json.dumps({"name": "a"}), Explodes),
    ],
)
async def test_prose_that_may_be_something_else_is_prose(text: str, target: Any) -> None:
    with pytest.raises(TargetNotCalledError) as caught:
        await prose(text, target)
    assert not caught.value.warnings


async def test_under_strict_prose_is_always_prose() -> None:
    with pytest.raises(TargetNotCalledError):
        await prose(json.dumps(GOOD_ITEM), strict=True)


async def test_a_submission_in_prose_that_the_body_refuses_goes_back_to_the_model() -> None:
    def submit(name: str) -> str:
        """Submit."""
        if name == "taken":
            raise ToolException("the name is taken")
        return name

    model = ScriptedModel(['{"name": "taken"}', call("submit", {"name": "free"})])
    result = await extract(Agent(model=model, tools=[submit]), "go", until_tool_success="submit")
    assert result.value == {"name": "free"}
    assert [a.outcome for a in result.attempts] == ["rejected", "accepted"]
