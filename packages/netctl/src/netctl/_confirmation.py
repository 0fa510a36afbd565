"""What has to be confirmed: when that begins, and by which later command it ends."""

from netctl._change import Change, Confirmation
from netctl._outcome import Outcome
from netctl._replaced import replaced

__all__ = ["begun", "ending_of"]


def begun(change: Change, from_s: float) -> Change:
    """A change as it is once it was sent: from now on it waits, if it has to be confirmed.

    Args:
        change: The change, with its outcome.
        from_s: When its time begins, in seconds since 1970 (UTC).
    """
    within_s = change.outcome.request.confirm_within_s
    if within_s is None or change.confirmation is not None or not change.reached_node:
        return change
    return replaced(change, confirm_by_s=from_s + within_s, confirmation="waiting")


def ending_of(change: Change, later: Outcome) -> Confirmation | None:
    """How a command that was sent later ends a change's wait to be confirmed; None: it waits on.

    It may have the lower number, if it waited for an approval. Only what the node took for sure
    ends it: of what perhaps was sent, nobody can say that the resource is not what the change
    made of it.
    """
    request = later.request
    if (
        change.confirmation != "waiting"
        or later.change_id in (None, change.change_id)
        or (later.node_id, later.resource) != change.key
        or later.status not in ("verified", "applied")
    ):
        return None
    if request.rollback_of is not None and request.rollback_of > change.change_id:
        # Back to what this change made of it.
        return None
    if not request.takes_back:
        return "superseded"
    if later.status != "verified":
        # The node said yes, but does not show the former value.
        return None
    return "taken_back" if request.rollback_of == change.change_id else "superseded"
