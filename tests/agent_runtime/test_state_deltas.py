"""A tool changes the state of the run by the state that it gives beside its text, exactly once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from pydantic import BaseModel

from agent_runtime import (
    UNSET,
    Agent,
    Approve,
    HumanReview,
    RunInterruptedError,
    State,
    Submitted,
    TargetNotCalledError,
    dump_checkpoint,
    extract,
    load_checkpoint,
    resume,
    sub_agent,
)
from agent_runtime.testing import Entry, ScriptedCall, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


DONE = call("submit_report", {"title": "a"}, call_id="s")
REPORT: dict[str, Any] = {"until_tool_success": Report}


class Notes:
    """Tools that change the state of the run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def remember(self, key: str, value: Any) -> tuple[str, State]:
        """Remember a value."""
        self.ran.append(key)
        return f"remembered {key}", State(metadata={key: value})

    def forget(self, key: str) -> State:
        """Forget a value."""
        return State(metadata={key: UNSET})

    def agent(self, *script: Entry, **options: Any) -> Agent:
        return Agent(model=ScriptedModel(script), tools=[self.remember, self.forget], **options)


def remember(key: str, value: Any, call_id: str = "r") -> ScriptedCall:
    return call("remember", {"key": key, "value": value}, call_id=call_id)


async def test_what_a_tool_changes_is_in_the_state_of_the_result() -> None:
    start = State(["go"], metadata={"tenant": "t", "old": [1, {"a": 2}]})
    agent = Notes().agent(remember("old", [3]), remember("new", None), DONE)
    result = await extract(agent, start, **REPORT)
    # By key: a value is replaced as a whole, and None is a value.
    assert result.state.metadata == {"tenant": "t", "old": [3], "new": None}
    assert start.metadata == {"tenant": "t", "old": [1, {"a": 2}]}
    assert [m.text for m in result.messages if isinstance(m, ToolMessage)] == [
        "remembered old",
        "remembered new",
        "accepted",
    ]


async def test_a_key_can_be_taken_out_also_one_that_is_not_there() -> None:
    agent = Notes().agent(*[call("forget", {"key": key}) for key in ("a", "b")], DONE)
    result = await extract(agent, State(["go"], metadata={"a": 1, "c": 2}), **REPORT)
    assert result.state.metadata == {"c": 2}
    answers = [m.text for m in result.messages if isinstance(m, ToolMessage)]
    assert answers == ["done", "done", "accepted"]


async def test_of_several_changes_in_one_reply_the_last_in_call_order_holds() -> None:
    batch = [remember("a", 1, "1"), remember("a", 2, "2"), remember("b", 3, "3"), DONE]
    result = await extract(Notes().agent(batch), "go", **REPORT)
    assert result.state.metadata == {"a": 2, "b": 3}


async def test_hooks_see_the_change_before_the_next_model_call() -> None:
    seen: list[dict[str, Any]] = []

    class Watches:
        async def before_model(self, state: State) -> None:
            seen.append(dict(state.metadata))

    await extract(Notes().agent(remember("a", 1), DONE, middleware=[Watches()]), "go", **REPORT)
    assert seen == [{}, {"a": 1}]


async def test_a_submission_may_change_the_state_too_and_it_is_the_value() -> None:
    def submit(title: str) -> tuple[str, State]:
        """Submit."""
        return "ok", State(metadata={"title": title})

    def submit_wrapped(title: str) -> Submitted:
        """Submit."""
        return Submitted(State(metadata={"title": title}), "ok")

    for tool in (submit, submit_wrapped):
        model = ScriptedModel([call(tool.__name__, {"title": "a"})])
        result = await extract(Agent(model=model), "go", until_tool_success=tool)
        assert result.value == State(metadata={"title": "a"})
        assert result.state.metadata == {"title": "a"}


async def test_a_call_that_failed_changes_nothing() -> None:
    def raises() -> State:
        """Raise."""
        raise ToolException("no")

    def answers_by_an_error() -> ToolMessage:
        """Answer by an error."""
        delta = State(metadata={"a": 1})
        return ToolMessage("no", artifact=delta, status="error", tool_call_id="")

    tools = [raises, answers_by_an_error]
    model = ScriptedModel([*[call(tool.__name__, {}) for tool in tools], DONE])
    result = await extract(Agent(model=model, tools=tools), "go", **REPORT)
    assert result.state.metadata == {}


