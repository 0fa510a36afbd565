"""A client that lets calls become tasks, and asks for them message by message."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Literal

import anyio
from mcp import Client
from mcp.client import ClaimContext, ClientExtension, NotificationBinding, ResultClaim
from mcp.client.session import ElicitationFnT
from mcp.types import (
    CallToolResult,
    NotificationParams,
    Request,
    RequestParams,
    Result,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsListenRequest,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    ToolListChangedNotification,
)
from pydantic import ConfigDict
from typing_extensions import override

TASKS = "io.modelcontextprotocol/tasks"


class Told:
    """What a client has been told of tasks, and what it waits for."""

    def __init__(self) -> None:
        self.states: list[dict[str, Any]] = []
        self.acknowledged: dict[str, Any] | None = None
        self.lists_changed = 0
        self._more = anyio.Event()

    def put(self, state: dict[str, Any]) -> None:
        self.states.append(state)
        self._wake()

    async def hear(self, message: object) -> None:
        """Take note of what no extension takes."""
        if isinstance(message, SubscriptionsAcknowledgedNotification):
            honored = message.params.notifications
            self.acknowledged = honored.model_dump(by_alias=True, exclude_none=True)
        elif isinstance(message, ToolListChangedNotification):
            self.lists_changed += 1
        self._wake()

    async def until(self, is_there: Callable[[], bool]) -> None:
        with anyio.fail_after(20):
            while not is_there():
                await self._more.wait()

    def of(self, task_id: str, status: str) -> list[dict[str, Any]]:
        return [s for s in self.states if (s["taskId"], s["status"]) == (task_id, status)]

    def _wake(self) -> None:
        self._more.set()
        self._more = anyio.Event()


class Made(Result):
    """What a call is answered by that has become a task, to the letter."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = "task"


class _State(NotificationParams):
    """What a client is told of a task, to the letter."""

    model_config = ConfigDict(extra="allow")


class _Declared(ClientExtension):
    identifier = TASKS

    def __init__(self, told: Told) -> None:
        self._told = told

    @override
    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Made, resolve=_unresolved)]

    @override
    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        method = "notifications/tasks"
        return [NotificationBinding(method=method, params_type=_State, handler=self._hear)]

    async def _hear(self, state: _State) -> None:
        self._told.put(dict(state.model_extra or {}))


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

    def __init__(self, client: Client, told: Told | None = None) -> None:
        self.client = client
        self.told = told or Told()

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

    async def listen(self, **filters: Any) -> SubscriptionsListenResult:
        """Listen to what the filters name, for as long as the server goes on."""
        params = SubscriptionsListenRequestParams.model_validate({"notifications": filters})
        request = SubscriptionsListenRequest(params=params)
        return await self.client.session.send_request(request, SubscriptionsListenResult)

    @asynccontextmanager
    async def listening(self, **filters: Any) -> AsyncGenerator[Told]:
        """Listen for the length of a block, from the acknowledgement on."""
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: self.listen(**filters))
            await self.told.until(lambda: self.told.acknowledged is not None)
            yield self.told
            group.cancel_scope.cancel()


@asynccontextmanager
async def task_client(
    endpoint: Any, *, on_question: ElicitationFnT | None = None
) -> AsyncGenerator[TaskClient]:
    """A connected client that lets calls become tasks."""
    told = Told()
    async with Client(
        endpoint,
        extensions=[_Declared(told)],
        elicitation_callback=on_question,
        message_handler=told.hear,
    ) as client:
        yield TaskClient(client, told)
