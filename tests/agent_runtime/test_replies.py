"""Replies that are cut off, declined or no reply at all, each with a typed outcome."""

from typing import Any

import pytest
from langchain_core.exceptions import ModelRefusalError
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from typing_extensions import override

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    ExtractError,
    ProviderError,
    RefusedError,
    TruncatedError,
    extract,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio

GOOD = call("submit", {"title": "a"})


class Desk:
    def __init__(self) -> None:
        self.titles: list[str] = []

    def submit(self, title: str) -> str:
        """Submit."""
        self.titles.append(title)
        return title

    def search(self, query: str) -> str:
        """Search."""
        self.titles.append(query)
        return query


def cut(*names: str, **metadata: Any) -> AIMessage:
    # Arguments that a lenient parser completed: they look valid, and are wrong.
    args = {"submit": {"title": "half of a ti"}, "search": {"query": "ha"}}
    calls = [{"name": name, "args": args[name], "id": f"cut_{name}"} for name in names]
    return AIMessage(
        "", tool_calls=calls, response_metadata=metadata or {"finish_reason": "length"}
    )


async def run(desk: Desk, *script: Entry, **options: Any) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel(script)
    agent = Agent(model=model, tools=[desk.submit, desk.search])
    return await extract(agent, "go", until_tool_success="submit", **options), model


@pytest.mark.parametrize(
    "metadata",
    [
        {"finish_reason": "length"},
        {"stop_reason": "max_tokens"},
        {"stopReason": "max_tokens"},
        {"done_reason": "length"},
        {"finish_reason": "FinishReason.MAX_TOKENS"},
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        {"stop_reason": "model_context_window_exceeded"},
    ],
    ids=str,
)
async def test_no_call_of_a_cut_off_reply_is_executed(metadata: dict[str, Any]) -> None:
    desk = Desk()
    result, _ = await run(desk, cut("search", "submit", **metadata), GOOD)
    assert (result.value, desk.titles) == ({"title": "a"}, ["a"])
    assert [a.outcome for a in result.attempts] == ["truncated", "accepted"]
    assert result.attempts[0].raw_args == {"title": "half of a ti"}
    told = [m for m in result.messages if isinstance(m, ToolMessage)][:2]
    assert [m.tool_call_id for m in told] == ["cut_search", "cut_submit"]
    assert all(m.status == "error" and "cut off" in m.text for m in told)


async def test_cut_off_prose_is_told_to_submit_directly() -> None:
    result, model = await run(
        Desk(), AIMessage("long", response_metadata={"stop_reason": "max_tokens"}), GOOD
    )
    last = model.requests[1].messages[-1]
    assert isinstance(last, HumanMessage)
    assert "cut off" in last.text
    assert result.attempts[0].outcome == "accepted"


async def test_a_second_cut_off_in_a_row_ends_the_run() -> None:
    with pytest.raises(TruncatedError) as caught:
        await run(Desk(), cut("submit"), cut("submit"), GOOD)
    error = caught.value
    assert (error.type, error.model_calls) == ("truncated", 2)
    assert [a.raw_args for a in error.attempts] == [{"title": "half of a ti"}] * 2
    assert isinstance(error.messages[-1], ToolMessage)


async def test_a_cut_off_later_on_gets_its_own_chance() -> None:
    result, _ = await run(
        Desk(), cut("submit"), call("search", {"query": "x"}), cut("submit"), GOOD
    )
    assert result.model_calls == 4


async def test_a_cut_off_in_the_last_run_is_called_by_its_name() -> None:
    with pytest.raises(TruncatedError):
        await run(Desk(), cut("search"), max_runs=1)


async def test_a_cut_off_does_not_spend_a_submit_attempt() -> None:
    result, _ = await run(Desk(), cut("submit"), GOOD, max_submit_attempts=1)
    assert result.value == {"title": "a"}
    with pytest.raises(AttemptsExhaustedError):
        await run(Desk(), call("submit", {}), cut("submit"), max_submit_attempts=1)


@pytest.mark.parametrize(
    "reply",
    [
        AIMessage("I cannot help.", response_metadata={"stop_reason": "refusal"}),
        AIMessage("I cannot help.", response_metadata={"finish_reason": "content_filter"}),
        AIMessage("", additional_kwargs={"refusal": "I cannot help."}),
        AIMessage(
            [{"type": "refusal", "refusal": "no"}, {"type": "text", "text": "I cannot help."}]
        ),
        ModelRefusalError("I cannot help."),
    ],
    ids=["stop_reason", "filter", "keyword", "block", "raised"],
)
async def test_a_refusal_is_not_asked_again(reply: Entry) -> None:
    with pytest.raises(RefusedError, match="I cannot help") as caught:
        await run(Desk(), reply, GOOD)
    assert caught.value.type == "refused"


