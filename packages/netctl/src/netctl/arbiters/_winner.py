"""How a loser is told who won."""

from netctl._outcome import CommandRequest
from netctl._pipeline import Target

__all__ = ["name_of", "thing"]


def name_of(winner: CommandRequest) -> str:
    """Who won, in words."""
    return f"{winner.command} of app {winner.app!r} (request {winner.request_id})"


def thing(target: Target) -> str:
    """What was contended for, in words."""
    return f"{target.resource.name} on node {target.node.node_id}"
