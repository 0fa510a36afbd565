"""Calls wait for a decision before they run, and the run goes on from a value."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException
from pydantic import BaseModel, Field, field_validator

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    Answer,
    Approve,
    AttemptsExhaustedError,
    BudgetExceededError,
    Checkpoint,
    DeadlineExceededError,
    Decision,
    Edit,
    HumanReview,
    InvalidDecisionsError,
    InvalidOptionsError,
    Middleware,
    MiddlewareError,
    PendingCall,
    Reject,
    RunInterruptedError,
    State,
    SubmitTool,
    TargetRejectedError,
    extract,
    extract_many,
    resume,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Order(BaseModel):
    item: str
    quantity: int = Field(gt=0)


class Shop:
    """Tools with side effects, and how often each ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def submit_order(self, item: str, quantity: int) -> tuple[str, str]:
        """Submit an order."""
        self.ran.append(f"order {quantity} {item}")
        if quantity > 100:
            raise ToolException("too many")
        return "taken", f"{quantity} {item}"

    def look_up(self, item: str) -> str:
        """Look up an item."""
        self.ran.append(f"look up {item}")
        return f"{item} is in stock"


ORDER = call("submit_order", {"item": "tea", "quantity": 3}, call_id="a")
LOOK = call("look_up", {"item": "tea"}, call_id="b")


def agent_of(
    shop: Shop, *script: Entry, review: Middleware | None = None
) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(script)
    middleware = [review or HumanReview(["submit_order"])]
    return Agent(model=model, tools=[shop.submit_order, shop.look_up], middleware=middleware), model


async def interrupted(agent: Agent, **options: Any) -> Checkpoint:
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success="submit_order", **options)
    return caught.value.checkpoint


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


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        ({}, "submit_order ('a'): it has no decision"),
        ({"a": Approve(), "z": Approve()}, "no call 'z' waits"),
        ({"a": "approve"}, "'approve' is no decision"),
        ({"a": Edit({"item": "tea"})}, "/quantity: got nothing"),
        ({"a": Edit({"item": "tea", "quantity": "3 boxes"})}, "/quantity"),
        ({"a": Edit([])}, "must be a mapping, not a list"),  # pyright: ignore[reportArgumentType] -- that is the point
        ({"a": Reject(3)}, "must be a string"),  # pyright: ignore[reportArgumentType] -- that is the point
        ([Approve()], "must map call ids to decisions, not be a list"),
    ],
)
async def test_wrong_or_missing_decisions_are_refused_before_anything_runs(
    decisions: Any, words: str
) -> None:
    shop = Shop()
    agent, model = agent_of(shop, [LOOK, ORDER])
    checkpoint = await interrupted(agent)
    with pytest.raises(InvalidDecisionsError) as caught:
        await resume(agent, checkpoint, decisions, until_tool_success="submit_order")
    assert words in str(caught.value)
    assert caught.value.type == "invalid_decisions"
    assert (shop.ran, len(model.requests)) == ([], 1)
    result = await resume(agent, checkpoint, {"a": Approve()}, until_tool_success="submit_order")
    assert result.value == "3 tea"


async def test_a_run_is_resumed_with_the_submit_tools_it_was_started_with() -> None:
    shop = Shop()
    agent, _ = agent_of(shop, ORDER)
    checkpoint = await interrupted(agent)
    decisions: dict[str, Decision] = {"a": Approve()}
    stops: list[dict[str, Any]] = [
        {"until_tool": "submit_order"},
        {"until_tool_success": "look_up"},
    ]
    for stop in stops:
        with pytest.raises(InvalidOptionsError, match="it was started to stop"):
            await resume(agent, checkpoint, decisions, **stop)
    assert shop.ran == []


