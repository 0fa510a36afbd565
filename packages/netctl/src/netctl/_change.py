"""A change: a command that was accepted, with its number and all that became of it."""

from dataclasses import dataclass
from typing import Any, Literal

from netctl._outcome import Outcome, OutcomeCode

__all__ = ["Change", "Confirmation"]

_PERHAPS_SENT: frozenset[OutcomeCode] = frozenset({"outcome_unknown", "node_unavailable"})

Confirmation = Literal["waiting", "confirmed", "taken_back", "superseded"]
"""How it stands with a change that has to be confirmed.

waiting: it is taken back at `confirm_by_s`. confirmed: it is permanent. taken_back: the resource is
what it was before. superseded: a later change has set the resource, and nothing is taken back.
"""


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
        confirm_by_s: Until when it has to be confirmed, in seconds since 1970 (UTC); None: it has
            not, or it never reached the node.
        confirmation: How it stands with that; None: there is nothing to confirm.
        confirmed_by: Who confirmed it.
        confirmation_fault: Why it could not be taken back so far, though its time is over.
    """

    change_id: int
    outcome: Outcome
    opened_at_s: float
    updated_at_s: float
    expires_at_s: float | None = None
    decided_by: str | None = None
    confirm_by_s: float | None = None
    confirmation: Confirmation | None = None
    confirmed_by: str | None = None
    confirmation_fault: str | None = None

    @property
    def key(self) -> tuple[int | None, str | None]:
        """The node and the resource that it sets."""
        return self.outcome.node_id, self.outcome.resource

    @property
    def waits(self) -> bool:
        """Whether it is not decided or not sent yet."""
        return self.outcome.status in ("pending_approval", "queued")

    @property
    def held(self) -> bool:
        """Whether something is still to become of it, so that it must not be let go."""
        return self.waits or self.confirmation == "waiting"

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
            "confirm_by_s": self.confirm_by_s,
            "confirmation": self.confirmation,
            "confirmed_by": self.confirmed_by,
            "confirmation_fault": self.confirmation_fault,
        }
