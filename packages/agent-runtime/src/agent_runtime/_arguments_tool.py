"""A tool whose body receives its arguments as one dictionary."""

from typing import Any

from langchain_core.tools import StructuredTool
from typing_extensions import override


class ArgumentsTool(StructuredTool):
    """A `StructuredTool` with a JSON Schema whose arguments may have any name.

    `StructuredTool` passes arguments by keyword, beside its own `config` and `run_manager`, so
    an argument of such a name would be replaced or refused. Schemas that come from elsewhere
    (an MCP server, a type to extract) use whatever names they like.
    """

    @override
    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        if isinstance(tool_input, str):
            raise TypeError(f"tool {self.name!r} takes a dictionary of arguments, not a string")
        return (), {"arguments": dict(tool_input)}

    @override
    async def _arun(self, arguments: dict[str, Any]) -> Any:
        coroutine: Any = self.coroutine  # without one, `ainvoke` does not lead here
        return await coroutine(arguments=arguments)
