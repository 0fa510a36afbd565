"""Readers of what a run, or a conversation, brought."""

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from agent_runtime import (
    Agent,
    ExtractError,
    HumanReview,
    NoResultError,
    RunInterruptedError,
    RunPausedError,
    State,
    Submitted,
    extract,
    processed_content,
    to_string,
    tool_arguments,
    tool_result,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


def asks(*names: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": n, "args": {"from": n}, "id": n} for n in names])


def answers(name: str, *, failed: bool = False, artifact: object = None) -> ToolMessage:
    status = "error" if failed else "success"
    return ToolMessage(f"by {name}", tool_call_id=name, artifact=artifact, status=status)


HISTORY: list[BaseMessage] = [
    HumanMessage("go"),
    asks("old"),
    answers("old", artifact="old value"),
    asks("a", "b", "c"),
    answers("a", failed=True, artifact="a value"),
    answers("b", artifact={"b": 0}),
    answers("c", artifact="c value"),
    AIMessage("done"),
]


async def test_of_a_result_the_accepted_submission_is_read() -> None:
    def submit(n: int) -> tuple[str, int]:
        """Submit."""
        return "ok", n * 0

    def note(text: str) -> str:
        """Note."""
        return text

    model = ScriptedModel([[call("submit", {"n": "3"}), call("note", {"text": "x"})]])
    result = await extract(Agent(model=model, tools=[submit, note]), "go", until_tool="submit")
    assert processed_content(result) == 0
    assert tool_arguments(result) == {"n": 3}
    assert tool_result(result) is result.tool_message


def test_of_a_conversation_the_first_good_answer_of_the_last_round_is_read() -> None:
    for conversation in (HISTORY, State(HISTORY)):
        assert tool_result(conversation).text == "by b"
        assert processed_content(conversation) == {"b": 0}
        assert tool_arguments(conversation) == {"from": "c"}


def test_if_every_answer_is_an_error_the_last_one_is_read() -> None:
    conversation = [asks("a", "b"), answers("a", failed=True), answers("b", failed=True)]
    assert tool_result(conversation).text == "by b"


def test_an_explicit_none_is_content_and_a_bare_none_is_not() -> None:
    assert processed_content([asks("a"), answers("a", artifact=Submitted(None))]) is None
    with pytest.raises(NoResultError) as caught:
        processed_content([asks("a"), answers("a")])
    assert caught.value.type == "no_processed_content"


def test_without_calls_there_is_nothing_to_read() -> None:
    for read, kind in (
        (tool_result, "no_tool_result"),
        (tool_arguments, "no_tool_arguments"),
        (processed_content, "no_tool_result"),
    ):
        with pytest.raises(NoResultError) as caught:
            read([HumanMessage("go"), AIMessage("prose")])
        assert caught.value.type == kind


async def test_the_error_of_a_run_is_raised_again() -> None:
    with pytest.raises(ExtractError) as caught:
        await extract(Agent(model=ScriptedModel([])), "go")
    for read in (tool_result, tool_arguments, processed_content, to_string):
        with pytest.raises(ExtractError) as again:
            read(caught.value)
        assert again.value is caught.value


async def test_readers_tell_a_run_that_was_interrupted_from_one_that_was_paused() -> None:
    class Pauses:
        async def should_pause(self, _: State) -> str:
            return "later"

    def submit(n: int) -> int:
        """Submit."""
        return n

    for middleware, kind, name in (
        (HumanReview(["submit"]), RunInterruptedError, "interrupted"),
        (Pauses(), RunPausedError, "paused"),
    ):
        model = ScriptedModel([call("submit", {"n": 1})])
        agent = Agent(model=model, tools=[submit], middleware=[middleware])
        with pytest.raises(RunInterruptedError) as caught:
            await extract(agent, "go", until_tool_success="submit")
        for read in (tool_result, tool_arguments, processed_content, to_string):
            with pytest.raises(kind) as again:
                read(caught.value)
            assert again.value is caught.value
            assert again.value.type == name


def test_the_text_of_the_last_reply_is_read_with_its_parts_joined() -> None:
    assert to_string(HISTORY) == to_string(State(HISTORY)) == "done"
    parts: list[str | dict[str, str]] = [
        {"type": "text", "text": "one, "},
        {"type": "image", "url": "https://example.org/a.png"},
        "two",
    ]
    assert to_string([HumanMessage("go"), AIMessage(parts)]) == "one, two"
    assert to_string([AIMessage("")]) == ""


@pytest.mark.parametrize(
    ("conversation", "words"),
    [
        ([], "there is none"),
        (HISTORY[:-1], "it is a tool message"),
        ([HumanMessage("go")], "it is a human message"),
        ([AIMessage("half", response_metadata={"finish_reason": "length"})], "truncated"),
        ([AIMessage("no", response_metadata={"stop_reason": "refusal"})], "refused"),
    ],
)
def test_text_of_what_is_no_whole_reply_is_not_read(
    conversation: list[BaseMessage], words: str
) -> None:
    with pytest.raises(NoResultError, match=words) as caught:
        to_string(conversation)
    assert caught.value.type == "to_string"
    assert caught.value.hint


async def test_a_result_ends_with_an_answer_and_not_with_text() -> None:
    def submit(n: int) -> str:
        """Submit."""
        return str(n)

    agent = Agent(model=ScriptedModel([call("submit", {"n": 1})]), tools=[submit])
    result = await extract(agent, "go", until_tool="submit")
    with pytest.raises(NoResultError, match="it is a tool message") as caught:
        to_string(result)
    assert caught.value.type == "to_string"
