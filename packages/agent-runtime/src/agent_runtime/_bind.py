"""The model with its tools bound, and the choice of when to force the submit tool."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic.errors import PydanticUserError

from agent_runtime._agent import Agent, ChatModel
from agent_runtime._errors import InvalidOptionsError, SchemaCompilationError
from agent_runtime._schema_family import SchemaFamily, family_of
from agent_runtime._targets import Targets


class Binder:
    """Binds the tools once per form.

    The model is free to choose its tool (nothing is said about `tool_choice`, so what the caller
    set on the model holds) until it had to be nudged. The next call then forces the submit tool,
    unless the model cannot be forced: some refuse to bind the choice, some providers refuse the
    call, and models that think aloud refuse both. That is remembered as long as the binding is
    used: for a run, a batch, or the life of a sub-agent.
    """

    def __init__(self, model: ChatModel, targets: Targets, family: SchemaFamily | None) -> None:
        """Bind the free form; `family` is that of the model's schemas, None if it says so itself.

        Raises:
            InvalidOptionsError: If the model cannot be given the tools.
        """
        self.model = model
        self._model: Any = model
        self._choice = targets.names[0] if len(targets.names) == 1 else "any"
        self._forced: ChatModel | None = None
        self.can_force = not thinks(model)
        try:
            offers = {
                name: entry.offered(family or family_of(model), needed=name in targets.forms)
                for name, entry in targets.toolbox.items()
            }
            self._restores = {name: each.restore for name, each in offers.items()}
            self._tools = [each.form for each in offers.values()]
            self.free: ChatModel = self._model.bind_tools(self._tools)
        except SchemaCompilationError as error:
            raise InvalidOptionsError(
                f"{type(model).__name__} cannot be given a submit tool: {error}", hint=error.hint
            ) from error
        except (NotImplementedError, TypeError, ValueError, PydanticUserError) as error:
            raise InvalidOptionsError(
                f"{type(model).__name__} cannot be given the tools: {error!r}",
                hint="use a chat model that supports tool calling",
            ) from error

    def restored(self, name: str, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments that a tool takes, from those that the model sent for it."""
        restore = self._restores.get(name)
        if restore is None:
            return sent
        try:
            restored = restore(sent)
        except Exception:  # noqa: BLE001 -- nested too deeply, or a pattern that only its own validator reads: validation says so
            return sent
        return cast("Mapping[str, Any]", restored) if isinstance(restored, Mapping) else sent

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


Binders = Sequence[Binder]
"""The agent's model and those that stand in for it, in order, bound once for any number of runs."""


def bind(agent: Agent, targets: Targets) -> Binders:
    """Bind the tools to every model, so that one that takes none is found out at once.

    Raises:
        InvalidOptionsError: If a model cannot be given the tools.
    """
    models = (agent.model, *agent.fallback_models)
    return [Binder(model, targets, agent.schema_family) for model in models]


class Models:
    """The models of one run: the agent's, and those that stand in for it.

    A run that fell back stays with the other model: what failed a moment ago is not tried again
    with each reply.
    """

    def __init__(self, binders: Binders) -> None:
        """Begin with the first."""
        self.current, *self._others = binders

    def fall_back(self) -> bool:
        """Go over to the next model; False if there is none."""
        if not self._others:
            return False
        self.current = self._others.pop(0)
        return True


def thinks(model: object) -> bool:
    """Whether the model is configured to think aloud, which excludes forcing a tool."""
    thinking = getattr(model, "thinking", None)
    if not isinstance(thinking, Mapping):
        return False
    return cast("Mapping[str, Any]", thinking).get("type") != "disabled"
