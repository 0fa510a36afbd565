"""The schemas that say which arguments of a call its HTTP headers repeat."""

from typing import Any

from mcp.shared.inbound import X_MCP_HEADER_KEY

from tercet._json import to_json_text
from tercet._registry import ToolRegistry
from tercet._tool import AnyTool

__all__ = ["HeaderSchemas"]


class HeaderSchemas:
    """Gives a tool's input schema if it asks for headers, and nothing if it does not.

    The transport looks through what it is given at each call, however large it is, and most
    schemas ask for none.

    Args:
        registry: Has the tools.
    """

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._known: dict[str, tuple[AnyTool, dict[str, Any] | None]] = {}

    def __call__(self, tool_name: str) -> dict[str, Any] | None:
        """Give the schema that headers are held against; None: there is nothing to hold."""
        tool = self._registry.find(tool_name)
        if tool is None:
            return None
        known = self._known.get(tool_name)
        if known is None or known[0] is not tool:
            if len(self._known) > 2 * len(self._registry):
                # Tools that went: their names are not kept for ever.
                self._known.clear()
            asks = f'"{X_MCP_HEADER_KEY}"' in to_json_text(tool.input_schema)
            known = self._known[tool_name] = tool, tool.input_schema if asks else None
        return known[1]
