"""Tools that change something: a call that does not fit is refused, and is on record as refused."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from netctl._controller import Controller
from netctl._ready_schema import ReadySchema
from netctl._refused_calls import RefusedCall
from netctl._violation import Violation
from tercet import AnyTool, CallContext, ErrorDetail, InvalidInputError, Tool

__all__ = ["write_tool"]

_LONGEST_GOT = 200


@dataclass(frozen=True, kw_only=True)
class _Recorded(Tool[[CallContext, dict[str, Any]], Awaitable[Any]]):
    """A tool whose function checks its arguments, because it writes down what does not fit.

    A registry only sees that they are JSON.
    """

    def faults_of_arguments(self, arguments: Mapping[str, Any]) -> list[ErrorDetail]:
        """Leave that to the function."""
        del arguments
        return []


def write_tool(
    controller: Controller,
    *,
    name: str,
    description: str,
    input_schema: Mapping[str, Any],
    output_schema: Mapping[str, Any],
    function: Callable[[CallContext, dict[str, Any]], Awaitable[Any]],
    app: str,
    kind: str,
    scopes: Iterable[str],
    idempotent: bool = False,
    facts: Mapping[str, Any] | None = None,
    command: str | None = None,
) -> AnyTool:
    """A tool that changes something, whose refused calls are in the audit trail.

    Args:
        controller: Has the trail.
        name: As of `Tool.from_schema`, and so are all others but the last.
        description: See there.
        input_schema: See there.
        output_schema: See there.
        function: See there; it is called with arguments that fit.
        app: See there.
        kind: See there.
        scopes: See there.
        idempotent: See there.
        facts: See there.
        command: The command that it sends; None: it sends none.
    """
    ready = ReadySchema(input_schema)

    async def checked(context: CallContext, arguments: dict[str, Any]) -> Any:
        violations = ready.violations(arguments)
        if violations:
            await controller.note_refused_call(
                RefusedCall(
                    tool=name,
                    app=app,
                    command=command,
                    arguments=arguments,
                    violations=violations,
                    subject=context.subject,
                    dry_run=context.dry_run or arguments.get("dry_run") is True,
                )
            )
            raise _refusal(name, violations)
        return await function(context, arguments)

    declared = Tool.from_schema(
        name=name,
        description=description,
        input_schema=input_schema,
        output_schema=output_schema,
        function=checked,
        app=app,
        kind=kind,
        effect="write",
        idempotent=idempotent,
        scopes=scopes,
        facts=facts,
    )
    return _Recorded(
        **{field.name: getattr(declared, field.name) for field in fields(declared) if field.init}
    )


def _refusal(name: str, violations: tuple[Violation, ...]) -> InvalidInputError:
    said = "; ".join(_sentence(violation) for violation in violations)
    return InvalidInputError(
        f"the arguments do not fit {name!r}: {said}",
        hint="correct the arguments named by the pointers and call again; nothing was done",
        details=[
            ErrorDetail(
                pointer=violation.pointer,
                expected=violation.expected,
                got=_bounded(violation.got),
                nearest=violation.nearest,
            )
            for violation in violations
        ],
    )


def _sentence(violation: Violation) -> str:
    near = "" if violation.nearest is None else f" (nearest: {violation.nearest})"
    return f"{violation}{near}"


def _bounded(value: Any) -> Any:
    text = json.dumps(value)
    return value if len(text) <= _LONGEST_GOT else f"{text[:_LONGEST_GOT]}…"
