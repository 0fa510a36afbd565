"""Questions that a server has for the person behind a client (elicitation)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp.client import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.types import (
    INVALID_REQUEST,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
)

__all__ = ["QuestionHandler", "elicitation_of"]

QuestionHandler = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any] | None]]
"""Puts a question to a person: given the message and the JSON Schema of a form, it answers what
was filled in, or None if the person declined."""


def elicitation_of(handler: QuestionHandler) -> ElicitationFnT:
    """The handler as the protocol's client wants it."""

    async def ask(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult | ErrorData:
        del context
        if not isinstance(params, ElicitRequestFormParams):
            return ErrorData(code=INVALID_REQUEST, message="only forms can be shown")
        content = await handler(params.message, params.requested_schema)
        if content is None:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content=dict(content))

    return ask
