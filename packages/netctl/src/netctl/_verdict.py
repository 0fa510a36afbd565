"""What a command validator may answer; anything else refuses the command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from netctl._number import is_finite_number

__all__ = ["Accept", "Modify", "Reject", "Verdict", "read_verdict"]


@dataclass(frozen=True, slots=True)
class Accept:
    """The command may go on as it is."""


@dataclass(frozen=True, slots=True)
class Reject:
    """The command must not go on.

    Attributes:
        reason: Why, worded for whoever sent the command.
        nearest: The acceptable value nearest to the one asked for.
    """

    reason: str
    nearest: float | str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Modify:
    """The command may go on with another value.

    The new value passes the schema and the node's limits again before it goes on.

    Attributes:
        value: What replaces the command's value, or a mapping of several arguments.
        reason: Why, worded for whoever sent the command.
    """

    value: float | str | Mapping[str, Any]
    reason: str


Verdict = Accept | Reject | Modify


def read_verdict(answer: object) -> Verdict:
    """The verdict that a validator's answer means; what means none is a rejection."""
    match answer:
        case True | Accept() | tuple((True, None)):
            return Accept()
        case tuple((False, str(reason))) if reason.strip():
            return Reject(reason)
        case Reject(reason=str(reason), nearest=nearest) if reason.strip():
            told = isinstance(nearest, str) or is_finite_number(nearest)
            return Reject(reason, nearest=nearest if told else None)
        case Modify(reason=str(reason)) if reason.strip():
            return answer
        case False:
            return Reject("the app's validator rejects it, without a reason")
        case _:
            return Reject(f"the app's validator answered {answer!r:.80}, which is no verdict")
