"""What a run is to end with: the submit tools, in whatever form the caller names them."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, UnionType
from typing import Any, cast

from langchain_core.tools import BaseTool
from pydantic.errors import PydanticUserError

from agent_runtime._agent import Agent
from agent_runtime._errors import AgentDefinitionError, InvalidOptionsError, TargetNotFoundError
from agent_runtime._problems import nearest
from agent_runtime._schema_tool import submit_tool_for
from agent_runtime._submit_tool import SubmitTool
from agent_runtime._toolbox import Entry, Toolbox, entry_of

Target = (
    str | BaseTool | SubmitTool | type[Any] | UnionType | Mapping[str, Any] | Callable[..., Any]
)
"""The name of a tool on the agent, a tool or a function, or a schema: a type, or a JSON Schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The submit tools of a run, and all of its tools."""

    forms: Mapping[str, Target]
    """From the name of each submit tool to the form in which the caller named it."""
    toolbox: Toolbox
    """The agent's tools, and the submit tools that were not on it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the submit tools."""
        return tuple(self.forms)


def resolve_targets(agent: Agent, wanted: Target | Sequence[Target]) -> Targets:
    """The submit tools that `wanted` means.

    Raises:
        InvalidOptionsError: If a form cannot be used, or two of them would share a name.
        TargetNotFoundError: If a name is not that of a tool on the agent.
    """
    several = isinstance(wanted, Sequence) and not isinstance(wanted, str)
    forms = list(cast("Sequence[Target]", wanted)) if several else [cast("Target", wanted)]
    if not forms:
        raise InvalidOptionsError(
            "the list of submit tools is empty", hint="name at least one submit tool"
        )
    by_name: dict[str, Target] = {}
    toolbox = dict(agent.toolbox)
    for form in forms:
        entry = _entry(agent, form)
        name = entry.tool.name
        known = toolbox.setdefault(name, entry)
        if known.tool is not entry.tool or name in by_name:
            raise InvalidOptionsError(
                f"{form!r} gives a submit tool named {name!r}, and there is another of that name",
                hint="rename one: the title of a JSON Schema, or a type's name, names its tool",
            )
        by_name[name] = form
    return Targets(forms=MappingProxyType(by_name), toolbox=MappingProxyType(toolbox))


def _entry(agent: Agent, form: Target) -> Entry:
    if isinstance(form, str):
        return _by_name(agent, form)
    try:
        if isinstance(form, BaseTool | SubmitTool) or _is_function(form):
            return _own(agent, form) or entry_of(cast("BaseTool", form))
        if form is None or isinstance(form, bool | int | float | bytes):
            raise TypeError("a number or None describes nothing")  # noqa: TRY301 -- one handler words all
        return submit_tool_for(form)
    except (AgentDefinitionError, PydanticUserError, ValueError, TypeError, NameError) as error:
        raise InvalidOptionsError(
            f"{form!r} cannot be submitted: {str(error).splitlines()[0]}",
            hint="name a tool on the agent, or pass a tool, a pydantic model, a dataclass, "
            "a typed dictionary or a JSON Schema",
        ) from error


def _by_name(agent: Agent, name: str) -> Entry:
    if not name:
        raise InvalidOptionsError("the name of the submit tool is empty", hint="name the tool")
    if name in agent.toolbox:
        return agent.toolbox[name]
    close = nearest(name, agent.toolbox)
    have = ", ".join(map(repr, agent.toolbox)) or "no tools"
    raise TargetNotFoundError(
        f"tool {name!r} is not on the agent, which has {have}",
        hint=f"did you mean {close}?" if close else "add it: Agent(model=…, tools=[…])",
    )


def _own(agent: Agent, form: object) -> Entry | None:
    """The agent's entry of one of its own tools, given as it was given to the agent."""
    own = zip(agent.tools, agent.toolbox.values(), strict=False)
    return next((entry for tool, entry in own if tool is form), None)


def _is_function(form: object) -> bool:
    return inspect.isroutine(form) or isinstance(form, functools.partial)
