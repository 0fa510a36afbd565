"""Prompts, and what may complete an argument of a prompt or of a resource's address."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    PromptReference,
    TextContent,
)
from mcp.types import Prompt as McpPrompt

from tercet._completion import Completions, prompt_values, resource_values
from tercet._context import CallContext
from tercet._errors import ToolError
from tercet._prompt import Prompt
from tercet._registry import ToolRegistry
from tercet.mcp._caller import ContextSource
from tercet.mcp._pages import page_of
from tercet.mcp._resources import RESOURCE

__all__ = ["completion_handler", "prompt_handlers"]


def prompt_handlers(
    registry: ToolRegistry,
    prompts: Mapping[str, Prompt],
    context_of: ContextSource,
    page_size: int,
) -> dict[str, Any]:
    async def list_prompts(
        ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        visible = [*_visible(registry, prompts, context_of(ctx))]
        page, cursor = page_of(visible, params, page_size)
        return ListPromptsResult(
            prompts=[_prompt_to_mcp(prompts[name]) for name in page], next_cursor=cursor
        )

    async def get_prompt(
        ctx: ServerRequestContext[Any, Any], params: GetPromptRequestParams
    ) -> GetPromptResult:
        prompt = _visible(registry, prompts, context_of(ctx)).get(params.name)
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


def completion_handler(
    registry: ToolRegistry, prompts: Mapping[str, Prompt], context_of: ContextSource
) -> Any:
    objects = registry.objects

    async def complete(
        ctx: ServerRequestContext[Any, Any], params: CompleteRequestParams
    ) -> CompleteResult:
        name, typed = params.argument.name, params.argument.value
        context, found = context_of(ctx), Completions(values=(), total=0)
        if isinstance(params.ref, PromptReference):
            if prompt := _visible(registry, prompts, context).get(params.ref.name):
                found = prompt_values(prompt, name, typed, context)
        elif objects is not None and params.ref.uri.startswith(RESOURCE):
            given = params.context.arguments if params.context else None
            owner = replace(context, session_id=(given or {}).get("session", context.session_id))
            found = await resource_values(objects, name, typed, owner)
        more = found.total > len(found.values)
        return CompleteResult(
            completion=Completion(values=[*found.values], total=found.total, has_more=more)
        )

    return complete


def _visible(
    registry: ToolRegistry, prompts: Mapping[str, Prompt], context: CallContext
) -> dict[str, Prompt]:
    """The prompts that there are for a caller: those of apps whose tools it reaches."""
    apps = {tool.app for tool in registry.list_tools(context)}
    return {
        name: prompt for name, prompt in prompts.items() if prompt.app is None or prompt.app in apps
    }


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
