"""An agent: a model, its tools, its instructions, its middleware."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from agent_runtime._errors import AgentDefinitionError
from agent_runtime._middleware import (
    AddsPrompt,
    AddsTools,
    Middleware,
)
from agent_runtime._numbers import is_amount
from agent_runtime._schema_family import SchemaFamily
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
    fallback_models: Sequence[ChatModel] = ()
    """Models that go on in the place of `model`, in order, when a request to it fails on its way.
    What was done until then is kept."""
    schema_family: SchemaFamily | None = None
    """The form in which the models are given schemas; None for what each model's class says."""
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
        for model in (self.model, *self.fallback_models):
            if not callable(getattr(model, "bind_tools", None)):
                raise AgentDefinitionError(
                    f"{type(model).__name__} has no bind_tools: it cannot call tools",
                    hint="use a chat model that supports tool calling",
                )
        if self.schema_family not in (None, *get_args(SchemaFamily)):
            raise AgentDefinitionError(
                f"schema_family must be one of {get_args(SchemaFamily)}, not {self.schema_family!r}"
            )
        timeout_s = self.tool_timeout_s
        if timeout_s is not None and not (is_amount(timeout_s) and timeout_s > 0):
            raise AgentDefinitionError(
                f"tool_timeout_s must be a finite number above 0, not {timeout_s!r}"
            )
        for middleware in self.middleware:
            _check_middleware(middleware)
        brought = [tool for m in self.middleware if isinstance(m, AddsTools) for tool in m.tools]
        prompts = [m.system_prompt for m in self.middleware if isinstance(m, AddsPrompt)]
        texts = [text.strip() for text in (self.system_prompt, *prompts)]
        derived = {
            "tools": tuple(self.tools),
            "middleware": tuple(self.middleware),
            "fallback_models": tuple(self.fallback_models),
            "toolbox": toolbox_of([*self.tools, *brought]),
            "instructions": "\n\n".join(text for text in texts if text),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)


def _check_middleware(middleware: object) -> None:
    if not isinstance(middleware, Middleware):
        raise AgentDefinitionError(
            f"{middleware!r} is no middleware: it has none of the known members",
            hint="give it tools, system_prompt, before_model, after_model, needs_review, "
            "should_pause or on_event",
        )
