"""The server: one MCP tool for each tool of a registry."""

from collections.abc import Iterable, Sequence
from typing import Any

from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.server.subscriptions import ListenHandler
from mcp.types import (
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp.types import Tool as McpTool

from tercet._prompt import Prompt
from tercet._registry import ToolRegistry
from tercet._tool import AnyTool
from tercet.mcp._bus import RegistryBus
from tercet.mcp._caller import ContextSource, local_caller
from tercet.mcp._calls import ToolCaller, sealed_rounds
from tercet.mcp._header_schemas import HeaderSchemas
from tercet.mcp._listening import TaskListening
from tercet.mcp._listings import KnownListings
from tercet.mcp._pages import page_of
from tercet.mcp._prompts import completion_handler, prompt_handlers
from tercet.mcp._resources import resource_handlers
from tercet.mcp._task_methods import offer_tasks
from tercet.mcp._tasks import McpTasks

__all__ = ["serve"]


def serve(
    registry: ToolRegistry,
    *,
    name: str = "tercet",
    version: str = "0.1.0",
    instructions: str | None = None,
    prompts: Iterable[Prompt] = (),
    context_of: ContextSource = local_caller,
    page_size: int = 100,
    tasks: McpTasks | None = None,
    state_keys: Sequence[bytes] = (),
) -> Server[Any]:
    """Give a server with one MCP tool for each tool of the registry, now and later.

    Args:
        registry: Whose tools are served; tools registered later are served too.
        name: The server's own name, for clients to show.
        version: The server's own version.
        instructions: What a model should know before its first call.
        prompts: What a client can offer to people as a start; those of an app are there for whom
            its tools are.
        context_of: Says who calls; by default the one local caller, who may do everything.
        page_size: How many tools one page of a listing holds.
        tasks: What carries long calls on as tasks, once it is entered; None: every client waits.
        state_keys: Seal what a client carries from one round of a call to the next, 32 bytes each
            at least: the first seals, all open. Of several processes that answer the same clients
            all need the same; without any, this process makes one of its own.
    """

    async def list_tools(
        ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        tools = registry.list_tools(context_of(ctx))
        page, cursor = page_of([tool.name for tool in tools], params, page_size)
        by_name = {tool.name: tool for tool in tools}
        return ListToolsResult(
            tools=[to_mcp(by_name[tool_name]) for tool_name in page], next_cursor=cursor
        )

    caller = ToolCaller(registry, context_of, tasks)

    listening: Any = ListenHandler(RegistryBus(registry))
    if tasks is not None:
        listening = TaskListening(listening, tasks, context_of)
    handlers: dict[str, Any] = {}
    if registry.objects is not None:
        handlers |= resource_handlers(registry.objects, context_of, page_size)
    if by_name := {prompt.name: prompt for prompt in prompts}:
        handlers |= prompt_handlers(registry, by_name, context_of, page_size)
    if handlers:
        handlers["on_completion"] = completion_handler(registry, by_name, context_of)
    server: Server[Any] = Server(
        name,
        version=version,
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=caller.call,
        on_subscriptions_listen=listening,
        cache_hints={"tools/list": CacheHint(ttl_ms=5_000, scope="private")},
        get_tool_input_schema=HeaderSchemas(registry),
        **handlers,
    )
    server.middleware.append(sealed_rounds(context_of, name, state_keys))
    server.middleware.append(KnownListings(registry, context_of))
    if tasks is not None:
        offer_tasks(server, tasks, context_of)
    return server


def to_mcp(tool: AnyTool) -> McpTool:
    return McpTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.answer_schema(),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.effect == "read",
            destructive_hint=tool.effect == "destructive",
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )
