"""Schemas in the form of each family of providers, and values that come back as they were meant."""

import base64
import json
import os
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from langchain_core.messages import ToolMessage
from pydantic import BaseModel, Field, TypeAdapter

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    InvalidOptionsError,
    SchemaCompilationError,
    SchemaFamily,
    SubmitTool,
    compile_schema,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

GOLDEN = Path(__file__).parent / "golden"
FAMILIES: tuple[SchemaFamily, ...] = get_args(SchemaFamily)
STRICT: tuple[SchemaFamily, ...] = ("openai", "gemini")


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=0, le=9)] = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: dict[str, int]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Owner(BaseModel):
    """Somebody with pets."""

    pet: Pet
    others: list[Pet] = []


class Mixed(Enum):
    ONE = 1
    TWO = "two"
    NONE = None


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Scalars(BaseModel):
    price: Decimal
    at: datetime
    day: date
    hour: time
    own: UUID
    raw: bytes
    mixed: Mixed
    level: Level
    code: Annotated[str, Field(min_length=2, max_length=4, pattern="^[a-z]+$")]
    share: Annotated[float, Field(gt=0, lt=1, multiple_of=0.25)]


class Options(BaseModel):
    note: str | None = None
    count: int = 5
    either: Annotated[int | str, Field(description="A number or a name.")] = "x"
    tags: Annotated[set[str], Field(max_length=3)] = set()
    pair: tuple[int, str] = (1, "a")


class Prices(BaseModel):
    by_node: dict[str, Cat]
    deep: dict[str, dict[str, list[Decimal]]] = {}


CASES: dict[str, Any] = {
    "recursive": Tree,
    "union at the root": Pet,
    "union in a field": Owner,
    "scalars": Scalars,
    "optional fields": Options,
    "fields of any name": Prices,
    "names at the root": dict[str, Cat],
    "list at the root": list[Cat],
}


def schema_of(form: Any) -> dict[str, Any]:
    return form if isinstance(form, dict) else TypeAdapter(form).json_schema()


def compiled(form: Any, family: SchemaFamily) -> Any:
    try:
        return compile_schema(schema_of(form), family).schema
    except SchemaCompilationError as error:
        return {"refused": str(error)}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_gets_the_schemas_on_record(family: SchemaFamily) -> None:
    found = {name: compiled(form, family) for name, form in CASES.items()}
    path = GOLDEN / f"{family}.json"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(path.read_text())


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", CASES)
def test_every_schema_is_valid_and_complete_and_its_root_a_plain_object(
    name: str, family: SchemaFamily
) -> None:
    schema = compiled(CASES[name], family)
    if "refused" in schema:
        assert (name, family) == ("recursive", "gemini")
        return
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert family == "generic" or not schema.keys() & {"anyOf", "oneOf", "allOf", "$ref"}
    text = json.dumps(schema)
    for node in every_node(schema):
        if family != "generic":
            assert not node.keys() & {"oneOf", "discriminator"}
        if family == "openai" and node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]
            assert family not in STRICT or node.keys() == {"$ref"}
    if family == "gemini":
        assert "$ref" not in text
        assert "const" not in text
        assert "additionalProperties" not in text


def every_node(schema: Any) -> list[dict[str, Any]]:
    """Every schema in a compiled schema."""
    if not isinstance(schema, dict):
        return []
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner += [schema.get("items"), *schema.get("anyOf", []), *schema.get("prefixItems", [])]
    return [schema, *(node for each in inner for node in every_node(each))]


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


def call_of(form: Any, sent: dict[str, Any]) -> Any:
    title = form.__name__ if isinstance(form, type) and issubclass(form, BaseModel) else ""
    return call(f"submit_{title.lower() or 'result'}", sent)


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


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"type": "object", "properties": {"a": {}}}, "/a says nothing of what is wanted"),
    ({"type": "object", "properties": {"a": True}}, "/a says nothing"),
    ({"type": "object", "properties": {"a": {"type": "object"}}}, "/a/* says nothing"),
    ({"type": "object", "properties": {"a": {"type": "array"}}}, "/a/0 says nothing"),
    ({"type": "object", "properties": {"a": {"minimum": 1}}}, "/a has no type"),
    ({"type": "object", "properties": {"a": {"enum": [[1]]}}}, "lists [1] among its choices"),
    ({"type": "object", "patternProperties": {"^a": {"type": "string"}}}, "patternProperties"),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "additionalProperties": {"type": "string"},
        },
        "fields of any name beside",
    ),
    (
        {"type": "object", "properties": {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}}},
        "/a has allOf",
    ),
    (
        {
            "type": "object",
            "properties": {"a": {"anyOf": [{"type": "string"}], "enum": ["x"]}},
        },
        "/a has anyOf beside enum",
    ),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "array", "prefixItems": [], "items": False}},
        },
        "/a is a list of nothing",
    ),
    ({"type": "object", "properties": {"a": {"$ref": "other.json"}}}, "not part of it"),
    ({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}, "not part of it"),
    (
        {"type": "object", "properties": {"a": {"$ref": "#/required/x"}}, "required": ["a"]},
        "not part",
    ),
    ({"type": "object", "properties": {"a": {"enum": []}}}, "/a lists no choices"),
    (
        {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {}}}},
        "/a/*",
    ),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]},
        "requires b, which it does not declare",
    ),
]


