"""A submit tool made of a schema: a type that pydantic knows, or a JSON Schema."""

import builtins
import copy
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_json

from agent_runtime._arguments_tool import ArgumentsTool
from agent_runtime._submitted import Submitted
from agent_runtime._toolbox import Entry, argument_names
from agent_runtime._typed_dict import readable
from agent_runtime._validate_json_schema import JsonSchemaValidator, references
from agent_runtime._validate_pydantic import PydanticValidator

T = TypeVar("T")

_WRAPPED = "value"
"""The one argument that holds a result which is no object by itself."""

_Body = Callable[[dict[str, Any]], tuple[str, Submitted]]

_LOCAL = ("#/$defs/", "#/definitions/")


class Result(BaseModel, Generic[T], extra="forbid"):
    """Holds a result which is no object by itself."""

    value: T


def submit_tool_for(schema: Any) -> Entry:
    """The tool that submits one value of `schema`.

    Its name is `submit_` and the name of the type, or the title of the JSON Schema, in snake case;
    `submit_result` if there is none. A value that is no JSON object is submitted as the argument
    `value`, and unwrapped again.

    Raises:
        ValueError: If the JSON Schema is not valid, or not complete in itself.
        TypeError: If a typed dictionary contains itself (before Python 3.12).
        PydanticUserError: If pydantic cannot make a schema of the type.
    """
    if isinstance(schema, Mapping):
        return _of_json_schema(cast("Mapping[str, Any]", schema))
    return _of_class(schema) if _is_class(schema) else _of_type(schema)


@lru_cache(maxsize=128)
def _of_class(schema: type) -> Entry:
    """The tool of a class, made once: to describe a type costs more than a whole run beside it."""
    return _of_type(schema)


def _of_type(schema: Any) -> Entry:
    schema = readable(schema)
    adapter: TypeAdapter[Any] = TypeAdapter(schema)
    json_schema = _with_object_at_root(adapter.json_schema())
    wrapped = not _is_object(json_schema)
    description = str(json_schema.get("description", ""))
    if wrapped:
        generic: Any = Result
        adapter = TypeAdapter(generic[schema])
        json_schema = adapter.json_schema()

    def parse(arguments: Mapping[str, Any]) -> Any:
        # As JSON: a strict type then still takes what only JSON can say, such as a date as text.
        return adapter.validate_json(to_json(arguments))

    def dump(value: Any) -> Mapping[str, Any]:
        return adapter.dump_python(value, by_alias=True, warnings=False)

    def body(arguments: dict[str, Any]) -> tuple[str, Submitted]:
        value = parse(arguments)
        return "accepted", Submitted(value.value if wrapped else value)

    def args_of(value: Any) -> Mapping[str, Any]:
        return {_WRAPPED: value} if wrapped else dump(value)

    names = argument_names(schema) if not wrapped and _is_model(schema) else None
    known = names if names is not None else _declared(json_schema)
    validator = PydanticValidator(parse=lambda arguments: dump(parse(arguments)), known=known)
    tool = _tool(_type_name(schema), description, json_schema, body)
    return Entry(tool=tool, validator=validator, args_of=args_of)


def _of_json_schema(schema: Mapping[str, Any]) -> Entry:
    json_schema = _with_object_at_root(copy.deepcopy(dict(schema)))
    wrapped = not _is_object(json_schema)
    if wrapped:
        json_schema = _wrap(json_schema)
    validator = JsonSchemaValidator(json_schema)

    def body(arguments: dict[str, Any]) -> tuple[str, Submitted]:
        return "accepted", Submitted(arguments[_WRAPPED] if wrapped else arguments)

    title, description = str(schema.get("title", "")), str(schema.get("description", ""))
    tool = _tool(title, description, json_schema, body)
    return Entry(tool=tool, validator=validator)


def _tool(title: str, description: str, json_schema: dict[str, Any], body: _Body) -> ArgumentsTool:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", title)
    name = re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_").lower()
    purpose = "Submit the result. Call this once the result is complete; nothing else counts."

    async def body_in_place(arguments: dict[str, Any]) -> tuple[str, Submitted]:
        # Without it langchain-core would go through a thread, for a body that never waits.
        return body(arguments)

    return ArgumentsTool(
        name=f"submit_{name or 'result'}"[:64],
        description=f"{purpose}\n\n{description}".strip(),
        args_schema=json_schema,
        func=body,
        coroutine=body_in_place,
        response_format="content_and_artifact",
    )


def _with_object_at_root(json_schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, with a root that only refers to a definition replaced by that definition.

    Pydantic writes recursive types so, and providers want the object at the root.
    """
    match json_schema.get("$ref", "").split("/"):
        case ["#", "$defs", name] if name in json_schema.get("$defs", {}):
            rest = {key: value for key, value in json_schema.items() if key != "$ref"}
            return {**json_schema["$defs"][name], **rest}
        case _:
            return json_schema


def _wrap(json_schema: dict[str, Any]) -> dict[str, Any]:
    """An object schema whose one field has the given schema."""
    outside = [ref for ref in references(json_schema) if not ref.startswith(_LOCAL)]
    if outside:
        raise ValueError(
            f"the JSON Schema refers to {outside[0]!r}: one whose root is no object can refer to "
            "its $defs only, because it is submitted inside an object"
        )
    inner = dict(json_schema)
    definitions = {key: inner.pop(key) for key in ("$defs", "definitions") if key in inner}
    return {
        "type": "object",
        "properties": {_WRAPPED: inner},
        "required": [_WRAPPED],
        "additionalProperties": False,
        **definitions,
    }


def _is_object(json_schema: Mapping[str, Any]) -> bool:
    return json_schema.get("type") == "object" or "properties" in json_schema


def _type_name(schema: Any) -> str:
    """The name of a class of the caller's; a list, an int or a union has none worth giving."""
    if not _is_class(schema):
        return ""
    return "" if vars(builtins).get(schema.__name__) is schema else schema.__name__


def _is_class(schema: Any) -> bool:
    return isinstance(schema, type) and get_origin(schema) is None


def _is_model(schema: Any) -> bool:
    return isinstance(schema, type) and issubclass(schema, BaseModel)


def _declared(json_schema: Mapping[str, Any]) -> Collection[str] | None:
    if json_schema.get("additionalProperties"):
        return None
    return json_schema.get("properties", {}).keys()
