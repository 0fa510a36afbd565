"""The changes of one controller, by number."""

from collections.abc import Callable, Iterable
from itertools import islice

from netctl._change import Change
from netctl._errors import QueueFullError, UnknownNameError

__all__ = ["ChangeLog"]


class ChangeLog:
    """The last changes, oldest first; what something is still to become of is never let go.

    Args:
        length: How many are remembered.
        most_waiting: How many may wait for an approval at the same time.
    """

    def __init__(self, *, length: int = 10_000, most_waiting: int = 1_000) -> None:
        self._length = length
        self._most_waiting = most_waiting
        self._changes: dict[int, Change] = {}
        self._by_key: dict[tuple[str, str], int] = {}
        self._last_sent: dict[tuple[int | None, str | None], int] = {}
        self._waiting: set[int] = set()
        self._unconfirmed: set[int] = set()
        self._next_id = 1

    @property
    def next_id(self) -> int:
        """The number of the next change."""
        return self._next_id

    @property
    def waiting(self) -> tuple[Change, ...]:
        """The changes that wait, for an approval or to be sent, oldest first."""
        return tuple(self._changes[change_id] for change_id in sorted(self._waiting))

    @property
    def unconfirmed(self) -> tuple[Change, ...]:
        """The changes that wait to be confirmed, oldest first."""
        return tuple(self._changes[change_id] for change_id in sorted(self._unconfirmed))

    def is_unconfirmed(self, change_id: int) -> bool:
        """Whether a change waits to be confirmed; never one that was let go."""
        return change_id in self._unconfirmed

    def check_room(self) -> None:
        """See whether one more may wait for an approval.

        Raises:
            QueueFullError: If it may not.
        """
        if len(self._waiting) >= self._most_waiting:
            raise QueueFullError(
                f"{len(self._waiting)} changes wait already",
                hint="approve or reject some of them first",
            )

    def get(self, change_id: int) -> Change:
        """The change of that number.

        Raises:
            UnknownNameError: If there is none, or it was let go.
        """
        change = self._changes.get(change_id)
        if change is None:
            gone = 0 < change_id < self._next_id
            raise UnknownNameError(
                f"there is no change {change_id!r}",
                hint=f"only the last {self._length} changes are kept; see the audit trail"
                if gone
                else f"changes are numbered from 1 to {self._next_id - 1}",
            )
        return change

    def put(self, change: Change) -> None:
        """Keep a change, in place of an older word on it."""
        change_id, request = change.change_id, change.outcome.request
        older = self._changes.get(change_id)
        self._changes[change_id] = change
        self._next_id = max(self._next_id, change_id + 1)
        if request.idempotency_key is not None:
            self._by_key[request.subject, request.idempotency_key] = change_id
        # What is said of it later, as that it was confirmed, sends nothing.
        if change.reached_node and not (older is not None and older.reached_node):
            self._last_sent[change.key] = change_id
        if change.waits:
            self._waiting.add(change_id)
        else:
            self._waiting.discard(change_id)
        if change.confirmation == "waiting":
            self._unconfirmed.add(change_id)
        else:
            self._unconfirmed.discard(change_id)
        # No change is in both: what waits to be confirmed was sent.
        while len(self._changes) - len(self._waiting) - len(self._unconfirmed) > self._length:
            self._forget(next(number for number, kept in self._changes.items() if not kept.held))

    def of_key(self, subject: str, idempotency_key: str) -> Change | None:
        """The change that a subject's idempotency key made, if it is remembered."""
        change_id = self._by_key.get((subject, idempotency_key))
        return None if change_id is None else self._changes[change_id]

    def last_sent(self, change: Change) -> int | None:
        """The number of the last change that set the same resource."""
        return self._last_sent.get(change.key)

    def page(
        self,
        *,
        limit: int,
        before_id: int | None = None,
        accept: Callable[[Change], bool] = lambda _: True,
    ) -> tuple[Change, ...]:
        """Some of the changes, newest first.

        Args:
            limit: How many at the most.
            before_id: Only those with a lower number; None: from the newest.
            accept: Which of them.
        """
        found: Iterable[Change] = (
            change
            for change_id, change in reversed(self._changes.items())
            if (before_id is None or change_id < before_id) and accept(change)
        )
        return tuple(islice(found, limit))

    def _forget(self, change_id: int) -> None:
        change = self._changes.pop(change_id)
        request = change.outcome.request
        key = (request.subject, request.idempotency_key or "")
        if self._by_key.get(key) == change_id:
            del self._by_key[key]
