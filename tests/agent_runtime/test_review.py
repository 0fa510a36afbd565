"""Calls wait for a decision before they run, and the run goes on from a value."""

import pytest
from langchain_core.messages import ToolMessage
from pydantic import BaseModel
from shop import LOOK, ORDER, Order, Shop, agent_of, interrupted

from agent_runtime import (
    Agent,
    Answer,
    Approve,
    AttemptsExhaustedError,
    Decision,
    Edit,
    HumanReview,
    InvalidDecisionsError,
    PendingCall,
    Reject,
    RunInterruptedError,
    extract,
    extract_many,
    resume,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


async def test_nothing_of_the_reply_runs_before_the_decision() -> None:
    shop = Shop()
    agent, model = agent_of(shop, [LOOK, ORDER])
    with pytest.raises(RunInterruptedError, match="submit_order waits") as caught:
        await extract(agent, "go", until_tool_success="submit_order")
    assert caught.value.type == "interrupted"
    assert caught.value.checkpoint.pending == (
        PendingCall(call_id="a", tool_name="submit_order", args={"item": "tea", "quantity": 3}),
    )
    assert caught.value.model_calls == 1
    assert caught.value.usage.total_tokens > 0
    assert shop.ran == []
    assert len(model.requests) == 1


async def test_an_approved_submission_ends_the_run_without_another_model_call() -> None:
    shop = Shop()
    agent, model = agent_of(shop, [LOOK, ORDER])
    checkpoint = await interrupted(agent)
    result = await resume(agent, checkpoint, {"a": Approve()}, until_tool_success="submit_order")
    assert result.value == "3 tea"
    assert shop.ran == ["look up tea", "order 3 tea"]
    assert len(model.requests) == result.model_calls == 1
    answers = [m.tool_call_id for m in result.messages if isinstance(m, ToolMessage)]
    assert answers == ["b", "a"]


async def test_edited_arguments_are_validated_run_and_returned() -> None:
    agent = Agent(
        model=ScriptedModel([call("submit_order", {"item": "tea", "quantity": 3}, call_id="a")]),
        middleware=[HumanReview(["submit_order"])],
    )
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success=Order)
    edit: dict[str, Decision] = {"a": Edit({"item": "coffee", "quantity": 2})}
    result = await resume(agent, caught.value.checkpoint, edit, until_tool_success=Order)
    assert result.value == Order(item="coffee", quantity=2)
    assert result.args == {"item": "coffee", "quantity": 2}
    # What the model sent stays on record, and the answer says what was done with it.
    assert result.raw_args == result.attempts[0].raw_args == {"item": "tea", "quantity": 3}
    assert result.tool_message.text.startswith(
        'A reviewer changed the arguments to {"item":"coffee","quantity":2}.'
    )


async def test_edited_arguments_are_the_value_of_a_tool_that_produces_none() -> None:
    def submit_order(item: str, quantity: int) -> str:
        """Submit an order."""
        return f"{quantity} {item}"

    agent = Agent(
        model=ScriptedModel([ORDER]),
        tools=[submit_order],
        middleware=[HumanReview(["submit_order"])],
    )
    checkpoint = await interrupted(agent)
    edit: dict[str, Decision] = {"a": Edit({"item": "coffee", "quantity": 2})}
    result = await resume(agent, checkpoint, edit, until_tool_success="submit_order")
    assert result.value == {"item": "coffee", "quantity": 2}


async def test_a_rejection_goes_back_to_the_model_with_its_reason_and_counts() -> None:
    shop = Shop()
    other = call("submit_order", {"item": "water", "quantity": 1}, call_id="c")
    agent, model = agent_of(shop, ORDER, other)
    checkpoint = await interrupted(agent)
    rejection = {"a": Reject("we are out of tea")}
    with pytest.raises(RunInterruptedError) as again:
        await resume(agent, checkpoint, rejection, until_tool_success="submit_order")
    assert "we are out of tea" in model.requests[1].messages[-1].text
    result = await resume(
        agent, again.value.checkpoint, {"c": Approve()}, until_tool_success="submit_order"
    )
    assert [attempt.outcome for attempt in result.attempts] == ["rejected", "accepted"]
    assert shop.ran == ["order 1 water"]
    assert result.model_calls == 2


