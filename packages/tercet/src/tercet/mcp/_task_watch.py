"""Watching some tasks until nobody wants to know any more."""

from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import anyio

from tercet.mcp._task_store import TaskStore

__all__ = ["TaskWatch"]


class TaskWatch:
    """Gives the state of each of some tasks, and again when it is another, while it is entered.

    Args:
        store: Where their records are.
        task_ids: Their names.
    """

    def __init__(self, store: TaskStore, task_ids: Sequence[str]) -> None:
        self.task_ids = tuple(task_ids)
        self._store = store
        # In the order in which they are told of; each once, however often it has changed.
        self._due = dict.fromkeys(self.task_ids)
        self._woken = anyio.Event()
        self._leaving = ExitStack()

    def __enter__(self) -> Self:
        """Begin to watch."""
        for task_id in self.task_ids:
            self._leaving.callback(self._store.subscribe(task_id, self._note))
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Watch no more."""
        self._leaving.close()

    async def states(self) -> AsyncIterator[dict[str, Any]]:
        """Give states for ever, in the protocol's words."""
        while True:
            while self._due:
                task_id = next(iter(self._due))
                del self._due[task_id]
                if (record := await self._store.get(task_id)) is not None:
                    yield record.in_full()
            self._woken = anyio.Event()
            await self._woken.wait()

    def _note(self, task_id: str) -> None:
        self._due[task_id] = None
        self._woken.set()
