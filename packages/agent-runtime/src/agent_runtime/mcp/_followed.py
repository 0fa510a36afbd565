"""Calls that a server carries on as tasks: followed to their end.

Specification: the extension `io.modelcontextprotocol/tasks` of MCP 2026-07-28 (SEP-2663).
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, Literal

import anyio
from mcp import MCPError
from mcp.client import ClientExtension, ClientRequestContext, ResultClaim
from mcp.client.extension import ClaimContext
from mcp.client.session import ClientSession
from mcp.types import (
    INTERNAL_ERROR,
    CallToolResult,
    ErrorData,
    InputRequests,
    InputResponses,
    Request,
    RequestParams,
    Result,
)
from pydantic import Field
from typing_extensions import override

__all__ = ["FollowedTasks"]

_LONGEST_PAUSE_S = 30.0
_FAREWELL_S = 5.0
"""How long a server may take to hear that nobody waits for its task any more."""

# Where the connection is gone, there is nobody to tell.
_LOST = (RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError)


class _Named(RequestParams):
    taskId: str  # noqa: N815 -- the protocol's name, which the header is taken from


class _Answers(_Named):
    inputResponses: InputResponses  # noqa: N815 -- likewise


class _Get(Request[_Named, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    params: _Named
    name_param: ClassVar[str | None] = "taskId"


class _Cancel(Request[_Named, Literal["tasks/cancel"]]):
    method: Literal["tasks/cancel"] = "tasks/cancel"
    params: _Named
    name_param: ClassVar[str | None] = "taskId"


class _Update(Request[_Answers, Literal["tasks/update"]]):
    method: Literal["tasks/update"] = "tasks/update"
    params: _Answers
    name_param: ClassVar[str | None] = "taskId"


class _Made(Result):
    """What a call is answered by that has become a task."""

    result_type: Literal["task"] = "task"
    task_id: str = Field(alias="taskId")
    poll_interval_ms: float = Field(default=1000.0, alias="pollIntervalMs")


class _State(Result):
    """What has become of a task."""

    status: str
    status_message: str | None = Field(default=None, alias="statusMessage")
    poll_interval_ms: float = Field(default=1000.0, alias="pollIntervalMs")
    result: dict[str, Any] | None = None
    error: ErrorData | None = None
    asked: InputRequests | None = Field(default=None, alias="inputRequests")


class FollowedTasks(ClientExtension):
    """Lets a server carry long calls on as tasks, and gives their results as if it had not.

    A call that is cancelled here is cancelled there, by `give_up`, which runs beside the calls.
    """

    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self) -> None:
        self._forsaken: list[tuple[ClientSession, str]] = []
        self._closed = False
        self._news = anyio.Event()

    @override
    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=_Made, resolve=self._follow)]

    async def give_up(self) -> None:
        """Tell the server of calls that were cancelled, until `close`."""
        while not self._closed:
            await self._news.wait()
            self._news = anyio.Event()
            while self._forsaken:
                session, task_id = self._forsaken.pop()
                with anyio.move_on_after(_FAREWELL_S), suppress(MCPError, *_LOST):
                    await session.send_request(_Cancel(params=_Named(taskId=task_id)), Result)

    def close(self) -> None:
        """Have `give_up` end once it has told of all."""
        self._closed = True
        self._news.set()

    async def _follow(self, made: _Made, context: ClaimContext) -> CallToolResult:
        try:
            return await _outcome(made, context)
        except anyio.get_cancelled_exc_class():
            # Not told from here: what cancels this task may well go on cancelling it.
            self._forsaken.append((context.session, made.task_id))
            self._news.set()
            raise


async def _outcome(made: _Made, context: ClaimContext) -> CallToolResult:
    pause_s = made.poll_interval_ms / 1e3
    named = _Named(taskId=made.task_id)
    answered: set[str] = set()
    while True:
        await anyio.sleep(min(max(pause_s, 0.0), _LONGEST_PAUSE_S))
        state = await context.session.send_request(
            _Get(params=named), _State, context.read_timeout_seconds
        )
        pause_s = state.poll_interval_ms / 1e3
        match state.status:
            case "completed":
                return CallToolResult.model_validate(state.result, by_name=False)
            case "failed" | "cancelled":
                raise MCPError.from_error_data(state.error or _ended(state))
            case _:
                await _answer(named.taskId, state.asked or {}, answered, context)


def _ended(state: _State) -> ErrorData:
    said = f": {state.status_message}" if state.status_message else ""
    return ErrorData(code=INTERNAL_ERROR, message=f"the task was {state.status}{said}")


async def _answer(
    task_id: str, asked: InputRequests, answered: set[str], context: ClaimContext
) -> None:
    """Have the client's user answer what was not answered yet."""
    responses: InputResponses = {}
    for key in asked.keys() - answered:
        request = asked[key]
        about = ClientRequestContext(session=context.session, request_id=key)
        response = await context.session.dispatch_input_request(about, request)
        if isinstance(response, ErrorData):
            raise MCPError.from_error_data(response)
        responses[key] = response
    if responses:
        answered |= responses.keys()
        params = _Answers(taskId=task_id, inputResponses=responses)
        await context.session.send_request(_Update(params=params), Result)
