"""What clients listen to: changes of the lists, and what becomes of their tasks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import anyio
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import SUBSCRIPTION_ID_META_KEY, ListenHandler
from mcp.types import (
    INVALID_PARAMS,
    Notification,
    NotificationParams,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
)
from pydantic import ConfigDict, TypeAdapter, ValidationError

from tercet.mcp._caller import ContextSource
from tercet.mcp._task_watch import TaskWatch
from tercet.mcp._tasks import McpTasks

__all__ = ["TaskListening"]

_Names = TypeAdapter(list[str])


class _State(NotificationParams):
    model_config = ConfigDict(extra="allow")


class _TaskChanged(Notification[_State, Literal["notifications/tasks"]]):
    method: Literal["notifications/tasks"] = "notifications/tasks"


class TaskListening:
    """Answers `subscriptions/listen` where a client may name tasks as well.

    Each task is told of at once, as it is, and then whenever it changes: so it does not matter
    whether something became of it before its client listened. Of changes that come faster than
    the client reads only the last is told.

    Args:
        listen: Answers for all but tasks.
        tasks: The tasks.
        context_of: Says who asks.
    """

    def __init__(self, listen: ListenHandler, tasks: McpTasks, context_of: ContextSource) -> None:
        self._listen = listen
        self._tasks = tasks
        self._context_of = context_of

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream."""
        if not (names := _task_ids(params)):
            return await self._listen(ctx, params)
        with await self._tasks.watch(ctx, self._context_of(ctx), names) as watch:
            return await self._tell(ctx, params, watch)

    async def _tell(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: SubscriptionsListenRequestParams,
        watch: TaskWatch,
    ) -> SubscriptionsListenResult:
        acknowledging = _Acknowledging(ctx.session, watch.task_ids)

        async def tell() -> None:
            await acknowledging.done.wait()
            async for state in watch.states():
                about = {**state, "_meta": {SUBSCRIPTION_ID_META_KEY: ctx.request_id}}
                changed: Any = _TaskChanged(params=_State.model_validate(about))
                await ctx.session.send_notification(changed, related_request_id=ctx.request_id)

        shown: Any = replace(ctx, session=cast("Any", acknowledging))
        outcome: SubscriptionsListenResult | MCPError | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(tell)
            try:
                outcome = await self._listen(shown, params)
            except MCPError as error:
                # Raised outside of the group, which would wrap it.
                outcome = error
            group.cancel_scope.cancel()
        if isinstance(outcome, MCPError):
            raise outcome
        assert outcome is not None  # noqa: S101 -- the group was left for one of both reasons
        return outcome


class _Acknowledging:
    """A session on which it is acknowledged, too, which tasks will be told of."""

    def __init__(self, session: Any, task_ids: Sequence[str]) -> None:
        self._session = session
        self._task_ids = task_ids
        self.done = anyio.Event()

    async def send_notification(self, notification: Any, related_request_id: Any = None) -> None:
        if isinstance(notification, SubscriptionsAcknowledgedNotification) and self._task_ids:
            honored = notification.params.notifications
            honored = honored.model_copy(update={"taskIds": [*self._task_ids]})
            params = notification.params.model_copy(update={"notifications": honored})
            notification = notification.model_copy(update={"params": params})
        await self._session.send_notification(notification, related_request_id=related_request_id)
        self.done.set()


def _task_ids(params: SubscriptionsListenRequestParams) -> list[str]:
    named = (params.notifications.model_extra or {}).get("taskIds")
    try:
        return [] if named is None else [*dict.fromkeys(_Names.validate_python(named, strict=True))]
    except ValidationError as error:
        raise MCPError(code=INVALID_PARAMS, message="taskIds is no list of texts") from error
