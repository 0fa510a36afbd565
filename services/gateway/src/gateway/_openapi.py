"""The OpenAPI document: what the framework finds out, and what it cannot know.

What answers before any route (the MCP endpoint, the door) has no route, and yet is there; so it is
described here.
"""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from gateway._door import METADATA_PATHS
from gateway._message import JSON_RPC_SCHEMAS, json_content
from gateway._problem import Problem, Responses, problems
from gateway._rest import ServerInfo

__all__ = ["DescribedApi", "problems_of_every_route"]

_REF = "#/components/schemas/{model}"
_SCHEME = "bearerToken"
_EVENT_STREAM: dict[str, Any] = {"text/event-stream": {}}


def problems_of_every_route(*, asks: bool, open_to_strangers: bool = False) -> Responses:
    """Declare the problems that come from before a route.

    Args:
        asks: Whether a token is asked for.
        open_to_strangers: Whether the route is served without one all the same.
    """
    # 405 is none of them: it is the answer to a method that the document does not have.
    always = (403, 408, 413, 415, 421, 500)
    if not asks:
        return problems(*always)
    return problems(*always, 429, 503, *(() if open_to_strangers else (401,)))


class DescribedApi(FastAPI):
    """An application whose OpenAPI document is complete.

    Args:
        asks: Whether a token is asked for.
        sessions: Whether the MCP endpoint keeps sessions for clients of older revisions.
        open_paths: The paths that are served without a token.
        options: Those of the framework.
    """

    def __init__(
        self, *, asks: bool, sessions: bool, open_paths: Iterable[str], **options: Any
    ) -> None:
        super().__init__(**options)
        self._asks = asks
        self._sessions = sessions
        self._open_paths = frozenset(open_paths)

    def openapi(self) -> dict[str, Any]:
        """Give the document."""
        if self.openapi_schema is None:
            document = super().openapi()
            _take_out_unused_answers(document)
            for number, path in enumerate(("/mcp", "/mcp/")):
                document["paths"][path] = _endpoint(
                    "_slash" * number, asks=self._asks, sessions=self._sessions
                )
            _add_schemas(document, Problem, ServerInfo)
            document["components"]["schemas"] |= JSON_RPC_SCHEMAS
            if self._asks:
                self._add_security(document)
        assert self.openapi_schema is not None  # noqa: S101 -- the framework keeps it there
        return self.openapi_schema

    def _add_security(self, document: dict[str, Any]) -> None:
        document["components"]["securitySchemes"] = {
            _SCHEME: {
                "type": "http",
                "scheme": "bearer",
                "description": "A token of the operator, or one that the issuer of the "
                "protected resource's metadata has signed.",
            }
        }
        document["security"] = [{_SCHEME: []}]
        for path in self._open_paths:
            for operation in document["paths"][path].values():
                operation["security"] = [{}, {_SCHEME: []}]
        for number, path in enumerate(METADATA_PATHS):
            document["paths"][path] = {"get": _metadata("_of_mcp" * number)}


def _take_out_unused_answers(document: dict[str, Any]) -> None:
    """Take out the framework's own words for a request that does not fit: it never answers so."""
    for path in document["paths"].values():
        for operation in path.values():
            content = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in content:
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


def _add_schemas(document: dict[str, Any], *models: type[BaseModel]) -> None:
    for model in models:
        schema = model.model_json_schema(mode="serialization", ref_template=_REF)
        inner = schema.pop("$defs", {})
        document["components"]["schemas"] |= {**inner, model.__name__: schema}


def _answers(responses: Responses) -> dict[str, Any]:
    return {str(status): answer for status, answer in sorted(responses.items(), key=str)}


def _endpoint(suffix: str, *, asks: bool, sessions: bool) -> dict[str, Any]:
    """The MCP endpoint, at one of its two paths."""
    before = problems_of_every_route(asks=asks)
    no_session: Responses = {
        400: {"description": "No session is named.", "content": json_content("JsonRpcError")},
        404: {"description": "There is no such session.", "content": json_content("JsonRpcError")},
    }
    of_sessions = no_session if sessions else {}
    look: dict[str, Any] = {
        "tags": ["mcp"],
        "summary": "Say What Is Here",
        "description": "Say what this server is and what it serves to the caller. A client of "
        "MCP's older revisions that accepts `text/event-stream` gets the server's own messages.",
        "operationId": f"say_what_is_here{suffix}",
        "responses": _answers(
            {
                200: {
                    "description": "What is served, counted by app and type.",
                    "content": {**json_content("ServerInfo"), **_EVENT_STREAM},
                },
                **of_sessions,
                **before,
            }
        ),
    }
    send: dict[str, Any] = {
        "tags": ["mcp"],
        "summary": "Take An MCP Message",
        "description": "The endpoint of MCP's streamable HTTP transport, revisions 2025-11-25 and "
        "older and 2026-07-28: see the protocol for headers and methods. It takes requests, "
        "notifications, and answers to requests of the server. A client has to accept both "
        "`application/json` and `text/event-stream`.",
        "operationId": f"take_mcp_message{suffix}",
        "requestBody": {"required": True, "content": json_content(*JSON_RPC_SCHEMAS)},
        "responses": _answers(
            {
                200: {
                    "description": "The answer: alone, or as the last event of a stream.",
                    "content": {**json_content("JsonRpcResult", "JsonRpcError"), **_EVENT_STREAM},
                },
                202: {"description": "Nothing is to be answered; there is no body."},
                400: {
                    "description": "This is no JSON, no message, or does not fit its headers.",
                    "content": json_content("JsonRpcError"),
                },
                404: {
                    "description": "There is no such method, or no such session.",
                    "content": json_content("JsonRpcError"),
                },
                406: {
                    "description": "The client does not accept both media types.",
                    "content": json_content("JsonRpcError"),
                },
                **before,
            }
        ),
    }
    leave: dict[str, Any] = {
        "tags": ["mcp"],
        "summary": "End A Session",
        "description": "End the session that the header `Mcp-Session-Id` names.",
        "operationId": f"end_session{suffix}",
        "responses": _answers({200: {"description": "It has ended."}, **no_session, **before}),
    }
    return {"get": look, "post": send, **({"delete": leave} if sessions else {})}


def _metadata(suffix: str) -> dict[str, Any]:
    """What a stranger finds out about where tokens come from."""
    text = {"type": "string"}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "resource": text,
            "resource_name": text,
            "bearer_methods_supported": {"type": "array", "items": text},
            "authorization_servers": {"type": "array", "items": text},
        },
        "required": ["resource", "resource_name", "bearer_methods_supported"],
        "additionalProperties": False,
    }
    return {
        "tags": ["service"],
        "summary": "Protected Resource Metadata",
        "description": "What is protected, and who gives tokens for it (RFC 9728).",
        "operationId": f"protected_resource_metadata{suffix}",
        "security": [],
        "responses": _answers(
            {
                200: {
                    "description": "The metadata.",
                    "content": {"application/json": {"schema": schema}},
                },
                **problems(403, 421),
            }
        ),
    }
