"""Errors of plain HTTP as problem details (RFC 9457)."""

import json
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from tercet import ErrorCode, ToolErrorResponse

__all__ = [
    "PROBLEMS",
    "Problem",
    "answer_bad_request",
    "answer_crash",
    "answer_http_error",
    "problem",
    "problem_of",
]

_log = structlog.get_logger("gateway")
_MEDIA_TYPE = "application/problem+json"
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


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "The request cannot be served.",
        "content": {_MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
    },
}
"""For the OpenAPI document of every route."""


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
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if code is not None:
        body["code"] = code
    if errors is not None:
        body["errors"] = errors
    # ASCII: a name in the request may be half a character.
    return Response(json.dumps(body, ensure_ascii=True), status_code=status, media_type=_MEDIA_TYPE)


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


async def answer_http_error(_: Request, error: Exception) -> Response:
    """Answer what a route refuses, and paths and methods that do not exist."""
    assert isinstance(error, HTTPException)  # noqa: S101 -- registered for it alone
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
