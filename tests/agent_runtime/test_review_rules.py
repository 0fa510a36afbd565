"""What is to be reviewed, and which decisions can be used."""

from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel, field_validator
from shop import LOOK, ORDER, Shop, agent_of, interrupted

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    Approve,
    Decision,
    Edit,
    HumanReview,
    InvalidDecisionsError,
    InvalidOptionsError,
    MiddlewareError,
    PendingCall,
    Reject,
    RunInterruptedError,
    State,
    SubmitTool,
    TargetRejectedError,
    extract,
    resume,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


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


async def test_calls_that_cannot_run_are_answered_without_a_review() -> None:
    shop = Shop()
    bad = call("submit_order", {"item": "tea", "quantity": "many"}, call_id="x")
    agent, model = agent_of(shop, [bad, call("nothing")], ORDER)
    checkpoint = await interrupted(agent)
    assert [pending.call_id for pending in checkpoint.pending] == ["a"]
    assert len(model.requests) == 2


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
