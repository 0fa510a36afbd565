"""A run ends: by a value, or because an exact budget is spent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    BudgetExceededError,
    ExtractError,
    TargetNotCalledError,
    extract,
)
from agent_runtime.testing import Entry, ScriptedModel, assert_calls_answered, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str
    score: int


def search(query: str) -> str:
    """Search the documents."""
    return f"found {query}"


GOOD = call("submit_report", {"title": "a", "score": 1})
BAD = call("submit_report", {"title": 7})


def agent_of(*script: Entry) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(script)
    return Agent(model=model, tools=[search]), model


async def test_a_perfect_first_reply_is_enough_with_one_run() -> None:
    agent, model = agent_of(GOOD)
    result = await extract(agent, "go", until_tool_success=Report, max_runs=1)
    assert result.value == Report(title="a", score=1)
    assert (result.model_calls, len(model.requests)) == (1, 1)


@pytest.mark.parametrize("runs", [1, 2, 5, 8])
async def test_the_last_of_the_runs_is_used(runs: int) -> None:
    agent, model = agent_of(*[BAD] * (runs - 1), GOOD)
    result = await extract(agent, "go", until_tool_success=Report, max_runs=runs)
    assert result.value == Report(title="a", score=1)
    assert [attempt.outcome for attempt in result.attempts] == ["invalid"] * (runs - 1) + [
        "accepted"
    ]
    assert [attempt.run for attempt in result.attempts] == list(range(1, runs + 1))
    assert len(model.requests) == runs


@pytest.mark.parametrize("runs", [1, 3, 5])
async def test_bad_submissions_exhaust_exactly_the_runs_and_are_all_recorded(runs: int) -> None:
    agent, model = agent_of(*[BAD] * (runs + 1))
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_runs=runs)
    error = caught.value
    assert (error.type, error.kind) == ("exceeded_max_runs", "max_runs")
    assert len(model.requests) == error.model_calls == len(error.attempts) == runs
    assert all(attempt.raw_args == {"title": 7} for attempt in error.attempts)
    assert [p.path for p in error.attempts[-1].problems] == ["/title", "/score"]
    # The message names the last errors, and no call in the conversation is left open.
    assert "/title: got 7" in str(error)
    assert isinstance(error.messages[-1], ToolMessage)
    assert error.usage.total_tokens > 0


async def test_five_replies_may_be_used_unless_another_number_is_given() -> None:
    agent, model = agent_of(*[BAD] * 6)
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=Report)
    assert (caught.value.model_calls, model.remaining) == (5, 1)


async def test_submit_attempts_have_a_budget_of_their_own() -> None:
    agent, model = agent_of(BAD, BAD, GOOD)
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_submit_attempts=2)
    assert (caught.value.type, caught.value.kind) == (
        "exceeded_failure_count",
        "max_submit_attempts",
    )
    assert len(model.requests) == 2


async def test_submissions_beyond_the_budget_in_one_reply_are_not_made() -> None:
    agent, _ = agent_of([BAD, BAD, GOOD])
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_submit_attempts=2)
    answers = [m.text for m in caught.value.messages if isinstance(m, ToolMessage)]
    assert len(caught.value.attempts) == 2
    assert "no submission is left" in answers[2]


async def test_errors_of_other_tools_are_borne_up_to_their_budget() -> None:
    wrong = call("search", {"query": 3})
    agent, model = agent_of(wrong, wrong, GOOD)
    result = await extract(agent, "go", until_tool_success=Report, max_tool_errors=2)
    assert result.value.title == "a"

    agent, model = agent_of(wrong, wrong, wrong, GOOD)
    with pytest.raises(BudgetExceededError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_tool_errors=2)
    assert not isinstance(caught.value, AttemptsExhaustedError)
    assert (caught.value.type, caught.value.kind) == ("exceeded_failure_count", "max_tool_errors")
    assert len(model.requests) == 3


async def test_runs_spent_on_other_tools_exceed_the_budget_without_an_attempt() -> None:
    agent, _ = agent_of(*[call("search", {"query": "x"})] * 3)
    with pytest.raises(BudgetExceededError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_runs=2)
    assert not isinstance(caught.value, AttemptsExhaustedError)
    assert caught.value.type == "exceeded_max_runs"
    assert "submit_report" in str(caught.value)


async def test_prose_is_answered_by_a_nudge_that_names_the_tool() -> None:
    agent, model = agent_of("I think it is a.", GOOD)
    result = await extract(agent, "go", until_tool_success=Report)
    assert result.value.title == "a"
    assert "`submit_report`" in model.requests[1].messages[-1].text
    assert result.model_calls == 2


async def test_prose_for_ever_ends_after_the_nudges() -> None:
    agent, model = agent_of(*["no"] * 9)
    with pytest.raises(TargetNotCalledError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_nudges=2, max_runs=9)
    assert caught.value.type == "until_tool_not_called"
    assert len(model.requests) == 3
    assert "2 times" in str(caught.value)


async def test_prose_in_the_last_run_is_called_by_its_name() -> None:
    agent, model = agent_of("no", GOOD)
    with pytest.raises(TargetNotCalledError):
        await extract(agent, "go", until_tool_success=Report, max_runs=1)
    assert len(model.requests) == 1


async def test_prose_after_rejected_attempts_still_names_the_attempts() -> None:
    agent, _ = agent_of(BAD, "no")
    with pytest.raises(AttemptsExhaustedError, match="/title"):
        await extract(agent, "go", until_tool_success=Report, max_runs=2)


async def test_an_empty_reply_is_nudged_and_not_sent_back() -> None:
    agent, model = agent_of(AIMessage(""), GOOD)
    result = await extract(agent, "go", until_tool_success=Report)
    assert [type(m).__name__ for m in model.requests[1].messages] == ["HumanMessage"] * 2
    assert result.messages[1] == AIMessage(
        "",
        usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        response_metadata={"model_name": "scripted"},
        id=result.messages[1].id,
    )


REPLIES = st.sampled_from(
    [GOOD, BAD, "prose", call("search", {"query": "x"}), call("nothing", {}), [BAD, BAD]]
)


@given(script=st.lists(REPLIES, min_size=1, max_size=8), runs=st.integers(1, 6))
async def test_whatever_the_model_does_the_run_ends_and_every_call_is_answered(
    script: list[Entry], runs: int
) -> None:
    agent, model = agent_of(*script, *[GOOD] * runs)
    try:
        result = await extract(agent, "go", until_tool_success=Report, max_runs=runs)
    except ExtractError as error:
        trace = error.trace
    else:
        trace = result.trace
        assert result.value == Report(title="a", score=1)
    assert len(model.requests) == trace.model_calls <= runs
    assert_calls_answered(trace.state.messages)
