"""An agent as a tool of another: its value, what it spends, and how it fails."""

from collections.abc import Sequence
from typing import Any

import anyio
import pytest
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.messages import BaseMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    BudgetExceededError,
    DeadlineExceededError,
    Event,
    ExtractError,
    HumanReview,
    InvalidOptionsError,
    Price,
    PriceTable,
    Submitted,
    TargetNotFoundError,
    ToolStarted,
    extract,
    extract_many,
    sub_agent,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Fault(BaseModel):
    node: str
    loss_db: float


class Report(BaseModel):
    title: str


FAULT = call("submit_fault", {"node": "n2", "loss_db": 1.5})
ASK = call("find_fault", {"task": "Which node?"}, call_id="ask")
DONE = call("submit_report", {"title": "n2"})
VALUE = Fault(node="n2", loss_db=1.5)


def finder(*script: Entry, **options: Any) -> tuple[BaseTool, ScriptedModel]:
    model = ScriptedModel(script, model_name="inner")
    chosen: dict[str, Any] = {"until_tool_success": Fault, **options}
    agent = Agent(model=model, system_prompt="Find it.")
    return sub_agent(agent, name="find_fault", description="Finds a fault.", **chosen), model


def caller(tool: BaseTool, *script: Entry, **fields: Any) -> Agent:
    return Agent(model=ScriptedModel(script, model_name="outer"), tools=[tool], **fields)


def answer_of(messages: Sequence[BaseMessage], call_id: str = "ask") -> ToolMessage:
    (found,) = (m for m in messages if isinstance(m, ToolMessage) and m.tool_call_id == call_id)
    return found


async def test_the_value_of_a_sub_agent_is_the_value_of_its_tool() -> None:
    tool, _ = finder(FAULT)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    answer = answer_of(result.messages)
    assert answer.artifact == VALUE
    assert answer.text == '{"node":"n2","loss_db":1.5}'
    assert result.value == Report(title="n2")


async def test_a_sub_agent_can_be_the_submit_tool_and_its_value_is_not_nested() -> None:
    tool, _ = finder(FAULT)
    result = await extract(caller(tool, ASK), "go", until_tool_success="find_fault")
    assert result.value == VALUE
    assert result.model_calls == 1


@pytest.mark.parametrize("value", [None, 0, False, "", [], {}, "text"], ids=repr)
async def test_any_value_passes_as_it_is(value: Any) -> None:
    def submit() -> Submitted:
        """Submit it."""
        return Submitted(value)

    inner = Agent(model=ScriptedModel([call("submit")]), tools=[submit])
    tool = sub_agent(inner, name="find_fault", description="Finds.", until_tool_success="submit")
    result = await extract(caller(tool, ASK), "go", until_tool_success="find_fault")
    assert result.value == value
    assert type(result.value) is type(value)


async def test_a_sub_agent_sees_its_task_and_nothing_else() -> None:
    tool, inner = finder(FAULT)
    await extract(
        caller(tool, ASK, system_prompt="Outer."), "secret", until_tool_success="find_fault"
    )
    assert [message.text for message in inner.requests[0].messages] == ["Find it.", "Which node?"]


async def test_each_call_is_a_run_of_its_own() -> None:
    tool, inner = finder(FAULT, FAULT)
    both = [ASK, call("find_fault", {"task": "And then?"}, call_id="again")]
    result = await extract(caller(tool, both, DONE), "go", until_tool_success=Report)
    assert [request.messages[1].text for request in inner.requests] == ["Which node?", "And then?"]
    assert answer_of(result.messages, "again").artifact == VALUE


async def test_a_task_is_needed() -> None:
    tool, inner = finder(FAULT)
    result = await extract(
        caller(tool, call("find_fault", {"task": ""}), ASK), "go", until_tool_success="find_fault"
    )
    assert [attempt.outcome for attempt in result.attempts] == ["invalid", "accepted"]
    assert len(inner.requests) == 1


