"""The conversation that a run starts from and ends with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, Literal

from langchain_core.messages import (
    BaseMessage,
    HumanMessage,
    MessageLikeRepresentation,
    convert_to_messages,
)


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "unset"


UNSET: Final[Literal[Unset.UNSET]] = Unset.UNSET
"""In the metadata of a state that a tool gives: the key is to be taken out of the run's."""


@dataclass(frozen=True, slots=True, init=False)
class State:
    """The messages so far, and whatever middleware keeps beside them.

    The agent's own system prompt is not part of the state: it is put in front of each model call,
    so a state can be handed to another run, or another agent, as it is.

    A tool changes the metadata of the run that calls it by the state that it gives beside its text.
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
        state = object.__new__(State)
        object.__setattr__(state, "messages", tuple(messages))
        object.__setattr__(state, "metadata", self.metadata)
        return state

    def with_metadata(self, changes: Mapping[str, Any]) -> "State":
        """The same state with other values under these keys; `UNSET` takes one out."""
        merged = {**self.metadata, **changes}
        kept = {key: value for key, value in merged.items() if value is not UNSET}
        return State(self.messages, metadata=kept)


Conversation = str | State | Iterable[MessageLikeRepresentation]
"""What a run can start from."""
