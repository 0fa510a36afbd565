"""A tool with a step of the caller's own between validation and its body."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_runtime._function_tool import ToolLike

Parsed = Mapping[str, Any] | str
"""What the step gives: arguments, or the reason for a refusal."""

ParseArgs = Callable[[dict[str, Any]], Parsed | Awaitable[Parsed]]
"""The step: a function, sync or async."""


@dataclass(frozen=True, slots=True, eq=False)
class SubmitTool:
    """A tool whose valid arguments are parsed further before its body sees them.

    `parse_args` gets the arguments as plain data, after they were validated by the tool's schema.
    The mapping that it returns is what the body is called with, by keyword and unchanged, so
    it may hold any objects; it is also the value, if the body produces none. A string that it
    returns, or an exception that it raises, goes back to the model: the body does not run. A sync
    function runs in the event loop, so let one that waits be async.

    Example:
        >>> submit = SubmitTool(print, parse_args=lambda args: {"text": args["text"].strip()})
    """

    tool: ToolLike
    """A langchain-core tool, or a typed function with a docstring."""
    parse_args: ParseArgs = field(kw_only=True)


AgentTool = ToolLike | SubmitTool
"""What an agent takes as a tool."""
