"""The tools of a run, each with the validator of its arguments."""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from langchain_core.tools import BaseTool
from pydantic import AliasChoices, BaseModel

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._function_tool import as_tool
from agent_runtime._offer import Offer, offer
from agent_runtime._schema_family import SchemaFamily
from agent_runtime._submit_tool import AgentTool, ParseArgs, SubmitTool
from agent_runtime._validate import AcceptAnything, Validator
from agent_runtime._validate_json_schema import JsonSchemaValidator
from agent_runtime._validate_pydantic import PydanticValidator

ArgsOf = Callable[[Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One tool and what its arguments must be."""

    tool: BaseTool
    validator: Validator
    args_of: ArgsOf | None = None
    """From the tool's value to its arguments, where they are the same thing in two forms."""
    parse_args: ParseArgs | None = None
    """What is between validation and the body."""
    parsed_tool: BaseTool | None = None
    """The tool with a body that takes parsed arguments as they are."""
    offers: dict[tuple[SchemaFamily, bool], Offer] = dataclasses.field(
        default_factory=dict[tuple[SchemaFamily, bool], Offer], repr=False, compare=False
    )
    """The forms made so far, since a tool that serves many runs is described once."""

    def offered(self, family: SchemaFamily, *, needed: bool) -> Offer:
        """The tool in the form of a family of providers.

        Raises:
            SchemaCompilationError: As `offer`.
        """
        key = (family, needed)
        if key not in self.offers:
            self.offers[key] = offer(self.tool, family, needed=needed)
        return self.offers[key]


Toolbox = Mapping[str, Entry]


def toolbox_of(tools: Iterable[AgentTool]) -> Toolbox:
    """The tools by name, in order.

    Raises:
        AgentDefinitionError: If two tools have one name, or one cannot be used.
    """
    entries: dict[str, Entry] = {}
    for tool in tools:
        entry = entry_of(tool)
        name = entry.tool.name
        if name in entries:
            raise AgentDefinitionError(
                f"two tools are named {name!r}",
                hint="rename one, or give the tools of a server a prefix",
            )
        entries[name] = entry
    return MappingProxyType(entries)


def entry_of(tool: AgentTool) -> Entry:
    """The tool with the validator that its schema asks for.

    Raises:
        AgentDefinitionError: If it is no tool, or its JSON Schema is not valid.
    """
    if isinstance(tool, SubmitTool):
        return _parsing_entry(tool)
    return _plain_entry(as_tool(tool))


def _parsing_entry(submit: SubmitTool) -> Entry:
    if not callable(submit.parse_args):
        raise AgentDefinitionError(f"parse_args must be a function, not {submit.parse_args!r}")
    entry = entry_of(submit.tool)
    visible, schema = entry.tool.tool_call_schema, entry.tool.args_schema
    if _names(visible) != _names(schema):
        # The body is called with what parse_args returns, which nothing could be injected into.
        raise AgentDefinitionError(
            f"tool {entry.tool.name!r} has injected arguments, which parse_args excludes",
            hint="leave out parse_args and parse in the body, or drop the injected arguments",
        )
    # langchain-core passes arguments through if the schema is no class; it would else validate
    # once more, what the model sent and not what was made of it.
    parsed_tool = entry.tool.model_copy(update={"args_schema": {"type": "object"}})
    return replace(entry, parse_args=submit.parse_args, parsed_tool=parsed_tool)


def _names(schema: object) -> Collection[str]:
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema.model_fields.keys()
    return ()


def _plain_entry(tool: BaseTool) -> Entry:
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