async def test_a_run_inside_that_ends_without_a_value_is_an_error_of_the_tool() -> None:
    tool, _ = finder("prose", max_nudges=0)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    answer = answer_of(result.messages)
    assert answer.status == "error"
    assert "TargetNotCalledError: the model answered in prose" in answer.text
    assert result.value == Report(title="n2")


def submit_fault(node: str, loss_db: float) -> str:
    """Submit a fault."""
    if loss_db < 1:
        raise ValueError("too little")
    return node


@pytest.mark.parametrize(("loss_db", "status"), [(1.5, "success"), (0.5, "error")])
async def test_what_went_wrong_inside_is_a_warning_outside_however_it_ended(
    loss_db: float, status: str
) -> None:
    odd = call("submit_fault", {"node": "n2", "loss_db": loss_db, "more": 1})
    tool, _ = finder(odd, "prose", until_tool_success=submit_fault, max_nudges=0)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    assert answer_of(result.messages).status == status
    assert "inside find_fault: submit_fault was sent 'more'" in str(result.warnings[0])


async def test_the_tokens_of_a_sub_agent_are_those_of_the_run_that_called_it() -> None:
    tool, inner = finder("prose", FAULT)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    assert set(result.usage.by_model) == {"inner", "outer"}
    # Its replies are not those of the calling run.
    assert (result.model_calls, len(inner.requests)) == (2, 2)


async def test_the_tokens_of_a_sub_agent_that_failed_are_counted_too() -> None:
    tool, _ = finder("prose", max_nudges=0)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    assert result.usage.by_model["inner"]["total_tokens"] > 0


async def test_a_budget_of_the_calling_run_ends_the_run_inside_and_then_itself() -> None:
    tool, inner = finder(*["prose"] * 9, max_nudges=9, max_runs=10)
    agent = caller(tool, ASK, DONE)
    with pytest.raises(BudgetExceededError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_total_tokens=60)
    assert caught.value.kind == "max_total_tokens"
    assert caught.value.usage.total_tokens >= 60
    assert 0 < inner.remaining < 9
    text = answer_of(caught.value.messages).text
    assert "max_total_tokens=60 of the run that called this agent is spent" in text


async def test_the_budget_of_the_outermost_run_holds_at_any_depth() -> None:
    tool, inner = finder(*["prose"] * 9, max_nudges=9, max_runs=10)
    middle = Agent(model=ScriptedModel([ASK, DONE]), tools=[tool])
    nested = sub_agent(middle, name="write", description="Writes.", until_tool_success=Report)
    agent = caller(nested, call("write", {"task": "go"}), DONE)
    with pytest.raises(BudgetExceededError):
        await extract(agent, "go", until_tool_success=Report, max_total_tokens=60)
    assert 0 < inner.remaining < 9


async def test_the_prices_of_the_calling_run_hold_inside_too() -> None:
    prices = PriceTable({name: Price(input_usd=1.0, output_usd=1.0) for name in ("inner", "outer")})
    tool, inner = finder(*["prose"] * 9, max_nudges=9, max_runs=10)
    with pytest.raises(BudgetExceededError) as caught:
        await extract(
            caller(tool, ASK, DONE),
            "go",
            until_tool_success=Report,
            cost_of=prices,
            max_cost_usd=0.00006,
        )
    assert caught.value.kind == "max_cost_usd"
    assert 0 < inner.remaining < 9


async def test_a_cost_that_is_not_known_inside_is_warned_of_once() -> None:
    prices = PriceTable({"outer": Price(input_usd=1.0, output_usd=1.0)})
    tool, _ = finder(FAULT)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report, cost_of=prices)
    assert result.usage.replies_without_cost == 1
    assert [w.kind for w in result.warnings] == ["cost_unknown"]


