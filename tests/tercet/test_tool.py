from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field
from typing_extensions import TypedDict

from tercet import (
    CallContext,
    ErrorCode,
    Tool,
    ToolDefinitionError,
    ToolErrorResponse,
    ToolRegistry,
    ToolSuccessResponse,
    tool,
)

pytestmark = pytest.mark.anyio


class Amp(StrEnum):
    LINE = "line"
    BOOSTER = "booster"


class Point(TypedDict):
    x: float
    y: float


@dataclass
class Step:
    amp: Amp
    points: list[Point]


class Plan(BaseModel):
    steps: list[Step]
    kind: Literal["fast", "slow"] = "fast"


def even(value: int) -> int:
    if value % 2:
        raise ValueError("an even number is needed")
    return value


@tool(app="a", kind="b", effect="write")
async def run_plan(
    plan: Annotated[Plan, Field(description="What to do.")],
    count: Annotated[int, Field(description="How often."), AfterValidator(even)] = 2,
    note: Annotated[str | None, Field(description="A word on it.", max_length=5)] = None,
    amp: Annotated[Amp | None, Field(description="Which amplifier.")] = None,
    either: Annotated[int | list[int] | None, Field(description="One or several.")] = None,
) -> dict[str, Any]:
    """Run a plan.

    It may take a while.

    Raises:
        ValueError: Never told to the model here.
    """
    first = plan.steps[0]
    return {"amp": first.amp, "note": note, "count": count, "either": either, "on": amp}


def call(arguments: dict[str, Any]) -> Any:
    return ToolRegistry([run_plan]).call_tool("run_plan", arguments)


STEP = {"amp": "line", "points": [{"x": 1, "y": 2}]}


async def test_a_tool_is_still_a_typed_function() -> None:
    step = Step(amp=Amp.LINE, points=[{"x": 1, "y": 2}])
    assert (await run_plan(Plan(steps=[step]), note="hi"))["note"] == "hi"


def test_the_schema_is_flat_plain_and_closed() -> None:
    text = str(run_plan.input_schema)
    for word in ("$ref", "$defs", "title", "default': None"):
        assert word not in text
    properties = run_plan.input_schema["properties"]
    assert run_plan.input_schema["required"] == ["plan"]
    assert run_plan.input_schema["additionalProperties"] is False
    steps = properties["plan"]["properties"]["steps"]["items"]["properties"]
    assert steps["amp"]["enum"] == ["line", "booster"]
    assert steps["points"]["items"]["properties"]["x"] == {"type": "number"}
    assert properties["note"] == {
        "description": "A word on it.",
        "maxLength": 5,
        "type": ["string", "null"],
    }
    assert properties["amp"]["enum"] == ["line", "booster", None]


def test_the_description_is_the_docstring_up_to_its_first_section() -> None:
    assert run_plan.description == "Run a plan.\n\nIt may take a while."
    assert run_plan.title == "Run plan"


def test_the_mcp_format_is_a_copy_of_three_parts() -> None:
    given = run_plan.to_mcp_format()
    assert set(given) == {"name", "description", "inputSchema"}
    given["inputSchema"]["properties"].clear()
    assert run_plan.input_schema["properties"]


async def test_typed_arguments_reach_the_function() -> None:
    answer = await call({"plan": {"steps": [STEP]}, "amp": "booster", "either": [1]})
    assert isinstance(answer, ToolSuccessResponse)
    assert answer.data.result == {
        "amp": "line",
        "note": None,
        "count": 2,
        "either": [1],
        "on": "booster",
    }
    assert not (await call({"plan": {"steps": [STEP]}, "note": None})).is_error


@pytest.mark.parametrize(
    ("arguments", "pointer", "expected", "nearest"),
    [
        (
            {"plan": {"steps": [{"amp": "boster", "points": []}]}},
            "/plan/steps/0/amp",
            'one of ["line", "booster"]',
            "booster",
        ),
        (
            {"plan": {"steps": [{"amp": "line", "points": [{"x": 1}]}]}},
            "/plan/steps/0/points/0/y",
            "number (required)",
            None,
        ),
        ({"plan": {"steps": [STEP]}, "count": 3}, "/count", "an even number is needed", None),
        ({"plan": {"steps": [STEP]}, "note": "long one"}, "/note", "a length of at most 5", None),
        ({"plan": {"steps": [STEP]}, "either": "x"}, "/either", None, None),
        ({"plan": {"steps": [STEP]}, "either": [1, "x"]}, "/either/1", "integer", None),
        ({"plan": [1] * 1_000}, "/plan", "object", None),
    ],
)
async def test_a_fault_deep_inside_is_named_by_its_pointer(
    arguments: dict[str, Any], pointer: str, expected: str | None, nearest: Any
) -> None:
    answer = await call(arguments)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code is ErrorCode.INVALID_INPUT
    (detail,) = answer.details
    assert detail.pointer == pointer
    if expected is not None:
        assert expected in detail.expected
    assert detail.nearest == nearest
    assert len(answer.to_json()) < 2_000


