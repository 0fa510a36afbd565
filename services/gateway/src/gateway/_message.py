"""The raw JSON-RPC endpoint of the documented interface."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from gateway._attendance import while_attended
from gateway.aic import MCPServer

__all__ = ["JSON_RPC_SCHEMAS", "json_content", "message_routes"]

_NO_MESSAGE = frozenset({-32700, -32600})

# These describe: what is no message is told so by the server itself, in JSON-RPC's own words.
_VERSION = {"type": "string", "const": "2.0"}
_ID = {"type": ["integer", "string"]}
_ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "data": {}},
    "required": ["code", "message"],
}
JSON_RPC_SCHEMAS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "JsonRpcRequest": {
            "title": "JsonRpcRequest",
            "description": "A JSON-RPC 2.0 message; without an id it is a notification.",
            "type": "object",
            "properties": {
                "jsonrpc": _VERSION,
                "id": _ID,
                "method": {
                    "type": "string",
                    "description": "initialize, ping, tools/list, tools/call, …",
                },
                "params": {"type": "object"},
            },
            "required": ["jsonrpc", "method"],
            "examples": [{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}],
        },
        "JsonRpcResult": {
            "title": "JsonRpcResult",
            "description": "What a method gives.",
            "type": "object",
            "properties": {"jsonrpc": _VERSION, "id": _ID, "result": {"type": "object"}},
            "required": ["jsonrpc", "id", "result"],
            "additionalProperties": False,
        },
        "JsonRpcError": {
            "title": "JsonRpcError",
            "description": "Why there is no result; the id is null where none could be read.",
            "type": "object",
            "properties": {
                "jsonrpc": _VERSION,
                "id": {"type": ["integer", "string", "null"]},
                "error": _ERROR,
            },
            "required": ["jsonrpc", "id", "error"],
            "additionalProperties": False,
        },
    }
)
"""What JSON-RPC's messages look like, for the OpenAPI document."""


def json_content(*schemas: str) -> dict[str, Any]:
    """Declare a body of JSON after any of some schemas of the document."""
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    return {"application/json": {"schema": refs[0] if len(refs) == 1 else {"anyOf": refs}}}


_BODY = {"required": True, "content": json_content("JsonRpcRequest")}


def message_routes(server: MCPServer) -> APIRouter:
    """Give the route `/mcp/message`."""
    routes = APIRouter(prefix="/mcp", tags=["tools"])

    @routes.post(
        "/message",
        openapi_extra={
            "requestBody": {"required": True, "content": json_content("JsonRpcRequest")}
        },
        responses={
            200: {
                "description": "The answer, or an error of the method.",
                "content": json_content("JsonRpcResult", "JsonRpcError"),
            },
            202: {"description": "A notification was taken; there is no body."},
            400: {
                "description": "This is no JSON (-32700), or no message (-32600).",
                "content": json_content("JsonRpcError"),
            },
        },
    )
    async def take_message(request: Request) -> Response:
        """Handle one MCP message with no session; for whole clients there is `/mcp`."""
        body, state = await request.body(), request.scope["state"]
        answer = await while_attended(request, partial(server.handle_text, body, state))
        if answer is None:
            return Response(status_code=202)
        code = answer.get("error", {}).get("code")
        return JSONResponse(answer, status_code=400 if code in _NO_MESSAGE else 200)

    return routes
