"""A client that lets calls become tasks, and asks for them message by message."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Literal

import anyio
from mcp import Client
from mcp.client import ClaimContext, ClientExtension, ResultClaim
from mcp.client.session import ElicitationFnT
from mcp.types import CallToolResult, Request, RequestParams, Result
from pydantic import ConfigDict
from typing_extensions import override

TASKS = "io.modelcontextprotocol/tasks"


class Made(Result):
    """What a call is answered by that has become a task, to the letter."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = "task"


class _Declared(ClientExtension):
    identifier = TASKS

    @override
    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Made, resolve=_unresolved)]


async def _unresolved(made: Made, context: ClaimContext) -> CallToolResult:
    raise AssertionError(f"{context.tool_name} became {made}")


class _About(RequestParams):
    model_config = ConfigDict(extra="allow")


class _Answer(Result):
    """An answer to the letter."""

    model_config = ConfigDict(extra="allow")


class _Of(Request[_About, str]):
    params: _About
    name_param: ClassVar[str | None] = "taskId"


class TaskClient:
    """Calls tools and asks for tasks."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """The answer to a call: a result, or what it is answered by as a task."""
        return await self.client.session.call_tool(name, arguments or {}, allow_claimed=True)

    async def begin(self, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Make a call that becomes a task, and give that."""
        made = await self.call(name, arguments)
        assert isinstance(made, Made), made
        return dict(made.model_extra or {})

    async def ask(self, method: str, task_id: str, **more: Any) -> dict[str, Any]:
        """Send a message about a task, and give the answer."""
        request = _Of(method=method, params=_About.model_validate({"taskId": task_id, **more}))
        found = await self.client.session.send_request(request, _Answer)
        return dict(found.model_extra or {})

    async def until(self, task_id: str, *statuses: str) -> dict[str, Any]:
        """Ask for a task until it has one of these statuses."""
        with anyio.fail_after(20):
            while True:
                found = await self.ask("tasks/get", task_id)
                if found["status"] in statuses:
                    return found
                await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def task_client(
    endpoint: Any, *, on_question: ElicitationFnT | None = None
) -> AsyncGenerator[TaskClient]:
    """A connected client that lets calls become tasks."""
    async with Client(
        endpoint, extensions=[_Declared()], elicitation_callback=on_question
    ) as client:
        yield TaskClient(client)
