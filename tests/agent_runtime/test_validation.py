"""Arguments are validated in full before a body runs, and what is wrong is said at once."""

import enum
from collections.abc import Callable
from datetime import date
from typing import Any, Literal

import pytest
from langchain_core.tools import StructuredTool, tool
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from agent_runtime import Agent, AttemptsExhaustedError, Problem, extract
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


async def problems(submit: Any, args: dict[str, Any]) -> tuple[list[Problem], str]:
    """What is wrong with the arguments, and what the model is told."""
    agent = Agent(model=ScriptedModel([call("submit", args)]), tools=[submit])
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success="submit", max_runs=1)
    attempt = caught.value.attempts[0]
    assert attempt.outcome == "invalid"
    assert attempt.args is None
    return list(attempt.problems), attempt.answer


async def accepted(submit: Any, args: dict[str, Any]) -> Any:
    agent = Agent(model=ScriptedModel([call("submit", args)]), tools=[submit])
    return await extract(agent, "go", until_tool_success="submit", max_runs=1)


def show(**arguments: Any) -> str:
    return str(arguments)


def by_json_schema(**schema: Any) -> StructuredTool:
    return StructuredTool(
        name="submit",
        description="Submit.",
        args_schema={"type": "object", **schema},
        func=show,
    )


def by_model(model: type[BaseModel]) -> StructuredTool:
    return StructuredTool(name="submit", description="Submit.", args_schema=model, func=show)


ITEM = {
    "type": "object",
    "properties": {"price": {"type": "number", "minimum": 0}, "tags": {"type": "array"}},
    "required": ["price", "unit"],
    "additionalProperties": False,
}


async def test_a_json_schema_is_enforced_and_every_problem_is_named() -> None:
    submit = by_json_schema(
        properties={
            "title": {"type": "string"},
            "severity": {"enum": ["low", "high", 3]},
            "items": {"type": "array", "items": ITEM},
        },
        required=["title", "severity"],
    )
    found, told = await problems(
        submit,
        {"titel": 3, "severity": "hihg", "items": [{"price": -1, "pri": 2}, "none"]},
    )
    assert {(p.path, p.got, p.expected, p.nearest) for p in found} == {
        ("/title", "nothing", "a value: it is required", None),
        ("/titel", "3", "no such field", '"title"'),
        ("/severity", '"hihg"', 'one of "low", "high", 3', '"high"'),
        ("/items/0/price", "-1", "at least 0", None),
        ("/items/0/unit", "nothing", "a value: it is required", None),
        ("/items/0/pri", "2", "no such field", None),
        ("/items/1", '"none"', "an object", None),
    }
    assert '- /severity: got "hihg", expected one of' in told
    assert 'did you mean "high"?' in told


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": ["string", "null"]}, 3, "a string or null"),
        ({"const": "x"}, "y", 'exactly "x"'),
        ({"enum": ["x", 3]}, 4, 'one of "x", 3'),
        ({"maximum": 2}, 3, "at most 2"),
        ({"exclusiveMinimum": 2}, 2, "more than 2"),
        ({"multipleOf": 2}, 3, "a multiple of 2"),
        ({"minLength": 2}, "x", "at least 2 characters"),
        ({"pattern": "^a"}, "b", 'a match of "^a"'),
        ({"format": "date"}, "tomorrow", 'the format "date"'),
        ({"minItems": 1}, [], "at least 1 items"),
        ({"uniqueItems": True}, [1, 1], "items that all differ"),
        ({"not": {"type": "string"}}, "x", "what the schema asks for"),
        ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, 3, "what the schema asks for"),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, 3, "a string"),
    ],
    ids=str,
)
async def test_each_keyword_has_its_words(
    schema: dict[str, Any], value: Any, expected: str
) -> None:
    found, _ = await problems(by_json_schema(properties={"a": schema}), {"a": value})
    assert [p.path for p in found] == ["/a"]
    assert found[0].expected.startswith(expected)


async def test_of_several_forms_the_closest_is_explained() -> None:
    circle = {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}}
    line = {"properties": {"kind": {"const": "line"}, "from": {"type": "string"}}}
    forms = [{"type": "object", "required": ["kind"], **form} for form in (line, circle)]
    submit = by_json_schema(properties={"shape": {"oneOf": forms}})
    found, _ = await problems(submit, {"shape": {"kind": "circle", "radius": "big", "from": 3}})
    assert [(p.path, p.expected) for p in found] == [("/shape/radius", "a number")]


async def test_extra_fields_under_composition_are_named_as_a_whole() -> None:
    submit = by_json_schema(
        allOf=[{"properties": {"a": {}}}], properties={"b": {}}, unevaluatedProperties=False
    )
    found, _ = await problems(submit, {"a": 1, "b": 2, "c": 3})
    assert [(p.path, p.expected) for p in found] == [("", "no other fields than the declared ones")]
    assert str(found[0]).startswith("the arguments: got ")


async def test_undeclared_arguments_are_warned_about_and_misspelled_ones_refused() -> None:
    class Model(BaseModel):
        title: str
        summary: str = ""

    schema = by_json_schema(properties={"title": {}, "summary": {}})
    for submit in (schema, by_model(Model)):
        result = await accepted(submit, {"title": "a", "confidence": 0.9})
        assert [w.kind for w in result.warnings] == ["unknown_argument"]
        assert "'confidence'" in str(result.warnings[0])
        # Ignoring this one would lose what the model meant for an optional field.
        found, _ = await problems(submit, {"title": "a", "sumary": "b"})
        assert [(p.path, p.nearest) for p in found] == [("/sumary", '"summary"')]


