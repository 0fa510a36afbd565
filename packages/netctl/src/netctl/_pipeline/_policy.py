"""Stage 4, policy: rules of the operator, whatever the app."""

from typing import Protocol

from netctl._outcome import CommandRequest
from netctl._pipeline._limits import Target
from netctl._pipeline._refusal import CommandRefusedError

__all__ = ["Policy", "ReadOnlySwitch"]


class Policy(Protocol):
    """A rule that may refuse a command by raising `CommandRefusedError`."""

    async def check(self, request: CommandRequest, target: Target) -> None:
        """Refuse, or return."""
        ...


class ReadOnlySwitch:
    """While it is on, nothing is changed; what would be changed can still be planned."""

    def __init__(self) -> None:
        self.on = False

    async def check(self, request: CommandRequest, target: Target) -> None:
        """Refuse every command that is not a dry run."""
        del target
        if self.on and not request.dry_run:
            raise CommandRefusedError(
                "the controller is switched to read-only",
                code="read_only",
                hint="ask the operator to switch it back, or use a dry run",
            )