async def test_calls_in_a_declined_reply_are_answered_and_not_executed() -> None:
    desk = Desk()
    with pytest.raises(RefusedError) as caught:
        await run(desk, cut("submit", finish_reason="content_filter"))
    assert not desk.titles
    assert isinstance(caught.value.messages[-1], ToolMessage)


class StatusError(Exception):
    def __init__(self, status_code: int) -> None:
        super().__init__(f"HTTP {status_code}")
        self.status_code = status_code


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (StatusError(429), "rate_limited"),
        (StatusError(529), "overloaded"),
        (StatusError(503), "overloaded"),
        (StatusError(504), "timeout"),
        (TimeoutError("slow"), "timeout"),
        (StatusError(400), "provider_error"),
        (ConnectionError("gone"), "provider_error"),
    ],
    ids=str,
)
async def test_a_failed_model_call_is_typed_and_keeps_the_progress(
    cause: Exception, kind: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        await run(Desk(), call("search", {"query": "x"}), cause)
    error = caught.value
    assert (error.type, error.__cause__) == (kind, cause)
    assert error.model_calls == 1
    model = ScriptedModel([GOOD])
    agent = Agent(model=model, tools=[Desk().submit])
    resumed = await extract(agent, error.state, until_tool_success="submit")
    assert resumed.value == {"title": "a"}
    assert [m.text for m in resumed.messages[:3]] == ["go", "", "x"]


async def test_running_out_of_script_says_so() -> None:
    with pytest.raises(ProviderError, match="no reply left for request 2"):
        await run(Desk(), "hm")


async def test_a_model_that_gives_no_message_is_told_apart() -> None:
    class Parsed(ScriptedModel):
        @override
        def bind_tools(self, *_: Any, **__: Any) -> Any:
            return RunnableLambda(str)

    agent = Agent(model=Parsed(script=[]), tools=[Desk().submit])
    with pytest.raises(ProviderError, match="str") as caught:
        await extract(agent, "go", until_tool_success="submit")
    assert caught.value.type == "unexpected_response"


async def test_a_reply_in_chunks_becomes_a_whole_message() -> None:
    chunk = AIMessageChunk(
        content="",
        tool_call_chunks=[
            {
                "name": "submit",
                "args": '{"title": "a"}',
                "id": "1",
                "index": 0,
                "type": "tool_call_chunk",
            }
        ],
    )
    result, _ = await run(Desk(), chunk)
    assert type(result.messages[1]) is AIMessage


async def test_fallbacks_of_langchain_core_keep_the_progress_of_the_run() -> None:
    desk = Desk()
    first = ScriptedModel([call("search", {"query": "x"}), StatusError(429)])
    second = ScriptedModel([GOOD], model_name="fallback")
    agent = Agent(model=first.with_fallbacks([second]), tools=[desk.submit, desk.search])
    result = await extract(agent, "go", until_tool_success="submit")
    # The second model goes on from where the first one stopped: nothing ran twice.
    assert desk.titles == ["x", "a"]
    assert sorted(result.usage.by_model) == ["fallback", "scripted"]
    assert second.requests[0].tool_names == ("submit", "search")


async def test_an_extract_error_shows_its_trace() -> None:
    with pytest.raises(ExtractError) as caught:
        await run(Desk(), "no", max_nudges=0)
    error = caught.value
    assert error.messages == error.state.messages
    assert (error.warnings, error.attempts) == ((), ())


HALF = "\ud83d"


@pytest.mark.parametrize(
    "reply",
    [
        HALF,
        call(HALF),
        call("submit", f'{{"title": "{HALF}'),
        call("submit", {"title": HALF, "more": HALF}),
        call("submit", {"title": [HALF]}),
    ],
    ids=["prose", "name", "text", "argument", "wrong argument"],
)
async def test_half_of_a_surrogate_pair_is_answered_and_not_a_crash(reply: Any) -> None:
    desk = Desk()
    result, model = await run(desk, reply, GOOD)
    assert result.value in ({"title": "a"}, {"title": HALF})
    assert model.remaining in {0, 1}
