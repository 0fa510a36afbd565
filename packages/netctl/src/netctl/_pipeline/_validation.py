"""Stage 3, validator: the app's own guard; anything but a clear yes is a no."""

from collections.abc import Mapping
from typing import Any

from netctl._command import CommandSpec
from netctl._log import get_logger
from netctl._outcome import CommandRequest
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._limits import Target
from netctl._pipeline._refusal import CommandRefusedError
from netctl._plain import plain_copy
from netctl._resolve import resolve
from netctl._verdict import Accept, Modify, Reject, Verdict, read_verdict

__all__ = ["Modification", "ask_validator"]

_log = get_logger("netctl.pipeline")

Modification = tuple[dict[str, Any], str]
"""New arguments, and the validator's reason for them."""


async def ask_validator(
    request: CommandRequest, spec: CommandSpec, issuer: Issuer, target: Target
) -> Modification | None:
    """The validator's modification of the arguments; None: they may go on as they are."""
    verdict = await _verdict(request, issuer, target.arguments)
    match verdict:
        case Accept():
            return None
        case Reject():
            raise CommandRefusedError(
                verdict.reason, code="rejected_by_validator", nearest=verdict.nearest
            )
        case Modify():
            changes = (
                dict(verdict.value)
                if isinstance(verdict.value, Mapping)
                else {spec.value_argument: verdict.value}
            )
            if changes.get("node_id", target.node.node_id) != target.node.node_id:
                raise CommandRefusedError(
                    f"the validator of {spec.name!r} moved the command to another node",
                    code="rejected_by_validator",
                )
            return {**target.arguments, **changes}, verdict.reason


async def _verdict(
    request: CommandRequest, issuer: Issuer, arguments: Mapping[str, Any]
) -> Verdict:
    validator = issuer.validators.get(request.command)
    if validator is None:
        return Accept()
    try:
        return read_verdict(await resolve(validator(plain_copy(dict(arguments)))))
    # A validator is foreign code: a guard that crashed has not said yes.
    except Exception as error:
        _log.exception("validator crashed", request_id=request.request_id, app=issuer.name)
        raise CommandRefusedError(
            f"the validator of {request.command!r} crashed (correlation id {request.request_id})",
            code="validator_crashed",
            hint="the log has the traceback under the correlation id",
        ) from error
