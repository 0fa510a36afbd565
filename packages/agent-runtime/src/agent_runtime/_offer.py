"""Tools in the form in which they are offered to a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from langchain_core.tools import BaseTool

from agent_runtime._compiled_schema import compile_schema
from agent_runtime._errors import SchemaCompilationError
from agent_runtime._schema_family import SchemaFamily
from agent_runtime._schema_restore import Restore
from agent_runtime._validate_json_schema import references

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A tool as it is offered."""

    form: BaseTool | dict[str, Any]
    """What a model's `bind_tools` takes."""
    restore: Restore | None = None
    """From arguments as they are sent to those that the tool takes; None if they are the same."""


def offer(tool: BaseTool, family: SchemaFamily, *, needed: bool) -> Offer:
    """The tool in the form of a family of providers.

    One whose schema cannot be said in that form is offered as it is, which most providers still
    understand; validation is the same for both.

    Raises:
        SchemaCompilationError: If that is so where references are not understood, and the tool is
            `needed`: the model would not learn what to send.
    """
    if family == "generic":
        return Offer(form=_as_it_is(tool))
    try:
        compiled = compile_schema(json_schema_of(tool), family)
    except SchemaCompilationError:
        if needed and family == "gemini":
            raise
        return Offer(form=_as_it_is(tool))
    form = _function(tool, compiled.schema)
    if family == "openai":
        form["function"]["strict"] = True
    return Offer(form=form, restore=compiled.restore)


def _as_it_is(tool: BaseTool) -> BaseTool | dict[str, Any]:
    """The tool itself; for a recursive schema, its description with the recursion kept.

    langchain-core inlines references, and puts an empty schema where a type contains itself: the
    model would not learn what belongs there.
    """
    json_schema = json_schema_of(tool)
    return _function(tool, json_schema) if _is_recursive(json_schema) else tool


def _function(tool: BaseTool, json_schema: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {key: part for key, part in json_schema.items() if key != "description"}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def json_schema_of(tool: BaseTool) -> dict[str, Any]:
    """The JSON Schema of the arguments that a model may send."""
    schema = cast("dict[str, Any] | type[BaseModel]", tool.tool_call_schema)
    return schema if isinstance(schema, dict) else schema.model_json_schema()


def _is_recursive(json_schema: Mapping[str, Any]) -> bool:
    """Whether some definition, or the root, reaches itself by references."""
    definitions = cast("Mapping[str, Any]", json_schema.get("$defs", {}))
    edges = {f"#/$defs/{name}": set(references(part)) for name, part in definitions.items()}
    if "#" in set(references(json_schema)):
        return True

    def reaches(start: str) -> bool:
        seen: set[str] = set()
        waiting = list(edges[start])
        while waiting:
            here = waiting.pop()
            if here == start:
                return True
            if here not in seen:
                seen.add(here)
                waiting.extend(edges.get(here, ()))
        return False

    return any(reaches(start) for start in edges)
