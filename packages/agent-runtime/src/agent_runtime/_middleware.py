"""What middleware may do.

Middleware is any object that has at least one of these members; what it lacks, it does not do.

========================================  =========================================================
``tools``                                 tools it adds to the agent, after the agent's own
``system_prompt``                         text it adds to the system prompt
``async before_model(state)``             before each model call, in the agent's order; the state
                                          it returns replaces the run's, None leaves it
``async after_model(state, reply)``       after each reply, in reverse order; the reply it returns
                                          replaces the model's, None leaves it
``async needs_review(state, call)``       before a valid call is executed; True makes the run wait
                                          for a decision on it
``async should_pause(state)``             before the calls of a reply are executed; a text is the
                                          reason for which the run is paused, None lets it go on
``on_event(event)``                       an observer
========================================  =========================================================

A hook that raises ends the run with a `MiddlewareError`; an `ExtractError` passes as it is.
"""

from collections.abc import Awaitable, Sequence
from typing import Protocol, runtime_checkable

from langchain_core.messages import AIMessage

from agent_runtime._checkpoint import PendingCall
from agent_runtime._events import Event
from agent_runtime._state import State
from agent_runtime._submit_tool import AgentTool


@runtime_checkable
class AddsTools(Protocol):
    """Middleware that brings tools."""

    @property
    def tools(self) -> Sequence[AgentTool]:
        """Tools added to the agent."""
        ...


@runtime_checkable
class AddsPrompt(Protocol):
    """Middleware that brings instructions."""

    @property
    def system_prompt(self) -> str:
        """Text added to the system prompt."""
        ...


@runtime_checkable
class BeforeModel(Protocol):
    """Middleware that sees, and may replace, the state before each model call."""

    async def before_model(self, state: State, /) -> State | None:
        """The state to go on with; None for the same."""
        ...


@runtime_checkable
class AfterModel(Protocol):
    """Middleware that sees, and may replace, each reply."""

    async def after_model(self, state: State, reply: AIMessage, /) -> AIMessage | None:
        """The reply to go on with; None for the same."""
        ...


@runtime_checkable
class ReviewsCalls(Protocol):
    """Middleware that lets tool calls wait for a decision."""

    async def needs_review(self, state: State, call: PendingCall, /) -> bool:
        """Whether the run is to be interrupted before this call."""
        ...


@runtime_checkable
class PausesRuns(Protocol):
    """Middleware that pauses runs, to have them resumed later or elsewhere."""

    async def should_pause(self, state: State, /) -> str | None:
        """The reason to pause, with the reply in the state; None, or no text, to go on."""
        ...


@runtime_checkable
class Observes(Protocol):
    """Middleware that is told what happens."""

    def on_event(self, event: Event, /) -> Awaitable[None] | None:
        """Told of each event."""
        ...


Middleware = (
    AddsTools | AddsPrompt | BeforeModel | AfterModel | ReviewsCalls | PausesRuns | Observes
)
