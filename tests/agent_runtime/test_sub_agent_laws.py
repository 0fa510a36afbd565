"""A run that waits inside a sub-agent, again and again, is the same run."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage, ToolMessage
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    Approve,
    ExtractError,
    HumanReview,
    RunInterruptedError,
    Trace,
    dump_checkpoint,
    extract,
    load_checkpoint,
    resume,
    sub_agent,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Fault(BaseModel):
    node: str
    loss_db: float


class Report(BaseModel):
    title: str


PARTS = st.sampled_from(["ask", "good note", "bad note", "submit", "bad submission"])


def part(kind: str, own_id: str) -> Any:
    match kind:
        case "ask":
            return call("find_fault", {"task": own_id}, call_id=own_id)
        case "good note" | "bad note":
            text = "bad" if kind == "bad note" else own_id
            return call("note", {"text": text}, call_id=own_id)
        case _:
            args = {"title": own_id} if kind == "submit" else {}
            return call("submit_report", args, call_id=own_id)


def answers_in(trace: Trace) -> list[tuple[str, str]]:
    return [(m.tool_call_id, m.text) for m in trace.state.messages if isinstance(m, ToolMessage)]


class Shift:
    """One run, with agents made anew each time it goes on; whether it waits inside is a choice."""

    def __init__(self, batches: list[list[str]], options: dict[str, Any], *, review: bool) -> None:
        replies = [
            [part(kind, f"{n}-{m}") for m, kind in enumerate(batch)]
            for n, batch in enumerate(batches)
        ]
        self.replies = iter([*replies, *["prose"] * 9])
        self.options = options
        self.review = [HumanReview(["submit_fault"])] if review else []
        self.did: list[str] = []
        self.waits = 0
        self.trace = Trace()

    def agent(self) -> Agent:
        def find(messages: Sequence[BaseMessage]) -> Any:
            task = messages[0].text
            return call("submit_fault", {"node": task, "loss_db": 1}, call_id=f"in {task}")

        model = ScriptedModel([find] * 20, model_name="inner")
        tool = sub_agent(
            Agent(model=model, middleware=self.review),
            name="find_fault",
            description="Finds a fault.",
            until_tool_success=Fault,
        )
        return Agent(model=ScriptedModel([self.reply] * 9), tools=[tool, self.note])

    def reply(self, _: Sequence[BaseMessage]) -> Any:
        return next(self.replies)

    def note(self, text: str) -> str:
        """Take a note."""
        self.did.append(text)
        if text == "bad":
            raise ValueError("no such note")
        return f"noted {text}"

    async def end(self) -> tuple[Any, ...]:
        going = partial(extract, self.agent(), "go")
        while True:
            try:
                result = await going(**self.options)
            except RunInterruptedError as error:
                self.waits += 1
                checkpoint = load_checkpoint(dump_checkpoint(error.checkpoint))
                approvals = {pending.call_id: Approve() for pending in checkpoint.pending}
                going = partial(resume, self.agent(), checkpoint, approvals)
            except ExtractError as error:
                return self.seen(error.type, error.trace)
            else:
                return self.seen(result.value, result.trace)

    def seen(self, end: Any, trace: Trace) -> tuple[Any, ...]:
        self.trace = trace
        attempts = [(attempt.call_id, attempt.outcome) for attempt in trace.attempts]
        warnings = [(warning.kind, warning.message) for warning in trace.warnings]
        # A fault is no JSON, so it is missed aloud where only the program could have read it.
        kept = [warning for warning in warnings if warning[0] != "artifact_left_out"]
        return (
            *(end, attempts, kept, self.did),
            *(answers_in(trace), trace.usage, trace.model_calls),
        )


@given(
    batches=st.lists(st.lists(PARTS, min_size=1, max_size=5), min_size=1, max_size=3),
    policy=st.sampled_from(["finish", "require_all_ok"]),
    stop=st.sampled_from(["until_tool", "until_tool_success"]),
    limits=st.sampled_from([{}, {"max_tool_errors": 1}, {"max_submit_attempts": 2}]),
)
async def test_a_run_that_waited_inside_ends_as_one_that_did_not(
    batches: list[list[str]], policy: str, stop: str, limits: dict[str, Any]
) -> None:
    # What is asked after an accepted submission is left waiting, which is another end.
    for batch in batches:
        asked_late = "submit" in batch and "ask" in batch[batch.index("submit") :]
        assume(policy != "finish" or not asked_late)
    options: dict[str, Any] = {"batch_policy": policy, stop: Report, **limits}
    straight = Shift(batches, options, review=False)
    waiting = Shift(batches, options, review=True)
    end = await straight.end()
    assert await waiting.end() == end
    found = [text for _, text in answers_in(straight.trace) if text.startswith('{"node"')]
    assert (straight.waits, waiting.waits) == (0, len(found))
