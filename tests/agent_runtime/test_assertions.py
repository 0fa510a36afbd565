"""The assertions of the test kit: they pass where they should, and say why where they fail."""

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from agent_runtime import Agent, AttemptsExhaustedError, extract
from agent_runtime.testing import (
    ScriptedModel,
    assert_attempts,
    assert_calls_answered,
    assert_script_used_up,
    call,
)

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


GOOD, BAD = call("submit_report", {"title": "a"}), call("submit_report", {"title": 7})


def asks(*ids: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": "t", "args": {}, "id": own_id} for own_id in ids])


def answers(*ids: str) -> list[BaseMessage]:
    return [ToolMessage("", tool_call_id=own_id) for own_id in ids]


async def test_attempts_are_compared_in_order() -> None:
    result = await extract(Agent(model=ScriptedModel([BAD, GOOD])), "go", until_tool_success=Report)
    assert_attempts(result, "invalid", "accepted")
    with pytest.raises(AssertionError) as caught:
        assert_attempts(result, "accepted")
    assert "1. invalid: submit_report({'title': 7}), told: " in str(caught.value)
    assert "2. accepted: submit_report({'title': 'a'})" in str(caught.value)


async def test_the_attempts_of_an_error_are_compared_too() -> None:
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(
            Agent(model=ScriptedModel([BAD])), "go", until_tool_success=Report, max_runs=1
        )
    assert_attempts(caught.value, "invalid")
    with pytest.raises(AssertionError, match="invalid"):
        assert_attempts(caught.value)


async def test_a_run_without_an_attempt_says_so() -> None:
    result = await extract(Agent(model=ScriptedModel([GOOD])), "go", until_tool_success=Report)
    cleared = result.trace.__class__()
    error = AttemptsExhaustedError("x", kind="max_runs", trace=cleared)
    assert_attempts(error)
    with pytest.raises(AssertionError, match="nothing was submitted"):
        assert_attempts(error, "accepted")


@pytest.mark.parametrize(
    "conversation",
    [
        [],
        [HumanMessage("go")],
        [HumanMessage("go"), asks("a", "b"), *answers("a", "b"), AIMessage("done")],
        [asks("a"), *answers("a"), HumanMessage("more"), asks("a"), *answers("a")],
    ],
)
def test_a_conversation_in_order_passes(conversation: list[BaseMessage]) -> None:
    assert_calls_answered(conversation)


@pytest.mark.parametrize(
    "conversation",
    [
        [asks("a")],
        [asks("a"), *answers("a", "a")],
        [asks("a", "b"), *answers("b", "a")],
        [asks("a"), AIMessage("done"), *answers("a")],
        [HumanMessage("go"), *answers("a")],
        [asks("a"), HumanMessage("wait"), asks("b"), *answers("b")],
    ],
    ids=["open", "twice", "out of order", "too late", "to no call", "left behind"],
)
def test_a_call_that_is_open_or_answered_out_of_order_is_found(
    conversation: list[BaseMessage],
) -> None:
    with pytest.raises(AssertionError, match="'a'"):
        assert_calls_answered(conversation)


async def test_a_call_whose_arguments_are_no_json_is_to_be_answered_too() -> None:
    model = ScriptedModel([[call("submit_report", "{"), GOOD]])
    result = await extract(Agent(model=model), "go", until_tool_success=Report)
    assert_calls_answered(result.messages)
    with pytest.raises(AssertionError):
        assert_calls_answered(result.messages[:-1])


async def test_a_script_that_is_not_used_up_is_found() -> None:
    model = ScriptedModel([GOOD, "more"])
    await extract(Agent(model=model), "go", until_tool_success=Report)
    with pytest.raises(AssertionError, match=r"1 replies of the script are left.*more"):
        assert_script_used_up(model)
    used_up = ScriptedModel([GOOD])
    await extract(Agent(model=used_up), "go", until_tool_success=Report)
    assert_script_used_up(used_up)
