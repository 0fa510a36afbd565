"""Calls that were refused for their arguments, before they became anything: on record too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from netctl._errors import StoreError
from netctl._log import get_logger
from netctl._outcome import CommandRequest, Origin
from netctl._pipeline import CommandPipeline
from netctl._records import Records
from netctl._violation import Violation, join_violations

__all__ = ["RefusedCall", "RefusedCalls"]

_log = get_logger("netctl.audit")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """A call whose arguments do not fit what its face asks for.

    Attributes:
        tool: What was called.
        app: The app that it belongs to.
        command: The command that it would have sent; None: it sends none.
        arguments: What was given.
        violations: The ways in which that does not fit; one at least.
        subject: Who called.
        origin: Where the call came from.
        dry_run: Whether it was to be tried only.
    """

    tool: str
    app: str
    command: str | None
    arguments: Mapping[str, Any]
    violations: tuple[Violation, ...]
    subject: str
    origin: Origin = "tool"
    dry_run: bool = False


class RefusedCalls:
    """Writes refused calls into the audit trail.

    Args:
        pipeline: Its schema stage refuses the commands among them.
        records: The trail.
    """

    def __init__(self, pipeline: CommandPipeline, records: Records) -> None:
        self._pipeline = pipeline
        self._records = records

    async def note(self, call: RefusedCall) -> None:
        """Put a call on record as rejected, with the code `invalid_arguments`.

        A call of a command is an entry like that of any other refused command; any other call is
        one of the kind `call`. A trail that cannot be written is logged, and the call is refused
        all the same.
        """
        try:
            if call.command is None:
                await self._records.note_call(_facts(call))
            else:
                await self._pipeline.note_refused_call(_request(call), call.violations)
        except StoreError:
            _log.exception("refused call not written down", tool=call.tool, subject=call.subject)


def _request(call: RefusedCall) -> CommandRequest:
    return CommandRequest(
        app=call.app,
        command=call.command or "",
        arguments=call.arguments,
        request_id=str(uuid4()),
        origin=call.origin,
        subject=call.subject,
        dry_run=call.dry_run,
    )


def _facts(call: RefusedCall) -> dict[str, Any]:
    return {
        "tool": call.tool,
        "app": call.app,
        "arguments": dict(call.arguments),
        "subject": call.subject,
        "origin": call.origin,
        "dry_run": call.dry_run,
        "status": "rejected",
        "code": "invalid_arguments",
        "reason": join_violations(call.violations),
    }
