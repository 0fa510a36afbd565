"""The MCP face: a registry as a low-level MCP server that speaks both protocol eras.

Every tool keeps its schemas to the letter. An answer is the envelope, as `structuredContent` and
as the text block, with `isError` on failure; pictures follow the text as image blocks. An unknown
tool is a protocol error (-32602), as the specification asks. Stored objects can be read as
resources, `tercet://objects/{session}/{ref}`: pictures as PNG files, others as JSON.

Needs the extra `tercet[mcp]`. Specification: Model Context Protocol, revisions 2025-11-25 and
2026-07-28.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token
from mcp import MCPError, stdio_server
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ServerEvent,
    ToolsListChanged,
)
from mcp.types import (
    INVALID_PARAMS,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    PromptReference,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp.types import Prompt as McpPrompt
from mcp.types import Tool as McpTool

from tercet._completion import Completions, prompt_values, resource_values
from tercet._context import CallContext
from tercet._errors import ToolError
from tercet._json import to_json_text
from tercet._object import Handle
from tercet._objects import ObjectRegistry
from tercet._prompt import Prompt
from tercet._registry import ToolRegistry
from tercet._tool import AnyTool

__all__ = ["ContextSource", "run_stdio", "serve"]

ContextSource = Callable[[ServerRequestContext[Any, Any]], CallContext]
"""Says who calls, from what the transport knows."""

_RESOURCE = "tercet://objects/"
_MOST_RESOURCE_BYTES = 4 * 1024 * 1024


def _local_caller(_: ServerRequestContext[Any, Any]) -> CallContext:
    return CallContext()


def serve(
    registry: ToolRegistry,
    *,
    name: str = "tercet",
    version: str = "0.1.0",
    instructions: str | None = None,
    prompts: Iterable[Prompt] = (),
    context_of: ContextSource = _local_caller,
    page_size: int = 100,
) -> Server[Any]:
    """Give a server with one MCP tool for each tool of the registry, now and later.

    Args:
        registry: Whose tools are served; tools registered later are served too.
        name: The server's own name, for clients to show.
        version: The server's own version.
        instructions: What a model should know before its first call.
        prompts: What a client can offer to people as a start.
        context_of: Says who calls; by default the one local caller, who may do everything.
        page_size: How many tools one page of a listing holds.
    """

    def caller(ctx: ServerRequestContext[Any, Any]) -> CallContext:
        context = context_of(ctx)
        return replace(context, progress=context.progress or ctx.session.report_progress)

    async def list_tools(
        ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        tools = registry.list_tools(context_of(ctx))
        page, cursor = _page([tool.name for tool in tools], params, page_size)
        by_name = {tool.name: tool for tool in tools}
        return ListToolsResult(
            tools=[_to_mcp(by_name[tool_name]) for tool_name in page], next_cursor=cursor
        )

    async def call_tool(
        ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        context = caller(ctx)
        known = registry.find(params.name, context)
        answer = await registry.call_tool(params.name, params.arguments, context)
        if answer.status == "error" and known is None:
            raise MCPError(
                code=INVALID_PARAMS,
                message=f"Unknown tool: {params.name[:80]}",
                data={"hint": answer.hint},
            )
        pictures = () if answer.status == "error" else answer.pictures
        return CallToolResult(
            content=[
                TextContent(type="text", text=answer.to_json()),
                *(ImageContent(data=p.base64, mime_type="image/png") for p in pictures),
            ],
            structured_content=answer.to_dict(),
            is_error=answer.is_error,
        )

    def input_schema_of(tool_name: str) -> dict[str, Any] | None:
        tool = registry.find(tool_name)
        return tool.input_schema if tool else None

    handlers: dict[str, Any] = {}
    if registry.objects is not None:
        handlers |= _resource_handlers(registry.objects, context_of, page_size)
    if by_name := {prompt.name: prompt for prompt in prompts}:
        handlers |= _prompt_handlers(by_name, page_size)
    if handlers:
        handlers["on_completion"] = _completion_handler(registry.objects, by_name, context_of)
    return Server(
        name,
        version=version,
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(_RegistryBus(registry)),
        cache_hints={"tools/list": CacheHint(ttl_ms=5_000, scope="private")},
        get_tool_input_schema=input_schema_of,
        **handlers,
    )


def run_stdio(
    server: Server[Any], *, workers: AbstractAsyncContextManager[Any] | None = None
) -> None:
    """Serve one client on standard input and output until it closes them.

    Standard output carries JSON-RPC and nothing else: the SDK's transport takes the descriptor for
    itself and points the rest of the process, print included, at standard error.

    Args:
        server: What is served.
        workers: What computes for its tools, such as `ProcessWorkers`; ended with the server.
    """

    async def run() -> None:
        async with workers or nullcontext(), stdio_server() as (requests, answers):
            await server.run(requests, answers, server.create_initialization_options())

    anyio.run(run)


class _RegistryBus(InMemorySubscriptionBus):
    """Tells listeners of the registry's changes, on the event loop they live on."""

    def __init__(self, registry: ToolRegistry) -> None:
        super().__init__()
        self._registry = registry

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a listener and give what ends that."""
        loop, thread = current_token(), threading.get_ident()

        def changed() -> None:
            if threading.get_ident() == thread:
                listener(ToolsListChanged())
            else:
                from_thread.run_sync(listener, ToolsListChanged(), token=loop)

        leave_bus = super().subscribe(listener)
        leave_registry = self._registry.subscribe(changed)

        def unsubscribe() -> None:
            leave_registry()
            leave_bus()

        return unsubscribe


def _to_mcp(tool: AnyTool) -> McpTool:
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


def _page(
    names: list[str], params: PaginatedRequestParams | None, page_size: int
) -> tuple[list[str], str | None]:
    # The cursor is the last name that was given, so that it survives changes of the list.
    cursor = params.cursor if params else None
    if cursor is not None and not cursor.startswith("after:"):
        raise MCPError(code=INVALID_PARAMS, message="Invalid cursor")
    after = "" if cursor is None else cursor.removeprefix("after:")
    left = sorted(name for name in names if name > after)
    page = left[:page_size]
    return page, f"after:{page[-1]}" if len(left) > page_size else None


def _resource_handlers(
    objects: ObjectRegistry, context_of: ContextSource, page_size: int
) -> dict[str, Any]:
    async def list_resources(
        ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        context = context_of(ctx)
        handles = {handle.ref: handle for handle in await objects.list(context)}
        page, cursor = _page(list(handles), params, page_size)
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=f"{_RESOURCE}{quote(context.session_id)}/{quote(ref)}",
                    name=ref,
                    description=f"{handles[ref].kind}: {to_json_text(handles[ref].summary)}",
                    mime_type=_mime_type(handles[ref]),
                )
                for ref in page
            ],
            next_cursor=cursor,
        )

    async def list_templates(
        _: ServerRequestContext[Any, Any], __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=f"{_RESOURCE}{{session}}/{{ref}}",
            name="object",
            description="A stored object, whole: a picture as a PNG file, others as JSON.",
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        ctx: ServerRequestContext[Any, Any], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        uri = str(params.uri)
        session, _, ref = uri.removeprefix(_RESOURCE).partition("/")
        missing = MCPError(
            code=INVALID_PARAMS, message="Resource not found", data={"uri": uri[:200]}
        )
        if not uri.startswith(_RESOURCE) or not session or not ref:
            raise missing
        try:
            owner = replace(context_of(ctx), session_id=unquote(session))
            handle = await objects.describe(owner, unquote(ref))
            value = await objects.export(owner, unquote(ref))
        except ToolError as error:
            raise missing from error
        mime_type = _mime_type(handle)
        if handle.kind == "picture":
            blob = BlobResourceContents(uri=params.uri, blob=value["base64"], mime_type=mime_type)
            return ReadResourceResult(contents=[blob])
        text = to_json_text(value)
        if len(text) > _MOST_RESOURCE_BYTES:
            raise MCPError(
                code=INVALID_PARAMS,
                message=f"Resource takes {len(text)} bytes; {_MOST_RESOURCE_BYTES} fit",
                data={"uri": uri[:200], "hint": "read it in parts with the tool read_object"},
            )
        contents = TextResourceContents(uri=params.uri, text=text, mime_type=mime_type)
        return ReadResourceResult(contents=[contents])

    return {
        "on_list_resources": list_resources,
        "on_list_resource_templates": list_templates,
        "on_read_resource": read_resource,
    }


def _mime_type(handle: Handle) -> str:
    return "image/png" if handle.kind == "picture" else "application/json"


def _prompt_handlers(prompts: Mapping[str, Prompt], page_size: int) -> dict[str, Any]:
    async def list_prompts(
        _: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        page, cursor = _page(list(prompts), params, page_size)
        return ListPromptsResult(
            prompts=[_prompt_to_mcp(prompts[name]) for name in page], next_cursor=cursor
        )

    async def get_prompt(
        _: ServerRequestContext[Any, Any], params: GetPromptRequestParams
    ) -> GetPromptResult:
        prompt = prompts.get(params.name)
        if prompt is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {params.name[:80]}")
        try:
            text = prompt.render(params.arguments)
        except ToolError as error:
            data = {"hint": error.hint}
            raise MCPError(code=INVALID_PARAMS, message=error.message, data=data) from error
        message = PromptMessage(role="user", content=TextContent(type="text", text=text))
        return GetPromptResult(description=prompt.description, messages=[message])

    return {"on_list_prompts": list_prompts, "on_get_prompt": get_prompt}


def _completion_handler(
    objects: ObjectRegistry | None, prompts: Mapping[str, Prompt], context_of: ContextSource
) -> Any:
    async def complete(
        ctx: ServerRequestContext[Any, Any], params: CompleteRequestParams
    ) -> CompleteResult:
        name, typed = params.argument.name, params.argument.value
        context, found = context_of(ctx), Completions(values=(), total=0)
        if isinstance(params.ref, PromptReference):
            if prompt := prompts.get(params.ref.name):
                found = prompt_values(prompt, name, typed, context)
        elif objects is not None and params.ref.uri.startswith(_RESOURCE):
            given = params.context.arguments if params.context else None
            owner = replace(context, session_id=(given or {}).get("session", context.session_id))
            found = await resource_values(objects, name, typed, owner)
        more = found.total > len(found.values)
        return CompleteResult(
            completion=Completion(values=[*found.values], total=found.total, has_more=more)
        )

    return complete


def _prompt_to_mcp(prompt: Prompt) -> McpPrompt:
    return McpPrompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            PromptArgument(name=name, description=what, required=False)
            for name, what in prompt.arguments.items()
        ],
    )
