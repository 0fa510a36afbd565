"""The model with its tools bound, and the choice of when to force the submit tool."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic.errors import PydanticUserError

from agent_runtime._agent import Agent, ChatModel
from agent_runtime._errors import InvalidOptionsError
from agent_runtime._offer import offer
from agent_runtime._targets import Targets


class Binder:
    """Binds the tools once per form.

    The model is free to choose its tool (nothing is said about `tool_choice`, so what the caller
    set on the model holds) until it had to be nudged. The next call then forces the submit tool,
    unless the model cannot be forced: some refuse to bind the choice, some providers refuse the
    call, and models that think aloud refuse both. That is remembered for the rest of the run.
    """

    def __init__(self, agent: Agent, targets: Targets) -> None:
        """Bind the free form.

        Raises:
            InvalidOptionsError: If the model cannot be given the tools.
        """
        self._model: Any = agent.model
        self._choice = targets.names[0] if len(targets.names) == 1 else "any"
        self._forced: ChatModel | None = None
        self.can_force = not _thinks(agent.model)
        try:
            self._tools = [offer(entry.tool) for entry in targets.toolbox.values()]
            self.free: ChatModel = self._model.bind_tools(self._tools)
        except (NotImplementedError, TypeError, ValueError, PydanticUserError) as error:
            raise InvalidOptionsError(
                f"{type(agent.model).__name__} cannot be given the tools: {error!r}",
                hint="use a chat model that supports tool calling",
            ) from error

    def forced(self) -> ChatModel | None:
        """The model, forced to call a submit tool; None if it cannot be."""
        if self._forced is None and self.can_force:
            try:
                bound = self._model.bind_tools(self._tools, tool_choice=self._choice)
            except (NotImplementedError, TypeError, ValueError):
                self.can_force = False
            else:
                self._forced = bound
        return self._forced if self.can_force else None


def _thinks(model: object) -> bool:
    """Whether the model is configured to think aloud, which excludes forcing a tool."""
    thinking = getattr(model, "thinking", None)
    if not isinstance(thinking, Mapping):
        return False
    return cast("Mapping[str, Any]", thinking).get("type") != "disabled"
