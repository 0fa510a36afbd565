"""Questions to the person on whose behalf a call is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tercet._errors import ConflictError

__all__ = ["AnswerNeededError", "Asker", "Question", "Reply"]


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked: a message, and a form to fill in.

    Attributes:
        key: Names the question within its call: no other question of the call has this key.
        message: What the person reads.
        fields: The form: a JSON Schema of a text, number, boolean or choice for each name.
        required: The fields that have to be filled in.
    """

    key: str
    message: str
    fields: Mapping[str, Any] = field(default_factory=_nothing)
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what is filled in."""
        return {
            "type": "object",
            "properties": dict(self.fields),
            "required": list(self.required),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the person answered.

    Attributes:
        accepted: Whether the form was sent; false: the person declined, or put it away.
        content: What was filled in, which fits the schema of the question; empty unless accepted.
    """

    accepted: bool
    content: Mapping[str, Any] = field(default_factory=_nothing)


class Asker(Protocol):
    """A way to the person at a caller."""

    async def __call__(self, question: Question) -> Reply:
        """Put a question to the person and give the answer.

        Raises:
            AnswerNeededError: The answer comes with the same call, made again.
            UnavailableError: The person cannot be reached any more.
        """
        ...


class AnswerNeededError(ConflictError):
    """A person has to answer before a call can go on.

    The face through which the call came puts the question, and makes the call again from its
    start. A tool lets this pass.
    """