async def test_a_tool_that_the_agent_lost_is_told_before_anything_runs() -> None:
    shop = Shop()
    agent, _ = agent_of(shop, LOOK, review=HumanReview(["look_up"]))
    checkpoint = await interrupted(agent)
    other = Agent(model=ScriptedModel([]), tools=[shop.submit_order])
    with pytest.raises(InvalidDecisionsError, match="does not have this tool any more"):
        await resume(other, checkpoint, {"b": Approve()}, until_tool_success="submit_order")


async def test_budgets_go_on_where_they_were() -> None:
    shop = Shop()
    many = call("submit_order", {"item": "tea", "quantity": 500}, call_id="m")
    agent, model = agent_of(shop, many, many)
    checkpoint = await interrupted(agent, max_runs=1)
    with pytest.raises(AttemptsExhaustedError) as caught:
        await resume(
            agent, checkpoint, {"m": Approve()}, until_tool_success="submit_order", max_runs=1
        )
    assert (caught.value.kind, len(caught.value.attempts)) == ("max_runs", 1)
    assert shop.ran == ["order 500 tea"]
    assert len(model.requests) == 1

    with pytest.raises(BudgetExceededError) as tokens:
        await resume(
            agent,
            checkpoint,
            {"m": Approve()},
            until_tool_success="submit_order",
            max_total_tokens=checkpoint.trace.usage.total_tokens,
        )
    assert tokens.value.kind == "max_total_tokens"


async def test_errors_and_nudges_before_the_review_still_count_after_it() -> None:
    shop = Shop()
    wrong = call("look_up", {"item": 3}, call_id="w")
    agent, _ = agent_of(shop, "hm", wrong, ORDER, "hm", "hm")
    checkpoint = await interrupted(agent)
    assert (checkpoint.nudges, checkpoint.tool_errors) == (1, 1)
    reject = {"a": Reject("no")}
    with pytest.raises(AttemptsExhaustedError, match="not accepted in 1 attempts"):
        await resume(
            agent, checkpoint, reject, until_tool_success="submit_order", max_tool_errors=0
        )


async def test_the_time_before_the_review_counts_against_the_deadline() -> None:
    shop = Shop()
    agent, _ = agent_of(shop, ORDER)
    checkpoint = await interrupted(agent, deadline_s=60.0)
    assert 0 <= checkpoint.elapsed_s < 60
    late = replace(checkpoint, elapsed_s=60.0)
    decisions: dict[str, Decision] = {"a": Approve()}
    with pytest.raises(DeadlineExceededError) as caught:
        await resume(agent, late, decisions, until_tool_success="submit_order", deadline_s=60.0)
    assert shop.ran == []
    assert isinstance(caught.value.messages[-1], ToolMessage)
    result = await resume(
        agent, late, decisions, until_tool_success="submit_order", deadline_s=90.0
    )
    assert result.value == "3 tea"


async def test_calls_that_cannot_run_are_answered_without_a_review() -> None:
    shop = Shop()
    bad = call("submit_order", {"item": "tea", "quantity": "many"}, call_id="x")
    agent, model = agent_of(shop, [bad, call("nothing")], ORDER)
    checkpoint = await interrupted(agent)
    assert [pending.call_id for pending in checkpoint.pending] == ["a"]
    assert len(model.requests) == 2


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


async def test_arguments_that_cannot_be_judged_are_no_reason_for_a_review() -> None:
    class Fussy(BaseModel):
        item: str

        @field_validator("item")
        @classmethod
        def known(cls, item: str) -> str:
            return {"tea": "Tea"}[item]

    odd, good = (call("submit_fussy", {"item": item}, call_id=item) for item in ("coffee", "tea"))
    agent = Agent(model=ScriptedModel([odd, good]), middleware=[HumanReview(["submit_fussy"])])
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success=Fussy)
    checkpoint = caught.value.checkpoint
    assert [pending.call_id for pending in checkpoint.pending] == ["tea"]
    assert "KeyError" in checkpoint.trace.attempts[0].answer
    edit = {"tea": Edit({"item": "milk"})}
    with pytest.raises(InvalidDecisionsError, match="cannot be validated"):
        await resume(agent, checkpoint, edit, until_tool_success=Fussy)


