"""A model is recorded once and replayed for ever, without the model."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    ExtractResult,
    Finished,
    ProviderError,
    extract,
    extract_many,
    extract_stream,
)
from agent_runtime.testing import (
    CassetteError,
    CassetteMissError,
    Entry,
    ModelRequestForbiddenError,
    RecordingModel,
    ReplayModel,
    Reply,
    ScriptedModel,
    call,
    forbid_model_requests,
)

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str
    counts: dict[str, int] = {}


def search(query: str) -> str:
    """Search."""
    return f"found {query}"


GOOD = call("submit_report", {"title": "a"})
SCRIPT: list[Entry] = [
    "I think so.",
    [call("search", {"query": "x"}), call("submit_report", {"title": 3})],
    call("submit_report", "{"),
    GOOD,
]


async def run(model: Any, prompt: str = "go", **fields: Any) -> ExtractResult[Report]:
    agent = Agent(model=model, tools=[search], **fields)
    return await extract(agent, prompt, until_tool_success=Report)


async def test_a_replayed_run_is_the_recorded_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    recorded = await run(RecordingModel(ScriptedModel(SCRIPT), path))
    model = ReplayModel(path)
    assert model.remaining == 4
    with forbid_model_requests():
        replayed = await run(model)
    assert replayed.value == recorded.value == Report(title="a")
    assert replayed.usage == recorded.usage
    assert replayed.usage.total_tokens > 0
    assert [m.content for m in replayed.messages] == [m.content for m in recorded.messages]
    assert replayed.attempts == recorded.attempts
    assert model.remaining == 0


async def test_a_streamed_run_can_be_replayed_too(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    await run(RecordingModel(ScriptedModel(SCRIPT), path))
    agent = Agent(model=ReplayModel(path), tools=[search])
    async with extract_stream(agent, "go", until_tool_success=Report) as events:
        seen = [event async for event in events]
    assert isinstance(seen[-1], Finished)
    assert "partial_value" in {event.kind for event in seen}


def test_sync_requests_are_recorded_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    recording = RecordingModel(ScriptedModel(["one", "two"]), path)
    assert [recording.invoke("hi").text, recording.invoke("hi").text] == ["one", "two"]
    replay = ReplayModel(path)
    assert [replay.invoke("hi").text, replay.invoke("hi").text] == ["one", "two"]


async def test_a_batch_is_replayed_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "batch.jsonl"
    prompts = [f"document {n}" for n in range(6)]

    def react(messages: Sequence[BaseMessage]) -> Reply:
        return call("submit_report", {"title": messages[-1].text})

    recording = Agent(model=RecordingModel(ScriptedModel([react] * len(prompts)), path))
    await extract_many(recording, prompts, until_tool_success=Report)
    replay = Agent(model=ReplayModel(path))
    outcomes = await extract_many(replay, prompts[::-1], until_tool_success=Report)
    assert [outcome.unwrap().title for outcome in outcomes] == prompts[::-1]


async def test_tools_are_offered_to_the_replay_in_the_form_of_the_recorded_model(
    tmp_path: Path,
) -> None:
    class Strict(ScriptedModel):
        thinking: dict[str, Any] | None = None

        @property
        def _llm_type(self) -> str:
            return "openai-chat"

    path = tmp_path / "strict.jsonl"
    sent = {"title": "a", "counts": [{"key": "b", "value": 1}]}
    inner = Strict(script=["prose", call("submit_report", sent)], thinking={"type": "enabled"})
    recorded = await run(RecordingModel(inner, path))
    assert recorded.value == Report(title="a", counts={"b": 1})
    # It thinks, so it was not forced; the replay is not forced either.
    assert [request.tool_choice for request in inner.requests] == [None, None]
    assert (await run(ReplayModel(path))).value == recorded.value


async def test_a_forced_choice_is_a_part_of_the_request(tmp_path: Path) -> None:
    path = tmp_path / "forced.jsonl"
    inner = ScriptedModel(["prose", GOOD])
    await run(RecordingModel(inner, path))
    assert inner.requests[1].tool_choice == "submit_report"
    assert '"tool_choice": "submit_report"' in path.read_text()
    assert (await run(ReplayModel(path))).value == Report(title="a")


async def test_another_request_says_where_it_differs_from_the_closest_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    recording = RecordingModel(ScriptedModel([GOOD]), path)
    await run(recording)
    with pytest.raises(ProviderError) as caught:
        await run(ReplayModel(path), "stop")
    assert isinstance(caught.value.__cause__, CassetteMissError)
    assert 'message 0 differs: {"type":"human","content":"stop"}, recorded' in str(caught.value)
    with pytest.raises(ProviderError, match="message 0 differs"):
        await run(ReplayModel(path), system_prompt="Be brief.")
    bare = ReplayModel(path)
    with pytest.raises(CassetteMissError, match="tools differ"):
        bare.invoke("go")
    model = ReplayModel(path)
    await run(model)
    with pytest.raises(ProviderError, match="more often than it was recorded"):
        await run(model)


def test_a_request_that_goes_on_further_than_what_was_recorded_says_so(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    RecordingModel(ScriptedModel(["one"]), path).invoke(["a"])
    with pytest.raises(CassetteMissError, match=r"message 1 differs: .*, recorded nothing"):
        ReplayModel(path).invoke(["a", "b"])
    with pytest.raises(CassetteMissError, match="stop differ"):
        ReplayModel(path).invoke(["a"], stop=["\n"])
    empty = tmp_path / "empty.jsonl"
    RecordingModel(ScriptedModel([]), empty)
    with pytest.raises(CassetteMissError, match="it is empty"):
        ReplayModel(empty).invoke("a")


async def test_what_the_model_raises_is_passed_on_and_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    model = RecordingModel(ScriptedModel([ConnectionError("gone"), GOOD]), path)
    with pytest.raises(ProviderError, match="gone"):
        await run(model)
    await run(model)
    assert ReplayModel(path).remaining == 1


async def test_tokens_are_counted_once_while_recording(tmp_path: Path) -> None:
    handler = UsageMetadataCallbackHandler()
    model = RecordingModel(ScriptedModel([GOOD]), tmp_path / "run.jsonl")
    agent = Agent(model=model)
    result = await extract(agent, "go", until_tool_success=Report, callbacks=[handler])
    assert handler.usage_metadata["scripted"]["total_tokens"] == result.usage.total_tokens


def test_recording_a_real_model_is_refused_where_requests_are_forbidden(tmp_path: Path) -> None:
    model = RecordingModel(FakeListChatModel(responses=["x"]), tmp_path / "run.jsonl")
    with forbid_model_requests(), pytest.raises(ModelRequestForbiddenError, match="fake-list"):
        model.invoke("go")
    assert model.invoke("go").text == "x"


def test_a_cassette_is_never_recorded_over(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    RecordingModel(ScriptedModel(["one"]), path).invoke("a")
    with pytest.raises(CassetteError, match="there is a cassette already") as caught:
        RecordingModel(ScriptedModel([]), path)
    assert caught.value.type == "cassette_failed"
    assert ReplayModel(path).remaining == 1


def test_a_cassette_that_cannot_be_written_or_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="cannot be written"):
        RecordingModel(ScriptedModel([]), tmp_path / "nowhere" / "run.jsonl")
    path = tmp_path / "run.jsonl"
    RecordingModel(ScriptedModel(["one"]), path).invoke("a")
    header, line = path.read_text().splitlines()
    wrong = [
        "",
        "prose",
        "[]",
        header.replace("1", "2", 1),
        f"{header}\n{{}}",
        f"{header}\n[]",
        f"{header}\n{line[:-9]}",
        f"{header}\n{json.dumps({**json.loads(line), 'reply': {'type': 'owl', 'data': {}}})}",
    ]
    for text in wrong:
        path.write_text(text)
        with pytest.raises(CassetteError, match="is no cassette"):
            ReplayModel(path)
    with pytest.raises(CassetteError, match="is no cassette"):
        ReplayModel(tmp_path / "missing.jsonl")
