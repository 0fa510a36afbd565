"""Which calls wait for a review, and whether the decisions on them can be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent_runtime._agent import Agent
from agent_runtime._calls import Call
from agent_runtime._checkpoint import Checkpoint, InnerCheckpoint, PendingCall
from agent_runtime._decisions import Answer, Approve, Decision, Decisions, Edit, Reject
from agent_runtime._errors import AgentDefinitionError, InvalidDecisionsError, InvalidOptionsError
from agent_runtime._hooks import has_reviewers, needs_review
from agent_runtime._inner_tool import InnerTool, Inside
from agent_runtime._problems import nearest
from agent_runtime._repair import Judged, judge
from agent_runtime._run import Run
from agent_runtime._state import State
from agent_runtime._targets import Targets


@dataclass(frozen=True, slots=True)
class HumanReview:
    """Middleware by which calls of some tools wait for a decision before they run.

    Example:
        >>> HumanReview(["submit_order"]).tool_names
        ('submit_order',)
    """

    tool_names: Sequence[str]
    """The names of the tools: of the agent's, or of the submit tools of the run."""

    def __post_init__(self) -> None:
        given: object = self.tool_names
        names = cast("list[object]", list(given)) if isinstance(given, list | tuple) else []
        if not names or not all(isinstance(name, str) for name in names):
            raise AgentDefinitionError(
                f"HumanReview needs a list of tool names, not {self.tool_names!r}",
                hint="name at least one tool, or leave the middleware out",
            )
        object.__setattr__(self, "tool_names", tuple(names))

    async def needs_review(self, _: State, call: PendingCall, /) -> bool:
        """Whether the call is of one of the tools."""
        return call.tool_name in self.tool_names


def check_reviewed_tools(agent: Agent, targets: Targets) -> None:
    """Make sure that a misspelled name does not leave a tool without its review.

    Raises:
        InvalidOptionsError: If a `HumanReview` names a tool that the run does not have.
    """
    named = [name for m in agent.middleware if isinstance(m, HumanReview) for name in m.tool_names]
    for name in named:
        if name not in targets.toolbox:
            close = nearest(name, targets.toolbox)
            raise InvalidOptionsError(
                f"HumanReview names the tool {name!r}, which this run does not have",
                hint=f"did you mean {close}?" if close else "name a tool of the agent or the run",
            )


async def calls_to_review(run: Run, calls: Sequence[Call]) -> tuple[PendingCall, ...]:
    """The calls that wait for a decision.

    Those that cannot be executed do not: they are answered with their errors.
    """
    pending: list[PendingCall] = []
    if not has_reviewers(run):
        return ()
    for call in calls:
        judged = _judged(run, call.name, call.args, strict=run.strict)
        if judged is not None and judged.checked.args is not None:
            waiting = PendingCall(call_id=call.id, tool_name=call.name, args=judged.sent)
            if await needs_review(run, waiting):
                pending.append(waiting)
    return tuple(pending)


def check_decisions(run: Run, checkpoint: Checkpoint, decisions: Decisions) -> None:
    """Make sure that the decisions are complete and can be carried out.

    Raises:
        InvalidDecisionsError: If not; everything that is wrong is named at once.
    """
    if checkpoint.inside is not None:
        _check_inside(run, checkpoint, checkpoint.inside, decisions)
        return
    if not isinstance(cast("object", decisions), Mapping):
        faults = [f"decisions must map call ids to decisions, not be a {type(decisions).__name__}"]
    else:
        waiting = {pending.call_id: pending for pending in checkpoint.pending}
        faults = [f"no call {call_id!r} waits" for call_id in decisions if call_id not in waiting]
        faults += [
            f"{pending.tool_name} ({call_id!r}): {fault}"
            for call_id, pending in waiting.items()
            if (fault := _fault(run, pending, decisions.get(call_id)))
        ]
    if faults:
        raise InvalidDecisionsError(
            f"the decisions cannot be used, and nothing was executed: {'; '.join(faults)}",
            hint="give one decision for each pending call of the checkpoint, by its call_id",
            trace=checkpoint.trace,
        )


def _check_inside(
    run: Run, checkpoint: Checkpoint, inner: InnerCheckpoint, decisions: Decisions
) -> None:
    """The same, for the run inside one of the calls."""
    names = {call.id: call.name for call in checkpoint.calls}
    entry = run.targets.toolbox.get(names.get(inner.call_id, ""))
    tool = entry and (entry.parsed_tool or entry.tool)
    if not isinstance(tool, InnerTool):
        raise InvalidDecisionsError(
            "the decisions cannot be used: the agent does not have the sub-agent any more, inside "
            "of which the calls wait",
            hint="resume with an agent that is made in the same way",
            trace=checkpoint.trace,
        )
    try:
        tool.begin(run, {}, Inside(checkpoint=inner.checkpoint, decisions=decisions))
    except (InvalidDecisionsError, InvalidOptionsError) as error:
        raise type(error)(str(error), hint=error.hint, trace=checkpoint.trace) from error


def _fault(run: Run, pending: PendingCall, decision: Decision | None) -> str:
    """What is wrong with one decision; empty if nothing is."""
    if pending.tool_name not in run.targets.toolbox:
        return "the agent does not have this tool any more"
    match decision:
        case Approve():
            return ""
        case Edit(args):
            return _edit_fault(run, pending, args)
        case Answer() if pending.tool_name in run.targets.forms:
            return "a submission cannot be answered: approve, edit or reject it"
        case Reject(text) | Answer(text):
            return "" if isinstance(cast("object", text), str) else "its text must be a string"
        case _:
            return "it has no decision" if decision is None else f"{decision!r} is no decision"


def _edit_fault(run: Run, pending: PendingCall, args: Mapping[str, Any]) -> str:
    if not isinstance(cast("object", args), Mapping):
        return f"edited arguments must be a mapping, not a {type(args).__name__}"
    judged = _judged(run, pending.tool_name, args, strict=True)
    if judged is None:
        return "the edited arguments cannot be validated"
    return "; ".join(str(problem) for problem in judged.checked.problems)


def _judged(run: Run, name: str, args: Mapping[str, Any] | None, *, strict: bool) -> Judged | None:
    """The verdict on arguments; None if there can be none, which execution words."""
    entry = run.targets.toolbox.get(name)
    if entry is None or args is None:
        return None
    try:
        return judge(entry, args, strict=strict)
    except Exception:  # noqa: BLE001 -- a validator of the caller's may raise anything
        return None
