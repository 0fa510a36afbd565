"""A run that waited for a review goes on synchronously, or as a stream, with the same end."""

from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import ToolException
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    Approve,
    Checkpoint,
    DeadlineExceededError,
    Decision,
    Edit,
    Event,
    ExtractError,
    Finished,
    HumanReview,
    InvalidDecisionsError,
    InvalidOptionsError,
    PartialValue,
    Reject,
    Retried,
    RunInterruptedError,
    extract,
    extract_sync,
    resume,
    resume_stream,
    resume_sync,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Shop:
    """A tool with a side effect, and how often it ran."""

    def __init__(self) -> None:
        self.ran: list[int] = []

    def submit_order(self, quantity: int) -> tuple[str, str]:
        """Submit an order."""
        self.ran.append(quantity)
        if quantity > 100:
            raise ToolException("too many")
        return "taken", f"{quantity} pieces"


def agent_of(shop: Shop, *script: Entry) -> Agent:
    return Agent(
        model=ScriptedModel(script),
        tools=[shop.submit_order],
        middleware=[HumanReview(["submit_order"])],
    )


FEW = call("submit_order", {"quantity": 3}, call_id="a")
MANY = call("submit_order", {"quantity": 300}, call_id="a")
AGAIN = call("submit_order", {"quantity": 5}, call_id="b")
ORDER: dict[str, Any] = {"until_tool_success": "submit_order"}


async def interrupted(*script: Entry) -> Checkpoint:
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent_of(Shop(), *script), "go", **ORDER)
    return caught.value.checkpoint


async def read(
    agent: Agent, checkpoint: Checkpoint, decisions: Any, on_event: Any, **options: Any
) -> None:
    async with resume_stream(agent, checkpoint, decisions, **ORDER, **options) as events:
        async for event in events:
            on_event(event)


async def events_of(
    agent: Agent, checkpoint: Checkpoint, decisions: Any, **options: Any
) -> list[Event | Finished[Any]]:
    seen: list[Event | Finished[Any]] = []
    await read(agent, checkpoint, decisions, seen.append, **options)
    return seen


def test_a_program_that_is_not_asynchronous_resumes_too() -> None:
    shop = Shop()
    with pytest.raises(RunInterruptedError) as caught:
        extract_sync(agent_of(shop, FEW), "go", **ORDER)
    checkpoint = caught.value.checkpoint
    with pytest.raises(InvalidDecisionsError):
        resume_sync(agent_of(shop), checkpoint, {}, **ORDER)
    result = resume_sync(agent_of(shop), checkpoint, {"a": Edit({"quantity": 4})}, **ORDER)
    assert (result.value, shop.ran) == ("4 pieces", [4])


async def test_resuming_works_where_a_loop_is_running_already() -> None:
    shop = Shop()
    checkpoint = await interrupted(FEW)
    result = resume_sync(agent_of(shop), checkpoint, {"a": Approve()}, **ORDER)
    assert (result.value, shop.ran) == ("3 pieces", [3])


async def test_a_resumed_stream_tells_of_the_calls_that_waited_and_then_of_the_rest() -> None:
    checkpoint = await interrupted(FEW)
    events = await events_of(agent_of(Shop()), checkpoint, {"a": Approve()})
    assert [event.kind for event in events] == ["tool_started", "tool_finished", "finished"]
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.result.value == "3 pieces"


async def test_what_is_submitted_after_a_rejection_streams_and_waits_again() -> None:
    checkpoint = await interrupted(FEW)
    seen: list[Any] = []
    with pytest.raises(RunInterruptedError) as caught:
        await read(agent_of(Shop(), AGAIN), checkpoint, {"a": Reject("too few")}, seen.append)
    assert [(e.run, e.reason) for e in seen if isinstance(e, Retried)] == [(2, "rejected")]
    parts = [(e.run, e.path, e.value) for e in seen if isinstance(e, PartialValue)]
    assert parts == [(2, "/quantity", 5), (2, "", {"quantity": 5})]
    shop = Shop()
    last = (await events_of(agent_of(shop), caught.value.checkpoint, {"b": Approve()}))[-1]
    assert isinstance(last, Finished)
    assert (last.result.value, shop.ran, last.result.model_calls) == ("5 pieces", [5], 2)


