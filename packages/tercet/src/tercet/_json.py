"""JSON as the wire has it: compact, and without the numbers JSON does not know."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

__all__ = ["escape_pointer", "find_non_finite", "follow_pointer", "to_json_text"]


def to_json_text(value: Any) -> str:
    """Write a value as compact JSON.

    Raises:
        ValueError: The value holds NaN or an infinity, or has no JSON form.
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


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


def find_non_finite(value: Any) -> Iterator[tuple[str, float]]:
    """Find each NaN and infinity below a JSON value, with the pointer to it.

    The walk keeps its own stack: the depth of what a caller sends is not ours to trust.
    """
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, float):
            if not math.isfinite(item):
                yield "".join(f"/{escape_pointer(token)}" for token in path), item
        elif isinstance(item, Mapping):
            members = cast("Mapping[Any, Any]", item)
            stack.extend(((*path, str(key)), member) for key, member in members.items())
        elif isinstance(item, list | tuple):
            elements = cast("Sequence[Any]", item)
            stack.extend(((*path, index), element) for index, element in enumerate(elements))
