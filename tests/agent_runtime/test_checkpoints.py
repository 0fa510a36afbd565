"""A checkpoint goes through JSON, into another process, and comes back as it was."""

import json
import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel, field_serializer

from agent_runtime import (
    Agent,
    Approve,
    Attempt,
    Checkpoint,
    CheckpointError,
    HumanReview,
    Price,
    PriceTable,
    RunInterruptedError,
    State,
    Submitted,
    Trace,
    dump_checkpoint,
    extract,
    load_checkpoint,
    resume,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


class Order(BaseModel):
    item: str
    day: date
    price: Decimal


GOOD = call("submit_order", {"item": "tea", "day": "2026-12-07", "price": "1.5"}, call_id="a")
BAD = call("submit_order", {"item": "tea", "day": "never", "price": 1}, call_id="x")
PRICES = PriceTable({"scripted": Price(input_usd=1.0, output_usd=1.0)})


def agent_of(*script: Entry, tools: Any = ()) -> Agent:
    return Agent(
        model=ScriptedModel(script), tools=tools, middleware=[HumanReview(["submit_order"])]
    )


async def interrupted(agent: Agent, conversation: Any = "go", **options: Any) -> Checkpoint:
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, conversation, until_tool_success=Order, **options)
    return caught.value.checkpoint


async def test_a_checkpoint_comes_back_from_json_as_it_was() -> None:
    state = State(
        [SystemMessage("be brief"), HumanMessage("go", name="ann")], metadata={"tenant": [1, None]}
    )
    checkpoint = await interrupted(
        agent_of("hm", [BAD, call("nothing", "{")], GOOD), state, cost_of=PRICES
    )
    assert checkpoint.trace.usage.cost_usd
    text = dump_checkpoint(checkpoint)
    loaded = load_checkpoint(text)
    assert json.loads(dump_checkpoint(loaded)) == json.loads(text)
    assert loaded.trace.state.messages == checkpoint.trace.state.messages
    assert loaded.trace.state.metadata == {"tenant": [1, None]}
    assert replace(loaded.trace, state=State()) == replace(checkpoint.trace, state=State())
    assert replace(loaded, trace=Trace()) == replace(checkpoint, trace=Trace())


async def test_a_run_resumed_after_json_ends_as_one_that_was_not() -> None:
    checkpoint = await interrupted(agent_of(BAD, GOOD))
    results = [
        await resume(agent_of(), each, {"a": Approve()}, until_tool_success=Order)
        for each in (checkpoint, load_checkpoint(dump_checkpoint(checkpoint).encode()))
    ]
    assert (
        results[0].value
        == results[1].value
        == Order(item="tea", day=date(2026, 12, 7), price=Decimal("1.5"))
    )
    assert results[0].messages == results[1].messages
    assert results[0].attempts == results[1].attempts
    assert results[1].model_calls == 2


_OTHER_PROCESS = """
import sys, anyio
from pydantic import BaseModel, field_serializer
from agent_runtime import Agent, Approve, HumanReview, extract, load_checkpoint, resume
from agent_runtime.testing import ScriptedModel

ran = []

def submit_order(item: str) -> tuple[str, str]:
    "Submit an order."
    ran.append(item)
    return "taken", item.upper()

agent = Agent(model=ScriptedModel([]), tools=[submit_order])
checkpoint = load_checkpoint(sys.stdin.read())
decisions = {pending.call_id: Approve() for pending in checkpoint.pending}
result = anyio.run(
    lambda: resume(agent, checkpoint, decisions, until_tool_success="submit_order", max_runs=1)
)
sys.stdout.write(f"{result.value} {ran} {result.model_calls}")
"""


async def test_another_process_can_resume_a_checkpoint_and_runs_the_body_once() -> None:
    ran: list[str] = []

    def submit_order(item: str) -> str:
        """Submit an order."""
        ran.append(item)
        return item

    agent = agent_of(call("submit_order", {"item": "tea"}), tools=[submit_order])
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success="submit_order")
    other = await anyio.run_process(
        [sys.executable, "-c", _OTHER_PROCESS],
        input=dump_checkpoint(caught.value.checkpoint).encode(),
    )
    assert other.stdout == b"TEA ['tea'] 1"
    assert ran == []


async def test_values_of_earlier_tools_are_kept_if_json_can_hold_them_and_else_missed_aloud() -> (
    None
):
    def look(what: str) -> tuple[str, Any]:
        """Look at something."""
        return "seen", {"plain": [1, {"a": None}], "object": object(), "none": Submitted(None)}[
            what
        ]

    looks = [call("look", {"what": what}) for what in ("plain", "object", "none")]
    checkpoint = load_checkpoint(
        dump_checkpoint(await interrupted(agent_of(*looks, GOOD, tools=[look])))
    )
    answers = [m.artifact for m in checkpoint.trace.state.messages if isinstance(m, ToolMessage)]
    assert answers == [[1, {"a": None}], None, None]
    result = await resume(
        agent_of(tools=[look]), checkpoint, {"a": Approve()}, until_tool_success=Order
    )
    assert [w.kind for w in result.warnings] == ["artifact_left_out", "artifact_left_out"]