async def test_a_change_is_kept_by_the_error_of_a_run_without_a_value() -> None:
    agent = Notes().agent(remember("a", 1), "prose")
    with pytest.raises(TargetNotCalledError) as caught:
        await extract(agent, "go", max_nudges=0, **REPORT)
    assert caught.value.state.metadata == {"a": 1}


async def test_messages_in_a_change_are_refused_and_nothing_of_it_is_taken() -> None:
    def talks() -> tuple[str, State]:
        """Talk."""
        return "ok", State(["and besides"], metadata={"a": 1})

    model = ScriptedModel([call("talks", {}), DONE])
    result = await extract(Agent(model=model, tools=[talks]), "go", **REPORT)
    assert result.state.metadata == {}
    told = next(m for m in result.messages if isinstance(m, ToolMessage))
    assert (told.status, "a state with messages" in told.text) == ("error", True)
    assert [m.type for m in result.messages] == ["human", "ai", "tool", "ai", "tool"]


async def test_a_change_before_a_review_is_made_once_and_goes_through_json() -> None:
    notes = Notes()
    script = [remember("count", 1, "1"), [remember("late", 2, "2"), DONE]]
    agent = notes.agent(*script, middleware=[HumanReview(["submit_report"])])
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", **REPORT)
    assert caught.value.state.metadata == {"count": 1}
    checkpoint = load_checkpoint(dump_checkpoint(caught.value.checkpoint))
    result = await resume(notes.agent(), checkpoint, {"s": Approve()}, **REPORT)
    assert result.state.metadata == {"count": 1, "late": 2}
    assert notes.ran == ["count", "late"]
    assert result.warnings == ()


async def test_a_change_beside_a_run_that_waits_inside_is_not_made_again() -> None:
    notes = Notes()

    def outside(script: Sequence[Entry], inside: Sequence[Entry]) -> Agent:
        asked = Agent(model=ScriptedModel(inside), middleware=[HumanReview(["submit_report"])])
        ask = sub_agent(asked, name="ask", description="Asks.", **REPORT)
        return Agent(model=ScriptedModel(script), tools=[ask, notes.remember, notes.forget])

    ask = call("ask", {"task": "report"}, call_id="o")
    batch = [remember("a", 1), call("forget", {"key": "b"}, call_id="f"), ask]
    start = State(["go"], metadata={"b": 2})
    options: dict[str, Any] = {"until_tool_success": "ask"}
    with pytest.raises(RunInterruptedError) as caught:
        await extract(outside([batch], [DONE]), start, **options)
    assert caught.value.state.metadata == {"a": 1}
    kept = caught.value.checkpoint
    for checkpoint in (kept, load_checkpoint(dump_checkpoint(kept))):
        # Made again, the change would undo what was changed since.
        since = checkpoint.trace.state.with_metadata({"a": 9, "b": 8})
        later = replace(checkpoint, trace=replace(checkpoint.trace, state=since))
        result = await resume(outside([], []), later, {"s": Approve()}, **options)
        assert result.state.metadata == {"a": 9, "b": 8}
        assert result.warnings == ()
    assert notes.ran == ["a"]


async def test_the_value_of_a_sub_agent_may_be_a_change_and_shows_nothing_to_the_model() -> None:
    def submit(secret: str) -> State:
        """Submit."""
        return State(metadata={"secret": secret})

    inside = Agent(model=ScriptedModel([call("submit", {"secret": "x"})]), tools=[submit])
    ask = sub_agent(inside, name="ask", description="Asks.", until_tool_success="submit")
    model = ScriptedModel([call("ask", {"task": "go"}), DONE])
    result = await extract(Agent(model=model, tools=[ask]), "go", **REPORT)
    assert result.state.metadata == {"secret": "x"}
    assert model.requests[1].messages[-1].text == "done"


_METADATA = st.dictionaries(st.sampled_from("abcd"), st.none() | st.integers() | st.just(UNSET))


@given(st.lists(_METADATA, max_size=5))
def test_changes_in_turn_are_what_a_dictionary_would_be(changes: list[dict[str, Any]]) -> None:
    state, expected = State(["go"]), dict[str, Any]()
    for change in changes:
        state = state.with_metadata(change)
        for key, value in change.items():
            if value is UNSET:
                expected.pop(key, None)
            else:
                expected[key] = value
    assert state.metadata == expected
    assert state.messages == State(["go"]).messages
