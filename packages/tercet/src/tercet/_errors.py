"""Everything that can go wrong, as one tree.

```text
TercetError
├── ToolDefinitionError          a tool is declared wrongly (raised at declaration or registration)
├── WorkerCrashError             a worker process crashed (becomes INTERNAL_ERROR like any defect)
└── ToolError                    a call failed; becomes an error envelope
    │   the caller can mend the call
    ├── InvalidInputError        INVALID_INPUT      the arguments do not fit schema or domain
    ├── NotFoundError            NOT_FOUND          no such tool, object or node
    ├── TypeMismatchError        TYPE_MISMATCH      a reference names an object of another kind
    ├── LimitExceededError       LIMIT_EXCEEDED     too large, too many, too often
    │   the call was refused: something else has to happen first
    ├── PermissionDeniedError    PERMISSION_DENIED  the caller may not do this
    ├── ConflictError            CONFLICT           the state does not allow it now
    ├── RejectedError            REJECTED           a validator, policy or limit refused a command
    │   the call was right and still gave no answer
    ├── ComputationError         COMPUTATION_ERROR  the mathematics has no answer here
    ├── ToolTimeoutError         TIMEOUT            the deadline passed
    ├── ToolCancelledError       CANCELLED          the caller withdrew the call
    ├── UnavailableError         UNAVAILABLE        a part that is needed is away: try again later
    └── InternalError            INTERNAL_ERROR     a defect of ours, with a correlation id
```
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "ComputationError",
    "ConflictError",
    "ErrorCode",
    "ErrorDetail",
    "InternalError",
    "InvalidInputError",
    "LimitExceededError",
    "NotFoundError",
    "PermissionDeniedError",
    "RejectedError",
    "TercetError",
    "ToolCancelledError",
    "ToolDefinitionError",
    "ToolError",
    "ToolTimeoutError",
    "TypeMismatchError",
    "UnavailableError",
    "error_class",
]


class ErrorCode(StrEnum):
    """The stable, machine-readable name of a failure."""

    INVALID_INPUT = "INVALID_INPUT"
    NOT_FOUND = "NOT_FOUND"
    TYPE_MISMATCH = "TYPE_MISMATCH"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    CONFLICT = "CONFLICT"
    REJECTED = "REJECTED"
    COMPUTATION_ERROR = "COMPUTATION_ERROR"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class ErrorDetail(BaseModel):
    """One thing that is wrong with one value.

    Attributes:
        pointer: RFC 6901 JSON pointer into the arguments; `""` is the whole.
        expected: What would be right, in words.
        got: What was there; `None` also where nothing was.
        nearest: The acceptable value that is closest to what was given, if there is one.
    """

    model_config = ConfigDict(frozen=True)

    pointer: str
    expected: str
    got: Any = None
    nearest: Any = Field(default=None)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form; `nearest` only where there is one."""
        detail: dict[str, Any] = {
            "pointer": self.pointer,
            "expected": self.expected,
            "got": self.got,
        }
        if self.nearest is not None:
            detail["nearest"] = self.nearest
        return detail


class TercetError(Exception):
    """Base of every error of the contract."""


class ToolDefinitionError(TercetError, ValueError):
    """A tool is declared or registered wrongly; the program has to be changed."""


class ToolError(TercetError):
    """A call failed for a reason that the caller should be told.

    Attributes:
        code: The stable name of the failure.
        message: What was wrong with what.
        hint: What the caller can do about it, in one sentence.
        details: The single faults, all of them, where there are several.
    """

    code: ClassVar[ErrorCode] = ErrorCode.INTERNAL_ERROR

    def __init__(
        self, message: str, *, hint: str | None = None, details: Iterable[ErrorDetail] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = tuple(details)


class InvalidInputError(ToolError):
    """The arguments do not fit the tool's schema or domain."""

    code = ErrorCode.INVALID_INPUT


class NotFoundError(ToolError):
    """Nothing of that name exists for this caller."""

    code = ErrorCode.NOT_FOUND


class TypeMismatchError(ToolError):
    """A reference names an object of another kind than the tool needs."""

    code = ErrorCode.TYPE_MISMATCH


class LimitExceededError(ToolError):
    """The call asks for more than a limit allows."""

    code = ErrorCode.LIMIT_EXCEEDED


class PermissionDeniedError(ToolError):
    """The caller may not do this."""

    code = ErrorCode.PERMISSION_DENIED


class ConflictError(ToolError):
    """The present state does not allow the call."""

    code = ErrorCode.CONFLICT


class RejectedError(ToolError):
    """A validator, a policy or a limit refused a command; nothing was changed."""

    code = ErrorCode.REJECTED


class ComputationError(ToolError):
    """The mathematics has no answer for this input."""

    code = ErrorCode.COMPUTATION_ERROR


class ToolTimeoutError(ToolError):
    """The deadline passed before the tool answered."""

    code = ErrorCode.TIMEOUT


class ToolCancelledError(ToolError):
    """The caller withdrew the call."""

    code = ErrorCode.CANCELLED


class UnavailableError(ToolError):
    """A part that the tool needs is away at the moment."""

    code = ErrorCode.UNAVAILABLE


class InternalError(ToolError):
    """A defect of the tool, not of the call."""

    code = ErrorCode.INTERNAL_ERROR


def error_class(code: ErrorCode) -> type[ToolError]:
    """Find the class of a code."""
    return next(kind for kind in ToolError.__subclasses__() if kind.code is code)
