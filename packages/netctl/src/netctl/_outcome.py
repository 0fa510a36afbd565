"""What became of a command, in words that are true."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from netctl._number import is_finite_number
from netctl._violation import Violation

__all__ = ["CommandRequest", "Origin", "Outcome", "OutcomeCode", "OutcomeStatus"]

Origin = Literal["python", "tool", "loop", "rest"]

OutcomeStatus = Literal["planned", "confirmed", "applied", "rejected", "failed"]
"""What may be said of a command.

planned: checked, and what it would do is known; nothing was sent (a dry run). confirmed: the node
took it, and reading back shows it. applied: the node took it, but reading back shows something
else or nothing. rejected: refused before anything was sent. failed: it could not be done, or
whether it was done is not known; the reason says which.
"""

OutcomeCode = Literal[
    "unknown_command",
    "invalid_arguments",
    "not_settable",
    "out_of_limits",
    "rejected_by_validator",
    "validator_crashed",
    "read_only",
    "withdrawn",
    "node_unavailable",
    "refused_by_node",
    "outcome_unknown",
    "read_back_differs",
    "read_back_unavailable",
    "internal_error",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command on its way in, from whatever origin.

    Attributes:
        app: The app in whose name it is asked.
        command: The command's name.
        arguments: Its arguments, `node_id` among them.
        origin: Where it came from.
        subject: Who asked.
        priority: Whoever waits for a resource with a higher one goes first.
        dry_run: Whether to stop at the plan.
        request_id: Its own name, also in the log and the audit.
    """

    app: str
    command: str
    arguments: Mapping[str, Any]
    request_id: str
    origin: Origin = "python"
    subject: str = "local"
    priority: int = 0
    dry_run: bool = False

    @property
    def node_id(self) -> int | None:
        """The node asked for, where the arguments name one."""
        node_id = self.arguments.get("node_id")
        # JSON does not tell 8 from 8.0.
        return int(node_id) if is_finite_number(node_id) and node_id == int(node_id) else None

    @property
    def payload(self) -> dict[str, Any]:
        """The arguments as they were given, without the node."""
        return {name: value for name, value in self.arguments.items() if name != "node_id"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a command.

    Attributes:
        request: The command.
        status: See `OutcomeStatus`.
        code: Why it is neither planned nor confirmed; None when it is.
        reason: The same in a sentence; for a validator's modification, why the value differs.
        nearest: The acceptable value nearest to the one asked for.
        violations: Every way in which the arguments did not fit.
        resource: The resource that it sets.
        unit: The unit of `before`, `after` and `read_back`.
        before: What the resource was set to, as read before anything was sent.
        after: What it is to be set to.
        read_back: What it was set to, as read after the node had taken the command.
    """

    request: CommandRequest
    status: OutcomeStatus
    code: OutcomeCode | None = None
    reason: str | None = None
    nearest: Any = None
    violations: tuple[Violation, ...] = ()
    resource: str | None = None
    unit: str | None = None
    before: float | None = None
    after: float | None = None
    read_back: float | None = None

    @property
    def app(self) -> str:
        """The app in whose name it was asked."""
        return self.request.app

    @property
    def node_id(self) -> int | None:
        """The node, where the arguments name one."""
        return self.request.node_id

    @property
    def request_id(self) -> str:
        """The command's own name, also in the log and the audit."""
        return self.request.request_id

    @property
    def command(self) -> dict[str, Any]:
        """The command's name and its payload as it was given."""
        return {"command": self.request.command, "payload": self.request.payload}

    def to_dict(self) -> dict[str, Any]:
        """The documented reply: app, node, command and status, and a reason if there is one."""
        document: dict[str, Any] = {
            "app": self.app,
            "node_id": self.node_id,
            "command": self.command,
            "status": self.status,
        }
        if self.reason is not None:
            document["reason"] = self.reason
        return document

    def to_report(self) -> dict[str, Any]:
        """The documented reply and everything else that is known."""
        return {
            "app": self.app,
            "node_id": self.node_id,
            "command": self.command,
            "status": self.status,
            "reason": self.reason,
            "code": self.code,
            "resource": self.resource,
            "unit": self.unit,
            "before": self.before,
            "after": self.after,
            "read_back": self.read_back,
            "predicted_effect": None,
            "request_id": self.request_id,
        }
