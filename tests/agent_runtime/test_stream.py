"""A run as it happens: events, parts of a submission, and the same result in the end."""

from collections.abc import AsyncIterator, Callable
from typing import Any, Literal

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import BaseModel, PrivateAttr
from typing_extensions import override

from agent_runtime import (
    Agent,
    Attempt,
    AttemptsExhaustedError,
    DeadlineExceededError,
    Event,
    ExtractError,
    Finished,
    InvalidOptionsError,
    PartialValue,
    ProviderError,
    Retried,
    TruncatedError,
    extract,
    extract_stream,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Item(BaseModel):
    name: str
    count: int


class Report(BaseModel):
    title: str
    items: list[Item]


GOOD_ARGS = {"title": "a", "items": [{"name": "x", "count": 1}, {"name": "y", "count": 22}]}
GOOD = call("submit_report", GOOD_ARGS, call_id="g")
BAD = call("submit_report", {"title": "a", "items": "none"}, call_id="b")

ALL_PARTS = [
    ("/title", "a"),
    ("/items/0/name", "x"),
    ("/items/0/count", 1),
    ("/items/0", {"name": "x", "count": 1}),
    ("/items/1/name", "y"),
    ("/items/1/count", 22),
    ("/items/1", {"name": "y", "count": 22}),
    ("/items", GOOD_ARGS["items"]),
    ("", GOOD_ARGS),
]


def search(query: str) -> str:
    """Search."""
    return f"found {query}"


class WholeModel(ScriptedModel):
    """Does not stream."""

    disable_streaming: bool | Literal["tool_calling"] = True


def agent_of(*script: Entry, model: type[ScriptedModel] = ScriptedModel) -> Agent:
    return Agent(model=model(script=list(script)), tools=[search])


async def events_of(agent: Agent, **options: Any) -> list[Event | Finished[Report]]:
    async with extract_stream(agent, "go", until_tool_success=Report, **options) as events:
        return [event async for event in events]


def parts(events: list[Any]) -> list[tuple[str, Any]]:
    return [(event.path, event.value) for event in events if isinstance(event, PartialValue)]


@pytest.mark.parametrize("model", [ScriptedModel, WholeModel])
async def test_parts_of_the_submission_come_as_they_close_and_then_the_result(
    model: type[ScriptedModel],
) -> None:
    events = await events_of(agent_of(call("search", {"query": "q"}), GOOD, model=model))
    assert [event.kind for event in events] == [
        *("model_started", "model_called", "tool_started", "tool_finished"),
        *("model_started", *["partial_value"] * 9, "model_called"),
        *("tool_started", "tool_finished", "finished"),
    ]
    assert parts(events) == ALL_PARTS
    assert {(e.run, e.tool_name, e.call_index) for e in events if isinstance(e, PartialValue)} == {
        (2, "submit_report", 0)
    }
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.result.value == Report.model_validate(GOOD_ARGS)


async def test_a_part_comes_before_the_model_has_written_the_rest() -> None:
    reached = anyio.Event()

    class Slow(ScriptedModel):
        @override
        async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
            for text in ('{"title": "a", ', '"items": []}'):
                chunk = tool_call_chunk(
                    name="submit_report" if "title" in text else None,
                    args=text,
                    id="1" if "title" in text else None,
                    index=0,
                )
                yield ChatGenerationChunk(
                    message=AIMessageChunk(content="", tool_call_chunks=[chunk])
                )
                # The rest is written only after the reader has seen the first part.
                await reached.wait()

    seen: list[str] = []
    async with extract_stream(
        Agent(model=Slow(script=[])), "go", until_tool_success=Report, deadline_s=30
    ) as events:
        async for event in events:
            if isinstance(event, PartialValue):
                seen.append(event.path)
                reached.set()
    assert seen == ["/title", "/items", ""]


async def test_a_refused_submission_is_followed_by_a_retry_that_says_so() -> None:
    events = await events_of(agent_of(BAD, "no", call("submit_report", "{", call_id="c"), GOOD))
    retries = [(e.run, e.reason) for e in events if isinstance(e, Retried)]
    assert retries == [(2, "invalid"), (4, "unparsable")]
    assert parts(events)[:3] == [
        ("/title", "a"),
        ("/items", "none"),
        ("", {"title": "a", "items": "none"}),
    ]


async def test_a_cut_off_submission_gives_its_closed_parts_and_is_void() -> None:
    cut = AIMessage(
        "",
        tool_calls=[{"name": "submit_report", "args": {"title": "half"}, "id": "1"}],
        response_metadata={"finish_reason": "length"},
    )
    events = await events_of(agent_of(cut, GOOD))
    assert [(e.run, e.reason) for e in events if isinstance(e, Retried)] == [(2, "truncated")]
    with pytest.raises(TruncatedError):
        await events_of(agent_of(cut, cut))


async def test_a_stream_that_dies_inside_of_the_arguments_is_never_taken_as_complete() -> None:
    # langchain-core would complete this to {"title": "half of a ti"}.
    chunk = tool_call_chunk(
        name="submit_report", args='{"items": [], "title": "half of a ti', id="1", index=0
    )
    for broken in (
        AIMessageChunk(content="", tool_call_chunks=[chunk]),
        AIMessageChunk(content="", tool_call_chunks=[{**chunk, "args": "[1]"}]),
    ):
        model = Pieces([[broken], GOOD])
        events = await events_of(Agent(model=model))
        last = events[-1]
        assert isinstance(last, Finished)
        assert [a.outcome for a in last.result.attempts] == ["unparsable", "accepted"]


class Pieces(ScriptedModel):
    """Streams chunks as they are in the script."""

    _queue: list[Any] = PrivateAttr(default_factory=list[Any])

    def __init__(self, replies: list[Any]) -> None:
        super().__init__([])
        self._queue = replies

    @override
    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        entry = self._queue.pop(0)
        if isinstance(entry, list):
            for chunk in entry:
                if isinstance(chunk, Exception):
                    raise chunk
                yield ChatGenerationChunk(message=chunk)
        else:
            self.script.append(entry)
            async for chunk in super()._astream(messages, *args, **kwargs):
                yield chunk


def piece(text: str, *, index: Any, own_id: str | None = None, name: str | None = None) -> Any:
    chunk = tool_call_chunk(name=name, args=text, id=own_id, index=index)
    return AIMessageChunk(content="", tool_call_chunks=[chunk])


async def test_calls_written_side_by_side_are_told_apart() -> None:
    first, second = '{"title": "a", "items": []}', '{"title": "b", "items": []}'
    model = Pieces(
        [
            [
                piece("", index=0, own_id="1", name="submit_report"),
                piece("", index=1, own_id="2", name="search"),
                piece("", index=2, own_id="3", name="submit_report"),
                piece(first[:9], index=0),
                piece(second[:9], index=2),
                piece('{"query": "q"}', index=1),
                piece(second[9:], index=2),
                piece(first[9:], index=0),
            ]
        ]
    )
    events = await events_of(Agent(model=model, tools=[search]))
    titles = [
        (e.call_index, e.value)
        for e in events
        if isinstance(e, PartialValue) and e.path == "/title"
    ]
    assert sorted(titles) == [(0, "a"), (2, "b")]
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.result.value == Report(title="a", items=[])


async def test_whole_calls_without_a_number_are_told_apart_too() -> None:
    texts = ['{"title": "a", "items": 3}', '{"title": "b", "items": []}']
    model = Pieces([[piece(text, index=None, own_id=text, name="submit_report") for text in texts]])
    events = await events_of(Agent(model=model))
    assert [v for path, v in parts(events) if path == "/title"] == ["a", "b"]


async def test_calls_that_share_a_number_are_told_apart_by_their_ids() -> None:
    texts = ['{"title": "a", "items": 3}', '{"title": "b", "items": []}']
    model = Pieces([[piece(text, index=0, own_id=text, name="submit_report") for text in texts]])
    events = await events_of(Agent(model=model))
    assert [v for path, v in parts(events) if path == "/title"] == ["a", "b"]


async def test_leaving_early_cancels_the_model_and_leaves_nothing_running() -> None:
    gone: list[str] = []

    class Endless(ScriptedModel):
        @override
        async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
            try:
                yield ChatGenerationChunk(
                    message=piece('{"title": "a", ', index=0, own_id="1", name="submit_report")
                )
                await anyio.sleep_forever()
            finally:
                gone.append("model")

    agent = Agent(model=Endless(script=[]))
    async with extract_stream(agent, "go", until_tool_success=Report) as events:
        async for event in events:
            if isinstance(event, PartialValue):
                break
    assert gone == ["model"]


async def test_leaving_early_cancels_a_tool_that_is_running() -> None:
    gone: list[str] = []

    async def wait() -> str:
        """Wait."""
        try:
            await anyio.sleep_forever()
        finally:
            gone.append("tool")
        return "never"

    agent = Agent(model=ScriptedModel([call("wait")]), tools=[wait])
    async with extract_stream(agent, "go", until_tool_success=Report) as events:
        async for event in events:
            if event.kind == "tool_started":
                await anyio.wait_all_tasks_blocked()
                break
    assert gone == ["tool"]


async def test_a_block_that_does_not_read_is_left_at_once() -> None:
    model = ScriptedModel([GOOD])
    async with extract_stream(Agent(model=model), "go", until_tool_success=Report):
        pass
    assert model.remaining == 1


async def read(agent: Agent, on_event: Callable[[Any], Any], **options: Any) -> None:
    async with extract_stream(agent, "go", until_tool_success=Report, **options) as events:
        async for event in events:
            waits = on_event(event)
            if waits is not None:
                await waits


async def test_what_the_block_raises_comes_out_as_it_is() -> None:
    def fail(_: object) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        await read(agent_of(GOOD), fail)


async def test_a_run_that_fails_raises_its_own_error_from_the_iterator() -> None:
    seen: list[Event] = []
    with pytest.raises(AttemptsExhaustedError) as caught:
        await read(agent_of(BAD), seen.append, max_runs=1)
    assert seen[-1].kind == "tool_finished"
    assert len(caught.value.attempts) == 1


async def test_options_that_cannot_be_used_are_refused_when_the_block_is_entered() -> None:
    with pytest.raises(InvalidOptionsError):
        async with extract_stream(agent_of(GOOD), "go"):
            pytest.fail("the block was entered")


async def test_a_reader_that_takes_too_long_meets_the_deadline() -> None:
    stopped = anyio.Event()

    class Watched(ScriptedModel):
        @override
        async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
            try:
                yield ChatGenerationChunk(
                    message=piece('{"title": "a"}', index=0, own_id="1", name="submit_report")
                )
            finally:
                stopped.set()

    # The reader reads on only after the run was stopped, which the deadline alone can do.
    with pytest.raises(DeadlineExceededError):
        await read(Agent(model=Watched(script=[])), lambda _: stopped.wait(), deadline_s=0.01)


async def test_a_stream_that_breaks_is_a_provider_error_as_without_streaming() -> None:
    broken = [piece('{"title": "a", ', index=0, own_id="1", name="submit_report"), OSError("cut")]
    with pytest.raises(ProviderError, match="cut"):
        await events_of(Agent(model=Pieces([broken])))


async def test_what_streams_something_else_is_refused_by_its_kind() -> None:
    class Bindable(RunnableLambda[Any, Any]):
        def bind_tools(self, *_: Any, **__: Any) -> Runnable[Any, Any]:
            return self

    agent = Agent(model=Bindable(lambda _: "text"))
    with pytest.raises(ProviderError, match="returned a str"):
        await events_of(agent)


SCRIPTS = st.lists(
    st.sampled_from(
        [
            "prose",
            BAD,
            GOOD,
            call("search", {"query": "q"}),
            [BAD, GOOD],
            call("submit_report", "x"),
        ]
    ),
    min_size=1,
    max_size=5,
)


def told(attempts: tuple[Attempt, ...]) -> list[tuple[str, Any]]:
    return [(attempt.outcome, attempt.raw_args) for attempt in attempts]


@given(script=SCRIPTS)
async def test_the_end_is_that_of_extract_whatever_the_model_does(script: list[Entry]) -> None:
    ends: list[Any] = []
    for streaming in (False, True):
        agent = agent_of(*script, *[GOOD] * 3)
        try:
            if streaming:
                last = (await events_of(agent, max_runs=3))[-1]
                assert isinstance(last, Finished)
                result = last.result
            else:
                result = await extract(agent, "go", until_tool_success=Report, max_runs=3)
            ends.append((result.value, told(result.trace.attempts), result.usage))
        except ExtractError as error:
            ends.append((error.type, told(error.trace.attempts), error.usage))
    assert ends[0] == ends[1]
