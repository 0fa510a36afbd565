"""An agent as a tool of another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack, cast

from langchain_core.tools import BaseTool

from agent_runtime._agent import Agent
from agent_runtime._bind import bind
from agent_runtime._drive import drive, prepare, state_of
from agent_runtime._errors import AgentDefinitionError, ExtractError, RunInterruptedError
from agent_runtime._extract import Wanted
from agent_runtime._inner_tool import Body, InnerTool, Inside
from agent_runtime._ledger import Ledger
from agent_runtime._loop import resume_to_target, run_to_target
from agent_runtime._options import ExtractOptions, checked_options
from agent_runtime._problems import as_json
from agent_runtime._resume import prepare_resumed
from agent_runtime._review import check_reviewed_tools
from agent_runtime._run import Run
from agent_runtime._state import State
from agent_runtime._submitted import Submitted
from agent_runtime._targets import resolve_targets
from agent_runtime._trace import RunWarning

_ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "task": {
            "type": "string",
            "minLength": 1,
            "description": "The whole task, with everything that is needed to do it.",
        }
    },
    "required": ["task"],
    "additionalProperties": False,
}


def sub_agent(
    agent: Agent,
    *,
    name: str,
    description: str,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> BaseTool:
    """A tool that gives a task to an agent and returns what that one submits.

    Each call is a run of its own, with a conversation of its own: it sees the task and nothing
    else. Its value is the tool's value, as it is; the calling model reads it as JSON. A run that
    ends without a value is an error of the tool, in which the calling model reads why.

    The calling run counts its tokens and its cost as its own, and ends it at its own deadline; the
    options given here are limits besides, for each call. Where calls inside wait for a decision,
    the calling run is interrupted, and `resume` with the decisions on them goes on inside; where
    the agent's own middleware pauses the run inside, the calling run is paused likewise. Agents
    cannot contain themselves, so they are as deep inside each other as they were built.

    Args:
        agent: The agent that is given the task.
        name: The tool's name.
        description: What the calling model is told of it: what tasks it is good for.
        until_tool_success: As for `extract`.
        until_tool: As for `extract`.
        **options: As for `extract`. `cost_of` is that of the calling run, unless it is given.
            Functions among the `callbacks` are told of what happens inside, which those of the
            calling run are not; langchain-core's handlers of the calling run are.

    Raises:
        AgentDefinitionError: If the name or the description is empty.
        InvalidOptionsError: As `extract`, but at once.
        TargetNotFoundError: Likewise.
    """
    for what, text in (("name", name), ("description", description)):
        if not (isinstance(cast("object", text), str) and text.strip()):
            raise AgentDefinitionError(f"the {what} of a sub-agent must be a text, not {text!r}")
    checked = checked_options(until_tool_success, until_tool, options)
    targets = resolve_targets(agent, checked.wanted)
    check_reviewed_tools(agent, targets)
    binders = bind(agent, targets)

    def begin(outer: Run | None, arguments: Mapping[str, Any], inside: Inside | None) -> Body:
        own = checked
        if own.cost_of is None and outer is not None:
            own = replace(own, cost_of=outer.cost_of)
        if inside is None:
            state = state_of(arguments["task"])
            run = prepare(agent, Ledger(state), own, targets, binders=binders, outer=outer)
            go = run_to_target
        else:
            run = prepare_resumed(agent, inside.checkpoint, inside.decisions, own, outer=outer)
            go = partial(resume_to_target, checkpoint=inside.checkpoint, decisions=inside.decisions)

        async def body() -> tuple[str, Any]:
            try:
                result = await drive(run, own.deadline_s, go)
            except RunInterruptedError:
                raise
            except ExtractError as error:
                _pass_on(name, error.warnings, outer)
                raise
            _pass_on(name, result.warnings, outer)
            value = result.value
            return _shown(value), Submitted(None) if value is None else value

        return body

    async def alone(arguments: dict[str, Any]) -> tuple[str, Any]:
        return await begin(None, arguments, None)()

    return InnerTool(
        name=name,
        description=description,
        args_schema=_ARGUMENTS,
        coroutine=alone,
        response_format="content_and_artifact",
        begin=begin,
    )


def _shown(value: Any) -> str:
    """What the calling model reads of a value."""
    match value:
        case str():
            return value
        case State():
            return "done"
        case _:
            return as_json(value)


def _pass_on(name: str, warnings: Sequence[RunWarning], outer: Run | None) -> None:
    """Let the calling run warn of what went wrong inside; it counts unknown costs by itself."""
    if outer is None:
        return
    for warning in warnings:
        if warning.kind != "cost_unknown":
            text = f"inside {name}: {warning.message}"
            outer.ledger.warn(warning.kind, text, path=warning.path)