async def test_a_schema_that_allows_any_name_is_taken_at_its_word() -> None:
    class Open(BaseModel, extra="allow"):
        title: str = ""

    for submit in (
        by_json_schema(properties={"title": {}}, additionalProperties=True),
        by_json_schema(),
        by_model(Open),
    ):
        assert not (await accepted(submit, {"titel": "a"})).warnings


async def test_pydantic_errors_are_reworded_with_true_paths() -> None:
    class Kind(enum.Enum):
        SMALL = "small"
        LARGE = "large"

    class Circle(BaseModel):
        kind: Literal["circle"]
        radius: float

    class Line(BaseModel):
        kind: Literal["line"]

    class Model(BaseModel, extra="forbid"):
        title: str = Field(min_length=2, pattern="^[a-z]+$")
        size: Kind
        shapes: list[Circle | Line]
        names: list[str]
        counts: dict[str, int]
        day: date
        pair: tuple[int, int]

        @field_validator("day")
        @classmethod
        def not_too_early(cls, day: date) -> date:
            if day.year < 2000:
                raise ValueError("the day must be in this century")
            return day

    found, told = await problems(
        by_model(Model),
        {
            "titel": "x",
            "title": "X",
            "size": "smal",
            "names": "Ada, Bob",
            "shapes": [{"kind": "circle", "radius": "wide"}, {}],
            "counts": {"a/b": "many"},
            "day": "1999-01-01",
            "pair": [1],
        },
    )
    said = {(p.path, p.expected) for p in found}
    assert {
        ("/title", "at least 2 characters"),
        ("/size", "'small' or 'large'"),
        ("/shapes/0/radius", "a valid number, unable to parse string as a number"),
        ("/shapes/1/kind", "a value: it is required"),
        ("/counts/a~1b", "a valid integer, unable to parse string as an integer"),
        ("/day", "the day must be in this century"),
        ("/pair/1", "a value: it is required"),
        ("/names", "a valid list"),
        ("/titel", "no such field"),
    } <= said
    assert {p.path: p.nearest for p in found}["/size"] == '"small"'
    assert "errors.pydantic.dev" not in told


async def test_the_answer_is_bounded_however_much_is_wrong() -> None:
    submit = by_json_schema(properties={"a": {"items": {"type": "string"}}})
    found, told = await problems(submit, {"a": [{"long": "x" * 10_000}] * 500})
    assert len(found) == 500
    assert len(told) < 5_000
    assert told.endswith("- and 480 more")
    found, _ = await problems(submit, {"a": [["y" * 10_000]]})
    assert len(found[0].got) <= 120


async def test_aliases_are_names_that_may_be_sent() -> None:
    class Model(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        user: str = Field(validation_alias=AliasChoices("user_name", AliasPath("names", 0)))
        age: int = Field(0, alias="years")

    submit = by_model(Model)
    for args in ({"user_name": "a"}, {"names": ["a"]}, {"user": "a", "years": 3}, {"user": "a"}):
        assert not (await accepted(submit, args)).warnings


async def test_a_validation_error_inside_a_body_is_explained_too() -> None:
    class Person(BaseModel):
        name: str
        age: int

    @tool
    def submit(person: dict[str, Any]) -> str:
        """Submit."""
        return Person.model_validate(person).name

    agent = Agent(model=ScriptedModel([call("submit", {"person": {"age": "x"}})]), tools=[submit])
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success="submit", max_runs=1)
    attempt = caught.value.attempts[0]
    assert attempt.outcome == "rejected"
    assert [p.path for p in attempt.problems] == ["/name", "/age"]
    assert "did not accept the call" in attempt.answer


async def test_a_model_wide_rule_is_told_as_a_problem_of_the_arguments() -> None:
    class Interval(BaseModel):
        low: int
        high: int

        @model_validator(mode="after")
        def ordered(self) -> "Interval":
            if self.low > self.high:
                raise ValueError("low must\nnot be above high")
            return self

    found, _ = await problems(by_model(Interval), {"low": 3, "high": 1})
    assert [(p.path, p.expected) for p in found] == [("", "low must not be above high")]


def _recursion(_: Any) -> Any:
    raise RecursionError("too deep")


def _nested(value: Any) -> Any:
    return BaseModel.model_validate(value)


@pytest.mark.parametrize("fault", [_recursion, _nested])
async def test_a_validator_that_breaks_is_an_error_for_the_model_not_a_crash(
    fault: Callable[[Any], Any],
) -> None:
    class Model(BaseModel):
        a: Any

        @field_validator("a")
        @classmethod
        def break_down(cls, value: Any) -> Any:
            return fault(value)

    submit = by_model(Model)
    agent = Agent(model=ScriptedModel([call("submit", {"a": 1})]), tools=[submit])
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success="submit", max_runs=1)
    assert caught.value.attempts[0].outcome == "invalid"


def test_a_problem_reads_as_a_sentence() -> None:
    problem = Problem(path="/a", expected="an integer", got='"x"', nearest=None)
    assert str(problem) == '/a: got "x", expected an integer'
