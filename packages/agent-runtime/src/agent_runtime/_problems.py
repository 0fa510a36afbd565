"""What is wrong with submitted arguments, worded for the model that must correct them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic_core import to_json

SHOWN_PROBLEMS = 20
"""How many problems one answer lists; the rest are counted."""

SHOWN_CHARACTERS = 120
"""How much of one value is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong: where, what was expected, what came, what is near."""

    path: str
    """JSON pointer (RFC 6901) into the arguments; empty for the arguments as a whole."""
    expected: str
    got: str
    """The offending value as JSON, shortened."""
    nearest: str | None = None
    """The allowed value or name that is closest to what came, if one is close."""

    def __str__(self) -> str:
        place = self.path or "the arguments"
        guess = f"; did you mean {self.nearest}?" if self.nearest is not None else ""
        return f"{place}: got {self.got}, expected {self.expected}{guess}"


def quote(value: object) -> str:
    """`value` as JSON, shortened to `SHOWN_CHARACTERS`."""
    # Cut strings first: encoding a megabyte to show a line of it would be waste.
    if isinstance(value, str):
        value = value[: SHOWN_CHARACTERS + 1]
    return shorten(as_json(value))


def as_json(value: object) -> str:
    """`value` as JSON, to be shown: what JSON has no form for is described."""
    try:
        return to_json(value, fallback=repr, inf_nan_mode="constants").decode()
    except ValueError:
        # Models can send half of a surrogate pair, which UTF-8 has no form for.
        return json.dumps(value, default=repr, skipkeys=True)


def shorten(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """`text`, cut to at most `limit` characters with a mark that it was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def list_problems(problems: Sequence[Problem]) -> str:
    """The problems as lines, bounded in number and size."""
    lines = [f"- {problem}" for problem in problems[:SHOWN_PROBLEMS]]
    if hidden := len(problems) - len(lines):
        lines.append(f"- and {hidden} more")
    return "\n".join(lines)


def nearest(word: object, choices: Iterable[object]) -> str | None:
    """The choice closest to `word` as JSON, or None if none is close."""
    if not isinstance(word, str):
        return None
    names = [choice for choice in choices if isinstance(choice, str)]
    folded = {name.casefold(): name for name in names}
    close = get_close_matches(word.casefold(), folded, n=1)
    return json.dumps(folded[close[0]], ensure_ascii=False) if close else None


def pointer(parts: Iterable[object]) -> str:
    """A JSON pointer from path parts."""
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return "".join(f"/{part}" for part in escaped)


def unescaped(path: str) -> list[str]:
    """The parts of a JSON pointer."""
    parts = path.split("/")[1:]
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]
