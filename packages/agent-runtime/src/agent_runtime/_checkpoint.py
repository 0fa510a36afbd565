"""A run that waits for a review or is paused, as a value: it can be kept, moved and resumed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import ToolMessage

from agent_runtime._calls import Call
from agent_runtime._decisions import Decision, Decisions
from agent_runtime._trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCall:
    """A tool call that waits for a decision."""

    call_id: str
    tool_name: str
    args: Mapping[str, Any]
    """The arguments that the tool would be called with: as sent, or repaired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Everything that a run has done and spent, and the calls that it waits for.

    It is a value: resuming it twice runs its calls twice, so whoever keeps checkpoints has to take
    one out before resuming it. `dump_checkpoint` and `load_checkpoint` bring it through JSON.
    """

    trace: Trace
    nudges: int
    tool_errors: int
    last_turn: str
    """What the reply before the interrupted one was."""
    elapsed_s: float
    """Seconds that the run took, without the time that it waited for decisions."""
    stop: Literal["on_success", "on_call"]
    targets: tuple[str, ...]
    """The names of the submit tools."""
    calls: tuple[Call, ...]
    """Every call of the interrupted reply."""
    pending: tuple[PendingCall, ...]
    """The calls that wait for a decision: some of `calls`, or those of a run inside one of them.
    None if the run was paused."""
    inside: "InnerCheckpoint | None" = None
    """The run inside one of the calls that waits; None if the calls themselves do, of which then
    none was executed."""
    answers: tuple[ToolMessage, ...] = ()
    """The answers to those calls that were executed before a run inside another one waited."""
    decided: Decisions = field(default_factory=dict[str, Decision])
    """The decisions on `calls` that were taken before a run inside one of them waited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerCheckpoint:
    """A run that waits inside a call, which is one of a sub-agent."""

    call_id: str
    checkpoint: Checkpoint
