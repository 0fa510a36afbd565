"""What is known of tasks, and where it is kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol

import anyio.lowlevel

__all__ = ["MemoryTaskStore", "TaskRecord", "TaskStatus", "TaskStore"]

TaskStatus = Literal["working", "input_required", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRecord:
    """A call that goes on after it was answered.

    Attributes:
        task_id: Its name, which nobody can guess.
        tenant: Who is charged.
        subject: Who called; nobody else may ask for it.
        status: What has become of it.
        message: A word on the status, such as how far it is.
        created_at: When it was made.
        updated_at: When the status or the message was last another.
        keep_s: How long it is kept from then on, once it has ended.
        poll_interval_s: How often it is worth asking for.
        outcome: What its status brings with it, by the protocol's name: `result`, `error` or
            `inputRequests`.
    """

    task_id: str
    tenant: str
    subject: str
    status: TaskStatus
    message: str | None
    created_at: datetime
    updated_at: datetime
    keep_s: float
    poll_interval_s: float
    outcome: Mapping[str, Any]

    @property
    def ended(self) -> bool:
        """Whether nothing will become of it any more."""
        return self.status in {"completed", "failed", "cancelled"}

    @property
    def expired(self) -> bool:
        """Whether it has ended, and need not be kept any longer."""
        return self.ended and datetime.now(UTC) >= self.updated_at + timedelta(seconds=self.keep_s)

    def to_dict(self) -> dict[str, Any]:
        """Give the task in the protocol's words, without what its status brings with it."""
        lives_s = (self.updated_at - self.created_at).total_seconds() + self.keep_s
        return {
            "taskId": self.task_id,
            "status": self.status,
            **({} if self.message is None else {"statusMessage": self.message}),
            "createdAt": self.created_at.isoformat(),
            "lastUpdatedAt": self.updated_at.isoformat(),
            "ttlMs": round(1e3 * lives_s),
            "pollIntervalMs": round(1e3 * self.poll_interval_s),
        }

    def in_full(self) -> dict[str, Any]:
        """Give the task in the protocol's words, with what its status brings with it."""
        return {**self.to_dict(), **self.outcome}


class TaskStore(Protocol):
    """Keeps records of tasks, for this process or for several."""

    async def put(self, record: TaskRecord) -> None:
        """Keep a record, in place of an earlier one of the same task."""
        ...

    async def get(self, task_id: str) -> TaskRecord | None:
        """Give a record; None: there is none, or it has expired."""
        ...

    async def count(self, tenant: str) -> int:
        """Say how many tasks of a tenant are kept."""
        ...

    def subscribe(self, task_id: str, changed: Callable[[str], None]) -> Callable[[], None]:
        """Have a function called after each record of a task; gives what ends that.

        It is given the task's name. It is called on the event loop of the one who subscribes,
        whichever process keeps the record, and must not block.
        """
        ...


class MemoryTaskStore:
    """Keeps records of tasks in this process."""

    def __init__(self) -> None:
        self._records: dict[str, TaskRecord] = {}
        # By a token of each: the same function may be there twice.
        self._watching: dict[str, dict[object, Callable[[str], None]]] = {}

    async def put(self, record: TaskRecord) -> None:
        """Keep a record, in place of an earlier one of the same task."""
        await anyio.lowlevel.checkpoint()
        self._records[record.task_id] = record
        for changed in tuple(self._watching.get(record.task_id, {}).values()):
            changed(record.task_id)

    async def get(self, task_id: str) -> TaskRecord | None:
        """Give a record; None: there is none, or it has expired."""
        await anyio.lowlevel.checkpoint()
        record = self._records.get(task_id)
        return None if record is None or record.expired else record

    async def count(self, tenant: str) -> int:
        """Say how many tasks of a tenant are kept."""
        await anyio.lowlevel.checkpoint()
        self._records = {key: kept for key, kept in self._records.items() if not kept.expired}
        return sum(record.tenant == tenant for record in self._records.values())

    def subscribe(self, task_id: str, changed: Callable[[str], None]) -> Callable[[], None]:
        """Have a function called after each record of a task; gives what ends that."""
        token = object()
        self._watching.setdefault(task_id, {})[token] = changed

        def unsubscribe() -> None:
            watching = self._watching.get(task_id, {})
            watching.pop(token, None)
            if not watching:
                self._watching.pop(task_id, None)

        return unsubscribe
