"""What is answered to a request that does not fit its route."""

import json

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

__all__ = ["answer_bad_request"]


async def answer_bad_request(_: Request, error: Exception) -> Response:
    """Name each fault by where it is, without repeating what was sent.

    FastAPI's own answer repeats it, and cannot be written where that is no valid Unicode.
    """
    assert isinstance(error, RequestValidationError)  # noqa: S101 -- registered for it alone
    faults = [{key: fault[key] for key in ("type", "loc", "msg")} for fault in error.errors()]
    # ASCII: a name in the body may be half a character.
    body = json.dumps({"detail": faults}, ensure_ascii=True)
    return Response(body, status_code=422, media_type="application/json")