@pytest.mark.parametrize(("schema", "words"), REFUSED)
@pytest.mark.parametrize("family", STRICT)
def test_what_cannot_be_said_is_refused_by_name_and_place(
    schema: dict[str, Any], words: str, family: SchemaFamily
) -> None:
    with pytest.raises(SchemaCompilationError) as caught:
        compile_schema(schema, family)
    assert words in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("family", ["anthropic", "generic"])
def test_a_root_that_cannot_be_wrapped_is_refused(family: SchemaFamily) -> None:
    schema = {"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "string"}]}
    with pytest.raises(SchemaCompilationError, match="'#' is referred to"):
        compile_schema(schema, family)
    both = {"type": "object", "properties": {"a": {"oneOf": [{}], "anyOf": [{}]}}}
    if family == "anthropic":
        with pytest.raises(SchemaCompilationError, match="both oneOf and anyOf"):
            compile_schema(both, family)


def test_definitions_keep_apart_whatever_they_are_called() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/a~1b%25"},
            "b": {"$ref": "#/definitions/a_b_"},
            "c": {"$ref": "#/$defs/a~1b%25"},
        },
        "required": ["a", "b", "c"],
        "$defs": {"a/b%": {"type": "string"}},
        "definitions": {"a_b_": {"type": "integer"}},
    }
    result = compile_schema(schema, "openai").schema
    validator = Draft202012Validator(result)
    validator.validate({"a": "x", "b": 1, "c": "y"})
    assert not validator.is_valid({"a": 1, "b": 1, "c": "y"})
    assert not validator.is_valid({"a": "x", "b": "x", "c": "y"})
    assert len(result["$defs"]) == 2


def test_a_schema_that_grows_without_bound_is_refused() -> None:
    doubling = {f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/a0"}},
        "required": ["a"],
        "$defs": {**doubling, "a30": {"type": "string"}},
    }
    with pytest.raises(SchemaCompilationError, match="too large"):
        compile_schema(schema, "gemini")
    assert len(compile_schema(schema, "openai").schema["$defs"]) == 31


def test_a_schema_is_not_changed_by_being_compiled() -> None:
    for form in CASES.values():
        schema = schema_of(form)
        before = json.dumps(schema)
        for family in FAMILIES:
            if family != "gemini" or form is not Tree:
                result: Any = compile_schema(schema, family).schema
                result.get("properties", {}).clear()
        assert json.dumps(schema) == before


def test_a_schema_that_refers_to_its_root_and_to_places_in_it_keeps_doing_so() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "b": {"$ref": "#/properties/a/anyOf/0", "description": "Like a."},
            "c": {"$ref": "#/definitions/0"},
            "self": {"$ref": "#"},
        },
        "definitions": {"0": {"type": "integer", "enum": [1]}},
        "required": ["a", "b", "c"],
    }
    result = compile_schema(schema, "openai")
    validator = Draft202012Validator(result.schema)
    sent = {"a": "x", "b": "y", "c": 1, "self": {"a": None, "b": "z", "c": 1, "self": None}}
    validator.validate(sent)
    assert not validator.is_valid({**sent, "b": 3})
    assert result.restore(sent) == {**sent, "self": {"a": None, "b": "z", "c": 1}}
    properties = {name: schema["properties"][name] for name in "abc"}
    inlined = compile_schema({**schema, "properties": properties}, "gemini")
    assert inlined.schema["properties"]["b"]["description"] == "Like a."


