"""One way in which data did not fit: where, what was expected, what came, what would fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Any

__all__ = ["Violation", "join_violations"]

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One way in which data did not fit.

    Attributes:
        pointer: Where, as a JSON Pointer (RFC 6901); the empty string is the whole.
        expected: What would have fitted, in words.
        got: What came; None where something was missing.
        nearest: The acceptable value nearest to what came, if there is one.
    """

    pointer: str
    expected: str
    got: Any = None
    nearest: Any = None

    def __str__(self) -> str:
        got = "nothing" if self.got is None else _SHORT.repr(self.got)
        return f"{self.pointer or '/'}: expected {self.expected}, got {got}"


def join_violations(violations: Sequence[Violation]) -> str:
    """All of them in one line."""
    return "; ".join(str(violation) for violation in violations)
