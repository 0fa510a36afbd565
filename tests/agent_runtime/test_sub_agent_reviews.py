"""A run inside a sub-agent waits for a decision, and all runs around it with it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    Answer,
    Approve,
    Checkpoint,
    CheckpointError,
    DeadlineExceededError,
    Edit,
    Finished,
    HumanReview,
    InvalidDecisionsError,
    InvalidOptionsError,
    Reject,
    RunInterruptedError,
    SubmitTool,
    TargetRejectedError,
    dump_checkpoint,
    extract,
    load_checkpoint,
    resume,
    resume_stream,
    sub_agent,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Fault(BaseModel):
    node: str
    loss_db: float


class Report(BaseModel):
    title: str


FAULT = call("submit_fault", {"node": "n2", "loss_db": 1.5}, call_id="inner")
ASK = call("find_fault", {"task": "Which node?"}, call_id="ask")
DONE = call("submit_report", {"title": "n2"})
VALUE = Fault(node="n2", loss_db=1.5)
REPORT: dict[str, Any] = {"until_tool_success": Report}


class Desk:
    """Agents that are made again for each part of a run, as after a restart, and what they did."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def note(self, text: str) -> str:
        """Take a note."""
        self.did.append(text)
        if text == "bad":
            raise ValueError("no such note")
        return f"noted {text}"

    def finder(self, *script: Entry, **options: Any) -> BaseTool:
        agent = Agent(
            model=ScriptedModel(script, model_name="inner"),
            middleware=[HumanReview(["submit_fault"])],
        )
        chosen: dict[str, Any] = {"until_tool_success": Fault, **options}
        return sub_agent(agent, name="find_fault", description="Finds a fault.", **chosen)

    def agent(self, tool: BaseTool, *script: Entry, review: Any = ()) -> Agent:
        model = ScriptedModel(script, model_name="outer")
        return Agent(model=model, tools=[tool, self.note], middleware=review)


async def interrupted(agent: Agent, **options: Any) -> Checkpoint:
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", **{**REPORT, **options})
    # Always through JSON: in another process there is nothing else.
    return load_checkpoint(dump_checkpoint(caught.value.checkpoint))


def told(messages: Any) -> list[tuple[str, str]]:
    return [(m.tool_call_id, m.text) for m in messages if isinstance(m, ToolMessage)]


async def test_a_review_inside_interrupts_the_calling_run_and_the_value_reaches_it_un_nested() -> (
    None
):
    desk = Desk()
    checkpoint = await interrupted(
        desk.agent(desk.finder(FAULT), ASK), until_tool_success="find_fault"
    )
    (pending,) = checkpoint.pending
    assert (pending.call_id, pending.tool_name) == ("inner", "submit_fault")
    assert checkpoint.trace.usage.by_model["inner"]["total_tokens"] > 0
    result = await resume(
        desk.agent(desk.finder()),
        checkpoint,
        {"inner": Approve()},
        until_tool_success="find_fault",
    )
    assert result.value == VALUE
    # No model was asked again, and nothing is counted twice.
    assert result.model_calls == 1
    assert result.usage == checkpoint.trace.usage


async def test_edited_arguments_inside_are_validated_and_become_the_value() -> None:
    desk = Desk()
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), ASK))
    edit = Edit({"node": "n3", "loss_db": 2})
    result = await resume(
        desk.agent(desk.finder(), DONE), checkpoint, {"inner": edit}, until_tool_success=Report
    )
    (answer,) = [m for m in result.messages if isinstance(m, ToolMessage) and m.name != DONE.name]
    assert answer.artifact == Fault(node="n3", loss_db=2.0)


async def test_a_rejection_inside_is_told_to_the_model_inside_which_goes_on() -> None:
    desk = Desk()
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), ASK))
    better = call("submit_fault", {"node": "n4", "loss_db": 3}, call_id="second")
    inner = desk.finder(better)
    with pytest.raises(RunInterruptedError) as caught:
        await resume(desk.agent(inner), checkpoint, {"inner": Reject("not n2")}, **REPORT)
    checkpoint = load_checkpoint(dump_checkpoint(caught.value.checkpoint))
    assert [pending.call_id for pending in checkpoint.pending] == ["second"]
    result = await resume(
        desk.agent(desk.finder(), DONE), checkpoint, {"second": Approve()}, **REPORT
    )
    assert ("ask", '{"node":"n4","loss_db":3.0}') in told(result.messages)
    assert result.usage.by_model["inner"]["output_tokens"] > 0


