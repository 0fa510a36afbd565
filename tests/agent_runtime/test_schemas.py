"""A schema is target enough: the submit tool is made of it, and the value has its type."""

import sys
import typing
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4

import pytest
import typing_extensions
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict, Field

from agent_runtime import Agent, AttemptsExhaustedError, InvalidOptionsError, extract
from agent_runtime.testing import ScriptedCall, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Severity(Enum):
    LOW = "low"
    HIGH = 2


class Node(BaseModel):
    """A node of a tree."""

    name: str
    children: "list[Node]" = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: dict[str, Node] = {}


CLEVER = Dog(kind="dog", tricks={"sit": Node(name="s")})
REFERRING = {
    "type": "array",
    "items": {"$ref": "#/$defs/n"},
    "$defs": {"n": {"type": "null"}},
}


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: date
    amount: Decimal
    severity: Severity


@dataclass
class Point:
    """A point in the plane."""

    x: float
    y: float = 0.0


class OldStyle(typing.TypedDict):
    name: Annotated[str, Field(description="The full name.")]
    age: typing.NotRequired[int]


class OldPartial(typing.TypedDict, total=False):
    people: list[OldStyle]
    lead: typing.Required[OldStyle | None]
    kind: Literal["a", "b"]
    note: Annotated[str | None, Field(description="A note.")]


class Loop(typing.TypedDict):
    after: "Loop | None"


class NewStyle(typing_extensions.TypedDict):
    name: str


