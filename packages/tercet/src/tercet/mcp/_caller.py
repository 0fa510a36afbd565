"""Who calls over MCP."""

from collections.abc import Callable
from typing import Any

from mcp.server import ServerRequestContext

from tercet._context import CallContext

__all__ = ["ContextSource", "local_caller"]

ContextSource = Callable[[ServerRequestContext[Any, Any]], CallContext]
"""Says who calls, from what the transport knows."""


def local_caller(_: ServerRequestContext[Any, Any]) -> CallContext:
    """The one local caller, who may do everything."""
    return CallContext()
