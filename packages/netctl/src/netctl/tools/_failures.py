"""How what goes wrong in the controller becomes an error of the contract: one table, one place."""

from collections.abc import Generator
from contextlib import contextmanager

from netctl._errors import (
    AppNotRunningError,
    ChangeStateError,
    ControllerClosedError,
    DriverError,
    InvalidArgumentsError,
    InvalidStateError,
    NetctlError,
    NoDataError,
    NotPermittedError,
    OperationFailedError,
    OperationTimeoutError,
    QueueFullError,
    StoreError,
    UnknownNameError,
)
from netctl._violation import Violation
from tercet import (
    ConflictError,
    ErrorDetail,
    InternalError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
    PermissionDeniedError,
    RejectedError,
    ToolError,
    ToolTimeoutError,
    UnavailableError,
)

__all__ = ["detail_of", "translated"]

_TABLE: dict[type[NetctlError], type[ToolError]] = {
    AppNotRunningError: ConflictError,
    ChangeStateError: ConflictError,
    ControllerClosedError: UnavailableError,
    DriverError: UnavailableError,
    InvalidArgumentsError: InvalidInputError,
    InvalidStateError: InvalidInputError,
    NoDataError: UnavailableError,
    NotPermittedError: PermissionDeniedError,
    OperationFailedError: InternalError,
    OperationTimeoutError: ToolTimeoutError,
    QueueFullError: LimitExceededError,
    StoreError: UnavailableError,
    UnknownNameError: NotFoundError,
}


@contextmanager
def translated() -> Generator[None, None, None]:
    """Whatever the controller raises inside leaves as an error of the contract."""
    try:
        yield
    except NetctlError as error:
        # What an operation refuses in words of its own is a rejection.
        kind = next((kind for domain, kind in _TABLE.items() if isinstance(error, domain)), None)
        violations = error.violations if isinstance(error, InvalidArgumentsError) else ()
        raise (kind or RejectedError)(
            str(error), hint=error.hint, details=[detail_of(found) for found in violations]
        ) from error


def detail_of(violation: Violation) -> ErrorDetail:
    """The same in the contract's words."""
    return ErrorDetail(
        pointer=violation.pointer,
        expected=violation.expected,
        got=violation.got,
        nearest=violation.nearest,
    )
