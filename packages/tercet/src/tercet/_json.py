"""JSON as the wire has it: compact, and without the numbers JSON does not know."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

__all__ = [
    "escape_pointer",
    "find_unsayable",
    "follow_pointer",
    "printable",
    "to_json_text",
]


# Made once: `json.dumps` makes one for each text that is not of its own default form.
_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def to_json_text(value: Any) -> str:
    """Write a value as compact JSON that has a UTF-8 form.

    Raises:
        ValueError: The value holds NaN or an infinity.
    """
    text = _ENCODER.encode(value)
    if text.isascii() or is_unicode(text):
        return text
    # Half of a surrogate pair has an escape in JSON, and no bytes in UTF-8.
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def is_unicode(text: str) -> bool:
    """Say whether a text can be encoded: Python's may hold halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Give a text that can be encoded, with escapes for what cannot."""
    return text.encode(errors="backslashreplace").decode()


def escape_pointer(token: str | int) -> str:
    """Escape one reference token of a JSON pointer (RFC 6901, section 3)."""
    return str(token).replace("~", "~0").replace("/", "~1")


def follow_pointer(whole: Any, pointer: str) -> Any:
    """Give what a JSON pointer names.

    Raises:
        LookupError: It is no pointer, or nothing is there.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(f"{pointer[:80]!r} is no JSON pointer")
    value: Any = whole
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = cast("dict[str, Any]", value)[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):  # pyright: ignore[reportUnknownArgumentType] -- JSON of any shape
            value = cast("list[Any]", value)[int(key)]
        else:
            raise LookupError(f"nothing is at {pointer[:80]!r}")
    return value


def find_unsayable(value: Any) -> Iterator[tuple[str, str, str]]:
    """Find each NaN, infinity and malformed text below a JSON value.

    The walk keeps its own stack: the depth of what a caller sends is not ours to trust.

    Yields:
        The pointer to it, what is expected there, and what is there, in words.
    """
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, float):
            if not math.isfinite(item):
                yield _pointer(path), "a finite number", str(item)
        elif isinstance(item, str):
            if not item.isascii() and not is_unicode(item):
                yield _pointer(path), "text that is valid Unicode", printable(item[:200])
        elif isinstance(item, Mapping):
            members = cast("Mapping[Any, Any]", item)
            stack.extend(((*path, str(key)), member) for key, member in members.items())
            stack.extend(((*path, str(key)), str(key)) for key in members)
        elif isinstance(item, list | tuple):
            elements = cast("Sequence[Any]", item)
            stack.extend(((*path, index), element) for index, element in enumerate(elements))


def _pointer(path: Sequence[str | int]) -> str:
    return printable("".join(f"/{escape_pointer(token)}" for token in path))
