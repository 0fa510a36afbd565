"""What a controller asks of a store: load what was, and save a batch, all of it or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from netctl._audit import AuditEntry
from netctl._change import Change

__all__ = ["Batch", "ControllerStore", "Saved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is written down together.

    Attributes:
        changes: Changes, in place of older words on them.
        entries: The next entries of the audit trail.
        states: The states that apps were set to.
        read_only: What the read-only switch was set to; None: it was not.
    """

    changes: tuple[Change, ...] = ()
    entries: tuple[AuditEntry, ...] = ()
    states: Mapping[str, str] = field(default_factory=dict[str, str])
    read_only: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a store knows when a controller starts.

    Attributes:
        changes: The last changes, and those that wait, by number.
        entries: The last entries of the audit trail, oldest first.
        states: The state that each app was set to last.
        read_only: What the read-only switch was set to last.
    """

    changes: tuple[Change, ...] = ()
    entries: tuple[AuditEntry, ...] = ()
    states: Mapping[str, str] = field(default_factory=dict[str, str])
    read_only: bool = False


class ControllerStore(Protocol):
    """Keeps what a controller must not lose.

    Both methods raise `StoreError` where that is not possible. They are never called at the same
    time.
    """

    async def load(self) -> Saved:
        """What was saved last."""
        ...

    async def save(self, batch: Batch) -> None:
        """Keep a batch; once this returns, it survives the death of the process."""
        ...
