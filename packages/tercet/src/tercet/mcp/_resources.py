"""Stored objects as resources."""

from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from tercet._errors import ToolError
from tercet._json import to_json_text
from tercet._object import Handle
from tercet._objects import ObjectRegistry
from tercet.mcp._caller import ContextSource
from tercet.mcp._pages import page_of

__all__ = ["RESOURCE", "resource_handlers"]

RESOURCE = "tercet://objects/"
"""What the addresses of stored objects begin with."""

_MOST_RESOURCE_BYTES = 4 * 1024 * 1024


def resource_handlers(
    objects: ObjectRegistry, context_of: ContextSource, page_size: int
) -> dict[str, Any]:
    async def list_resources(
        ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        context = context_of(ctx)
        handles = {handle.ref: handle for handle in await objects.list(context)}
        page, cursor = page_of(list(handles), params, page_size)
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=f"{RESOURCE}{quote(context.session_id)}/{quote(ref)}",
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
            uri_template=f"{RESOURCE}{{session}}/{{ref}}",
            name="object",
            description="A stored object, whole: a picture as a PNG file, others as JSON.",
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        ctx: ServerRequestContext[Any, Any], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        uri = str(params.uri)
        session, _, ref = uri.removeprefix(RESOURCE).partition("/")
        missing = MCPError(
            code=INVALID_PARAMS, message="Resource not found", data={"uri": uri[:200]}
        )
        if not uri.startswith(RESOURCE) or not session or not ref:
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
