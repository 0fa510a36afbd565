"""What it means to validate the arguments of a call."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent_runtime._problems import Problem, nearest, pointer, quote

MISSING = "nothing"
"""What came where something was required."""

REQUIRED = "a value: it is required"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The verdict on the arguments of one call."""

    args: Mapping[str, Any] | None
    """The arguments, coerced and with defaults; None if there are problems."""
    problems: tuple[Problem, ...] = ()
    ignored: tuple[str, ...] = ()
    """Names of arguments that the tool does not know and will not see."""


class Validator(Protocol):
    """Decides whether arguments fit, reporting everything that is wrong at once."""

    def check(self, args: Mapping[str, Any]) -> Checked:
        """The verdict on `args`, which are not changed."""
        ...


@dataclass(frozen=True, slots=True)
class AcceptAnything:
    """The validator of a tool that declares no schema."""

    def check(self, args: Mapping[str, Any]) -> Checked:
        """The arguments as they are."""
        return Checked(args=args)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownArguments:
    """Arguments that a tool does not declare, where its schema says nothing about them."""

    ignored: tuple[str, ...]
    misspelled: tuple[Problem, ...]
    """Those that look like a declared argument that was not sent: ignoring them would lose it."""

    @classmethod
    def among(cls, args: Mapping[str, Any], known: Collection[str]) -> "UnknownArguments":
        """The undeclared names in `args`, sorted into harmless and misspelled."""
        unsent = [name for name in known if name not in args]
        ignored: list[str] = []
        misspelled: list[Problem] = []
        for name in args:
            if name in known:
                continue
            if (guess := nearest(name, unsent)) is None:
                ignored.append(name)
            else:
                misspelled.append(unknown_name((), name, args[name], guess))
        return cls(ignored=tuple(ignored), misspelled=tuple(misspelled))


def unknown_name(parent: Sequence[object], name: str, value: object, guess: str | None) -> Problem:
    """The problem of a name that is not allowed where it stands."""
    return Problem(
        path=pointer((*parent, name)),
        expected="no such field",
        got=quote(value),
        nearest=guess,
    )
