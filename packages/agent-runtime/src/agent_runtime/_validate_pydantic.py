"""Validation by pydantic, its errors reworded as problems."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from agent_runtime._problems import Problem, nearest, pointer, quote, shorten
from agent_runtime._validate import MISSING, REQUIRED, Checked, UnknownArguments

_SUBJECT = re.compile(r"^[\w ]+? should (be|have) ")
_MATCH = re.compile(r"^[\w ]+? should match ")
_PREFIX = re.compile(r"^(Value error|Assertion failed), ")
_LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class PydanticValidator:
    """Validates and coerces as pydantic does, in its lax mode unless the type is strict."""

    parse: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    """From raw to validated arguments; raises pydantic's `ValidationError`."""
    known: Collection[str] | None
    """The names that may be sent; None if any may."""

    def check(self, args: Mapping[str, Any]) -> Checked:
        """The verdict on `args`."""
        known = self.known if self.known is not None else args.keys()
        unknown = UnknownArguments.among(args, known)
        try:
            parsed = self.parse(args)
        except ValidationError as error:
            problems = problems_of(error, args, known)
            reported = {problem.path for problem in problems}
            extra = (p for p in unknown.misspelled if p.path not in reported)
            return Checked(args=None, problems=(*problems, *extra))
        if unknown.misspelled:
            return Checked(args=None, problems=unknown.misspelled)
        return Checked(args=parsed, ignored=unknown.ignored)


def problems_of(
    error: ValidationError,
    value: Mapping[str, Any] | None = None,
    known: Collection[str] = (),
) -> tuple[Problem, ...]:
    """Every problem in pydantic's error; its paths lead into `value`, if that is given."""
    details = error.errors(include_url=False)
    return tuple(_problem(detail, value, known) for detail in details)


def _problem(
    detail: ErrorDetails, value: Mapping[str, Any] | None, known: Collection[str]
) -> Problem:
    missing = detail["type"] == "missing"
    location = detail["loc"]
    return Problem(
        path=pointer(location if value is None else _path(location, value)),
        expected=REQUIRED if missing else _expected(detail),
        got=MISSING if missing else quote(detail["input"]),
        nearest=_nearest(detail, known),
    )


def _path(location: Sequence[str | int], value: object) -> list[str | int]:
    """The parts of pydantic's location that are steps into `value`.

    Pydantic also puts the tags of unions and validators into a location.
    The last part may name what is missing, so it is kept where an object could hold it.
    """
    path: list[str | int] = []
    here: object = value
    for position, part in enumerate(location):
        last = position == len(location) - 1
        if isinstance(here, Mapping):
            fields = cast("Mapping[str, object]", here)
            if part in fields:
                here = fields[cast("str", part)]
            elif not last:
                continue
            path.append(part)
        elif isinstance(here, list) and isinstance(part, int):
            items = cast("list[object]", here)
            here = items[part] if part < len(items) else None
            path.append(part)
    return path


def _expected(detail: ErrorDetails) -> str:
    """Pydantic's sentence as the second half of 'expected …'."""
    if detail["type"] == "extra_forbidden":
        return "no such field"
    text = " ".join(_PREFIX.sub("", detail["msg"]).split())
    text = _MATCH.sub("a match of ", _SUBJECT.sub("", text))
    return shorten(text[:1].lower() + text[1:], 300)


def _nearest(detail: ErrorDetails, known: Collection[str]) -> str | None:
    """The allowed literal, or the declared name, that is closest to what came."""
    if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
        return nearest(detail["loc"][0], known)
    if detail["type"] in {"literal_error", "enum"}:
        allowed = str(detail.get("ctx", {}).get("expected", ""))
        return nearest(detail["input"], _LITERAL.findall(allowed))
    return None
