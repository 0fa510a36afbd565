"""The tools of a run, each with the validator of its arguments."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from langchain_core.tools import BaseTool
from pydantic import AliasChoices, BaseModel

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._validate import AcceptAnything, Validator
from agent_runtime._validate_json_schema import JsonSchemaValidator
from agent_runtime._validate_pydantic import PydanticValidator


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One tool and what its arguments must be."""

    tool: BaseTool
    validator: Validator
    args_of: Callable[[Any], Mapping[str, Any]] | None = None
    """From the tool's value to its arguments, where they are the same thing in two forms."""


Toolbox = Mapping[str, Entry]


def toolbox_of(tools: Iterable[BaseTool]) -> Toolbox:
    """The tools by name, in order.

    Raises:
        AgentDefinitionError: If two tools have one name, or the JSON Schema of one is not valid.
    """
    entries: dict[str, Entry] = {}
    for tool in tools:
        if tool.name in entries:
            raise AgentDefinitionError(
                f"two tools are named {tool.name!r}",
                hint="rename one, or give the tools of a server a prefix",
            )
        entries[tool.name] = entry_of(tool)
    return MappingProxyType(entries)


def entry_of(tool: BaseTool) -> Entry:
    """The tool with the validator that its schema asks for.

    Raises:
        AgentDefinitionError: If its JSON Schema is not valid.
    """
    schema = tool.args_schema
    if isinstance(schema, dict):
        try:
            return Entry(tool=tool, validator=JsonSchemaValidator(schema))
        except ValueError as error:
            raise AgentDefinitionError(f"tool {tool.name!r}: {error}") from error
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return Entry(tool=tool, validator=_model_validator(tool, schema))
    return Entry(tool=tool, validator=AcceptAnything())


def _model_validator(tool: BaseTool, schema: type[BaseModel]) -> PydanticValidator:
    visible = tool.tool_call_schema
    # A tool with injected arguments is checked without them: the model cannot send what it cannot
    # see. The visible model lacks the original's validators; langchain-core runs those on the call.
    if (
        isinstance(visible, type)
        and issubclass(visible, BaseModel)
        and visible.model_fields.keys() != schema.model_fields.keys()
    ):
        schema = visible

    def parse(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return schema.model_validate(arguments).model_dump(by_alias=True, warnings=False)

    return PydanticValidator(parse=parse, known=argument_names(schema))


def argument_names(schema: type[BaseModel]) -> Collection[str] | None:
    """Every name under which a field may be sent; None if any name may."""
    if schema.model_config.get("extra") == "allow":
        return None
    names: dict[str, None] = {}
    for name, field in schema.model_fields.items():
        alias = field.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [alias or name]
        for choice in choices:
            first = choice if isinstance(choice, str) else cast("str", choice.path[0])
            names[first] = None
        if schema.model_config.get("populate_by_name") or schema.model_config.get(
            "validate_by_name"
        ):
            names[name] = None
    return names.keys()
