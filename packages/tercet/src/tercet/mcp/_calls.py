"""Calls of tools over MCP: one envelope as the answer, whatever way the call takes to it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.server.context import HandlerResult
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
)

from tercet._asking import Asker, Question, Reply
from tercet._context import CallContext
from tercet._envelope import Envelope
from tercet._registry import ToolRegistry
from tercet.mcp._asking import RoundAsker, SessionAsker, can_ask, is_modern
from tercet.mcp._caller import ContextSource
from tercet.mcp._task_run import TaskRun
from tercet.mcp._tasks import McpTasks

__all__ = ["ToolCaller", "sealed_rounds"]

_ROUND_S = 600.0
"""How long a person may think about a question, in seconds."""


class ToolCaller:
    """Calls the tools of a registry for MCP clients.

    Args:
        registry: Has the tools.
        context_of: Says who calls.
        tasks: What carries long calls on; None: every client waits.
    """

    def __init__(
        self, registry: ToolRegistry, context_of: ContextSource, tasks: McpTasks | None
    ) -> None:
        self._registry = registry
        self._context_of = context_of
        self._tasks = tasks

    async def call(self, ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Any:
        """Answer one request: with a result, with questions, or with a task."""
        context = self._context_of(ctx)
        if self._tasks is None:
            return await self._call(ctx, params, context, None)
        return await self._tasks.run(ctx, context, partial(self._call, ctx, params, context))

    async def _call(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: CallToolRequestParams,
        context: CallContext,
        run: TaskRun | None,
    ) -> HandlerResult:
        rounds = _rounds(ctx, params, run)
        context = replace(
            context,
            progress=context.progress or partial(_report, ctx, run),
            asker=context.asker or _asker(ctx, rounds, run),
            time=context.time or (run and run.time),
        )
        known = self._registry.find(params.name, context)
        answer = await self._registry.call_tool(params.name, params.arguments, context)
        if rounds is not None and (questions := rounds.questions()):
            return questions
        if answer.status == "error" and known is None:
            raise MCPError(
                code=INVALID_PARAMS,
                message=f"Unknown tool: {params.name[:80]}",
                data={"hint": answer.hint},
            )
        return _result_of(answer)


def sealed_rounds(
    context_of: ContextSource, name: str, keys: Sequence[bytes]
) -> RequestStateBoundary:
    """Give what seals the state that clients carry between rounds, for each caller apart."""

    def principal(ctx: ServerRequestContext[Any, Any]) -> str:
        context = context_of(ctx)
        return json.dumps([context.tenant, context.subject])

    security = (
        RequestStateSecurity(keys=keys, ttl=_ROUND_S)
        if keys
        else RequestStateSecurity.ephemeral(ttl=_ROUND_S)
    )
    security.bind_principal = principal
    return RequestStateBoundary(security, default_audience=name)


def _rounds(
    ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams, run: TaskRun | None
) -> RoundAsker | None:
    if not (is_modern(ctx) and can_ask(ctx)):
        return None
    return RoundAsker(params, lambda: None if run is None else run.hold())


def _asker(
    ctx: ServerRequestContext[Any, Any], rounds: RoundAsker | None, run: TaskRun | None
) -> Asker | None:
    if rounds is None:
        return SessionAsker(ctx) if can_ask(ctx) else None

    async def ask(question: Question) -> Reply:
        if run is not None and run.is_task:
            # Its client looks for questions where it looks for the result.
            return await run.ask(question)
        return await rounds(question)

    return ask


async def _report(
    ctx: ServerRequestContext[Any, Any],
    run: TaskRun | None,
    done: float,
    total: float | None = None,
    message: str | None = None,
) -> None:
    if run is not None:
        await run.note_progress(done, total, message)
    # Whoever was answered by a task hears nothing more of the call itself.
    if run is None or not run.is_task:
        await ctx.session.report_progress(done, total, message)


def _result_of(answer: Envelope) -> dict[str, Any]:
    """The answer in the protocol's words: `CallToolResult`, which is checked on its way out."""
    pictures = () if answer.status == "error" else answer.pictures
    return {
        "resultType": "complete",
        "content": [
            {"type": "text", "text": answer.to_json()},
            *({"type": "image", "data": p.base64, "mimeType": "image/png"} for p in pictures),
        ],
        "structuredContent": answer.to_dict(),
        "isError": answer.is_error,
    }
