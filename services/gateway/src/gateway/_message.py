"""The raw JSON-RPC endpoint of the documented interface."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from gateway.aic import MCPServer

__all__ = ["message_routes"]

_NO_MESSAGE = frozenset({-32700, -32600})


class JsonRpcRequest(BaseModel):
    """A JSON-RPC 2.0 message; without an id it is a notification."""

    jsonrpc: str = "2.0"
    id: int | str | None = None
    method: str = Field(description="initialize, ping, tools/list, tools/call, …")
    params: dict[str, Any] = Field(default_factory=dict[str, Any])


_BODY = {
    "required": True,
    "content": {"application/json": {"schema": JsonRpcRequest.model_json_schema()}},
}


def message_routes(server: MCPServer) -> APIRouter:
    """Give the route `/mcp/message`."""
    routes = APIRouter(prefix="/mcp", tags=["tools"])

    @routes.post(
        "/message",
        openapi_extra={"requestBody": _BODY},
        responses={
            200: {"description": "The answer, or an error of the method."},
            202: {"description": "A notification was taken; there is no body."},
            400: {"description": "This is no JSON (-32700), or no message (-32600)."},
        },
    )
    async def take_message(request: Request) -> Response:
        """Handle one MCP message with no session; for whole clients there is `/mcp`."""
        answer = await server.handle_text(await request.body(), request.scope["state"])
        if answer is None:
            return Response(status_code=202)
        code = answer.get("error", {}).get("code")
        return JSONResponse(answer, status_code=400 if code in _NO_MESSAGE else 200)

    return routes
