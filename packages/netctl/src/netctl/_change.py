"""A change: a command that was accepted, with its number and all that became of it."""

from dataclasses import dataclass
from typing import Any

from netctl._outcome import Outcome, OutcomeCode

__all__ = ["Change"]

_PERHAPS_SENT: frozenset[OutcomeCode] = frozenset({"outcome_unknown", "node_unavailable"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A command that passed every check, numbered.

    Attributes:
        change_id: Its number, counted from 1.
        outcome: What became of it so far, with before, after and who asked.
        opened_at_s: When it was accepted, in seconds since 1970 (UTC).
        updated_at_s: When its outcome was last written.
        expires_at_s: Until when it waits for an approval; None: it does not.
        decided_by: Who approved or rejected it.
    """

    change_id: int
    outcome: Outcome
    opened_at_s: float
    updated_at_s: float
    expires_at_s: float | None = None
    decided_by: str | None = None

    @property
    def key(self) -> tuple[int | None, str | None]:
        """The node and the resource that it sets."""
        return self.outcome.node_id, self.outcome.resource

    @property
    def waits(self) -> bool:
        """Whether it is not decided or not sent yet."""
        return self.outcome.status in ("pending_approval", "queued")

    @property
    def reached_node(self) -> bool:
        """Whether the node took it, or may have."""
        status, code = self.outcome.status, self.outcome.code
        return status in ("verified", "applied") or (status == "failed" and code in _PERHAPS_SENT)

    def to_dict(self) -> dict[str, Any]:
        """What there is to know, as JSON."""
        request = self.outcome.request
        return {
            **self.outcome.to_report(),
            "change_id": self.change_id,
            "subject": request.subject,
            "origin": request.origin,
            "opened_at_s": self.opened_at_s,
            "updated_at_s": self.updated_at_s,
            "expires_at_s": self.expires_at_s,
            "decided_by": self.decided_by,
            "rollback_of": request.rollback_of,
        }
