"""What an observer is told while a run goes on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from langchain_core.messages import AIMessage, ToolMessage


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


Event = ModelCalled | ToolStarted | ToolFinished | Nudged

Observer = Callable[[Event], Awaitable[None] | None]
"""A function, sync or async, that is told of each event. What it raises becomes a warning."""
