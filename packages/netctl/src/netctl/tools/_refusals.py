"""A command that was rejected or failed, as an error of the contract."""

from collections.abc import Mapping
from typing import Any

from netctl._command import CommandSpec, ResourceChoice
from netctl._number import is_finite_number
from netctl._outcome import Outcome, OutcomeCode
from netctl.tools._failures import detail_of
from tercet import (
    ConflictError,
    ErrorDetail,
    InternalError,
    InvalidInputError,
    RejectedError,
    ToolError,
    ToolTimeoutError,
    UnavailableError,
)

__all__ = ["error_of"]

# Whatever is not here is a rejection.
_TABLE: dict[OutcomeCode, type[ToolError]] = {
    "invalid_arguments": InvalidInputError,
    "node_unavailable": UnavailableError,
    "outcome_unknown": ToolTimeoutError,
    "store_unavailable": UnavailableError,
    "internal_error": InternalError,
    "idempotency_conflict": ConflictError,
    "changed_since": ConflictError,
}
_HINTS: dict[OutcomeCode, str] = {
    "outcome_unknown": "read the measurements to see what is set before trying again",
    "node_unavailable": "read the measurements to see what is set, and try again later",
    "internal_error": "report the correlation id",
}


def error_of(
    outcome: Outcome, spec: CommandSpec | None, arguments: Mapping[str, Any], unit: str
) -> ToolError:
    """The error that tells a caller why, and what would be accepted.

    Args:
        outcome: What became of the command.
        spec: The command; None: it is unknown.
        arguments: What the caller gave.
        unit: The unit of the command's value.
    """
    code = outcome.code or "internal_error"
    details = [detail_of(found) for found in outcome.violations]
    if spec is not None and spec.value_argument and not details and outcome.nearest is not None:
        details = [_nearest_detail(outcome.nearest, spec, arguments, unit)]
    hint = outcome.hint or _HINTS.get(code, "nothing was changed")
    if details and details[0].nearest is not None:
        hint = f"use {details[0].expected} for {details[0].pointer.lstrip('/')}; {hint}"
    return _TABLE.get(code, RejectedError)(outcome.reason or code, hint=hint, details=details)


def _nearest_detail(
    nearest: Any, spec: CommandSpec, arguments: Mapping[str, Any], unit: str
) -> ErrorDetail:
    name, choice = spec.value_argument, spec.resource
    if isinstance(choice, ResourceChoice) and nearest in choice.resources:
        name = choice.argument
    got = arguments.get(name)
    expected = repr(nearest)
    if is_finite_number(nearest) and is_finite_number(got):
        expected = f"at {'most' if got > nearest else 'least'} {nearest!r} {unit}"
    return ErrorDetail(pointer=f"/{name}", expected=expected, got=got, nearest=nearest)
