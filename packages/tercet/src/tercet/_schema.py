"""A typed function's signature, as JSON Schema 2020-12 for its input and its output."""

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema

from tercet._context import CallContext
from tercet._errors import ToolDefinitionError

__all__ = ["Signature", "read_signature"]


_DATA = frozenset({"default", "enum", "const", "examples"})


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _PlainSchema(GenerateJsonSchema):
    """No references, which several clients do not follow, and no titles, which cost tokens."""

    def generate(self, schema: CoreSchema, mode: Any = "validation") -> JsonSchemaValue:
        generated = super().generate(schema, mode)
        definitions = generated.pop("$defs", {})
        return cast("JsonSchemaValue", _plain(generated, definitions, ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a function's signature says of it as a tool.

    Attributes:
        arguments: The model that turns JSON arguments into typed ones.
        result: What turns the returned value into JSON.
        context_parameter: The name of the parameter that takes the call context, if any.
    """

    arguments: type[BaseModel]
    result: TypeAdapter[Any]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    context_parameter: str | None


def read_signature(function: Callable[..., Any]) -> Signature:
    """Read the schemas of a tool off its function.

    Raises:
        ToolDefinitionError: A parameter or the result is not annotated, or has no JSON Schema.
    """
    name = getattr(function, "__name__", repr(function))
    signature = inspect.signature(function, eval_str=True)
    fields: dict[str, Any] = {}
    context_parameter: str | None = None
    for parameter in signature.parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ToolDefinitionError(
                f"parameter {parameter.name!r} of {name!r} cannot be passed by name"
            )
        if parameter.annotation is parameter.empty:
            raise ToolDefinitionError(f"parameter {parameter.name!r} of {name!r} has no type")
        if parameter.annotation is CallContext:
            context_parameter = parameter.name
            continue
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (_without_null(parameter.annotation, default), default)
    if signature.return_annotation is signature.empty:
        raise ToolDefinitionError(f"{name!r} does not say what it returns")
    try:
        arguments = create_model(name, __base__=_Arguments, **fields)
        result = TypeAdapter[Any](signature.return_annotation)
        input_schema = arguments.model_json_schema(schema_generator=_PlainSchema)
        output_schema = result.json_schema(mode="serialization", schema_generator=_PlainSchema)
    except (PydanticUserError, TypeError) as error:
        raise ToolDefinitionError(f"{name!r} has no JSON Schema: {error}") from error
    return Signature(
        arguments=arguments,
        result=result,
        input_schema=_absent_rather_than_null(input_schema),
        output_schema=output_schema,
        context_parameter=context_parameter,
    )


def _without_null(annotation: Any, default: Any) -> Any:
    # An optional argument is left out. Null stays accepted in Python for the default's sake.
    if default is not None:
        return annotation
    origin = get_origin(annotation)
    core = get_args(annotation)[0] if origin is Annotated else annotation
    if get_origin(core) in (Union, types.UnionType) and type(None) in get_args(core):
        return annotation
    raise ToolDefinitionError(f"the default is None, but {annotation!r} does not admit it")


def _absent_rather_than_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop `default: null`, and merge the one real branch of an optional argument upward.

    Null stays valid; a model that writes it for "not given" is understood.
    """
    for member in cast("dict[str, dict[str, Any]]", schema.get("properties", {})).values():
        if member.get("default", ...) is None:
            del member["default"]
        branches = cast("list[dict[str, Any]]", member.get("anyOf", []))
        real = [branch for branch in branches if branch != {"type": "null"}]
        if len(branches) == 2 and len(real) == 1 and isinstance(real[0].get("type"), str):  # noqa: PLR2004 -- one real branch and null
            del member["anyOf"]
            merged = {**real[0], "type": [real[0]["type"], "null"]}
            if "enum" in merged:
                merged["enum"] = [*cast("list[Any]", merged["enum"]), None]
            member.update(merged)
    return schema


def _plain(schema: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(schema, list):
        return [_plain(item, definitions, within) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    if "$ref" in members:
        target = str(members["$ref"]).removeprefix("#/$defs/")
        if target in within:
            raise ToolDefinitionError(
                f"the type {target!r} contains itself; a tool's schema has to be finite"
            )
        rest = {key: value for key, value in members.items() if key != "$ref"}
        return {**_plain(definitions[target], definitions, (*within, target)), **rest}
    return {
        # Data is not schema, whatever it looks like.
        key: value if key in _DATA else _plain(value, definitions, within)
        for key, value in members.items()
        # A discriminator's mapping points into the definitions that are gone. A text under
        # "title" is a title; a property of that name is a schema.
        if key != "discriminator" and not (key == "title" and isinstance(value, str))
    }
