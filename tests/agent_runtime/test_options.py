"""Options and targets are checked before anything is spent."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    ExtractError,
    InvalidOptionsError,
    State,
    TargetNotFoundError,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Title(BaseModel):
    title: str


def submit_result(title: str) -> str:
    """Submit the result."""
    return title


def submit_other(title: str) -> str:
    """Submit something else."""
    return title


def undocumented(title: str) -> str:
    return title


GOOD = call("submit_result", {"title": "a"})


async def refused(conversation: Any = "go", **options: Any) -> ExtractError:
    model = ScriptedModel([GOOD])
    agent = Agent(model=model, tools=[submit_result, submit_other])
    with pytest.raises(ExtractError) as caught:
        await extract(agent, conversation, **options)
    assert not model.requests
    assert caught.value.hint
    assert not caught.value.attempts
    assert caught.value.model_calls == 0
    return caught.value


async def test_no_stop_option_and_both_stop_options_are_the_same_typed_error() -> None:
    for options in ({}, {"until_tool": "submit_result", "until_tool_success": "nowhere"}):
        error = await refused(**options)
        assert isinstance(error, InvalidOptionsError)
        assert error.type == "extract_invalid_opts"


@pytest.mark.parametrize("option", ["until_tool", "until_tool_success"])
async def test_a_tool_that_is_not_on_the_agent_is_named_with_the_nearest(option: str) -> None:
    error = await refused(**{option: "submit_reslut"})
    assert isinstance(error, TargetNotFoundError)
    assert error.type == "extract_tool_not_found"
    assert "submit_reslut" in str(error)
    assert "submit_result" in error.hint


async def test_an_agent_without_tools_is_told_to_have_some() -> None:
    with pytest.raises(TargetNotFoundError, match="no tools") as caught:
        await extract(Agent(model=ScriptedModel([])), "go", until_tool="anything")
    assert "tools=" in caught.value.hint


@pytest.mark.parametrize(
    "target", [False, True, 3, "", [], [None], object(), {"type": "nonsense"}, undocumented, (1,)]
)
async def test_a_target_that_describes_nothing_is_refused(target: Any) -> None:
    error = await refused(until_tool_success=target)
    assert isinstance(error, InvalidOptionsError)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_runs", 0),
        ("max_runs", -1),
        ("max_runs", True),
        ("max_runs", 1.5),
        ("max_runs", None),
        ("max_nudges", -1),
        ("max_submit_attempts", 0),
        ("max_tool_errors", -1),
        ("deadline_s", 0),
        ("deadline_s", float("inf")),
        ("deadline_s", "soon"),
        ("batch_policy", "hope"),
        ("callbacks", 3),
        ("callbacks", [3]),
        ("max_run", 3),
    ],
)
async def test_an_option_out_of_bounds_is_named(name: str, value: Any) -> None:
    error = await refused(until_tool="submit_result", **{name: value})
    assert isinstance(error, InvalidOptionsError)
    assert name in str(error)


async def test_all_faults_of_the_options_are_named_at_once() -> None:
    error = await refused(max_runs=0, max_nudges=-1, deadline=3)
    assert all(part in str(error) for part in ("neither", "max_runs", "max_nudges", "deadline_s"))


@pytest.mark.parametrize("conversation", [[], [3], 3, State()])
async def test_a_conversation_that_cannot_be_read_is_refused(conversation: Any) -> None:
    error = await refused(conversation, until_tool="submit_result")
    assert isinstance(error, InvalidOptionsError)


class Fails:
    async def before_model(self, _: State) -> State:
        raise ValueError("the hook was asked")


async def test_the_first_thing_wrong_is_named_options_targets_conversation_hooks_model() -> None:
    wrong: dict[str, Any] = {"max_runs": 0, "until_tool": "nowhere", "conversation": [3]}
    right: dict[str, Any] = {"max_runs": 5, "until_tool": "submit_result", "conversation": "go"}
    model = ScriptedModel([TimeoutError("the model was asked")])
    types: list[str] = []
    for repaired in range(len(wrong) + 1):
        options = {**wrong, **dict(list(right.items())[:repaired])}
        agent = Agent(model=model, tools=[submit_result], middleware=[Fails()])
        with pytest.raises(ExtractError) as caught:
            await extract(agent, **options)
        types.append(caught.value.type)
        assert not model.requests
    with pytest.raises(ExtractError) as caught:
        await extract(Agent(model=model, tools=[submit_result]), **right)
    types.append(caught.value.type)
    assert types == [
        "extract_invalid_opts",
        "extract_tool_not_found",
        "extract_invalid_opts",
        "middleware_error",
        "timeout",
    ]
    assert len(model.requests) == 1


async def test_two_targets_of_one_name_are_refused() -> None:
    twin = StructuredTool.from_function(submit_other, name="submit_result")
    error = await refused(until_tool=["submit_result", twin])
    assert "another of that name" in str(error)
    assert isinstance(await refused(until_tool=[Title, Title]), InvalidOptionsError)


@pytest.mark.parametrize(
    "target",
    ["submit_result", submit_result, StructuredTool.from_function(submit_result)],
    ids=["name", "function", "tool"],
)
async def test_a_target_may_be_a_name_a_function_or_a_tool(target: Any) -> None:
    model = ScriptedModel([GOOD])
    on_agent = [] if isinstance(target, StructuredTool) else [submit_result]
    agent = Agent(model=model, tools=on_agent)
    result = await extract(agent, "go", until_tool_success=target)
    assert (result.value, result.target) == ({"title": "a"}, target)
    assert model.requests[0].tool_names == ("submit_result",)


async def test_the_result_says_which_of_several_targets_matched() -> None:
    model = ScriptedModel([call("submit_title", {"title": "a"})])
    agent = Agent(model=model, tools=[submit_result])
    result = await extract(agent, "go", until_tool_success=["submit_result", Title])
    assert (result.tool_name, result.target) == ("submit_title", Title)
    assert result.value == Title(title="a")


async def test_the_conversation_is_sent_as_it_is_behind_the_agents_prompt() -> None:
    history = [
        SystemMessage("house rules"),
        HumanMessage("first"),
        AIMessage("", tool_calls=[{"name": "submit_result", "args": {"title": "old"}, "id": "1"}]),
        ToolMessage("old", tool_call_id="1", artifact="old value"),
        HumanMessage("second"),
    ]
    model = ScriptedModel([GOOD])
    agent = Agent(model=model, tools=[submit_result], system_prompt="Be exact.")
    state = State(history, metadata={"tenant": "t1"})
    result = await extract(agent, state, until_tool_success="submit_result")
    sent = model.requests[0].messages
    assert [m.content for m in sent] == ["Be exact.", "house rules", "first", "", "old", "second"]
    # The old submission does not count, and the prompt does not become part of the state.
    assert result.value == {"title": "a"}
    assert list(result.messages[:5]) == history
    assert result.state.metadata == {"tenant": "t1"}
    assert len(state.messages) == 5


async def test_messages_may_be_pairs() -> None:
    model = ScriptedModel([GOOD])
    agent = Agent(model=model, tools=[submit_result])
    await extract(agent, [("user", "hello")], until_tool="submit_result")
    assert model.requests[0].messages == (HumanMessage("hello"),)