@pytest.mark.parametrize(
    "decisions", [{}, {"a": 3}, {"b": Approve()}, {"a": Edit({"quantity": "x"})}, None], ids=repr
)
async def test_decisions_that_cannot_be_used_are_refused_when_the_block_is_entered(
    decisions: Any,
) -> None:
    checkpoint = await interrupted(FEW)
    shop = Shop()
    with pytest.raises(InvalidDecisionsError):
        async with resume_stream(agent_of(shop), checkpoint, decisions, **ORDER):
            pytest.fail("the block was entered")
    assert shop.ran == []


async def test_other_submit_tools_are_refused_when_the_block_is_entered() -> None:
    class Other(BaseModel):
        title: str

    checkpoint = await interrupted(FEW)
    with pytest.raises(InvalidOptionsError, match="started to stop"):
        async with resume_stream(
            agent_of(Shop()), checkpoint, {"a": Approve()}, until_tool_success=Other
        ):
            pytest.fail("the block was entered")


async def test_decisions_that_change_after_they_were_checked_change_nothing() -> None:
    checkpoint = await interrupted(FEW)
    shop = Shop()
    decisions: dict[str, Decision] = {"a": Edit({"quantity": 9})}
    async with resume_stream(agent_of(shop), checkpoint, decisions, **ORDER) as events:
        decisions.clear()
        assert [event.kind async for event in events][-1] == "finished"
    assert shop.ran == [9]


async def test_leaving_a_resumed_stream_cancels_the_call_that_is_running() -> None:
    gone: list[str] = []

    async def submit_order(quantity: int) -> str:
        """Submit an order."""
        try:
            await anyio.sleep_forever()
        finally:
            gone.append(f"order {quantity}")
        return "never"

    checkpoint = await interrupted(FEW)
    agent = Agent(model=ScriptedModel([]), tools=[submit_order])
    async with resume_stream(agent, checkpoint, {"a": Approve()}, **ORDER) as events:
        async for event in events:
            if event.kind == "tool_started":
                await anyio.wait_all_tasks_blocked()
                break
    assert gone == ["order 3"]


async def test_the_deadline_of_a_resumed_stream_counts_what_the_run_took_before() -> None:
    checkpoint = await interrupted(FEW)
    with pytest.raises(DeadlineExceededError):
        await events_of(
            agent_of(Shop()), checkpoint, {"a": Approve()}, deadline_s=checkpoint.elapsed_s / 2
        )


@given(
    waiting=st.sampled_from([FEW, MANY]),
    decision=st.sampled_from([Approve(), Reject("no"), Edit({"quantity": 7})]),
    script=st.lists(st.sampled_from(["prose", AGAIN, call("submit_order", {})]), max_size=3),
)
async def test_the_end_is_that_of_resume_whatever_was_decided(
    waiting: Entry, decision: Decision, script: list[Entry]
) -> None:
    checkpoint = await interrupted(waiting)
    ends: list[Any] = []
    for streaming in (False, True):
        shop = Shop()
        agent = agent_of(shop, *script, *[AGAIN] * 3)
        decisions = {"a": decision}
        try:
            if streaming:
                last = (await events_of(agent, checkpoint, decisions, max_runs=4))[-1]
                assert isinstance(last, Finished)
                result = last.result
            else:
                result = await resume(agent, checkpoint, decisions, **ORDER, max_runs=4)
            ends.append((result.value, shop.ran, result.usage, len(result.attempts)))
        except ExtractError as error:
            ends.append((error.type, shop.ran, error.usage, len(error.attempts)))
    assert ends[0] == ends[1]
