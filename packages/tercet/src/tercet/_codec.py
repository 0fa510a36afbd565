"""How values become bytes and back, by kind; never by pickle."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from tercet._errors import ToolDefinitionError
from tercet._json import to_json_text

__all__ = ["Codec", "CodecSet", "EncodedObject", "JsonCodec"]


@runtime_checkable
class Codec(Protocol):
    """Encodes one type of value.

    Attributes:
        kind: The stable name of what is encoded, such as `"mtf"`.
        type: The Python type that is encoded.
    """

    @property
    def kind(self) -> str:
        """The stable name of what is encoded."""
        ...

    @property
    def type(self) -> type[Any]:
        """The Python type that is encoded."""
        ...

    def encode(self, value: Any) -> bytes:
        """Write a value as bytes that name their own version."""
        ...

    def decode(self, data: bytes) -> Any:
        """Read a value back, exactly."""
        ...

    def summarize(self, value: Any) -> dict[str, Any]:
        """Give the main features, at most 1 KiB as JSON."""
        ...

    def to_json(self, value: Any) -> Any:
        """Give the whole value as JSON, for a reader who asks for it."""
        ...


@dataclass(frozen=True, slots=True)
class EncodedObject:
    """A value as it is kept; where it was computed by a worker, that has encoded it as well.

    Attributes:
        kind: What it is, and with it the codec that reads it.
        payload: The encoded value.
        summary: Its main features.
    """

    kind: str
    payload: bytes
    summary: Mapping[str, Any]

    @classmethod
    def of(cls, codec: Codec, value: Any) -> "EncodedObject":
        """Encode a value."""
        return cls(codec.kind, codec.encode(value), codec.summarize(value))


_PLAIN = frozenset({dict, list, str, int, float, bool, type(None)})


class JsonCodec:
    """Keeps plain JSON values, such as an answer that was too large to give whole."""

    kind = "json"
    type = object

    def encode(self, value: Any) -> bytes:
        """Write compact UTF-8 JSON."""
        return to_json_text(value).encode()

    def decode(self, data: bytes) -> Any:
        """Read the JSON back."""
        return json.loads(data)

    def summarize(self, value: Any) -> dict[str, Any]:
        """Give the type, the length, and the first keys of an object."""
        match value:
            case dict():
                keys = [str(key)[:40] for key in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- JSON of any shape
                return {"type": "object", "length": len(keys), "keys": keys[:10]}
            case list():
                return {"type": "array", "length": len(value)}  # pyright: ignore[reportUnknownArgumentType] -- JSON of any shape
            case str():
                return {"type": "string", "length": len(value)}
            case _:
                return {"type": type(value).__name__}

    def to_json(self, value: Any) -> Any:
        """Give the value itself."""
        return value


class CodecSet:
    """The codecs of one object registry, found by kind or by value."""

    def __init__(self, codecs: Iterable[Codec]) -> None:
        self._by_kind: dict[str, Codec] = {}
        for codec in codecs:
            if codec.kind in self._by_kind:
                raise ToolDefinitionError(f"two codecs have the kind {codec.kind!r}")
            self._by_kind[codec.kind] = codec

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that can be kept."""
        return tuple(self._by_kind)

    def of_kind(self, kind: str) -> Codec:
        """Find the codec that reads a kind."""
        try:
            return self._by_kind[kind]
        except KeyError:
            raise ToolDefinitionError(
                f"no codec reads the kind {kind!r}; known kinds: {', '.join(self._by_kind)}"
            ) from None

    def of_value(self, value: Any) -> Codec:
        """Find the codec of a value's own type; plain JSON values have the JSON codec."""
        for codec in self._by_kind.values():
            if codec.type is type(value):
                return codec
        if type(value) in _PLAIN and "json" in self._by_kind:
            return self._by_kind["json"]
        raise ToolDefinitionError(f"no codec keeps a value of type {type(value).__name__!r}")
