"""What came of a run, as JSON data."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, messages_from_dict
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    InvalidOptionsError,
    State,
    Submitted,
    TargetNotCalledError,
    extract,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Fault(BaseModel):
    node: str
    since: date
    losses_db: list[float] = []


GOOD = call("submit_fault", {"node": "roadm-2", "since": "2026-11-30"}, call_id="good")
BAD = call("submit_fault", {"node": 3}, call_id="bad")


def through_json(data: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(data, allow_nan=False))


async def test_a_result_is_data_with_its_value_attempts_messages_and_tokens() -> None:
    agent = Agent(model=ScriptedModel([BAD, GOOD], model_name="m"))
    state = State([HumanMessage("Which node?")], metadata={"tenant": "t1"})
    result = await extract(agent, state, until_tool_success=Fault)
    data = result.to_dict()
    assert through_json(data) == data
    assert data["status"] == "accepted"
    assert data["value"] == {"node": "roadm-2", "since": "2026-11-30", "losses_db": []}
    assert data["tool_name"] == "submit_fault"
    assert data["raw_args"] == {"node": "roadm-2", "since": "2026-11-30"}
    assert data["args"] == {"node": "roadm-2", "since": "2026-11-30", "losses_db": []}
    assert data["metadata"] == {"tenant": "t1"}
    assert data["model_calls"] == 2
    assert [attempt["outcome"] for attempt in data["attempts"]] == ["invalid", "accepted"]
    assert [problem["path"] for problem in data["attempts"][0]["problems"]] == ["/node", "/since"]
    assert data["usage"]["by_model"]["m"]["total_tokens"] == data["usage"]["total_tokens"]
    assert data["usage"]["total_tokens"] == result.usage.total_tokens


async def test_the_messages_in_the_data_can_be_read_by_langchain_again() -> None:
    model = ScriptedModel([[BAD, GOOD]])
    result = await extract(Agent(model=model), "go", until_tool_success=Fault)
    loaded = messages_from_dict(result.to_dict()["messages"])
    assert [message.text for message in loaded] == [message.text for message in result.messages]
    assert loaded[1] == result.messages[1]
    assert [message.type for message in loaded] == ["human", "ai", "tool", "tool"]


@pytest.mark.parametrize(
    ("script", "kind", "status"),
    [
        (["prose"] * 3, TargetNotCalledError, "until_tool_not_called"),
        ([BAD] * 5, AttemptsExhaustedError, "exceeded_max_runs"),
    ],
)
async def test_an_error_is_data_with_its_type_its_message_and_all_attempts(
    script: Sequence[Entry], kind: type[TargetNotCalledError], status: str
) -> None:
    with pytest.raises(kind) as caught:
        await extract(Agent(model=ScriptedModel(script)), "go", until_tool_success=Fault)
    error = caught.value
    data = error.to_dict()
    assert through_json(data) == data
    assert (data["status"], data["error"]) == (status, kind.__name__)
    assert (data["message"], data["hint"]) == (str(error), error.hint)
    assert len(data["attempts"]) == len(error.attempts)
    assert len(data["messages"]) == len(error.messages)
    assert data["model_calls"] == len(script)


async def test_an_error_before_the_run_is_data_too() -> None:
    with pytest.raises(InvalidOptionsError) as caught:
        await extract(Agent(model=ScriptedModel([])), "go", until_tool_success=Fault, max_runs=0)
    data = caught.value.to_dict()
    assert (data["status"], data["messages"], data["model_calls"]) == (
        "extract_invalid_opts",
        [],
        0,
    )


class Unreadable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Awkward:
    def __repr__(self) -> str:
        return "<an awkward value>"


def containing_itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Awkward(), "<an awkward value>"),
        ([1, Awkward()], [1, "<an awkward value>"]),
        (Unreadable(), "<Unreadable>"),
        (float("nan"), "nan"),
        ({"loss_db": [float("-inf")]}, {"loss_db": ["-inf"]}),
        (b"\xff", "_w=="),
        ({1, 2}, [1, 2]),
        (containing_itself(), "[[...]]"),
        ({date(2026, 11, 30): 1}, {"2026-11-30": 1}),
        (0, 0),
        (None, None),
    ],
)
async def test_whatever_a_body_gives_has_a_form_in_the_data(value: Any, shown: Any) -> None:
    def submit() -> Submitted:
        """Submit."""
        return Submitted(value)

    agent = Agent(model=ScriptedModel([call("submit")]), tools=[submit])
    result = await extract(agent, State(["go"], metadata={"x": value}), until_tool="submit")
    data = result.to_dict()
    assert through_json(data) == data
    assert data["value"] == shown
    assert data["metadata"] == {"x": shown} or isinstance(data["metadata"], str)
