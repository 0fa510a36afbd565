"""What a provider answers, before it is put into the words of one wire format."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

PIECE_CHARACTERS = 7
INPUT_TOKENS, OUTPUT_TOKENS = 11, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WireReply:
    """A reply of the model."""

    text: str = ""
    calls: Sequence[tuple[str, str]] = ()
    """The name and the arguments, as text, of each tool call."""
    end: Literal["done", "length", "refusal"] = "done"
    after_half: Literal["cut", "end", "overloaded"] | None = None
    """What happens after the first half of a stream: the connection breaks, or ends in good order,
    or the provider says that it is overloaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireFailure:
    """An answer with an HTTP status instead of a reply."""

    status: int
    message: str = "sorry"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class WireSilence:
    """No answer, until the client gives up."""


Answer = WireReply | WireFailure | WireSilence


def asks(name: str, args: Any) -> WireReply:
    """A reply with one tool call."""
    return WireReply(calls=[(name, args if isinstance(args, str) else json.dumps(args))])


def pieces(text: str) -> Iterator[str]:
    """A text as it is streamed."""
    for start in range(0, len(text), PIECE_CHARACTERS):
        yield text[start : start + PIECE_CHARACTERS]