async def test_calls_beside_it_are_executed_once_and_answered_in_call_order() -> None:
    desk = Desk()
    batch = [
        call("note", {"text": "before"}, call_id="1"),
        ASK,
        call("note", {"text": "after"}, call_id="2"),
    ]
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch))
    assert desk.did == ["before"]
    result = await resume(
        desk.agent(desk.finder(), DONE), checkpoint, {"inner": Approve()}, **REPORT
    )
    assert desk.did == ["before", "after"]
    assert told(result.messages)[:3] == [
        ("1", "noted before"),
        ("ask", '{"node":"n2","loss_db":1.5}'),
        ("2", "noted after"),
    ]


async def test_a_failure_beside_it_is_remembered_by_the_policy_of_the_batch() -> None:
    desk = Desk()
    batch = [DONE, call("note", {"text": "bad"}, call_id="1"), ASK]
    options: dict[str, Any] = {"batch_policy": "require_all_ok"}
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch), **options)
    result = await resume(
        desk.agent(desk.finder(), DONE), checkpoint, {"inner": Approve()}, **REPORT, **options
    )
    assert "note failed in the same message" in told(result.messages)[0][1]
    assert [attempt.outcome for attempt in result.attempts] == ["accepted"]
    assert result.model_calls == 2


async def test_a_submission_that_was_rejected_beside_it_still_ends_a_run_that_stops_on_call() -> (
    None
):
    desk = Desk()
    batch = [call("submit_report", {}), ASK]
    options: dict[str, Any] = {"until_tool_success": None, "until_tool": Report}
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch), **options)
    with pytest.raises(TargetRejectedError):
        await resume(desk.agent(desk.finder()), checkpoint, {"inner": Approve()}, **options)


async def test_a_submission_that_was_accepted_before_it_is_the_value_and_it_is_left_waiting() -> (
    None
):
    desk = Desk()
    agent = desk.agent(desk.finder(FAULT), [DONE, ASK])
    result = await extract(agent, "go", **REPORT)
    assert result.value == Report(title="n2")
    assert [w.kind for w in result.warnings] == ["sibling_error"]
    assert "it was interrupted inside" in result.warnings[0].message


async def test_two_sub_agents_of_one_reply_wait_one_after_the_other() -> None:
    desk = Desk()
    again = call("find_fault", {"task": "And then?"}, call_id="again")
    second = call("submit_fault", {"node": "n5", "loss_db": 0}, call_id="inner2")
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT, second), [ASK, again]))
    with pytest.raises(RunInterruptedError) as caught:
        await resume(desk.agent(desk.finder(second)), checkpoint, {"inner": Approve()}, **REPORT)
    checkpoint = load_checkpoint(dump_checkpoint(caught.value.checkpoint))
    result = await resume(
        desk.agent(desk.finder(), DONE), checkpoint, {"inner2": Approve()}, **REPORT
    )
    assert told(result.messages)[:2] == [
        ("ask", '{"node":"n2","loss_db":1.5}'),
        ("again", '{"node":"n5","loss_db":0.0}'),
    ]


async def test_decisions_of_the_calling_run_hold_while_a_run_inside_waits() -> None:
    desk = Desk()
    review = [HumanReview(["find_fault", "note"])]
    batch = [
        ASK,
        *(call("note", {"text": text}, call_id=text) for text in ("a", "b", "c", "d")),
    ]
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch, review=review))
    decisions = {
        "ask": Edit({"task": "Which one?"}),
        "a": Approve(),
        "b": Edit({"text": "B"}),
        "c": Reject("no"),
        "d": Answer("as good as noted"),
    }
    with pytest.raises(RunInterruptedError) as caught:
        await resume(desk.agent(desk.finder(FAULT), review=review), checkpoint, decisions, **REPORT)
    checkpoint = load_checkpoint(dump_checkpoint(caught.value.checkpoint))
    assert checkpoint.decided == decisions
    result = await resume(
        desk.agent(desk.finder(), DONE, review=review), checkpoint, {"inner": Approve()}, **REPORT
    )
    assert desk.did == ["a", "B"]
    answers = dict(told(result.messages))
    assert answers["ask"].startswith("A reviewer changed the arguments")
    assert "a reviewer rejected this call: no" in answers["c"]
    assert answers["d"] == "as good as noted"


def nested(desk: Desk, inner: list[Entry], middle: list[Entry], *outer: Entry) -> Agent:
    agent = desk.agent(desk.finder(*inner), *middle)
    tool = sub_agent(agent, name="write", description="Writes.", until_tool_success=Report)
    return desk.agent(tool, *outer)


async def test_it_works_at_any_depth() -> None:
    desk = Desk()
    options: dict[str, Any] = {"until_tool_success": "write"}
    write = call("write", {"task": "go"})
    checkpoint = await interrupted(nested(desk, [FAULT], [ASK], write), **options)
    with pytest.raises(InvalidDecisionsError, match="inner"):
        await resume(nested(desk, [], []), checkpoint, {}, **options)
    result = await resume(nested(desk, [], [DONE]), checkpoint, {"inner": Approve()}, **options)
    assert result.value == Report(title="n2")
    assert set(result.usage.by_model) == {"inner", "outer"}


