"""The journal of a batch: a file of JSON lines, one for each value, to resume from."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.to_thread
from pydantic_core import to_json

from agent_runtime._codec import ValueCodec
from agent_runtime._errors import JournalError
from agent_runtime._offer import json_schema_of
from agent_runtime._problems import as_json
from agent_runtime._state import State
from agent_runtime._targets import Targets

_START = b'{"key":"'
"""How every line starts, so that a cut-off line is told from a file of another kind."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A value that was read from a journal."""

    value: Any


class Keys:
    """Names items by what is asked and what is wanted, not by their place in the batch.

    The same item again is another item: it has a number of its own.
    """

    def __init__(self, targets: Targets) -> None:
        tools = [(name, json_schema_of(targets.toolbox[name].tool)) for name in targets.names]
        self._wanted = to_json(tools, fallback=repr)
        self._seen: Counter[str] = Counter()

    def next(self, state: State) -> str:
        """The key of the next item."""
        messages = [message.model_dump(exclude={"id"}) for message in state.messages]
        asked = as_json([messages, dict(state.metadata)]).encode()
        digest = hashlib.sha256(self._wanted + b"\n" + asked).hexdigest()
        self._seen[digest] += 1
        return f"{digest}-{self._seen[digest]}"


class Journal:
    """An open journal."""

    def __init__(self, path: Path, codecs: Mapping[str, ValueCodec]) -> None:
        """`codecs` by the names of the submit tools."""
        self._path = path
        self._codecs = codecs
        self._lock = anyio.Lock()
        self._lines: dict[str, Mapping[str, Any]] = {}
        self._end = 0

    async def load(self) -> None:
        """Read what there is; a file that is not there is made.

        Raises:
            JournalError: If the file cannot be read and written, or is no journal.
        """
        await anyio.to_thread.run_sync(self._load)

    def stored(self, key: str) -> Stored | None:
        """The value of an item, if it is there.

        Raises:
            JournalError: If it cannot be decoded.
        """
        line = self._lines.get(key)
        if line is None:
            return None
        try:
            return Stored(self._codecs[line["tool_name"]].decode(line["value"]))
        except Exception as error:
            # The border to the caller's codec.
            raise JournalError(
                f"a value in {str(self._path)!r} cannot be decoded: {error!r}",
                hint="give the codec that it was written with, or start another journal",
            ) from error

    async def record(self, key: str, index: int, tool_name: str, value: Any) -> None:
        """Add a value. It is on disk when this returns, also if the batch is being cancelled.

        Raises:
            JournalError: If it cannot be encoded or written; the journal is as before.
        """
        try:
            data = self._codecs[tool_name].encode(value)
            entry = {"key": key, "index": index, "tool_name": tool_name, "value": data}
            line = json.dumps(entry, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        except Exception as error:
            # The border to the caller's codec.
            raise JournalError(
                f"the value of item {index} cannot be encoded: {error!r}",
                hint="give extract_many a codec for the values of this tool",
            ) from error
        with anyio.CancelScope(shield=True):
            async with self._lock:
                await anyio.to_thread.run_sync(self._append, line)

    def _load(self) -> None:
        try:
            self._path.touch()
            content = self._path.read_bytes()
        except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
            raise self._failure("opened", error) from error
        self._end = content.rfind(b"\n") + 1
        tail = content[self._end :]
        if not (tail.startswith(_START) or _START.startswith(tail)):
            raise self._not_a_journal(content.count(b"\n") + 1)
        for number, line in enumerate(content[: self._end].splitlines(), start=1):
            entry = _entry(line)
            if entry is None:
                raise self._not_a_journal(number)
            self._lines[entry["key"]] = entry

    def _append(self, line: bytes) -> None:
        try:
            with self._path.open("r+b") as file:
                # Over what a crash, or a full disk, may have left of a line.
                file.seek(self._end)
                file.truncate()
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._failure("written", error) from error
        self._end += len(line)

    def _failure(self, what: str, error: Exception) -> JournalError:
        return JournalError(
            f"the journal {str(self._path)!r} cannot be {what}: {error}",
            hint="give a path in a folder that exists and can be written to",
        )

    def _not_a_journal(self, number: int) -> JournalError:
        return JournalError(
            f"line {number} of {str(self._path)!r} is no line of a journal",
            hint="give the path of a journal, or of a file that is not there yet",
        )


def _entry(line: bytes) -> Mapping[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not {"key", "tool_name", "value"} <= entry.keys():
        return None
    fields = cast("Mapping[str, Any]", entry)
    return fields if isinstance(fields["key"], str) else None