async def test_a_step_before_the_body_judges_edited_arguments_too() -> None:
    ran: list[object] = []

    def submit(text: str) -> str:
        """Submit a text."""
        ran.append(text)
        return "ok"

    def parse(args: dict[str, Any]) -> Mapping[str, Any] | str:
        return {"text": args["text"].strip()} if args["text"].strip() else "it is blank"

    model = ScriptedModel([call("submit", {"text": " a "}, call_id="a")])
    agent = Agent(
        model=model,
        tools=[SubmitTool(submit, parse_args=parse)],
        middleware=[HumanReview(["submit"])],
    )
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool="submit")
    checkpoint = caught.value.checkpoint
    with pytest.raises(TargetRejectedError, match="it is blank"):
        await resume(agent, checkpoint, {"a": Edit({"text": "  "})}, until_tool="submit")
    assert ran == []
    result = await resume(agent, checkpoint, {"a": Approve()}, until_tool="submit")
    assert (result.value, ran) == ({"text": "a"}, ["a"])


class Rule:
    """A review by a rule."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.seen: list[tuple[int, PendingCall]] = []

    async def needs_review(self, state: State, waiting: PendingCall, /) -> bool:
        self.seen.append((len(state.messages), waiting))
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Any = self.answer(waiting) if callable(self.answer) else self.answer
        return answer


async def test_every_rule_is_asked_until_one_wants_a_review() -> None:
    class Watches:
        def on_event(self, _: object) -> None:
            pass

    shop = Shop()
    rules = [Rule(answer=None), Rule(answer=False), Rule(answer=True), Rule(answer=True)]
    agent = Agent(
        model=ScriptedModel([ORDER]), tools=[shop.submit_order], middleware=[Watches(), *rules]
    )
    checkpoint = await interrupted(agent)
    assert len(checkpoint.pending) == 1
    assert [len(rule.seen) for rule in rules] == [1, 1, 1, 0]


async def test_a_rule_decides_by_the_arguments() -> None:
    shop = Shop()

    def is_large(waiting: PendingCall) -> bool:
        return waiting.args["quantity"] > 10

    rule = Rule(is_large)
    agent, _ = agent_of(shop, ORDER, review=rule)
    result = await extract(agent, "go", until_tool_success="submit_order")
    assert result.value == "3 tea"
    assert [(count, waiting.call_id) for count, waiting in rule.seen] == [(1, "a")]


async def test_a_rule_that_fails_or_answers_nonsense_ends_the_run_before_anything_runs() -> None:
    for answer, words in ((LookupError("no policy"), "no policy"), ("yes", "a str, not a bool")):
        shop = Shop()
        agent, _ = agent_of(shop, ORDER, review=Rule(answer))
        with pytest.raises(MiddlewareError, match=words) as caught:
            await extract(agent, "go", until_tool_success="submit_order")
        assert shop.ran == []
        assert not any(isinstance(m, AIMessage) for m in caught.value.messages)


@pytest.mark.parametrize("tools", [[], "submit_order", None, 3, [1]])
def test_a_review_of_nothing_in_particular_is_refused(tools: Any) -> None:
    with pytest.raises(AgentDefinitionError, match="list of tool names"):
        HumanReview(tools)


async def test_a_review_of_a_tool_that_is_not_there_is_refused_before_the_model_is_called() -> None:
    agent, model = agent_of(Shop(), ORDER, review=HumanReview(["submit_oder"]))
    with pytest.raises(InvalidOptionsError, match="submit_oder") as caught:
        await extract(agent, "go", until_tool_success="submit_order")
    assert "submit_order" in caught.value.hint
    assert not model.requests
    agent, _ = agent_of(Shop(), ORDER, review=HumanReview(["xyz"]))
    with pytest.raises(InvalidOptionsError, match="xyz"):
        await extract(agent, "go", until_tool_success="submit_order")


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
