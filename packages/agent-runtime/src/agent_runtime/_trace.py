"""What a run leaves behind, whether it ends with a value or without."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agent_runtime._problems import Problem
from agent_runtime._state import State
from agent_runtime._usage import Usage

Outcome = Literal["accepted", "invalid", "rejected", "unparsable", "truncated"]
"""How one submission ended.

`accepted`: the tool took it. `invalid`: the arguments do not fit the schema, or `parse_args`
refused them; the tool did not run.
`rejected`: the tool ran, and failed or refused. `unparsable`: the arguments are no JSON object.
`truncated`: the reply was cut off; nothing was executed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One submission: a call of the submit tool."""

    number: int
    """Counts the submissions of the run, from 1."""
    run: int
    """The model reply that held it, from 1."""
    tool_name: str
    call_id: str
    raw_args: Mapping[str, Any] | str
    """The arguments as the model sent them; the bare text if it could not be parsed."""
    args: Mapping[str, Any] | None
    """The arguments after validation and coercion; None if they were not valid."""
    outcome: Outcome
    problems: tuple[Problem, ...] = ()
    answer: str = ""
    """What the model was told."""


WarningKind = Literal[
    "argument_repaired",
    "artifact_left_out",
    "cost_unknown",
    "duplicate_target_call",
    "journal_failed",
    "model_fell_back",
    "observer_failed",
    "sibling_error",
    "submission_in_prose",
    "tool_choice_unsupported",
    "unknown_argument",
]
"""What a warning is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWarning:
    """Something that went wrong without ending the run."""

    kind: WarningKind
    message: str
    path: str | None = None
    """JSON pointer (RFC 6901) to the part of the arguments that it is about, if it is about one."""

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything that happened in a run."""

    attempts: tuple[Attempt, ...] = ()
    state: State = field(default_factory=State)
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[RunWarning, ...] = ()
    model_calls: int = 0
