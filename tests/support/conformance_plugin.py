"""Puts what the conformance suites ask for beside what a gateway serves, in tests only."""

from collections.abc import Callable, Mapping
from typing import Any

from conformance_pages import PROMPTS, RESOURCES, TEMPLATE, contents_of, prompt_messages
from conformance_rounds import ROUNDS, prompt_round
from conformance_tasks import JOBS, broken_job, check_tasks_are_known
from conformance_tools import NOTHING, TOOLS, text
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
    SetLevelRequestParams,
    SubscribeRequestParams,
    Tool,
    UnsubscribeRequestParams,
)

from tercet import ToolRegistry, tool
from tercet.mcp import McpTasks

Context = ServerRequestContext[Any, Any]


def conformance_plugin(registry: ToolRegistry, tasks: McpTasks) -> Callable[[Server[Any]], None]:
    """Give what puts the fixtures on a server, with its own tools and tasks."""

    def extend(server: Server[Any]) -> None:
        registry.register_tools(JOBS)
        server.middleware.append(_Fixtures(registry, tasks))
        for method, kind in (
            ("logging/setLevel", SetLevelRequestParams),
            ("resources/subscribe", SubscribeRequestParams),
            ("resources/unsubscribe", UnsubscribeRequestParams),
        ):
            server.add_request_handler(method, kind, _accept)

    return extend


async def _accept(_: Context, __: object) -> EmptyResult:
    return EmptyResult()


@tool(app="conformance", kind="state", effect="read")
async def comes_and_goes() -> None:
    """Do nothing."""


class _Fixtures:
    """Answers for the fixtures, and passes all else on to the gateway's own handlers."""

    def __init__(self, registry: ToolRegistry, tasks: McpTasks) -> None:
        self._registry = registry
        self._tasks = tasks

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        params = ctx.params or {}
        match ctx.method:
            case "tools/call" if params.get("name") in TOOLS.keys() | ROUNDS.keys():
                return await _call(ctx, CallToolRequestParams.model_validate(params))
            case "tools/call" if params.get("name") in {"protocol_error_job", "failing_job"}:
                return await self._call_job(ctx, params["name"], call_next)
            case "tools/call" if params.get("name") == "test_trigger_tool_change":
                self._change_tools()
                return CallToolResult(content=[text("changed")])
            case "prompts/get" if params.get("name") in PROMPTS:
                return _get(GetPromptRequestParams.model_validate(params))
            case "resources/read" if contents := contents_of(str(params.get("uri"))):
                ReadResourceRequestParams.model_validate(params)
                return ReadResourceResult(contents=[contents])
            case _:
                return _with_fixtures(await call_next(ctx))

    async def _call_job(self, ctx: Context, name: str, call_next: CallNext) -> HandlerResult:
        if name == "protocol_error_job":
            return await broken_job(ctx, self._tasks)
        check_tasks_are_known(ctx)
        return await call_next(ctx)

    def _change_tools(self) -> None:
        name = comes_and_goes.name
        if self._registry.find(name) is None:
            self._registry.register_tool(comes_and_goes)
        else:
            self._registry.unregister_tool(name)


async def _call(ctx: Context, params: CallToolRequestParams) -> Any:
    if params.name in ROUNDS:
        return ROUNDS[params.name](ctx, params.input_responses or {}, params.request_state)
    body, _ = TOOLS[params.name]
    try:
        return CallToolResult(content=await body(ctx, params.arguments or {}))
    except MCPError:
        raise
    except Exception as error:  # noqa: BLE001 -- that is what a failing tool is to a client
        return CallToolResult(content=[text(str(error))], is_error=True)


def _get(params: GetPromptRequestParams) -> Any:
    if params.name == "test_input_required_result_prompt":
        return prompt_round(params.input_responses or {})
    return GetPromptResult(messages=prompt_messages(params.name, params.arguments or {}))


def _with_fixtures(result: HandlerResult) -> HandlerResult:
    """Add the fixtures to the last page of a listing."""
    match result:
        case ListToolsResult(next_cursor=None):
            schemas: Mapping[str, Any] = {name: schema for name, (_, schema) in TOOLS.items()}
            names = [*TOOLS, *ROUNDS, "protocol_error_job", "test_trigger_tool_change"]
            more = [
                Tool(name=n, description=f"{n}.", input_schema=schemas.get(n, NOTHING))
                for n in names
            ]
            return result.model_copy(update={"tools": [*result.tools, *more]})
        case ListPromptsResult(next_cursor=None):
            return result.model_copy(update={"prompts": [*result.prompts, *PROMPTS.values()]})
        case ListResourcesResult(next_cursor=None):
            return result.model_copy(update={"resources": [*result.resources, *RESOURCES]})
        case ListResourceTemplatesResult():
            templates = [*result.resource_templates, TEMPLATE]
            return result.model_copy(update={"resource_templates": templates})
        case _:
            return result
