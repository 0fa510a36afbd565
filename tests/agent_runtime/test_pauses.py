"""Middleware pauses a run before the calls of a reply, and the run goes on from a value."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agent_runtime import (
    Agent,
    Approve,
    AttemptsExhaustedError,
    Checkpoint,
    DeadlineExceededError,
    HumanReview,
    InvalidDecisionsError,
    Middleware,
    MiddlewareError,
    RunInterruptedError,
    RunPausedError,
    State,
    TargetNotCalledError,
    ToolFinished,
    dump_checkpoint,
    extract,
    extract_many,
    extract_stream,
    load_checkpoint,
    resume,
    resume_stream,
    sub_agent,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Drains:
    """Pauses while `reason` is set, and remembers what it was asked with."""

    def __init__(self, reason: str | None = "the machine is drained") -> None:
        self.reason = reason
        self.asked: list[State] = []

    async def should_pause(self, state: State) -> str | None:
        self.asked.append(state)
        return self.reason


class Desk:
    """Tools with side effects, and how often each ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def submit_report(self, title: str) -> tuple[str, str]:
        """Submit a report."""
        self.ran.append(f"submit {title}")
        return "taken", title.upper()

    def look_up(self, item: str) -> str:
        """Look up an item."""
        self.ran.append(f"look up {item}")
        return f"{item} is there"

    def agent(self, *script: Entry, middleware: Sequence[Middleware] = ()) -> Agent:
        tools = [self.submit_report, self.look_up]
        return Agent(model=ScriptedModel(script), tools=tools, middleware=middleware)


LOOK = call("look_up", {"item": "tea"}, call_id="l")
DONE = call("submit_report", {"title": "a"}, call_id="s")
BAD = call("submit_report", {}, call_id="b")
REPORT: dict[str, Any] = {"until_tool_success": "submit_report"}


async def paused(agent: Agent, **options: Any) -> RunPausedError:
    with pytest.raises(RunPausedError) as caught:
        await extract(agent, "go", **REPORT | options)
    return caught.value


async def test_a_paused_run_has_executed_nothing_of_the_reply_and_says_why() -> None:
    desk, drains = Desk(), Drains()
    error = await paused(desk.agent([LOOK, DONE], middleware=[drains]))
    assert (error.type, error.reason) == ("paused", "the machine is drained")
    assert "the machine is drained" in str(error)
    assert isinstance(error, RunInterruptedError)
    assert error.checkpoint.pending == ()
    assert error.model_calls == 1
    assert error.usage.total_tokens > 0
    assert desk.ran == []


async def test_the_middleware_is_asked_with_the_reply_in_the_conversation() -> None:
    drains = Drains()
    error = await paused(Desk().agent("hm", [LOOK, DONE], middleware=[drains]))
    # Once: the prose before had no calls to hold back.
    (state,) = drains.asked
    last = state.messages[-1]
    assert isinstance(last, AIMessage)
    assert [each["id"] for each in last.tool_calls] == ["l", "s"]
    assert state == error.state


async def test_a_resumed_run_executes_the_calls_once_and_needs_no_further_reply() -> None:
    desk = Desk()
    error = await paused(desk.agent([LOOK, DONE], middleware=[Drains()]))
    result = await resume(desk.agent(middleware=[Drains()]), error.checkpoint, {}, **REPORT)
    assert result.value == "A"
    assert desk.ran == ["look up tea", "submit a"]
    assert result.model_calls == 1
    answers = [m.tool_call_id for m in result.messages if isinstance(m, ToolMessage)]
    assert answers == ["l", "s"]


async def test_a_run_can_be_paused_again_after_each_reply_and_always_gets_on() -> None:
    desk = Desk()
    agent = desk.agent(LOOK, LOOK, DONE, middleware=[Drains()])
    error = await paused(agent)
    for replies in (2, 3):
        with pytest.raises(RunPausedError) as again:
            await resume(agent, error.checkpoint, {}, **REPORT)
        error = again.value
        assert error.model_calls == replies
    result = await resume(agent, error.checkpoint, {}, **REPORT)
    assert (result.value, result.model_calls) == ("A", 3)
    assert desk.ran == ["look up tea", "look up tea", "submit a"]


