"""Tools of the conformance suite's scenarios for tasks: ordinary tools that take their time.

The names, the arguments and what comes back are the suite's.
"""

from collections.abc import Mapping
from typing import Any

import anyio
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.server.context import HandlerResult
from mcp.types import INTERNAL_ERROR, MISSING_REQUIRED_CLIENT_CAPABILITY

from tercet import CallContext, InvalidInputError, Question, tool
from tercet.mcp import McpTasks, TaskLimits

LIMITS = TaskLimits(after_s=0.2, poll_interval_s=0.1)
_LONGER_S = 1.0
_TASKS = "io.modelcontextprotocol/tasks"


@tool(app="conformance", kind="test", effect="read")
async def slow_compute(seconds: float, label: str = "") -> str:
    """Take so many seconds."""
    await anyio.sleep(seconds)
    return f"computed {label}"


@tool(app="conformance", kind="test", effect="read")
async def failing_job() -> None:
    """Fail after a while."""
    await anyio.sleep(_LONGER_S)
    raise InvalidInputError("this job always fails")


@tool(app="conformance", kind="test", effect="read")
async def confirm_delete(context: CallContext, filename: str = "a file") -> str:
    """Take a while, then ask whether to go on."""
    await anyio.sleep(_LONGER_S)
    return "deleted" if await context.confirm(f"Delete {filename}?") else "kept"


@tool(app="conformance", kind="test", effect="read")
async def multi_input(context: CallContext) -> str:
    """Take a while, then ask two questions at once."""
    await anyio.sleep(_LONGER_S)
    async with anyio.create_task_group() as group:
        for key in ("first", "second"):
            group.start_soon(context.ask, _question(key, f"Your {key} answer?"))
    return "both were answered"


@tool(app="conformance", kind="test", effect="read")
async def test_tool_with_task(context: CallContext) -> str:
    """Ask for a name, then take a while."""
    reply = await context.ask(_question("user_name", "Your name?"))
    await anyio.sleep(_LONGER_S)
    return f"Hello, {next(iter(reply.content.values()), 'nobody')}!"


JOBS = [slow_compute, failing_job, confirm_delete, multi_input, test_tool_with_task]


async def broken_job(ctx: ServerRequestContext[Any, Any], tasks: McpTasks) -> HandlerResult:
    """Break as no tool of a registry can: with an error of the protocol."""

    async def break_later(_: object) -> HandlerResult:
        await anyio.sleep(_LONGER_S)
        raise MCPError(code=INTERNAL_ERROR, message="this job breaks")

    return await tasks.run(ctx, CallContext(), break_later)


def check_tasks_are_known(ctx: ServerRequestContext[Any, Any]) -> None:
    """Refuse a client that says nothing of tasks."""
    capabilities = ctx.session.client_capabilities
    if _TASKS not in ((capabilities and capabilities.extensions) or {}):
        needed: Mapping[str, Any] = {"extensions": {_TASKS: {}}}
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="Missing required client capability",
            data={"requiredCapabilities": needed},
        )


def _question(key: str, message: str) -> Question:
    return Question(key=key, message=message, fields={key: {"type": "string"}}, required=())
