"""One call that may go on as a task."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import anyio
from mcp import MCPError
from mcp.server.context import HandlerResult
from mcp.types import ElicitResult
from pydantic import BaseModel

from tercet._asking import Question, Reply
from tercet._call_time import CallTime
from tercet.mcp._asking import form_of, reply_to
from tercet.mcp._task_store import TaskRecord, TaskStatus, TaskStore

__all__ = ["TaskRun"]

_NOTHING: dict[str, Any] = {}
"""Stands, itself, for what a call has given that was cancelled."""


@dataclass(slots=True, kw_only=True)
class _Asked:
    question: Question
    answered: anyio.Event = field(default_factory=anyio.Event)
    answer: ElicitResult | None = None


class TaskRun:
    """A call that runs, and what its client can learn of it once it has become a task.

    Args:
        store: Where its record is kept, from when it is a task.
        tenant: Who is charged.
        subject: Who called.
        keep_s: How long its record is kept once it has ended.
        poll_interval_s: How often it is worth asking for.
    """

    def __init__(
        self, store: TaskStore, *, tenant: str, subject: str, keep_s: float, poll_interval_s: float
    ) -> None:
        now = datetime.now(UTC)
        self._store = store
        self._record = TaskRecord(
            task_id=secrets.token_urlsafe(24),
            tenant=tenant,
            subject=subject,
            status="working",
            message=None,
            created_at=now,
            updated_at=now,
            keep_s=keep_s,
            poll_interval_s=poll_interval_s,
            outcome={},
        )
        self._asked: dict[str, _Asked] = {}
        self._writing = anyio.Lock()
        self.scope = anyio.CancelScope()
        self.time = CallTime()
        self.ended = anyio.Event()
        self.is_task = False
        self.held = False
        self._outcome: HandlerResult | MCPError = _NOTHING

    @property
    def record(self) -> TaskRecord:
        """What is known of it now."""
        return self._record

    @property
    def may_become_task(self) -> bool:
        """Whether it runs, and does not wait for its client's next round."""
        return not (self.ended.is_set() or self.held)

    def hold(self) -> None:
        """Let it be no task: its client has to answer a question and make the call again."""
        self.held = True

    def value(self) -> HandlerResult:
        """Give what the call gave, or raise what it raised."""
        if isinstance(self._outcome, MCPError):
            raise self._outcome
        return self._outcome

    async def become_task(self) -> TaskRecord:
        """Be a task from now on; it can be asked for when this returns."""
        self.is_task = True
        await self._write()
        return self._record

    async def note_progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far it is."""
        far = f"{done:g}" if total is None else f"{done:g} of {total:g}"
        await self._become("working" if not self._open() else "input_required", message or far)

    def note_outcome(self, outcome: HandlerResult | MCPError) -> None:
        """Note what the call gave."""
        self._outcome = outcome

    async def end(self) -> None:
        """Have nothing become of it any more."""
        try:
            if self.is_task:
                await self._close()
        finally:
            self.ended.set()

    async def _close(self) -> None:
        outcome = self._outcome
        if outcome is _NOTHING:
            whose = "its client" if self.scope.cancel_called else "the service, which ended"
            await self._become("cancelled", f"cancelled by {whose}", {})
        elif isinstance(outcome, MCPError):
            error = outcome.error.model_dump(mode="json", exclude_none=True)
            await self._become("failed", outcome.message, {"error": error})
        else:
            await self._become("completed", None, {"result": _plain(outcome)})

    async def ask(self, question: Question) -> Reply:
        """Ask the person at the client, who answers through `answer`."""
        asked = _Asked(question=question)
        if question.key in self._asked:
            raise ValueError(f"two questions of one call have the key {question.key!r}")
        self._asked[question.key] = asked
        await self._become("input_required", question.message, self._requests())
        try:
            await asked.answered.wait()
        except BaseException:
            # Nobody waits for the answer any more, such as where it has not come in time.
            del self._asked[question.key]
            with anyio.CancelScope(shield=True):
                requests = self._requests()
                await self._become("input_required" if requests else "working", None, requests)
            raise
        assert asked.answer is not None  # noqa: S101 -- it is set first
        return reply_to(question, asked.answer)

    async def answer(self, answers: Mapping[str, Any]) -> None:
        """Take answers; those to questions that are not open are left alone.

        Raises:
            ValidationError: One is no answer; then none is taken.
        """
        still_open = self._open()
        given = {
            key: ElicitResult.model_validate(answers[key], by_name=False)
            for key in answers.keys() & still_open.keys()
        }
        for key, answer in given.items():
            still_open[key].answer = answer
            still_open[key].answered.set()
        requests = self._requests()
        await self._become("input_required" if requests else "working", None, requests)

    def _open(self) -> dict[str, _Asked]:
        return {key: asked for key, asked in self._asked.items() if asked.answer is None}

    def _requests(self) -> dict[str, Any]:
        forms = {key: _plain(form_of(asked.question)) for key, asked in self._open().items()}
        return {"inputRequests": forms} if forms else {}

    async def _become(
        self, status: TaskStatus, message: str | None, outcome: Mapping[str, Any] | None = None
    ) -> None:
        if self._record.ended:
            return
        self._record = replace(
            self._record,
            status=status,
            message=message,
            updated_at=datetime.now(UTC),
            outcome=self._record.outcome if outcome is None else outcome,
        )
        await self._write()

    async def _write(self) -> None:
        if not self.is_task:
            return
        # One after the other, so that the last one written is the last one that was true.
        async with self._writing:
            await self._store.put(self._record)


def _plain(value: HandlerResult) -> dict[str, Any]:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return dict(value or {})
