"""The conversation that a run starts from and ends with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from langchain_core.messages import (
    BaseMessage,
    HumanMessage,
    MessageLikeRepresentation,
    convert_to_messages,
)


@dataclass(frozen=True, slots=True, init=False)
class State:
    """The messages so far, and whatever middleware keeps beside them.

    The agent's own system prompt is not part of the state: it is put in front of each model call,
    so a state can be handed to another run, or another agent, as it is.
    """

    messages: tuple[BaseMessage, ...]
    metadata: Mapping[str, Any]

    def __init__(
        self,
        messages: Iterable[MessageLikeRepresentation] = (),
        *,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Messages may be langchain-core messages, (role, text) pairs, dictionaries or strings.

        Raises:
            ValueError: If a message has no form that langchain-core knows.
            NotImplementedError: The same, for a type it does not know.
        """
        object.__setattr__(self, "messages", tuple(convert_to_messages(list(messages))))
        object.__setattr__(self, "metadata", MappingProxyType(dict(metadata or {})))

    @classmethod
    def of(cls, conversation: "Conversation") -> "State":
        """The state of a prompt, of messages, or of a state."""
        if isinstance(conversation, State):
            return conversation
        if isinstance(conversation, str):
            return cls([HumanMessage(conversation)])
        return cls(conversation)

    def with_messages(self, messages: Iterable[BaseMessage]) -> "State":
        """The same state with other messages."""
        return State(messages, metadata=self.metadata)


Conversation = str | State | Iterable[MessageLikeRepresentation]
"""What a run can start from."""
