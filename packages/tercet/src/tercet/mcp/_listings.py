"""Listings of tools that were made once: putting hundreds of schemas on the wire takes long."""

from collections import OrderedDict
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult

from tercet._registry import ToolRegistry
from tercet._tool import AnyTool
from tercet.mcp._asking import is_modern
from tercet.mcp._caller import ContextSource

__all__ = ["KnownListings"]

_MOST_PAGES = 64


class KnownListings:
    """Answers for a page of tools that was asked for before, by whomever sees the same tools.

    A page depends on nothing but the tools that its caller may use, and where it begins.

    Args:
        registry: Has the tools.
        context_of: Says who asks.
    """

    def __init__(self, registry: ToolRegistry, context_of: ContextSource) -> None:
        self._registry = registry
        self._context_of = context_of
        # By what a page depends on; the tools are kept, so that no other ones take their ids.
        self._pages: OrderedDict[tuple[Any, ...], tuple[list[AnyTool], dict[str, Any]]] = (
            OrderedDict()
        )

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer a request, or hand it on."""
        if ctx.method != "tools/list" or not is_modern(ctx):
            return await call_next(ctx)
        params = dict(ctx.params or {})
        params.pop("_meta", None)
        cursor = params.pop("cursor", None)
        if params or not (cursor is None or isinstance(cursor, str)):
            return await call_next(ctx)
        tools = self._registry.list_tools(self._context_of(ctx))
        key = (ctx.protocol_version, cursor, *map(id, tools))
        if key in self._pages:
            self._pages.move_to_end(key)
            return dict(self._pages[key][1])
        page = await call_next(ctx)
        if isinstance(page, dict):
            self._pages[key] = tools, page
            if len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)
        return page