async def submitted(target: Any, args: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The result, and the tool as it was offered to the model."""
    model = ScriptedModel([])

    def submit(_: object) -> ScriptedCall:
        return call(model.requests[0].tool_names[0], args)

    model.script.append(submit)
    result = await extract(Agent(model=model), "go", until_tool_success=target, max_runs=1)
    return result, model.requests[0].tools[0]["function"]


@pytest.mark.parametrize(
    ("target", "args", "value", "name"),
    [
        (Node, {"name": "a"}, Node(name="a"), "submit_node"),
        (Point, {"x": "1"}, Point(1.0, 0.0), "submit_point"),
        (OldStyle, {"name": "Ada"}, {"name": "Ada"}, "submit_old_style"),
        (NewStyle, {"name": "Ada"}, {"name": "Ada"}, "submit_new_style"),
        (
            OldPartial,
            {"people": [{"name": "Ada", "age": 36}], "lead": None},
            {"people": [{"name": "Ada", "age": 36}], "lead": None},
            "submit_old_partial",
        ),
        (
            Strict,
            {"day": "2026-01-02", "amount": "1.10", "severity": 2},
            Strict(day=date(2026, 1, 2), amount=Decimal("1.10"), severity=Severity.HIGH),
            "submit_strict",
        ),
    ],
    ids=["model", "dataclass", "typing", "extensions", "partial", "strict"],
)
async def test_an_object_is_submitted_by_its_fields(
    target: Any, args: dict[str, Any], value: Any, name: str
) -> None:
    result, offered = await submitted(target, args)
    assert result.value == value
    assert (result.tool_name, offered["name"]) == (name, name)
    assert offered["parameters"]["type"] == "object"
    assert result.raw_args == args


@pytest.mark.parametrize(
    ("target", "raw", "value"),
    [
        (int, "3", 3),
        (list[Point], [{"x": 1}], [Point(1.0)]),
        (Cat | Dog, {"kind": "dog", "tricks": {"sit": {"name": "s"}}}, CLEVER),
        (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cat"}, Cat(kind="cat")),
        (Severity, 2, Severity.HIGH),
        (Point | None, None, None),
        ({"type": "array", "items": {"type": "integer"}}, [1, 2], [1, 2]),
        ({"enum": ["a", None]}, None, None),
        (REFERRING, [None], [None]),
    ],
    ids=["int", "list", "union", "discriminated", "enum", "none", "array", "null", "reference"],
)
async def test_a_value_that_is_no_object_is_wrapped_and_unwrapped(
    target: Any, raw: Any, value: Any
) -> None:
    result, offered = await submitted(target, {"value": raw})
    assert result.value == value
    assert type(result.value) is type(value)
    assert offered["name"] == ("submit_severity" if target is Severity else "submit_result")
    assert list(offered["parameters"]["properties"]) == ["value"]
    assert list(result.args) == ["value"]


async def test_a_dictionary_of_any_names_is_an_object_as_it_is() -> None:
    result, _ = await submitted(dict[str, int], {"a": "1", "b": 2})
    assert result.value == {"a": 1, "b": 2}
    assert not result.warnings
    with pytest.raises(AttemptsExhaustedError, match="/b: got"):
        await submitted(dict[str, int], {"b": "x"})


async def test_a_json_schema_is_enforced_and_named_by_its_title() -> None:
    schema = {
        "title": "Fault report",
        "description": "What is wrong where.",
        "type": "object",
        "properties": {"node": {"type": "string"}, "config": {}, "run_manager": {}},
        "required": ["node"],
    }
    # Names that langchain-core uses for itself are names like any other.
    args = {"node": "n", "config": "c", "run_manager": "r"}
    result, offered = await submitted(schema, args)
    assert result.value == args
    assert offered["name"] == "submit_fault_report"
    assert "What is wrong where." in offered["description"]
    with pytest.raises(AttemptsExhaustedError, match="/node: got 3, expected a string"):
        await submitted(schema, {"node": 3})


async def test_recursion_is_kept_in_what_the_model_sees_and_in_the_value() -> None:
    tree = {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]}
    result, offered = await submitted(Node, tree)
    assert result.value.children[0].children[0].name == "c"
    parameters = offered["parameters"]
    assert parameters["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}
    assert parameters["$defs"]["Node"]["required"] == ["name"]
    assert "A node of a tree." in offered["description"]


async def test_the_recursion_of_an_ordinary_tool_is_kept_too() -> None:
    def submit(root: Node) -> str:
        """Submit."""
        return root.name

    def submit_forest(**arguments: Any) -> str:
        return str(arguments)

    forest = {"type": "object", "properties": {"sub": {"$ref": "#"}}}
    raw = StructuredTool(
        name="submit_forest", description="Submit.", args_schema=forest, func=submit_forest
    )
    model = ScriptedModel([call("submit", {"root": {"name": "a"}})])
    await extract(Agent(model=model, tools=[submit, raw]), "go", until_tool_success="submit")
    first, second = (tool["function"] for tool in model.requests[0].tools)
    assert first["parameters"]["properties"]["root"] == {"$ref": "#/$defs/Node"}
    assert "$defs" in first["parameters"]
    assert second["parameters"]["properties"]["sub"] == {"$ref": "#"}


async def test_references_that_do_not_recur_are_inlined_for_the_provider() -> None:
    class Pair(BaseModel):
        left: Cat
        right: Cat

    _, offered = await submitted(Pair, {"left": {"kind": "cat"}, "right": {"kind": "cat"}})
    assert "$ref" not in str(offered)


async def test_the_arguments_of_a_schema_are_those_of_its_value() -> None:
    class Ticket(BaseModel):
        number: UUID = Field(default_factory=uuid4)
        title: str = Field(alias="Title")

    result, _ = await submitted(Ticket, {"Title": "a"})
    assert result.args == {"number": result.value.number, "Title": "a"}


@pytest.mark.parametrize(
    "target",
    [
        {"type": "array", "items": {"$ref": "#"}},
        {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}},
        {"type": "object", "properties": 3},
        OldStyle.__class__,
        pytest.param(
            Loop, marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="pydantic can")
        ),
        typing.NewType,
    ],
    ids=["self", "remote", "invalid", "metaclass", "loop", "nonsense"],
)
async def test_a_schema_that_cannot_be_submitted_is_refused_before_any_call(target: Any) -> None:
    model = ScriptedModel([])
    with pytest.raises(InvalidOptionsError):
        await extract(Agent(model=model), "go", until_tool_success=target)
    assert not model.requests


async def test_the_type_of_the_value_is_known_to_type_checkers() -> None:
    model = ScriptedModel([call("submit_point", {"x": 1, "y": 2})])
    result = await extract(Agent(model=model), "go", until_tool_success=Point)
    typing.assert_type(result.value, Point)
    assert result.value.x + result.value.y == 3.0