@pytest.mark.parametrize(("given", "nearest"), [(9, 8), ("LINE", None), (7.4, 7)])
async def test_the_nearest_of_allowed_numbers_is_named(given: Any, nearest: Any) -> None:
    async def node(_: CallContext, arguments: dict[str, Any]) -> Any:
        return arguments["node_id"]

    made = Tool.from_schema(
        name="node",
        description="Name a node.",
        input_schema={
            "type": "object",
            "properties": {"node_id": {"enum": [7, 8], "description": "Which."}},
            "required": ["node_id"],
        },
        output_schema={"type": "integer"},
        function=node,
        app="a",
        kind="control",
        effect="write",
        facts={"command": "SET_NODE"},
    )
    registry = ToolRegistry([made])
    answer = await registry.call_tool("node", {"node_id": given})
    assert isinstance(answer, ToolErrorResponse)
    assert answer.details[0].nearest == nearest
    assert not (await registry.call_tool("node", {"node_id": 8})).is_error
    assert made.facts["command"] == "SET_NODE"


def untyped(x, y: int) -> int:  # noqa: ANN001 # pyright: ignore[reportUnknownParameterType, reportMissingParameterType] -- what is tested
    """Lack a type."""
    return x + y


def unreturned(x: int):  # noqa: ANN201 -- what is tested
    """Lack a result."""
    return x


def starred(*x: int) -> int:
    """Take any number."""
    return sum(x)


def undescribed(x: int) -> int:
    return x


def unschemable(x: object()) -> int:  # pyright: ignore[reportInvalidTypeForm, reportUnknownParameterType] -- what is tested
    """Have no schema."""
    return x


def null_default(x: int = None) -> int:  # noqa: RUF013 # pyright: ignore[reportArgumentType] -- what is tested
    """Lie about the default."""
    return x


class Node(BaseModel):
    children: list["Node"]


def recursive(node: Node) -> int:
    """Take a tree."""
    return len(node.children)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (untyped, "'x' of 'untyped' has no type"),
        (unreturned, "'unreturned' does not say what it returns"),
        (starred, "cannot be passed by name"),
        (undescribed, "has no description"),
        (unschemable, "has no JSON Schema"),
        (null_default, "the default is None"),
        (recursive, "contains itself"),
        (lambda: 1, "does not say what it returns"),
    ],
)
def test_a_wrong_declaration_is_an_error_where_it_stands(function: Any, message: str) -> None:
    with pytest.raises(ToolDefinitionError, match=message):
        tool(app="a", kind="b", effect="read")(function)


@pytest.mark.parametrize(
    ("name", "schema", "message"),
    [
        ("a.b", {"type": "object"}, "is no tool name"),
        ("x" * 65, {"type": "object"}, "is no tool name"),
        ("a", {"type": "array"}, "is not of an object"),
        ("a", {"type": "object", "properties": {"x": {"type": "nothing"}}}, "has a bad schema"),
    ],
)
def test_a_bad_name_or_schema_is_an_error_where_it_stands(
    name: str, schema: dict[str, Any], message: str
) -> None:
    async def nothing(_: CallContext, __: dict[str, Any]) -> Any:
        return None

    with pytest.raises(ToolDefinitionError, match=message):
        Tool.from_schema(
            name=name,
            description="Do nothing.",
            input_schema=schema,
            function=nothing,
            app="a",
            kind="b",
            effect="read",
        )


async def test_returning_what_is_not_declared_is_our_defect() -> None:
    @tool(app="a", kind="b", effect="read")
    def opaque() -> Any:
        """Give something that is no JSON."""
        return object()

    answer = await ToolRegistry([opaque]).call_tool("opaque", {})
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code is ErrorCode.INTERNAL_ERROR


def test_an_answer_schema_admits_the_answer_and_the_handle_in_its_place() -> None:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- the independent judge

    judge = Draft202012Validator(run_plan.answer_schema())
    metadata = {"operation": "run_plan"}
    handle = {"ref": "result_0", "message": "m", "summary": {}}
    for result in ({"amp": "line"}, handle):
        answer = {"status": "success", "data": {"result": result, "metadata": metadata}}
        assert judge.is_valid(answer)
    assert judge.is_valid({"status": "error", "error_code": "NOT_FOUND", "message": "m"})
    assert not judge.is_valid({"status": "success", "data": {"result": 7, "metadata": metadata}})
    assert not judge.is_valid({"status": "perhaps"})
