"""An agent: a model, its tools, its instructions, its middleware."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._middleware import (
    AddsPrompt,
    AddsTools,
    AfterModel,
    BeforeModel,
    Middleware,
    Observes,
)
from agent_runtime._submit_tool import AgentTool
from agent_runtime._toolbox import Toolbox, toolbox_of

ChatModel = Runnable[LanguageModelInput, AIMessage]
"""A chat model of langchain-core, or what `with_fallbacks` makes of several: anything that has
`bind_tools`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agent:
    """A model with tools. It holds no state: one agent serves any number of runs at once.

    Raises:
        AgentDefinitionError: If the model takes no tools, a tool is no tool, two tools have one
            name, a JSON Schema is not valid, or a middleware has none of the known members.
    """

    model: ChatModel
    tools: Sequence[AgentTool] = ()
    """Langchain-core tools, typed functions with a docstring, or `SubmitTool`s."""
    system_prompt: str = ""
    middleware: Sequence[Middleware] = ()
    tool_timeout_s: float | None = None
    """Seconds that one tool call may take; then it is answered with an error.

    A coroutine is cancelled. A plain function runs in a thread, which nothing can stop: it runs on,
    and what it returns is dropped.
    """
    toolbox: Toolbox = field(init=False, repr=False)
    """All tools by name: the agent's own, then those of its middleware."""
    instructions: str = field(init=False, repr=False)
    """The system prompt, then those of the middleware."""

    def __post_init__(self) -> None:
        if not callable(getattr(self.model, "bind_tools", None)):
            raise AgentDefinitionError(
                f"{type(self.model).__name__} has no bind_tools: it cannot call tools",
                hint="use a chat model that supports tool calling",
            )
        if self.tool_timeout_s is not None and not self.tool_timeout_s > 0:
            raise AgentDefinitionError(f"tool_timeout_s must be above 0, not {self.tool_timeout_s}")
        for middleware in self.middleware:
            _check_middleware(middleware)
        brought = [tool for m in self.middleware if isinstance(m, AddsTools) for tool in m.tools]
        prompts = [m.system_prompt for m in self.middleware if isinstance(m, AddsPrompt)]
        texts = [text.strip() for text in (self.system_prompt, *prompts)]
        derived = {
            "tools": tuple(self.tools),
            "middleware": tuple(self.middleware),
            "toolbox": toolbox_of([*self.tools, *brought]),
            "instructions": "\n\n".join(text for text in texts if text),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)


def _check_middleware(middleware: object) -> None:
    if not isinstance(middleware, AddsTools | AddsPrompt | BeforeModel | AfterModel | Observes):
        raise AgentDefinitionError(
            f"{middleware!r} is no middleware: it has none of the known members",
            hint="give it tools, system_prompt, before_model, after_model or on_event",
        )
