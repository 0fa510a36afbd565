"""Long calls as tasks: a client gets a name at once, and asks for the result later.

Specification: the extension `io.modelcontextprotocol/tasks` of MCP 2026-07-28 (SEP-2663). The
server decides which call becomes a task: one that takes longer than a moment, of a client that
says it knows tasks. All others wait for their results as ever.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.abc import TaskGroup
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.server.context import HandlerResult
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY
from pydantic import ValidationError

from tercet._context import CallContext
from tercet.mcp._asking import is_modern
from tercet.mcp._task_run import TaskRun
from tercet.mcp._task_store import MemoryTaskStore, TaskRecord, TaskStore
from tercet.mcp._task_watch import TaskWatch

__all__ = ["TASKS_EXTENSION", "McpTasks", "TaskLimits"]

TASKS_EXTENSION = "io.modelcontextprotocol/tasks"

_log = logging.getLogger("tercet")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLimits:
    """When a call becomes a task, and how many there may be.

    Attributes:
        after_s: How long a client waits before its call becomes a task, in seconds.
        timeout_s: How long a call may run once it is a task, in seconds; one that is none has the
            time that its registry gives it.
        keep_s: How long what became of a task can be asked for, in seconds.
        running: How many tasks of one tenant run at once; a call beyond them has its client wait.
        kept: How many tasks of one tenant are known at once, likewise.
        poll_interval_s: How often clients are told to ask, in seconds.
    """

    after_s: float = 2.0
    timeout_s: float = 3600.0
    keep_s: float = 3600.0
    running: int = 16
    kept: int = 64
    poll_interval_s: float = 1.0


class McpTasks:
    """The calls that have become tasks; give it to `serve`, and enter it on the same event loop.

    Leaving it ends all that run.

    Args:
        limits: When a call becomes a task, and how many there may be.
        store: Where records of tasks are kept; None: in this process.
    """

    def __init__(self, limits: TaskLimits | None = None, store: TaskStore | None = None) -> None:
        self._limits = limits or TaskLimits()
        self._store = MemoryTaskStore() if store is None else store
        self._runs: dict[str, TaskRun] = {}
        self._group: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Take calls on from now."""
        if self._group is not None:
            raise RuntimeError("these tasks run already; make others for another event loop")
        self._group = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        """End the tasks that run."""
        group, self._group = self._group, None
        assert group is not None  # noqa: S101 -- it was entered
        group.cancel_scope.cancel()
        return await group.__aexit__(exc_type, exc, traceback)

    @property
    def running(self) -> int:
        """How many tasks run now."""
        return len(self._runs)

    async def run(
        self,
        ctx: ServerRequestContext[Any, Any],
        caller: CallContext,
        call: Callable[[TaskRun | None], Awaitable[HandlerResult]],
    ) -> HandlerResult:
        """Make a call, and give its result, or the task that it has become.

        Args:
            ctx: The request that it answers.
            caller: Who calls.
            call: Makes it, and is given what it can report to once it is a task; None: it will
                be none.
        """
        if self._group is None or not (is_modern(ctx) and _declares(ctx)):
            return await call(None)
        run = TaskRun(
            self._store,
            tenant=caller.tenant,
            subject=caller.subject,
            keep_s=self._limits.keep_s,
            poll_interval_s=self._limits.poll_interval_s,
        )
        self._group.start_soon(self._carry_out, run, call)
        try:
            with anyio.move_on_after(self._limits.after_s):
                await run.ended.wait()
            if (
                run.may_become_task
                and await self._has_room(caller.tenant)
                # It may have ended while the room was being looked for.
                and run.may_become_task
            ):
                return {"resultType": "task", **(await self._become_task(run)).to_dict()}
            await run.ended.wait()
        except BaseException:
            # Nobody waits for it any more.
            run.scope.cancel()
            raise
        return run.value()

    async def get(
        self, ctx: ServerRequestContext[Any, Any], caller: CallContext, task_id: str
    ) -> dict[str, Any]:
        """Give what is known of a task.

        Raises:
            MCPError: The client does not know tasks, or the caller has none of that name.
        """
        return (await self._of(ctx, caller, task_id)).in_full()

    async def watch(
        self, ctx: ServerRequestContext[Any, Any], caller: CallContext, task_ids: Sequence[str]
    ) -> TaskWatch:
        """Watch those of some tasks that the caller has; the others are left out.

        Raises:
            MCPError: The client does not know tasks, or names more than it can have.
        """
        _check_declared(ctx)
        if len(task_ids) > self._limits.kept:
            raise MCPError(
                code=INVALID_PARAMS,
                message=f"{len(task_ids)} tasks are named; a tenant has at most "
                f"{self._limits.kept}",
            )
        records = [await self._store.get(task_id) for task_id in task_ids]
        own = [record.task_id for record in records if record and _is_of(record, caller)]
        return TaskWatch(self._store, own)

    async def answer(
        self,
        ctx: ServerRequestContext[Any, Any],
        caller: CallContext,
        task_id: str,
        answers: dict[str, Any],
    ) -> None:
        """Take answers to the questions of a task.

        Raises:
            MCPError: See `get`; or what is given is no answer.
        """
        await self._of(ctx, caller, task_id)
        if run := self._runs.get(task_id):
            try:
                await run.answer(answers)
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]
                raise MCPError(
                    code=INVALID_PARAMS,
                    message=f"{fault['msg']} at {'/'.join(map(str, fault['loc']))}"[:200],
                ) from error

    async def cancel(
        self, ctx: ServerRequestContext[Any, Any], caller: CallContext, task_id: str
    ) -> None:
        """End a task; one that has ended stays as it is.

        Raises:
            MCPError: See `get`.
        """
        await self._of(ctx, caller, task_id)
        if run := self._runs.get(task_id):
            run.scope.cancel()
            await run.ended.wait()

    async def _of(
        self, ctx: ServerRequestContext[Any, Any], caller: CallContext, task_id: str
    ) -> TaskRecord:
        _check_declared(ctx)
        record = await self._store.get(task_id)
        if record is None or not _is_of(record, caller):
            raise MCPError(code=INVALID_PARAMS, message="Task not found")
        return record

    async def _become_task(self, run: TaskRun) -> TaskRecord:
        run.time.allow(self._limits.timeout_s)
        self._runs[run.record.task_id] = run
        return await run.become_task()

    async def _has_room(self, tenant: str) -> bool:
        running = Counter(run.record.tenant for run in self._runs.values())[tenant]
        return (
            running < self._limits.running and await self._store.count(tenant) < self._limits.kept
        )

    async def _carry_out(
        self, run: TaskRun, call: Callable[[TaskRun | None], Awaitable[HandlerResult]]
    ) -> None:
        try:
            with run.scope:
                try:
                    run.note_outcome(await call(run))
                except MCPError as error:
                    run.note_outcome(error)
                except Exception:  # noqa: BLE001 -- the top of what nobody may wait for any more
                    _log.exception("a call failed that may be a task")
                    run.note_outcome(MCPError(code=INTERNAL_ERROR, message="Internal server error"))
        finally:
            with anyio.CancelScope(shield=True):
                try:
                    await run.end()
                except Exception:  # noqa: BLE001 -- a store is foreign code: the other tasks go on
                    _log.exception("what became of a task cannot be kept")
            self._runs.pop(run.record.task_id, None)


def _declares(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    return TASKS_EXTENSION in ((capabilities and capabilities.extensions) or {})


def _check_declared(ctx: ServerRequestContext[Any, Any]) -> None:
    if not _declares(ctx):
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="Missing required client capability",
            data={"requiredCapabilities": {"extensions": {TASKS_EXTENSION: {}}}},
        )


def _is_of(record: TaskRecord, caller: CallContext) -> bool:
    return (record.tenant, record.subject) == (caller.tenant, caller.subject)