@pytest.mark.parametrize(
    "decisions", [{}, {"ask": Approve()}, {"inner": Edit({"node": 1})}, None], ids=repr
)
async def test_decisions_that_do_not_fit_inside_are_refused_and_nothing_runs(
    decisions: Any,
) -> None:
    desk = Desk()
    batch = [ASK, call("note", {"text": "after"})]
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch))
    with pytest.raises(InvalidDecisionsError, match="nothing was executed") as caught:
        await resume(desk.agent(desk.finder()), checkpoint, decisions, **REPORT)
    assert desk.did == []
    assert caught.value.trace == checkpoint.trace


async def test_an_agent_without_the_sub_agent_is_refused() -> None:
    desk = Desk()
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), ASK))
    for tools in ([], [_find_fault]):
        agent = Agent(model=ScriptedModel([]), tools=tools)
        with pytest.raises(InvalidDecisionsError, match="does not have the sub-agent any more"):
            await resume(agent, checkpoint, {"inner": Approve()}, **REPORT)


def _find_fault(task: str) -> str:
    """Find a fault."""
    return task


async def test_a_sub_agent_with_another_submit_tool_is_refused() -> None:
    desk = Desk()
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), ASK))
    other = sub_agent(
        Agent(model=ScriptedModel([])),
        name="find_fault",
        description="Finds.",
        until_tool_success=Report,
    )
    with pytest.raises(InvalidOptionsError, match="submit_report") as caught:
        await resume(desk.agent(other), checkpoint, {"inner": Approve()}, **REPORT)
    assert caught.value.trace == checkpoint.trace


async def test_the_time_of_the_run_inside_goes_on_where_it_was() -> None:
    desk = Desk()
    agent = desk.agent(desk.finder(FAULT, deadline_s=60), ASK)
    checkpoint = await interrupted(agent)
    assert checkpoint.inside is not None
    short = checkpoint.inside.checkpoint.elapsed_s / 2
    result = await resume(
        desk.agent(desk.finder(deadline_s=short), DONE), checkpoint, {"inner": Approve()}, **REPORT
    )
    assert "DeadlineExceededError" in told(result.messages)[0][1]
    with pytest.raises(DeadlineExceededError):
        await resume(
            desk.agent(desk.finder()), checkpoint, {"inner": Approve()}, **REPORT, deadline_s=short
        )


async def test_a_task_that_is_parsed_first_is_given_as_parsed_and_waits_likewise() -> None:
    seen: list[str] = []

    def find(messages: Sequence[BaseMessage]) -> Any:
        seen.append(messages[-1].text)
        return FAULT

    def parsing(tool: BaseTool) -> SubmitTool:
        return SubmitTool(tool, parse_args=lambda args: {"task": f"{args['task']} Now."})

    desk = Desk()
    target: dict[str, Any] = {"until_tool_success": "find_fault"}
    agent = Agent(model=ScriptedModel([ASK]), tools=[parsing(desk.finder(find))])
    checkpoint = await interrupted(agent, **target)
    agent = Agent(model=ScriptedModel([]), tools=[parsing(desk.finder())])
    result = await resume(agent, checkpoint, {"inner": Approve()}, **target)
    assert (result.value, seen) == (VALUE, ["Which node? Now."])


async def test_a_stream_goes_on_inside_too() -> None:
    desk = Desk()
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), ASK))
    agent = desk.agent(desk.finder(), DONE)
    async with resume_stream(agent, checkpoint, {"inner": Approve()}, **REPORT) as events:
        seen = [event async for event in events]
    assert [event.kind for event in seen[:3]] == ["tool_started", "tool_finished", "model_started"]
    assert isinstance(seen[-1], Finished)


async def test_a_checkpoint_whose_inside_does_not_fit_is_none() -> None:
    desk = Desk()
    batch = [call("note", {"text": "before"}, call_id="1"), ASK]
    checkpoint = await interrupted(desk.agent(desk.finder(FAULT), batch))
    good = json.loads(dump_checkpoint(checkpoint))
    inside = good["inside"]
    for wrong in (
        {"inside": {**inside, "call_id": "other"}},
        {"inside": {**inside, "checkpoint": {}}},
        {"answers": [good["messages"][0]]},
        {"decided": {"1": ["Perhaps", {}]}},
        {"decided": {"1": ["Reject", {}]}},
    ):
        with pytest.raises(CheckpointError, match="this is no checkpoint"):
            load_checkpoint(json.dumps({**good, **wrong}))