async def test_what_json_cannot_hold_is_told_when_the_checkpoint_is_written() -> None:
    for state in (
        State(["go"], metadata={"connection": object()}),
        State([HumanMessage([{"type": "image", "data": object()}])]),
        State(["go"], metadata={"share": float("nan")}),
    ):
        checkpoint = await interrupted(agent_of(GOOD), state)
        with pytest.raises(CheckpointError, match="cannot be written as JSON") as caught:
            dump_checkpoint(checkpoint)
        assert caught.value.type == "invalid_checkpoint"


async def test_half_of_a_surrogate_pair_becomes_a_question_mark() -> None:
    half = "\ud83d"
    replies = [
        f"cut {half}",
        call("submit_order", {"item": half, "day": "2026-12-07", "price": 1}),
        [call("submit_order", f'{{"item": "{half}'), GOOD],
    ]
    loaded = load_checkpoint(dump_checkpoint(await interrupted(agent_of(*replies))))
    assert loaded.trace.state.messages[1].text == "cut ?"
    assert [attempt.outcome for attempt in loaded.trace.attempts] == ["invalid"]
    result = await resume(agent_of(), loaded, {"a": Approve()}, until_tool_success=Order)
    assert [a.outcome for a in result.attempts] == ["invalid", "accepted"]


async def test_arguments_in_the_form_of_a_provider_come_back_too() -> None:
    sent = {"item": "tea", "day": "2026-12-07", "price": "1.5", "note": None}

    class Noted(Order):
        note: str = "none"

    agent = Agent(
        model=ScriptedModel([call("submit_noted", sent, call_id="a")]),
        middleware=[HumanReview(["submit_noted"])],
        schema_family="openai",
    )
    with pytest.raises(RunInterruptedError) as caught:
        await extract(agent, "go", until_tool_success=Noted)
    assert "note" not in caught.value.checkpoint.pending[0].args
    loaded = load_checkpoint(dump_checkpoint(caught.value.checkpoint))
    assert loaded.calls == caught.value.checkpoint.calls
    result = await resume(agent, loaded, {"a": Approve()}, until_tool_success=Noted)
    assert (result.value.note, result.raw_args) == ("none", sent)


async def test_what_is_no_json_in_earlier_arguments_is_described() -> None:
    class Part(BaseModel):
        raw: bytes
        price: Decimal

    class Shy(BaseModel):
        price: int

        @field_serializer("price")
        def hide(self, _: int) -> int:
            raise LookupError("no form")

    attempt = Attempt(
        number=1,
        run=1,
        tool_name="f",
        call_id="1",
        raw_args={},
        args={
            "part": Part(raw=b"x", price=Decimal("1.5")),
            "raw": b"\xff",
            "view": MappingProxyType({"a": 1}),
            "shy": Shy(price=1),
            "object": range(2),
        },
        outcome="rejected",
    )
    checkpoint = await interrupted(agent_of(GOOD))
    trace = replace(checkpoint.trace, attempts=(attempt,))
    loaded = load_checkpoint(dump_checkpoint(replace(checkpoint, trace=trace)))
    args = loaded.trace.attempts[0].args
    assert args is not None
    assert args["part"] == {"raw": "x", "price": "1.5"}
    assert args["raw"] == "_w=="
    assert args["view"] == {"a": 1}
    assert args["shy"] == "Shy(price=1)"
    assert args["object"] == "range(0, 2)"


async def test_text_that_is_no_checkpoint_is_refused() -> None:
    good = json.loads(dump_checkpoint(await interrupted(agent_of(GOOD))))
    broken: list[dict[str, Any]] = [
        {**good, "version": 2},
        {**good, "more": 1},
        {**good, "model_calls": -1},
        {**good, "elapsed_s": "inf"},
        {**good, "messages": [{"type": "owl", "data": {}}]},
        {**good, "messages": [{"type": "human"}]},
        {**good, "messages": [{"type": "human", "data": {"content": 3}}]},
        {**good, "calls": []},
        {name: part for name, part in good.items() if name != "usage"},
    ]
    for text in ("", "{", "[]", b"\xff", *map(json.dumps, broken)):
        with pytest.raises(CheckpointError, match="this is no checkpoint"):
            load_checkpoint(text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(args=st.dictionaries(st.text(), JSON, max_size=3), text=st.text())
def test_any_json_arguments_and_text_survive(args: dict[str, Any], text: str) -> None:
    reply = AIMessage(text, tool_calls=[{"name": "f", "args": args, "id": "1"}])
    checkpoint = Checkpoint(
        trace=Trace(state=State([reply]), model_calls=1),
        nudges=0,
        tool_errors=0,
        last_turn="",
        elapsed_s=0.5,
        stop="on_call",
        targets=("f",),
        calls=(),
        pending=(),
    )
    loaded = load_checkpoint(dump_checkpoint(checkpoint))
    assert loaded.trace.state.messages == (reply,)
    assert loaded.trace.state.messages[0].tool_calls[0]["args"] == args  # pyright: ignore[reportAttributeAccessIssue] -- it is an AIMessage
