"""Requests to a model and its replies, kept in a file of JSON lines.

The first line says of what kind the model is; each other line is one request and its reply.
"""

import json
import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, messages_from_dict

from agent_runtime._errors import AgentRuntimeError
from agent_runtime._problems import quote, shorten

_VERSION = 1


class CassetteError(AgentRuntimeError, OSError):
    """A cassette cannot be read or written."""

    type = "cassette_failed"


class CassetteMissError(AssertionError):
    """A request is not among those that were recorded, or was made more often than then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What kind of model was recorded."""

    schema_family: str
    thinking: bool


def request_of(
    messages: Sequence[BaseMessage],
    tools: Sequence[Any],
    choice: object,
    stop: Sequence[str] | None,
) -> dict[str, Any]:
    """A request as JSON data, without what differs from run to run: the ids of messages and calls.

    Calls are numbered instead, in the order in which they come.
    """
    numbers: dict[str | None, int] = {}

    def number(own_id: str | None) -> int:
        return numbers.setdefault(own_id, len(numbers))

    return {
        "messages": [_asked(message, number) for message in messages],
        "tools": list(tools),
        "tool_choice": choice,
        "stop": list(stop or ()),
    }


def _asked(message: BaseMessage, number: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {"type": message.type, "content": message.content}
    if isinstance(message, AIMessage):
        asked["calls"] = [
            [call["name"], call["args"], number(call["id"])]
            for call in (*message.tool_calls, *message.invalid_tool_calls)
        ]
    own_id = getattr(message, "tool_call_id", None)
    return asked if own_id is None else {**asked, "answers": number(own_id)}


def _key(request: Mapping[str, Any]) -> str:
    return json.dumps(request, sort_keys=True)


class Recorder:
    """Writes a cassette."""

    def __init__(self, path: Path, header: Header) -> None:
        """Start a cassette.

        Raises:
            CassetteError: If there is a file already, or it cannot be written.
        """
        self._path = path
        self._lock = threading.Lock()
        first = {
            "cassette": _VERSION,
            "schema_family": header.schema_family,
            "thinking": header.thinking,
        }
        self._write(first, mode="x")

    def record(self, request: Mapping[str, Any], reply: BaseMessage) -> None:
        """Add one request and its reply.

        Raises:
            CassetteError: If it cannot be written, or holds what JSON cannot.
        """
        data = reply.model_dump(mode="json")
        self._write({"request": request, "reply": {"type": reply.type, "data": data}}, mode="a")

    def _write(self, line: Mapping[str, Any], *, mode: str) -> None:
        try:
            text = json.dumps(line)
            with self._lock, self._path.open(mode, encoding="utf-8") as file:
                file.write(text + "\n")
        except FileExistsError as error:
            raise CassetteError(
                f"there is a cassette already: {str(self._path)!r}",
                hint="replay it, or delete it to record again",
            ) from error
        except (OSError, TypeError, ValueError) as error:
            raise CassetteError(
                f"the cassette {str(self._path)!r} cannot be written: {error}",
                hint="give a path in a folder that can be written to, and JSON data as content",
            ) from error


class Player:
    """Reads a cassette, and gives each recorded reply once."""

    def __init__(self, path: Path) -> None:
        """Read the cassette.

        Raises:
            CassetteError: If it cannot be read, or is none.
        """
        self._path = path
        self._lock = threading.Lock()
        self._requests: list[dict[str, Any]] = []
        self._replies: dict[str, deque[AIMessage]] = defaultdict(deque)
        try:
            first, *lines = path.read_text(encoding="utf-8").splitlines()
            header = json.loads(first)
            if header["cassette"] != _VERSION:
                raise ValueError(f"its version is {header['cassette']!r}")  # noqa: TRY301 -- one handler words all
            self.header = Header(schema_family=header["schema_family"], thinking=header["thinking"])
            for line in lines:
                entry = json.loads(line)
                (reply,) = messages_from_dict([entry["reply"]])
                self._requests.append(entry["request"])
                self._replies[_key(entry["request"])].append(cast("AIMessage", reply))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CassetteError(
                f"{str(path)!r} is no cassette: {shorten(repr(error), 1_000)}",
                hint="record one with a RecordingModel",
            ) from error

    @property
    def remaining(self) -> int:
        """How many replies were not given yet."""
        return sum(map(len, self._replies.values()))

    def play(self, request: dict[str, Any]) -> AIMessage:
        """The reply to a request.

        Raises:
            CassetteMissError: If there is none, or none any more; the message says what differs.
        """
        key = _key(request)
        with self._lock:
            if self._replies.get(key):
                return self._replies[key].popleft()
        if key in self._replies:
            raise CassetteMissError("the same request was made more often than it was recorded")
        raise CassetteMissError(
            f"no such request is in {str(self._path)!r}: {self._difference(request)}"
        )

    def _difference(self, request: Mapping[str, Any]) -> str:
        """Where the request differs from the one in the cassette that is most like it."""

        def common(other: Mapping[str, Any]) -> int:
            pairs = zip(other["messages"], request["messages"], strict=False)
            same = [one == another for one, another in pairs]
            return (*same, False).index(False)

        if not self._requests:
            return "it is empty"
        closest = max(self._requests, key=common)
        for part in ("tools", "tool_choice", "stop"):
            if closest[part] != request[part]:
                return f"{part} differ: {quote(request[part])}, recorded {quote(closest[part])}"
        at = common(closest)
        got, recorded = (
            quote(each["messages"][at]) if at < len(each["messages"]) else "nothing"
            for each in (request, closest)
        )
        return f"message {at} differs: {got}, recorded {recorded}"