async def test_without_a_reason_a_run_goes_on() -> None:
    for reason in (None, ""):
        desk = Desk()
        result = await extract(desk.agent(LOOK, DONE, middleware=[Drains(reason)]), "go", **REPORT)
        assert result.value == "A"


async def test_of_several_middleware_the_first_with_a_reason_is_told() -> None:
    drains = Drains(None), Drains("one"), Drains("two")
    error = await paused(Desk().agent(DONE, middleware=drains))
    assert error.reason == "one"
    assert [len(each.asked) for each in drains] == [1, 1, 0]


async def test_a_reply_without_calls_has_nothing_to_hold_back() -> None:
    drains = Drains()
    agent = Desk().agent("one", "two", middleware=[drains])
    with pytest.raises(TargetNotCalledError):
        await extract(agent, "go", max_nudges=1, **REPORT)
    assert drains.asked == []


async def test_budgets_go_on_after_a_pause() -> None:
    desk = Desk()
    error = await paused(desk.agent(BAD, middleware=[Drains()]), max_runs=2)
    with pytest.raises(AttemptsExhaustedError) as spent:
        await resume(desk.agent(BAD), error.checkpoint, {}, **REPORT, max_runs=2)
    assert (spent.value.kind, spent.value.model_calls) == ("max_runs", 2)
    assert len(spent.value.attempts) == 2


async def test_the_time_before_a_pause_counts_against_the_deadline_and_the_wait_does_not() -> None:
    error = await paused(Desk().agent(DONE, middleware=[Drains()]), deadline_s=60)
    desk = Desk()
    result = await resume(desk.agent(), error.checkpoint, {}, **REPORT, deadline_s=60)
    assert result.value == "A"
    late = replace(error.checkpoint, elapsed_s=61.0)
    with pytest.raises(DeadlineExceededError) as caught:
        await resume(desk.agent(), late, {}, **REPORT, deadline_s=60)
    assert desk.ran == ["submit a"]
    last = caught.value.messages[-1]
    assert isinstance(last, ToolMessage)
    assert last.tool_call_id == "s"


async def test_a_paused_run_goes_through_json_and_ends_as_one_that_was_never_paused() -> None:
    def script() -> list[Entry]:
        return [BAD, [LOOK, DONE]]

    straight = await extract(Desk().agent(*script()), "go", **REPORT)
    desk = Desk()
    agent = desk.agent(*script(), middleware=[Drains()])
    error = await paused(agent)
    with pytest.raises(RunPausedError) as again:
        await resume(agent, through_json(error.checkpoint), {}, **REPORT)
    result = await resume(desk.agent(), through_json(again.value.checkpoint), {}, **REPORT)
    assert (result.value, result.attempts) == (straight.value, straight.attempts)
    assert [m.text for m in result.messages] == [m.text for m in straight.messages]
    assert desk.ran == ["look up tea", "submit a"]


def through_json(checkpoint: Checkpoint) -> Checkpoint:
    return load_checkpoint(dump_checkpoint(checkpoint))


async def test_what_waits_for_a_decision_is_not_paused_besides() -> None:
    desk, drains = Desk(), Drains()
    middleware = [HumanReview(["submit_report"]), drains]
    agent = desk.agent([LOOK, DONE], middleware=middleware)
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", **REPORT)
    assert caught.value.type == "interrupted"
    assert drains.asked == []
    result = await resume(agent, caught.value.checkpoint, {"s": Approve()}, **REPORT)
    assert result.value == "A"


async def test_there_is_nothing_to_decide_about_a_pause() -> None:
    desk = Desk()
    error = await paused(desk.agent(DONE, middleware=[Drains()]))
    with pytest.raises(InvalidDecisionsError, match="no call 's' waits"):
        await resume(desk.agent(), error.checkpoint, {"s": Approve()}, **REPORT)
    assert desk.ran == []


