"""Runs agents with the providers' own clients, against a server that speaks their wire formats."""

from typing import Any

from pydantic import BaseModel
from wire import Answer, asks
from wire_server import Provider, client_of, wire_server

from agent_runtime import (
    Agent,
    Backoff,
    Event,
    ExtractError,
    ExtractResult,
    Finished,
    Retried,
    extract,
    extract_stream,
)


class Item(BaseModel):
    name: str
    count: int


class Report(BaseModel):
    title: str
    items: list[Item]
    note: str | None = None


ARGS = {"title": "a", "items": [{"name": "x", "count": 1}], "note": None}
GOOD = asks("submit_report", ARGS)
VALUE = Report.model_validate(ARGS)
BAD = asks("submit_report", {**ARGS, "items": "none at all"})
MALFORMED = asks("submit_report", '{"title": "a", "items": [}')


def search(query: str) -> str:
    """Search."""
    return f"found {query}"


class Waits:
    """Remembers the waits, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, delay_s: float) -> None:
        self.seconds.append(delay_s)


class Desk:
    """Runs an agent of one provider, whole or streamed, and keeps what happened."""

    def __init__(self, provider: Provider, *, streaming: bool) -> None:
        client_of(provider)
        self.provider: Provider = provider
        self.streaming = streaming
        self.events: list[Event] = []
        self.requests: list[dict[str, Any]] = []
        self.waits = Waits()

    async def run(
        self, *script: Answer, model: dict[str, Any] | None = None, **options: Any
    ) -> ExtractResult[Report]:
        failure: ExtractError | None = None
        result: ExtractResult[Report] | None = None
        async with wire_server(*script) as server:
            self.requests = server.requests
            agent = Agent(
                model=server.model(self.provider, **(model or {})),
                tools=[search],
                system_prompt="Be brief.",
                schema_family=self.provider,
            )
            try:
                result = await self.extract(agent, **options)
            except ExtractError as error:
                # Raised outside of the server's task group, which would wrap it.
                failure = error
        assert server.script == []
        if result is None:
            raise failure or AssertionError("neither a result nor an error")
        return result

    async def extract(self, agent: Agent, **options: Any) -> ExtractResult[Report]:
        everything: Any = {"until_tool_success": Report, "callbacks": [self.events.append]}
        if not self.streaming:
            return await extract(agent, "go", **everything, **options)
        async with extract_stream(agent, "go", **everything, **options) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return event.result
        raise AssertionError("the stream ended without a result")

    def retried(self) -> list[str]:
        return [event.reason for event in self.events if isinstance(event, Retried)]

    def backoff(self, **fields: Any) -> Backoff:
        return Backoff(sleep=self.waits, first_delay_s=1.0, **fields)


def answers(request: dict[str, Any]) -> list[tuple[str, str]]:
    """The id and the text of each tool result that a request holds, in order."""
    found: list[tuple[str, str]] = []
    for message in request["messages"]:
        if message["role"] == "tool":
            found.append((message["tool_call_id"], message["content"]))
        elif isinstance(message["content"], list):
            blocks = [b for b in message["content"] if b["type"] == "tool_result"]
            found += [(block["tool_use_id"], block["content"]) for block in blocks]
    return found


def called(request: dict[str, Any]) -> list[str]:
    """The id of each tool call that a request holds, in order."""
    found: list[str] = []
    for message in request["messages"]:
        found += [call["id"] for call in message.get("tool_calls", ())]
        if message["role"] == "assistant" and isinstance(message["content"], list):
            found += [b["id"] for b in message["content"] if b["type"] == "tool_use"]
    return found
