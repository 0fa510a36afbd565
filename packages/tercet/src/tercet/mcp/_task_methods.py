"""The methods of tasks: `tasks/get`, `tasks/update` and `tasks/cancel`."""

from collections.abc import Callable
from typing import Any, TypeVar

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.types import HEADER_MISMATCH, METHOD_NOT_FOUND, RequestParams
from pydantic import ConfigDict, Field

from tercet.mcp._asking import is_modern
from tercet.mcp._caller import ContextSource
from tercet.mcp._tasks import TASKS_EXTENSION, McpTasks

__all__ = ["offer_tasks"]

P = TypeVar("P", bound="_OfTask")


class _OfTask(RequestParams):
    model_config = ConfigDict(populate_by_name=True)

    task_id: str = Field(alias="taskId")


class _Update(_OfTask):
    input_responses: dict[str, dict[str, Any]] = Field(alias="inputResponses")


def offer_tasks(server: Server[Any], tasks: McpTasks, context_of: ContextSource) -> None:
    """Have a server answer what is asked about tasks, and say that it does.

    Args:
        server: The server.
        tasks: The tasks.
        context_of: Says who asks.
    """

    async def get(ctx: ServerRequestContext[Any, Any], params: _OfTask) -> dict[str, Any]:
        return await tasks.get(ctx, context_of(ctx), params.task_id)

    async def update(ctx: ServerRequestContext[Any, Any], params: _Update) -> dict[str, Any]:
        await tasks.answer(ctx, context_of(ctx), params.task_id, params.input_responses)
        return {}

    async def cancel(ctx: ServerRequestContext[Any, Any], params: _OfTask) -> dict[str, Any]:
        await tasks.cancel(ctx, context_of(ctx), params.task_id)
        return {}

    server.extensions[TASKS_EXTENSION] = {}
    server.add_request_handler("tasks/get", _OfTask, _checked(get))
    server.add_request_handler("tasks/update", _Update, _checked(update))
    server.add_request_handler("tasks/cancel", _OfTask, _checked(cancel))


def _checked(handler: Callable[[ServerRequestContext[Any, Any], P], Any]) -> Any:
    async def checked(ctx: ServerRequestContext[Any, Any], params: P) -> dict[str, Any]:
        if not is_modern(ctx):
            raise MCPError(code=METHOD_NOT_FOUND, message="Method not found", data=ctx.method)
        headers = getattr(ctx.request, "headers", None)
        # What stands between reads the header, and must not be led elsewhere than the message.
        if headers is not None and headers.get("mcp-name") != params.task_id:
            raise MCPError(
                code=HEADER_MISMATCH,
                message="mcp-name header does not match the request body's 'taskId' parameter",
            )
        return await handler(ctx, params)

    return checked
