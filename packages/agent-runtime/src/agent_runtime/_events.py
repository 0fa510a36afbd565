"""What an observer is told while a run goes on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from langchain_core.messages import AIMessage, ToolMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStarted:
    """The model is about to be asked for a reply."""

    kind: ClassVar[Literal["model_started"]] = "model_started"
    run: int
    """Counts the replies of the run, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialValue:
    """A part of a submission is complete, while the rest of it is still being written.

    It is what the model writes, in the form of the schema that it was shown, before anything is
    validated or repaired. A part comes after the parts that it holds. All of it is void if the
    submission is not accepted.
    """

    kind: ClassVar[Literal["partial_value"]] = "partial_value"
    run: int
    tool_name: str
    call_index: int
    """The place of the call in the reply, from 0."""
    path: str
    """JSON pointer (RFC 6901) into the arguments; empty for the arguments as a whole."""
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalled:
    """The model gave a reply."""

    kind: ClassVar[Literal["model_called"]] = "model_called"
    run: int
    """Counts the replies of the run, from 1."""
    reply: AIMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted:
    """The body of a tool is about to run, with valid arguments."""

    kind: ClassVar[Literal["tool_started"]] = "tool_started"
    run: int
    tool_name: str
    call_id: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished:
    """A tool call was answered: its body ran, or the answer says why not."""

    kind: ClassVar[Literal["tool_finished"]] = "tool_finished"
    run: int
    tool_name: str
    call_id: str
    message: ToolMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudged:
    """The model was told to call the submit tool."""

    kind: ClassVar[Literal["nudged"]] = "nudged"
    run: int
    text: str


RetryReason = Literal["fallback", "invalid", "rejected", "transport", "truncated", "unparsable"]
"""Why the model is asked again.

`transport`: the request failed on its way. `fallback`: it did, and another model is asked.
The others are the outcomes of a submission.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """The model is asked again for what it did not bring; parts that it had written are void."""

    kind: ClassVar[Literal["retried"]] = "retried"
    run: int
    reason: RetryReason


Event = ModelStarted | PartialValue | ModelCalled | ToolStarted | ToolFinished | Nudged | Retried

Observer = Callable[[Event], Awaitable[None] | None]
"""A function, sync or async, that is told of each event. What it raises becomes a warning."""
