"""Goes on with a run that waited for a review, or was paused."""

from functools import partial
from typing import Any, TypeVar, Unpack, overload

from anyio.from_thread import start_blocking_portal

from agent_runtime._agent import Agent
from agent_runtime._checkpoint import Checkpoint
from agent_runtime._decisions import Decisions
from agent_runtime._drive import drive, prepare
from agent_runtime._errors import InvalidOptionsError
from agent_runtime._extract import Wanted
from agent_runtime._ledger import Ledger
from agent_runtime._loop import resume_to_target
from agent_runtime._options import ExtractOptions, Options, checked_options
from agent_runtime._result import ExtractResult
from agent_runtime._review import check_decisions
from agent_runtime._run import Run
from agent_runtime._targets import resolve_targets

T = TypeVar("T")


@overload
async def resume(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
async def resume(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


async def resume(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """Execute the calls that a run waited with, as it was decided, and go on as `extract` does.

    The agent and the options are not part of a checkpoint: give them as they were. What was spent
    counts against every budget; waiting for decisions does not count against the deadline. An
    accepted submission ends the run without another model call.

    Args:
        agent: The agent, or one made in the same way.
        checkpoint: From a `RunInterruptedError`.
        decisions: One for each of its pending calls, by call id; none, `{}`, if it was paused.
        until_tool_success: As for `extract`.
        until_tool: As for `extract`.
        **options: As for `extract`.

    Raises:
        InvalidOptionsError: If the submit tools are not those of the checkpoint.
        InvalidDecisionsError: If the decisions are not complete or cannot be carried out.
            Nothing was executed; the checkpoint can still be resumed.
        ExtractError: As `extract`.
    """
    checked = checked_options(until_tool_success, until_tool, options)
    run = prepare_resumed(agent, checkpoint, decisions, checked)
    go = partial(resume_to_target, checkpoint=checkpoint, decisions=dict(decisions))
    return await drive(run, checked.deadline_s, go)


@overload
def resume_sync(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: type[T],
    **options: Unpack[ExtractOptions],
) -> ExtractResult[T]: ...


@overload
def resume_sync(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]: ...


def resume_sync(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    *,
    until_tool_success: Wanted | None = None,
    until_tool: Wanted | None = None,
    **options: Unpack[ExtractOptions],
) -> ExtractResult[Any]:
    """`resume`, for code that is not asynchronous; it runs and blocks as `extract_sync` does."""
    call = partial(
        resume,
        agent,
        checkpoint,
        decisions,
        until_tool_success=until_tool_success,
        until_tool=until_tool,
        **options,
    )
    with start_blocking_portal() as portal:
        return portal.call(call)


def prepare_resumed(
    agent: Agent,
    checkpoint: Checkpoint,
    decisions: Decisions,
    options: Options,
    *,
    streaming: bool = False,
    outer: Run | None = None,
) -> Run:
    """The run that goes on from a checkpoint.

    Raises:
        InvalidOptionsError: If the submit tools are not those of the checkpoint.
        InvalidDecisionsError: If the decisions are not complete or cannot be carried out.
    """
    targets = resolve_targets(agent, options.wanted)
    before, now = (checkpoint.stop, checkpoint.targets), (options.stop, targets.names)
    if before != now:
        raise InvalidOptionsError(
            f"the run is to stop {now}, but it was started to stop {before}",
            hint="resume with the submit tools that the run was started with",
            trace=checkpoint.trace,
        )
    run = prepare(agent, Ledger.of(checkpoint), options, targets, streaming=streaming, outer=outer)
    check_decisions(run, checkpoint, decisions)
    return run