async def test_a_rejection_without_a_reason_says_so() -> None:
    agent, model = agent_of(Shop(), ORDER, "no")
    checkpoint = await interrupted(agent)
    with pytest.raises(AttemptsExhaustedError):
        await resume(
            agent, checkpoint, {"a": Reject("")}, until_tool_success="submit_order", max_runs=2
        )
    assert "no reason was given" in model.requests[1].messages[-1].text


async def test_a_reviewer_may_answer_in_the_place_of_a_tool_but_not_submit_so() -> None:
    shop = Shop()
    review = HumanReview(["look_up", "submit_order"])
    agent, model = agent_of(shop, LOOK, ORDER, review=review)
    checkpoint = await interrupted(agent)
    answer = {"b": Answer("there is plenty")}
    with pytest.raises(RunInterruptedError) as again:
        await resume(agent, checkpoint, answer, until_tool_success="submit_order")
    told = model.requests[1].messages[-1]
    assert isinstance(told, ToolMessage)
    assert (told.text, told.status, told.tool_call_id) == ("there is plenty", "success", "b")
    assert shop.ran == []
    with pytest.raises(InvalidDecisionsError, match="cannot be answered"):
        await resume(
            agent,
            again.value.checkpoint,
            {"a": Answer("thanks")},
            until_tool_success="submit_order",
        )


async def test_an_edited_tool_that_answers_in_blocks_keeps_them_behind_the_note() -> None:
    def blocks(item: str) -> ToolMessage:
        """Look at an item."""
        return ToolMessage([{"type": "text", "text": f"saw {item}"}], tool_call_id="")

    model = ScriptedModel([call("blocks", {"item": "tea"}, call_id="a")])
    agent = Agent(model=model, tools=[blocks], middleware=[HumanReview(["blocks"])])
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success="blocks")
    edit = {"a": Edit({"item": "milk"})}
    result = await resume(agent, caught.value.checkpoint, edit, until_tool_success="blocks")
    assert [block["text"] for block in result.tool_message.content] == [  # pyright: ignore[reportArgumentType] -- blocks are dictionaries here
        'A reviewer changed the arguments to {"item":"milk"}.',
        "saw milk",
    ]


async def test_a_reviewer_sees_the_arguments_as_they_will_be_sent() -> None:
    class Basket(BaseModel):
        items: list[str]

    sent = call("submit_basket", {"items": '["tea", "milk"]'}, call_id="a")
    agent = Agent(model=ScriptedModel([sent]), middleware=[HumanReview(["submit_basket"])])
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success=Basket)
    checkpoint = caught.value.checkpoint
    assert checkpoint.pending[0].args == {"items": ["tea", "milk"]}
    result = await resume(agent, checkpoint, {"a": Approve()}, until_tool_success=Basket)
    assert result.value == Basket(items=["tea", "milk"])
    assert [w.kind for w in result.warnings] == ["argument_repaired"]


async def test_an_interrupted_item_of_a_batch_can_be_resumed() -> None:
    shop = Shop()
    agent, _ = agent_of(shop, ORDER)
    (outcome,) = await extract_many(agent, ["go"], until_tool_success="submit_order")
    assert isinstance(outcome.error, RunInterruptedError)
    result = await resume(
        agent, outcome.error.checkpoint, {"a": Approve()}, until_tool_success="submit_order"
    )
    assert (result.value, shop.ran) == ("3 tea", ["order 3 tea"])


async def test_of_two_approved_submissions_only_the_first_that_succeeds_runs() -> None:
    shop = Shop()
    second = call("submit_order", {"item": "milk", "quantity": 1}, call_id="d")
    agent, _ = agent_of(shop, [ORDER, second])
    checkpoint = await interrupted(agent)
    result = await resume(
        agent,
        checkpoint,
        {"a": Approve(), "d": Approve()},
        until_tool_success="submit_order",
    )
    assert (result.value, shop.ran) == ("3 tea", ["order 3 tea"])
    assert [w.kind for w in result.warnings] == ["duplicate_target_call"]


async def test_a_submission_beside_a_call_that_waits_waits_with_it() -> None:
    shop = Shop()
    agent, model = agent_of(shop, [ORDER, LOOK], review=HumanReview(["look_up"]))
    checkpoint = await interrupted(agent)
    assert [pending.call_id for pending in checkpoint.pending] == ["b"]
    assert shop.ran == []
    result = await resume(agent, checkpoint, {"b": Approve()}, until_tool_success="submit_order")
    assert result.value == "3 tea"
    assert shop.ran == ["order 3 tea", "look up tea"]
    assert len(model.requests) == 1
