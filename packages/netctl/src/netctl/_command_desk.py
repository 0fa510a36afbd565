"""Where commands come in: requests are made of calls, and executed once for each key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio

from netctl._errors import InvalidArgumentsError
from netctl._number import is_finite_number
from netctl._outcome import CommandRequest, Origin, Outcome
from netctl._pipeline import CommandPipeline, CommandRefusedError, Issuer
from netctl._plain import copied_arguments
from netctl._records import Records
from netctl._request_id import new_request_id
from netctl._roster import AppRoster
from netctl._violation import Violation

__all__ = ["EVERY_ROLE", "Caller", "CommandDesk"]

EVERY_ROLE = frozenset({"*"})
_LONGEST_KEY = 128
_LONGEST_TIME_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks for something.

    Attributes:
        subject: The name.
        origin: Where the call comes from.
        roles: What the subject may do.
    """

    subject: str
    origin: Origin
    roles: frozenset[str]


class CommandDesk:
    """Makes requests of calls, and takes them through the pipeline.

    Attributes:
        pipeline: Executes them.
        records: Has what was executed.
        roster: The apps in whose names they are.
    """

    def __init__(
        self,
        pipeline: CommandPipeline,
        records: Records,
        roster: AppRoster,
    ) -> None:
        self.pipeline = pipeline
        self.records = records
        self.roster = roster
        self._running: dict[tuple[str, str], anyio.Event] = {}

    async def execute(
        self,
        app: str,
        command: str,
        arguments: Mapping[str, Any],
        *,
        caller: Caller,
        dry_run: bool,
        idempotency_key: str | None = None,
        rollback_of: int | None = None,
        confirm_within_s: float | None = None,
        takes_back: bool = False,
    ) -> Outcome:
        """Take a command through the pipeline, in an app's name."""
        runtime = self.roster.get(app)
        _check_key(idempotency_key)
        _check_time(confirm_within_s)
        request = CommandRequest(
            app=app,
            command=command,
            arguments=copied_arguments(arguments),
            request_id=new_request_id(),
            origin=caller.origin,
            subject=caller.subject,
            roles=caller.roles,
            priority=runtime.declaration.priority,
            dry_run=dry_run,
            idempotency_key=idempotency_key,
            rollback_of=rollback_of,
            confirm_within_s=confirm_within_s,
            takes_back=takes_back,
        )
        if idempotency_key is None or dry_run:
            return await self.pipeline.run(request, runtime.issuer)
        return await self._once(request, idempotency_key, runtime.issuer)

    async def _once(self, request: CommandRequest, key: str, issuer: Issuer) -> Outcome:
        """Execute a command unless its key was used; then give that one's outcome again."""
        whose = (request.subject, key)
        while (running := self._running.get(whose)) is not None:
            await running.wait()
        known = self.records.changes.of_key(*whose)
        if known is not None:
            if _same(known.outcome.request, request):
                return known.outcome
            return await self.pipeline.refuse(
                request,
                CommandRefusedError(
                    f"the idempotency key {key!r} made change {known.change_id}, which is "
                    "another command",
                    code="idempotency_conflict",
                    hint="use a new key for a new command",
                ),
            )
        self._running[whose] = anyio.Event()
        try:
            return await self.pipeline.run(request, issuer)
        finally:
            self._running.pop(whose).set()


def _check_key(key: object) -> None:
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= _LONGEST_KEY):
        raise InvalidArgumentsError(
            [
                Violation(
                    pointer="/idempotency_key",
                    expected=f"a text of 1 to {_LONGEST_KEY} characters",
                    got=key,
                )
            ],
            hint="use a new text, as a UUID, for each command",
        )


def _check_time(confirm_within_s: object) -> None:
    if confirm_within_s is not None and not (
        is_finite_number(confirm_within_s) and 1.0 <= confirm_within_s <= _LONGEST_TIME_S
    ):
        raise InvalidArgumentsError(
            [
                Violation(
                    pointer="/confirm_within_s",
                    expected=f"seconds from 1 to {_LONGEST_TIME_S:.0f}",
                    got=confirm_within_s,
                )
            ],
            hint="give the time that you need to see whether the change did good",
        )


def _same(one: CommandRequest, other: CommandRequest) -> bool:
    return _asked(one) == _asked(other)


def _asked(request: CommandRequest) -> tuple[object, ...]:
    return request.app, request.command, request.arguments, request.confirm_within_s
