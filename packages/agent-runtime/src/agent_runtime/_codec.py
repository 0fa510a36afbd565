"""How values are written down as JSON and read again."""

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import TypeAdapter
from pydantic_core import to_json

from agent_runtime._submit_tool import SubmitTool
from agent_runtime._targets import Target
from agent_runtime._typed_dict import readable


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCodec:
    """Writes values as JSON data, and reads them again."""

    encode: Callable[[Any], Any]
    """From a value to what `json.dumps` takes."""
    decode: Callable[[Any], Any]
    """From what `json.loads` gives to the value."""

    @classmethod
    def of(cls, schema: Any) -> "ValueCodec":
        """The codec of a type that pydantic knows; it refuses what would not come back the same."""
        adapter: TypeAdapter[Any] = TypeAdapter(readable(schema))

        def decode(data: Any) -> Any:
            # As JSON: a strict type then still takes what only JSON can say, as a date in text.
            return adapter.validate_json(to_json(data))

        def encode(value: Any) -> Any:
            data = adapter.dump_python(value, mode="json", by_alias=True)
            # Types may leave out, or hide, a part of themselves when they are written.
            return _checked(value, data, decode(data))

        return cls(encode=encode, decode=decode)


def codec_for(target: Target) -> ValueCodec:
    """The codec of the type that is the target; for a tool or a JSON Schema, plain JSON."""
    is_tool = isinstance(target, str | BaseTool | SubmitTool | functools.partial)
    if is_tool or isinstance(target, Mapping) or inspect.isroutine(target):
        return ValueCodec(encode=_plain, decode=lambda data: data)
    return ValueCodec.of(target)


def _plain(value: Any) -> Any:
    return _checked(value, value, json.loads(json.dumps(value, allow_nan=False)))


def _checked(value: Any, data: Any, decoded: Any) -> Any:
    if decoded != value:
        raise ValueError(f"a {type(value).__name__} does not come back from JSON as it was")
    return data
