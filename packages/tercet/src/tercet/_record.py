"""What is written down of every call, also of the refused ones."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from tercet._context import CallContext
from tercet._envelope import Envelope, ToolErrorResponse
from tercet._errors import ErrorCode
from tercet._tool import AnyTool

__all__ = ["CallRecord", "Observer", "without_secrets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One call, as audit, metrics and traces see it.

    Attributes:
        arguments: As given, with the values of secret properties left out.
        outcome: `"success"` or the error code.
        correlation_id: Where a defect's traceback is found in the log.
        started_at: Unix time, in seconds.
        elapsed_s: How long the call took, in seconds.
        answer_bytes: Size of the answer's JSON text.
    """

    request_id: str
    tool: str
    app: str
    kind: str
    effect: str
    tenant: str
    subject: str
    session_id: str
    dry_run: bool
    arguments: Mapping[str, Any]
    outcome: str
    message: str | None
    correlation_id: str | None
    started_at: float
    elapsed_s: float
    answer_bytes: int
    trace: Mapping[str, str]

    @classmethod
    def of(
        cls,
        *,
        tool: AnyTool | None,
        name: str,
        arguments: Any,
        caller: CallContext,
        answer: Envelope,
        started_at: float,
        start: float,
        correlation_id: str | None = None,
    ) -> "CallRecord":
        """Write down a call that ended now; `start` is on the performance counter."""
        failed = isinstance(answer, ToolErrorResponse)
        return cls(
            request_id=caller.request_id,
            tool=name,
            app=tool.app if tool else "",
            kind=tool.kind if tool else "",
            effect=tool.effect if tool else "",
            tenant=caller.tenant,
            subject=caller.subject,
            session_id=caller.session_id,
            dry_run=caller.dry_run,
            # Of a tool that is not known, neither is which arguments are secret.
            arguments=_recorded(tool, arguments),
            outcome=answer.error_code.value if failed else "success",
            message=answer.message if failed else None,
            correlation_id=correlation_id,
            started_at=started_at,
            elapsed_s=time.perf_counter() - start,
            answer_bytes=len(answer.to_json().encode()),
            trace=caller.trace,
        )

    @property
    def error_code(self) -> ErrorCode | None:
        """The error code, where there is one."""
        return None if self.outcome == "success" else ErrorCode(self.outcome)


class Observer(Protocol):
    """Is told of every call, after it."""

    async def __call__(self, record: CallRecord) -> None:
        """Take note of one call."""
        ...


def without_secrets(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the value of each property that its schema marks `secret`, at any depth."""
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    kept: dict[str, Any] = {}
    for name, value in arguments.items():
        rules = properties.get(name, {})
        if rules.get("secret"):
            kept[name] = "(secret)"
        elif isinstance(value, Mapping):
            kept[name] = without_secrets(cast("Mapping[str, Any]", value), rules)
        else:
            kept[name] = value
    return kept


def _recorded(tool: AnyTool | None, arguments: Any) -> Mapping[str, Any]:
    if tool is None or not isinstance(arguments, Mapping):
        return {}
    return without_secrets(cast("Mapping[str, Any]", arguments), tool.input_schema)
