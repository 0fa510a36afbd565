"""Tools in the form in which they are offered to a model."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from langchain_core.tools import BaseTool

from agent_runtime._validate_json_schema import references

if TYPE_CHECKING:
    from pydantic import BaseModel


def offer(tool: BaseTool) -> BaseTool | dict[str, Any]:
    """The tool itself; for a recursive schema, its description with the recursion kept.

    langchain-core inlines references, and puts an empty schema where a type contains itself: the
    model would not learn what belongs there.
    """
    json_schema = json_schema_of(tool)
    if not _is_recursive(json_schema):
        return tool
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
