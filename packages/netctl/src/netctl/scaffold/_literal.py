"""Values as Python text, laid out as a formatter would: what fits stays on its line."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

__all__ = ["Name", "import_line", "literal"]

_LONGEST_LINE = 100


class Name(str):
    """Text that stands for itself, as the name of a constant does."""

    __slots__ = ()


def literal(value: Any, *, indent: int = 0, lead: int = 0, trail: int = 0) -> str:
    """A value as Python text.

    Args:
        value: Numbers, texts of ASCII, names, and tuples, lists and mappings of these.
        indent: How far the line that it starts on is indented, in characters.
        lead: How much stands before it on that line, after the indent.
        trail: How much follows it on its last line.
    """
    short = _short(value)
    if indent + lead + len(short) + trail <= _LONGEST_LINE or not _is_long(value):
        return short
    inner = indent + 4
    lines: list[str] = []
    for key, part in _parts(value):
        said = literal(part, indent=inner, lead=len(key), trail=1)
        lines.append(f"{' ' * inner}{key}{said},")
    opening, closing = _brackets(value)
    return "\n".join([opening, *lines, " " * indent + closing])


def import_line(module: str, names: Sequence[str]) -> str:
    """The import of sorted names from a module."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _LONGEST_LINE:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])


def _short(value: Any) -> str:
    if isinstance(value, Name):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value)
    if not isinstance(value, Mapping | list | tuple):
        return repr(value)
    opening, closing = _brackets(value)
    said = [f"{key}{_short(part)}" for key, part in _parts(value)]
    comma = "," if isinstance(value, tuple) and len(said) == 1 else ""
    return f"{opening}{', '.join(said)}{comma}{closing}"


def _parts(value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [(f"{_short(key)}: ", part) for key, part in cast("Any", value).items()]
    return [("", part) for part in value]


def _brackets(value: Any) -> tuple[str, str]:
    if isinstance(value, Mapping):
        return "{", "}"
    return ("[", "]") if isinstance(value, list) else ("(", ")")


def _is_long(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and bool(cast("Any", value))
