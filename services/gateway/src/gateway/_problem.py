"""Errors of plain HTTP as problem details (RFC 9457)."""

import json
import uuid
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

import structlog
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from tercet import ErrorCode, ToolErrorResponse

__all__ = [
    "PROBLEMS_OF_TOOLS",
    "Problem",
    "Responses",
    "answer_bad_request",
    "answer_crash",
    "answer_http_error",
    "not_allowed",
    "problem",
    "problem_of",
    "problems",
]

Responses = dict[int | str, dict[str, Any]]
"""What a route declares to answer, by status."""

_log = structlog.get_logger("gateway")
_MEDIA_TYPE = "application/problem+json"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_STATUS: Mapping[ErrorCode, int] = {
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.PERMISSION_DENIED: 403,
    ErrorCode.LIMIT_EXCEEDED: 429,
    ErrorCode.CONFLICT: 409,
    ErrorCode.TIMEOUT: 504,
    ErrorCode.CANCELLED: 503,
    ErrorCode.UNAVAILABLE: 503,
    ErrorCode.INTERNAL_ERROR: 500,
}


class Problem(BaseModel):
    """What went wrong."""

    type: str = Field(default="about:blank", description="The kind of problem.")
    title: str = Field(description="The status in words.")
    status: int = Field(description="The status of the answer.")
    detail: str = Field(description="What was wrong with what, and what to do about it.")
    code: str | None = Field(default=None, description="The error code, where there is one.")
    errors: list[dict[str, Any]] | None = Field(
        default=None, description="Each fault of the request by itself, where there are several."
    )


_MEANING: Mapping[int, str] = MappingProxyType(
    {
        400: "The body is no text, or a value is none of those that there are.",
        401: "There is no bearer token, or it is not valid.",
        403: "This is not for the caller, or the request comes from a foreign web page.",
        404: "There is nothing of this name that the caller may see.",
        408: "The body did not arrive in time.",
        409: "Something else stands in the way now.",
        413: "The body is too large.",
        415: "The body is compressed, or of a type that is not taken.",
        421: "The request names a service that this is not.",
        422: "The request does not fit; `errors` names each fault.",
        429: "The caller's tenant asks for more than it may.",
        500: "A defect of the gateway; its log has it under the correlation id.",
        503: "This cannot be served now.",
        504: "It took too long.",
    }
)
_HEADERS: Mapping[int, dict[str, Any]] = MappingProxyType(
    {
        401: {
            "WWW-Authenticate": {
                "description": "Where to find out who gives tokens (RFC 9728).",
                "required": True,
                "schema": {"type": "string"},
            }
        },
        429: {
            "Retry-After": {
                "description": "When to come back, in seconds.",
                "schema": {"type": "integer", "minimum": 1},
            }
        },
    }
)


def problems(*statuses: int) -> Responses:
    """Declare the problems that a route may answer, for the OpenAPI document."""
    content = {_MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {
            "description": _MEANING[status],
            "content": content,
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in sorted(statuses)
    }


PROBLEMS_OF_TOOLS = problems(*{*_STATUS.values(), 422})
"""What a route declares whose answer may be a tool's error."""


def problem(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    errors: list[dict[str, Any]] | None = None,
) -> Response:
    """Give a problem as a response."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": _title_of(status),
        "status": status,
        "detail": detail,
    }
    if code is not None:
        body["code"] = code
    if errors is not None:
        body["errors"] = errors
    # ASCII: a name in the request may be half a character.
    return Response(json.dumps(body, ensure_ascii=True), status_code=status, media_type=_MEDIA_TYPE)


def not_allowed(methods: Iterable[str]) -> Response:
    """Refuse a method that a path does not take, and name those that it does."""
    allowed = ", ".join(methods)
    answer = problem(405, f"this path takes {allowed}")
    answer.headers["allow"] = allowed
    return answer


def problem_of(error: ToolErrorResponse, *, invalid: int = 422) -> Response:
    """Give a tool's error as a response.

    Args:
        error: What the tool answered.
        invalid: The status of an error that has none of its own.
    """
    hint = f" ({error.hint})" if error.hint else ""
    details = [detail.to_dict() for detail in error.details]
    status = _STATUS.get(error.error_code, invalid)
    return problem(status, f"{error.message}{hint}", errors=details or None)


async def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer what a route refuses, and paths and methods that do not exist."""
    assert isinstance(error, HTTPException)  # noqa: S101 -- registered for it alone
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return not_allowed(_methods_of(request))
    answer = problem(error.status_code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def answer_bad_request(_: Request, error: Exception) -> Response:
    """Name each fault by where it is, without repeating what was sent.

    FastAPI's own answer repeats it, and cannot be written where that is no valid Unicode.
    """
    assert isinstance(error, RequestValidationError)  # noqa: S101 -- registered for it alone
    faults = [{key: fault[key] for key in ("type", "loc", "msg")} for fault in error.errors()]
    told = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return problem(422, f"the request does not fit: {told}", errors=faults)


async def answer_crash(request: Request, error: Exception) -> Response:
    """Answer a defect of the gateway: the log has it, the caller its name."""
    correlation_id = uuid.uuid4().hex
    _log.error(
        "request crashed", correlation_id=correlation_id, path=request.url.path, exc_info=error
    )
    return problem(500, f"an unexpected error (correlation id {correlation_id})")


def _title_of(status: int) -> str:
    # A status may be one that no standard names, such as that of a client that went away.
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Not Answered"


def _methods_of(request: Request) -> list[str]:
    """Name every method of a path: a refusal of the framework names those of one route alone."""

    def taken(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.router.routes)

    return [method for method in _METHODS if taken(method)]
