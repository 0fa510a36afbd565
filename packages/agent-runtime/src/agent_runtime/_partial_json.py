"""Reads JSON as it arrives, and gives each value once nothing can change it any more."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

_SPACE = " \t\n\r"
_SCALAR = frozenset("+-.0123456789EINaefilnrstuy")
"""The characters of numbers and of the words that the standard library reads."""

_Expected = Literal["value", "value or end", "name", "name or end", "colon", "comma or end"]


@dataclass(slots=True)
class _Open:
    """An object or a list that is not closed yet."""

    is_object: bool
    value: Any
    name: str = ""
    """The name before the value that is being read, in an object."""

    @property
    def step(self) -> str | int:
        """Where in it the value that is being read belongs."""
        return self.name if self.is_object else len(self.value)

    def put(self, value: Any) -> None:
        if self.is_object:
            self.value[self.name] = value
        else:
            self.value.append(value)


Closed = tuple[tuple[str | int, ...], Any]
"""The steps to a value, and the value."""


class PartialJson:
    """The closed values of one JSON text that comes in pieces.

    A text is closed by its end quote, a number or a word by what follows it, an object or a list
    by its bracket; a value comes after those that it holds. If an object has a name twice, the
    later value comes again under the same path. After text that is no JSON nothing comes any more.
    """

    def __init__(self) -> None:
        self._stack: list[_Open] = []
        self._token: list[str] = []
        self._in_text = False
        self._escaped = False
        self._expected: _Expected | None = "value"

    def feed(self, piece: str) -> Iterator[Closed]:
        """The values that `piece` closes, in order."""
        for character in piece:
            if self._expected is None:
                return
            try:
                yield from self._read(character)
            except ValueError:
                self._expected = None

    def _read(self, character: str) -> Iterator[Closed]:
        if self._in_text:
            yield from self._text(character)
            return
        if self._token and character not in _SCALAR:
            # What follows a number or a word closes it.
            yield self._take(self._decoded())
        if character in _SPACE:
            return
        match character:
            case '"' if self._expected not in {"comma or end", "colon"}:
                self._in_text = True
                self._token.append(character)
            case "{" | "[" if self._wants_value():
                is_object = character == "{"
                self._stack.append(_Open(is_object, {} if is_object else []))
                self._expected = "name or end" if is_object else "value or end"
            case "}" | "]" if self._stack and self._expected != "name":
                yield self._close(character)
            case ":" if self._expected == "colon":
                self._expected = "value"
            case "," if self._stack and self._expected == "comma or end":
                self._expected = "name" if self._stack[-1].is_object else "value"
            case _ if character in _SCALAR and (self._token or self._wants_value()):
                self._token.append(character)
            case _:
                raise ValueError(f"{character!r} is not expected here")

    def _wants_value(self) -> bool:
        return not self._token and self._expected in {"value", "value or end"}

    def _text(self, character: str) -> Iterator[Closed]:
        self._token.append(character)
        if self._escaped:
            self._escaped = False
        elif character == "\\":
            self._escaped = True
        elif character == '"':
            self._in_text = False
            text = self._decoded()
            if self._wants_value():
                yield self._take(text)
            else:
                self._stack[-1].name = text
                self._expected = "colon"

    def _decoded(self) -> Any:
        token = "".join(self._token)
        self._token.clear()
        # Control characters inside of texts are taken, as chat models' clients take them.
        return json.loads(token, strict=False)

    def _close(self, bracket: str) -> Closed:
        closed = self._stack[-1]
        empty = self._expected in {"value or end", "name or end"}
        fits = closed.is_object == (bracket == "}")
        if not fits or not (empty or self._expected == "comma or end"):
            raise ValueError(f"{bracket!r} closes nothing")
        self._stack.pop()
        return self._take(closed.value)

    def _take(self, value: Any) -> Closed:
        """Put a closed value where it belongs."""
        path = tuple(frame.step for frame in self._stack)
        if self._stack:
            self._stack[-1].put(value)
        self._expected = "comma or end"
        return path, value
