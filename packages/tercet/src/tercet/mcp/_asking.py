"""Ways to the person at an MCP client: forms (elicitation), in every era of the protocol.

Up to 2025-11-25 a server asks while a call runs, if there is a session. As of 2026-07-28 a call is
answered by its questions, and the client makes it again with the answers.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tercet._asking import AnswerNeededError, Question, Reply
from tercet._errors import InvalidInputError, UnavailableError
from tercet._validation import details_of

__all__ = ["RoundAsker", "SessionAsker", "can_ask", "form_of", "is_modern", "reply_to"]


def is_modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether a request is of 2026-07-28 or later."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client says that it can show its user a form."""
    capabilities = ctx.session.client_capabilities
    given = None if capabilities is None else capabilities.elicitation
    # A client that names no mode can show forms; one that names URLs alone cannot.
    return given is not None and (given.form is not None or given.url is None)


def form_of(question: Question) -> ElicitRequest:
    """The question as the protocol words it."""
    return ElicitRequest(
        params=ElicitRequestFormParams(message=question.message, requested_schema=question.schema)
    )


def reply_to(question: Question, answer: ElicitResult) -> Reply:
    """The answer to a question.

    Raises:
        InvalidInputError: What was filled in does not fit the form.
    """
    if answer.action != "accept":
        return Reply(accepted=False)
    content = dict(answer.content or {})
    if faults := details_of(Draft202012Validator(question.schema), content):
        raise InvalidInputError(
            f"the form of {question.key!r} was not filled in as asked",
            hint="fill in each field as the form's schema says",
            details=faults,
        )
    return Reply(accepted=True, content=content)


class SessionAsker:
    """Asks over a session, while the call waits.

    Args:
        ctx: The call.
    """

    def __init__(self, ctx: ServerRequestContext[Any, Any]) -> None:
        self._ctx = ctx

    async def __call__(self, question: Question) -> Reply:
        """Ask, and wait for the answer."""
        try:
            answer = await self._ctx.session.elicit_form(
                question.message, question.schema, self._ctx.request_id
            )
        except MCPError as error:
            raise UnavailableError(
                f"the client could not put a question to its user: {error.message[:200]}",
                hint="use a client that can show its user a form (elicitation)",
            ) from error
        return reply_to(question, answer)


class RoundAsker:
    """Asks in rounds: questions are the answer to a call, which the client makes again.

    What was answered before comes in the state that the client carries back, which is sealed; an
    answer counts for the question, word by word, that it was given to.

    Args:
        params: The call, with the answers that its client has brought.
        asked: Is called when there is a question to put.
    """

    def __init__(self, params: CallToolRequestParams, asked: Callable[[], None]) -> None:
        self._tell = asked
        state: Mapping[str, Any] = json.loads(params.request_state or "{}")
        self._asked: dict[str, str] = dict(state.get("asked", {}))
        self._answers: dict[str, Any] = dict(state.get("answers", {}))
        for key, response in (params.input_responses or {}).items():
            if isinstance(response, ElicitResult) and key in self._asked:
                self._answers[key] = response.model_dump(mode="json", by_alias=True)
        self._open: dict[str, Question] = {}

    async def __call__(self, question: Question) -> Reply:
        """Give the answer if there is one; else note the question."""
        answer = self._answers.get(question.key)
        if answer is not None and self._asked.get(question.key) == _mark_of(question):
            return reply_to(question, ElicitResult.model_validate(answer))
        self._open[question.key] = question
        self._tell()
        raise AnswerNeededError(
            f"a person has to answer first: {question.message}",
            hint="the client puts the question to its user and makes the call again",
        )

    def questions(self) -> InputRequiredResult | None:
        """What the client is to ask before it makes the call again, if there is anything."""
        if not self._open:
            return None
        marks = {key: _mark_of(question) for key, question in self._open.items()}
        answered = {key: value for key, value in self._answers.items() if key not in self._open}
        return InputRequiredResult(
            input_requests={key: form_of(question) for key, question in self._open.items()},
            request_state=json.dumps({"asked": self._asked | marks, "answers": answered}),
        )


def _mark_of(question: Question) -> str:
    said = json.dumps([question.message, question.schema], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