async def test_a_hook_that_fails_or_answers_nonsense_ends_the_run_before_anything_runs() -> None:
    class Breaks:
        async def should_pause(self, _: State) -> str | None:
            raise LookupError("no such machine")

    class Agrees:
        async def should_pause(self, _: State) -> Any:
            return True

    desk = Desk()
    for middleware, words in (
        (Breaks(), "should_pause of Breaks failed: LookupError: no such machine"),
        (Agrees(), "should_pause of Agrees failed.*a bool, not a str or None"),
    ):
        with pytest.raises(MiddlewareError, match=words) as caught:
            await extract(desk.agent(DONE, middleware=[middleware]), "go", **REPORT)
        assert caught.value.messages == (HumanMessage("go"),)
    assert desk.ran == []


async def test_a_run_that_is_cancelled_while_it_is_asked_has_executed_nothing() -> None:
    class Thinks:
        async def should_pause(self, _: State) -> str | None:
            asked.set()
            await anyio.sleep_forever()

    asked, desk = anyio.Event(), Desk()
    async with anyio.create_task_group() as tasks:
        agent = desk.agent(DONE, middleware=[Thinks()])
        tasks.start_soon(lambda: extract(agent, "go", **REPORT))
        await asked.wait()
        tasks.cancel_scope.cancel()
    assert desk.ran == []


async def test_a_stream_ends_with_the_pause_and_a_resumed_one_tells_of_the_calls() -> None:
    desk = Desk()

    async def watch() -> None:
        async with extract_stream(desk.agent(DONE, middleware=[Drains()]), "go", **REPORT) as told:
            async for _ in told:
                pass

    with pytest.raises(RunPausedError) as caught:
        await watch()
    checkpoint = caught.value.checkpoint
    async with resume_stream(desk.agent(), checkpoint, {}, **REPORT) as events:
        seen = [event async for event in events]
    assert [each.call_id for each in seen if isinstance(each, ToolFinished)] == ["s"]
    assert seen[-1].kind == "finished"


async def test_a_paused_item_of_a_batch_can_be_resumed() -> None:
    desk = Desk()
    (outcome,) = await extract_many(desk.agent(DONE, middleware=[Drains()]), ["go"], **REPORT)
    assert isinstance(outcome.error, RunPausedError)
    result = await resume(desk.agent(), outcome.error.checkpoint, {}, **REPORT)
    assert result.value == "A"


def outside(desk: Desk, script: Sequence[Entry], inside: Agent) -> Agent:
    look = sub_agent(inside, name="ask_desk", description="Asks.", **REPORT)
    return Agent(model=ScriptedModel(script), tools=[look, desk.look_up])


ASK = call("ask_desk", {"task": "report"}, call_id="o")
ASKED: dict[str, Any] = {"until_tool_success": "ask_desk"}


async def test_a_pause_inside_of_a_sub_agent_pauses_the_calling_run_and_both_go_on_once() -> None:
    desk = Desk()
    agent = outside(desk, [[LOOK, ASK]], desk.agent(DONE, middleware=[Drains("inside")]))
    error = await paused(agent, **ASKED)
    assert (error.reason, error.checkpoint.pending) == ("inside", ())
    assert desk.ran == ["look up tea"]
    checkpoint = through_json(error.checkpoint)
    result = await resume(outside(desk, [], desk.agent()), checkpoint, {}, **ASKED)
    assert result.value == "A"
    assert desk.ran == ["look up tea", "submit a"]


async def test_a_pause_inside_after_the_submission_is_left_and_warned_of() -> None:
    desk = Desk()
    inside = desk.agent(DONE, middleware=[Drains()])
    ask = sub_agent(inside, name="ask_desk", description="Asks.", **REPORT)
    model = ScriptedModel([[DONE, ASK]])
    agent = Agent(model=model, tools=[ask, desk.submit_report])
    result = await extract(agent, "go", **REPORT)
    assert result.value == "A"
    assert ["it was interrupted inside" in w.message for w in result.warnings] == [True]
