"""Values in the form of each provider family mean what they mean in the schema of the caller."""

import base64
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator
from langchain_core.messages import ToolMessage
from schema_forms import (
    FAMILIES,
    Cat,
    Dog,
    Level,
    Mixed,
    Options,
    Owner,
    Pet,
    Prices,
    Scalars,
    Tree,
    call_of,
)

from agent_runtime import (
    Agent,
    SchemaFamily,
    SubmitTool,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

SENT: list[tuple[Any, SchemaFamily, dict[str, Any], Any]] = [
    (
        Tree,
        "openai",
        {"name": "a", "children": [{"name": "b", "children": None}]},
        Tree(name="a", children=[Tree(name="b")]),
    ),
    (
        Pet,
        "openai",
        {"value": {"kind": "dog", "tricks": [{"key": "sit", "value": 2}]}},
        Dog(kind="dog", tricks={"sit": 2}),
    ),
    (Pet, "anthropic", {"value": {"kind": "cat"}}, Cat(kind="cat")),
    (
        Owner,
        "openai",
        {"pet": {"kind": "cat", "lives": None}, "others": None},
        Owner(pet=Cat(kind="cat")),
    ),
    (
        Owner,
        "gemini",
        {
            "pet": {"kind": "cat", "lives": 3},
            "others": [{"kind": "dog", "tricks": [{"key": "sit", "value": 1}]}],
        },
        Owner(pet=Cat(kind="cat", lives=3), others=[Dog(kind="dog", tricks={"sit": 1})]),
    ),
    (
        Options,
        "openai",
        {"note": None, "count": None, "either": 3, "tags": ["a"], "pair": [2, "b"]},
        Options(either=3, tags={"a"}, pair=(2, "b")),
    ),
    (Options, "gemini", {}, Options()),
    (
        Prices,
        "openai",
        {
            "by_node": [{"key": "n", "value": {"kind": "cat", "lives": None}}],
            "deep": [{"key": "a", "value": [{"key": "b", "value": ["1.5", 2]}]}],
        },
        Prices(by_node={"n": Cat(kind="cat")}, deep={"a": {"b": [Decimal("1.5"), Decimal(2)]}}),
    ),
    (
        dict[str, Cat],
        "openai",
        {"value": [{"key": "n", "value": {"kind": "cat", "lives": 1}}]},
        {"n": Cat(kind="cat", lives=1)},
    ),
    (list[Cat], "gemini", {"value": [{"kind": "cat"}]}, [Cat(kind="cat")]),
    *(
        (
            Scalars,
            family,
            {
                "price": "1.50",
                "at": "2026-12-07T08:00:00",
                "day": "2026-12-07",
                "hour": "08:00:00",
                "own": "12345678-1234-5678-1234-567812345678",
                "raw": "bytes",
                "mixed": "two",
                "level": 2,
                "code": "abc",
                "share": 0.25,
            },
            Scalars(
                price=Decimal("1.50"),
                at=datetime(2026, 12, 7, 8),  # noqa: DTZ001 -- as sent
                day=date(2026, 12, 7),
                hour=time(8),
                own=UUID("12345678-1234-5678-1234-567812345678"),
                raw=b"bytes",
                mixed=Mixed.TWO,
                level=Level.HIGH,
                code="abc",
                share=0.25,
            ),
        )
        for family in FAMILIES
    ),
]


@pytest.mark.parametrize(("form", "family", "sent", "value"), SENT)
async def test_a_value_sent_under_the_compiled_schema_is_the_value_of_the_original(
    form: Any, family: SchemaFamily, sent: dict[str, Any], value: Any
) -> None:
    model = ScriptedModel([call_of(form, sent)])
    result = await extract(Agent(model=model, schema_family=family), "go", until_tool_success=form)
    assert result.value == value
    # What the model was shown does allow what it sent, and that stays on record.
    shown = model.requests[0].tools[0]["function"]
    if family != "gemini":
        Draft202012Validator(shown["parameters"]).validate(sent)
    assert result.raw_args == result.attempts[0].raw_args == sent
    assert shown.get("strict", False) is (family == "openai")


async def test_what_a_form_cannot_forbid_is_still_refused() -> None:
    good = {
        "price": 1,
        "at": "2026-12-07T08:00:00",
        "day": "2026-12-07",
        "hour": "08:00:00",
        "own": "12345678-1234-5678-1234-567812345678",
        "raw": base64.b64encode(b"x").decode(),
        "mixed": 1,
        "level": 1,
        "code": "abc",
        "share": 0.5,
    }
    model = ScriptedModel(
        [
            call("submit_scalars", {**good, "code": "a", "level": 3}),
            call("submit_scalars", good),
        ]
    )
    agent = Agent(model=model, schema_family="gemini")
    result = await extract(agent, "go", until_tool_success=Scalars)
    assert [p.path for p in result.attempts[0].problems] == ["/level", "/code"]
    shown = model.requests[0].tools[0]["function"]["parameters"]["properties"]
    assert shown["level"] == {"type": "integer", "description": "(1 or 2)", "title": "Level"}


async def test_a_name_sent_twice_and_pairs_that_are_none_are_told_to_the_model() -> None:
    cat = {"kind": "cat", "lives": 1}
    bad: list[Any] = [
        [{"key": "n", "value": cat}, {"key": "n", "value": cat}],
        [{"key": 1, "value": cat}],
        [{"name": "n", "value": cat}],
        "n",
    ]
    model = ScriptedModel(
        [
            *(call("submit_prices", {"by_node": pairs, "deep": None}) for pairs in bad),
            call("submit_prices", {"by_node": {"n": cat}}),
        ]
    )
    agent = Agent(model=model, schema_family="openai")
    result = await extract(agent, "go", until_tool_success=Prices, max_runs=5, strict=True)
    assert [a.outcome for a in result.attempts] == ["invalid"] * 4 + ["accepted"]
    assert all(a.problems[0].path == "/by_node" for a in result.attempts[:4])
    # The plain form is understood too.
    assert result.value.by_node == {"n": Cat(kind="cat", lives=1)}


async def test_arguments_that_are_no_object_any_more_are_left_as_they_were_sent() -> None:
    model = ScriptedModel(
        [call("submit_result", {"value": "n"}), call("submit_result", {"value": []})]
    )
    agent = Agent(model=model, schema_family="openai")
    result = await extract(agent, "go", until_tool_success=dict[str, int], strict=True)
    assert result.attempts[0].raw_args == {"value": "n"}
    assert (result.value, result.attempts[0].outcome) == ({}, "invalid")


async def test_a_value_nested_too_deeply_is_answered_and_not_a_crash() -> None:
    deep: dict[str, Any] = {"name": "leaf", "children": []}
    for _ in range(400):
        deep = {"name": "a", "children": [deep]}
    model = ScriptedModel([call("submit_tree", deep), call("submit_tree", {"name": "a"})])
    agent = Agent(model=model, schema_family="openai")
    result = await extract(agent, "go", until_tool_success=Tree)
    assert isinstance(result.messages[2], ToolMessage)


async def test_prose_in_the_compiled_form_is_taken_as_the_submission_too() -> None:
    text = '{"by_node": [{"key": "n", "value": {"kind": "cat", "lives": 1}}], "deep": null}'
    model = ScriptedModel([text])
    agent = Agent(model=model, schema_family="openai")
    result = await extract(agent, "go", until_tool_success=Prices)
    assert result.value == Prices(by_node={"n": Cat(kind="cat", lives=1)})
    assert [w.kind for w in result.warnings] == ["submission_in_prose"]


async def test_a_body_gets_arguments_in_the_form_of_its_own_schema() -> None:
    def submit(prices: dict[str, float], note: str = "none") -> tuple[str, Any]:
        """Submit prices."""
        return "ok", (prices, note)

    sent = {"prices": [{"key": "tea", "value": 1.5}], "note": None}
    for tool in (submit, SubmitTool(submit, parse_args=dict)):
        model = ScriptedModel([call("submit", sent)])
        agent = Agent(model=model, tools=[tool], schema_family="openai")
        result = await extract(agent, "go", until_tool_success="submit")
        assert result.value == ({"tea": 1.5}, "none")
