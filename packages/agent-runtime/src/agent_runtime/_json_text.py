"""Text that is JSON and nothing else, as models put it where an object or a list belongs."""

import json
import re
from typing import Any, Never, cast

_FENCE = "```"
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def decoded(text: str) -> dict[str, Any] | list[Any] | None:
    """The object or list that `text` is, bare or in one code fence; None if it is neither.

    Text that could be read in two ways is not JSON here: an object with a name twice, or a number
    that JSON does not have.
    """
    bare = _unfenced(text.strip())
    if not bare.startswith(("{", "[")):
        return None
    try:
        return json.loads(bare, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _unfenced(text: str) -> str:
    """What a code fence around all of `text` holds; the text itself if there is none."""
    if not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    opening, _, rest = text.partition("\n")
    if opening.removeprefix(_FENCE).strip().lower() not in {"", "json"}:
        return text
    return rest.removesuffix(_FENCE).strip()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name is there twice")
    return fields


def _refuse(constant: str) -> Never:
    raise ValueError(f"{constant} is no number of JSON")


def number(text: str) -> int | float | None:
    """The finite number that `text` is, as JSON writes it; None if it is none."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        value = cast("int | float", json.loads(text))
    except ValueError:  # an integer of thousands of digits
        return None
    return None if value in {float("inf"), float("-inf")} else value
