"""What became of a command, in words that are true."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from netctl._number import is_finite_number
from netctl._violation import Violation

__all__ = ["Approval", "CommandRequest", "Origin", "Outcome", "OutcomeCode", "OutcomeStatus"]

Origin = Literal["python", "tool", "loop", "rest"]

OutcomeStatus = Literal[
    "planned", "queued", "pending_approval", "applied", "verified", "rejected", "failed"
]
"""What may be said of a command.

planned: checked, and what it would do is known; nothing was sent (a dry run). queued: it waits to
be sent, nothing of it has reached the node. pending_approval: it waits for somebody else's yes.
applied: the node confirmed it, but reading back shows something else or nothing. verified: the
node confirmed it, and it was read back equal. rejected: refused before anything was sent. failed:
it could not be done, or whether it was done is not known; the reason says which.
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
    "idempotency_conflict",
    "changed_since",
    "not_permitted",
    "rate_limited",
    "slew_limited",
    "blast_radius",
    "outside_window",
    "approval_needed",
    "approval_expired",
    "rejected_by_approver",
    "plan_changed",
    "cannot_be_undone",
    "leased",
    "resource_busy",
    "superseded",
    "lower_priority",
    "too_soon",
    "store_unavailable",
    "node_unavailable",
    "refused_by_node",
    "outcome_unknown",
    "read_back_differs",
    "read_back_unavailable",
    "internal_error",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """Somebody else's yes to one change, as it was planned.

    Attributes:
        change_id: The change.
        approver: Who says yes; never who asked.
        before: What the resource was set to when the change was planned.
    """

    change_id: int
    approver: str
    before: float


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
        roles: What who asks may do, for policies; `"*"` is everything.
        idempotency_key: The caller's own name for it: what has it is executed once.
        rollback_of: The change that it undoes.
        approval: Somebody else's yes, where one was needed.
        confirm_within_s: How many seconds after it was sent somebody has to confirm it, or it is
            taken back; None: it is permanent.
        takes_back: Whether this is the controller itself, which undoes `rollback_of` because
            nobody confirmed it in time.
    """

    app: str
    command: str
    arguments: Mapping[str, Any]
    request_id: str
    origin: Origin = "python"
    subject: str = "local"
    priority: int = 0
    dry_run: bool = False
    roles: frozenset[str] = frozenset({"*"})
    idempotency_key: str | None = None
    rollback_of: int | None = None
    approval: Approval | None = None
    confirm_within_s: float | None = None
    takes_back: bool = False

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
        code: Why it is neither planned, queued nor verified; None when it is.
        reason: The same in a sentence; for a validator's modification, why the value differs.
        hint: What to do about it, where a stage knows.
        nearest: The acceptable value nearest to the one asked for.
        violations: Every way in which the arguments did not fit.
        resource: The resource that it sets.
        unit: The unit of `before`, `after` and `read_back`.
        before: What the resource was set to, as read before anything was sent.
        after: What it is to be set to.
        read_back: What it was set to, as read after the node had taken the command.
        limits_touched: The resource's limits that the value lies on: `min` or `max`.
        predicted_effect: What the node would measure then, by metric, where the driver of a dry
            run can tell.
        change_id: The number of the change that it is, once it was accepted.
    """

    request: CommandRequest
    status: OutcomeStatus
    code: OutcomeCode | None = None
    reason: str | None = None
    hint: str | None = None
    nearest: Any = None
    violations: tuple[Violation, ...] = ()
    resource: str | None = None
    unit: str | None = None
    before: float | None = None
    after: float | None = None
    read_back: float | None = None
    limits_touched: tuple[str, ...] = ()
    predicted_effect: Mapping[str, float] | None = None
    change_id: int | None = None

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
        predicted = self.predicted_effect
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
            "limits_touched": list(self.limits_touched),
            "predicted_effect": None if predicted is None else dict(predicted),
            "request_id": self.request_id,
            "change_id": self.change_id,
            "confirm_within_s": self.request.confirm_within_s,
        }