def test_types_that_are_listed_keywords_and_constants_are_carried_over() -> None:
    schema = {
        "properties": {
            "a": {"type": ["string", "null"], "description": "A.", "default": "x", "minLength": 2},
            "b": {"const": 3},
            "c": {"allOf": [{"type": "string"}], "description": "C."},
            "d": {"items": {"type": "null"}},
            "e": {"properties": {}},
            "h": {"properties": {"i": {"type": "string"}}, "additionalProperties": {}},
            "g": {"type": "string", "pattern": "^(?!x)y$", "contentEncoding": "base64"},
            "f": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "propertyNames": {"enum": ["x", "y"]},
                "minProperties": 1,
                "required": ["x"],
            },
        }
    }
    openai = compile_schema(schema, "openai").schema["properties"]
    assert openai["a"] == {
        "anyOf": [{"type": "string", "description": "(at least 2 characters)"}, {"type": "null"}],
        "description": 'A. (by default "x")',
    }
    gemini = compile_schema(schema, "gemini").schema["properties"]
    assert gemini["a"] == {
        "type": "string",
        "minLength": 2,
        "nullable": True,
        "description": 'A. (by default "x")',
    }
    assert gemini["b"] == {"type": "integer", "description": "(3)"}
    # No engine behind a provider has look-around; what has no words of its own is quoted.
    assert openai["g"]["anyOf"][0] == {
        "type": "string",
        "description": '(a match of "^(?!x)y$"; contentEncoding: "base64")',
    }
    assert gemini["d"] == {"type": "array", "items": {"type": "null"}}
    assert gemini["f"]["minItems"] == 1
    assert gemini["f"]["items"]["properties"]["key"] == {"type": "string", "enum": ["x", "y"]}
    assert "the names x are required" in gemini["f"]["description"]
    assert gemini["c"] == {"type": "string", "description": "C."}
    assert openai["h"]["anyOf"][0]["required"] == ["i"]
    assert gemini["e"] == {"type": "object", "properties": {}, "required": []}


class Kind(ScriptedModel):
    kind: str = "scripted"
    openai_api_base: str | None = None

    @property
    def _llm_type(self) -> str:
        return self.kind


@pytest.mark.parametrize(
    ("fields", "strict", "pairs"),
    [
        ({"kind": "openai-chat"}, True, True),
        ({"kind": "openai-chat", "openai_api_base": "https://api.openai.com/v1"}, True, True),
        ({"kind": "openai-chat", "openai_api_base": "http://localhost:8000/v1"}, False, False),
        ({"kind": "azure-openai-chat", "openai_api_base": "https://x.azure.com"}, True, True),
        ({"kind": "anthropic-chat"}, False, False),
        ({"kind": "chat-google-generative-ai"}, False, True),
        ({"kind": "ollama"}, False, False),
    ],
    ids=str,
)
async def test_a_model_is_given_the_form_of_its_own_family(
    *, fields: dict[str, Any], strict: bool, pairs: bool
) -> None:
    good = {"by_node": {"n": {"kind": "cat"}}}
    for wrapped in (False, True):
        model = Kind(script=[call("submit_prices", good)], **fields)
        agent = Agent(model=model.with_fallbacks([model]) if wrapped else model)
        await extract(agent, "go", until_tool_success=Prices)
        function = model.requests[0].tools[0]["function"]
        assert function.get("strict", False) is strict
        is_list = function["parameters"]["properties"]["by_node"]["type"] == "array"
        assert is_list is pairs


async def test_a_tool_that_a_family_cannot_express_is_offered_as_it_is_unless_it_is_needed() -> (
    None
):
    def note(anything: dict[str, Any]) -> str:
        """Take a note."""
        return str(anything)

    good = call("submit_cat", {"kind": "cat"})
    for family in STRICT:
        model = ScriptedModel([call("note", {"anything": {"a": 1}}), good])
        agent = Agent(model=model, tools=[note], schema_family=family)
        assert (await extract(agent, "go", until_tool_success=Cat)).value.lives == 9
        assert "strict" not in model.requests[0].tools[0]["function"]
    model = ScriptedModel([call("submit_tree", {"name": "a"})])
    with pytest.raises(InvalidOptionsError, match="contains itself"):
        await extract(Agent(model=model, schema_family="gemini"), "go", until_tool_success=Tree)
    assert not model.requests
    # OpenAI understands what its strict mode does not.
    model = ScriptedModel([call("note", {"anything": {"a": 1}})])
    agent = Agent(model=model, tools=[note], schema_family="openai")
    assert (await extract(agent, "go", until_tool_success="note")).args == {"anything": {"a": 1}}


def test_a_family_that_is_not_known_is_refused() -> None:
    with pytest.raises(AgentDefinitionError, match="schema_family must be one of"):
        Agent(model=ScriptedModel([]), schema_family="mistral")  # pyright: ignore[reportArgumentType] -- that is the point


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
