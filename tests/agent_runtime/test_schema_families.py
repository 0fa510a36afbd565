"""Schemas in the form of each family of providers."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from schema_forms import CASES, FAMILIES, STRICT, Cat, Prices, Tree, compiled, schema_of

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    InvalidOptionsError,
    SchemaCompilationError,
    SchemaFamily,
    compile_schema,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

GOLDEN = Path(__file__).parent / "golden"


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