async def test_traces_nest_and_functions_are_told_of_their_own_run_only() -> None:
    outside: list[Event] = []
    inside: list[Event] = []
    traced = UsageMetadataCallbackHandler()
    tool, _ = finder(FAULT, callbacks=[inside.append])
    result = await extract(
        caller(tool, ASK, DONE),
        "go",
        until_tool_success=Report,
        callbacks=[traced, outside.append],
    )
    assert traced.usage_metadata == result.usage.by_model
    started = [event.tool_name for event in outside if isinstance(event, ToolStarted)]
    assert started == ["find_fault", "submit_report"]
    assert [event.tool_name for event in inside if isinstance(event, ToolStarted)] == [
        "submit_fault"
    ]


async def test_one_tool_serves_many_runs_at_once_and_each_counts_its_own() -> None:
    tool, _ = finder(*[FAULT] * 20)
    agent = caller(tool, *[ASK] * 20)
    outcomes = await extract_many(
        agent, ["go"] * 20, until_tool_success="find_fault", concurrency=20
    )
    tokens = [
        {name: part["total_tokens"] for name, part in outcome.result.usage.by_model.items()}
        for outcome in outcomes
        if outcome.result is not None
    ]
    assert [outcome.value for outcome in outcomes] == [VALUE] * 20
    assert tokens == [tokens[0]] * 20


async def test_limits_of_the_tool_hold_for_each_call() -> None:
    tool, inner = finder("prose", FAULT, FAULT, max_runs=1)
    result = await extract(caller(tool, ASK, DONE), "go", until_tool_success=Report)
    assert answer_of(result.messages).status == "error"
    assert len(inner.requests) == 1


async def test_the_deadline_of_the_calling_run_stops_the_run_inside() -> None:
    gone: list[str] = []

    async def forever(_: Any) -> str:
        try:
            await anyio.sleep_forever()
        finally:
            gone.append("inner")
        return "never"

    tool, _ = finder("prose", forever)
    with pytest.raises(DeadlineExceededError) as caught:
        await extract(caller(tool, ASK), "go", until_tool_success=Report, deadline_s=0.5)
    assert gone == ["inner"]
    assert "inner" in caught.value.usage.by_model
    assert answer_of(caught.value.messages).status == "error"


async def test_the_time_limit_of_a_tool_holds_for_a_sub_agent() -> None:
    async def forever(_: Any) -> str:
        await anyio.sleep_forever()
        return "never"

    tool, _ = finder(forever)
    agent = caller(tool, ASK, DONE, tool_timeout_s=0.01)
    result = await extract(agent, "go", until_tool_success=Report)
    assert "did not finish within 0.01 s" in answer_of(result.messages).text


async def test_a_sub_agent_is_a_tool_also_where_no_agent_calls_it() -> None:
    tool, _ = finder(call("submit_fault", {"node": "n2", "loss_db": 1.5, "more": 1}))
    message = await tool.ainvoke(
        ToolCall(name="find_fault", args={"task": "Which?"}, id="1", type="tool_call")
    )
    assert message.artifact == VALUE


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name": " "}, AgentDefinitionError),
        ({"name": 3}, AgentDefinitionError),
        ({"description": ""}, AgentDefinitionError),
        ({"until_tool_success": None}, InvalidOptionsError),
        ({"until_tool_success": "nothing"}, TargetNotFoundError),
        ({"max_runs": 0}, InvalidOptionsError),
    ],
    ids=repr,
)
def test_a_sub_agent_that_cannot_be_is_refused_when_it_is_made(
    fields: dict[str, Any], error: type[Exception]
) -> None:
    given: dict[str, Any] = {"name": "a", "description": "b", "until_tool_success": Fault}
    with pytest.raises(error):
        sub_agent(Agent(model=ScriptedModel([])), **{**given, **fields})


def test_a_review_of_a_tool_that_a_sub_agent_lacks_is_refused_when_it_is_made() -> None:
    agent = Agent(model=ScriptedModel([]), middleware=[HumanReview(["submit_fualt"])])
    with pytest.raises(ExtractError, match="HumanReview names"):
        sub_agent(agent, name="a", description="b", until_tool_success=Fault)
