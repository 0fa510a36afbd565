"""Which commands a rule is about."""

from collections.abc import Collection
from dataclasses import dataclass

from netctl._outcome import CommandRequest
from netctl._pipeline import Target

__all__ = ["EVERYWHERE", "Where"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which commands a rule is about: those that fit everything that is given here.

    Attributes:
        apps: In the name of one of these apps; None: of any.
        commands: One of these commands.
        node_ids: On one of these nodes.
        resources: Setting one of these resources.
        subjects: Asked by one of these subjects.
    """

    apps: Collection[str] | None = None
    commands: Collection[str] | None = None
    node_ids: Collection[int] | None = None
    resources: Collection[str] | None = None
    subjects: Collection[str] | None = None

    def __post_init__(self) -> None:
        # Frozen all the way, so that a rule can be compared and counted under.
        for name in ("apps", "commands", "node_ids", "resources", "subjects"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, frozenset(given))

    def matches(self, request: CommandRequest, target: Target) -> bool:
        """Whether the rule is about this command."""
        return (
            (self.apps is None or request.app in self.apps)
            and (self.commands is None or request.command in self.commands)
            and (self.node_ids is None or target.node.node_id in self.node_ids)
            and (self.resources is None or target.resource.name in self.resources)
            and (self.subjects is None or request.subject in self.subjects)
        )


EVERYWHERE = Where()
"""Every command."""
