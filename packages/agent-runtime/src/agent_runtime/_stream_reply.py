"""One reply of the model, read as it is written."""

import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Any, cast

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCallChunk
from langchain_core.messages.ai import add_ai_message_chunks

from agent_runtime._agent import ChatModel
from agent_runtime._events import PartialValue
from agent_runtime._partial_json import PartialJson
from agent_runtime._problems import pointer
from agent_runtime._run import Run


async def stream_reply(run: Run, model: ChatModel, messages: Sequence[BaseMessage]) -> object:
    """The whole reply; observers are told of each part of a submission that is complete.

    A model that does not stream gives its reply in one piece, and all parts come then.
    """
    parts = _Parts(run)
    pieces: list[object] = []
    stream = model.astream(list(messages), config=run.observers.config())
    async with aclosing(cast("AsyncGenerator[object]", stream)) as arriving:
        async for piece in arriving:
            pieces.append(piece)
            await parts.take(piece)
    chunks = [piece for piece in pieces if isinstance(piece, AIMessageChunk)]
    if not chunks or len(chunks) < len(pieces):
        # No stream of chunks: the reply itself, or something that the caller will refuse.
        return pieces[0] if len(pieces) == 1 else pieces
    return add_ai_message_chunks(chunks[0], *chunks[1:])


class _Parts:
    """The parts of the submissions in one reply."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._readers: dict[Any, tuple[int, PartialJson]] = {}
        self._names: dict[Any, str] = {}
        self._ids: dict[Any, str] = {}

    async def take(self, piece: object) -> None:
        """Tell of what a piece of the reply completes."""
        for key, name, text in self._arguments(piece):
            if key not in self._readers:
                self._readers[key] = len(self._readers), PartialJson()
            self._names[key] = self._names.get(key, "") + name
            if self._names[key] not in self._run.targets.forms:
                continue
            index, reader = self._readers[key]
            for path, value in reader.feed(text):
                await self._run.observers.notify(
                    PartialValue(
                        run=self._run.ledger.runs + 1,
                        tool_name=self._names[key],
                        call_index=index,
                        path=pointer(path),
                        value=value,
                    )
                )

    def _arguments(self, piece: object) -> Iterable[tuple[Any, str, str]]:
        """For each call in a piece of a reply: what tells it from others, its name, arguments."""
        if isinstance(piece, AIMessageChunk):
            for chunk in piece.tool_call_chunks:
                yield self._key(chunk), chunk["name"] or "", chunk["args"] or ""
        elif isinstance(piece, AIMessage):
            for call in piece.tool_calls:
                yield object(), call["name"], json.dumps(call["args"])

    def _key(self, chunk: ToolCallChunk) -> Any:
        """What the pieces of one call have in common, by the rule that langchain-core adds by."""
        index = chunk["index"]
        if index is None:
            return object()
        if chunk["id"]:
            self._ids[index] = chunk["id"]
        return index, self._ids.get(index)
