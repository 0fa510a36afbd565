"""Tokens are summed per model over every reply, whatever came of it."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from agent_runtime import Agent, AttemptsExhaustedError, Usage, extract
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


def costing(read: int, written: int, *, cached: int = 0, model: str = "", **args: Any) -> AIMessage:
    return AIMessage(
        "",
        tool_calls=[{"name": "submit_report", "args": args, "id": "1"}],
        usage_metadata={
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
            "input_token_details": {"cache_read": cached},
        },
        response_metadata={"model_name": model} if model else {},
    )


async def usage_of(model: ScriptedModel) -> Usage:
    return (await extract(Agent(model=model), "go", until_tool_success=Report)).usage


async def test_failed_attempts_are_counted_with_their_details() -> None:
    model = ScriptedModel([costing(10, 2, cached=4), costing(20, 3, cached=5, title="a")])
    usage = await usage_of(model)
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (30, 5, 35)
    assert usage.by_model["scripted"].get("input_token_details") == {"cache_read": 9}
    assert usage.replies_without_usage == 0


async def test_each_model_has_its_own_sum() -> None:
    usage = await usage_of(
        ScriptedModel([costing(1, 1, model="small"), costing(5, 5, model="large", title="a")])
    )
    assert {name: part["total_tokens"] for name, part in usage.by_model.items()} == {
        "small": 2,
        "large": 10,
    }


async def test_a_model_that_does_not_give_its_name_is_counted_under_its_class() -> None:
    usage = await usage_of(ScriptedModel([costing(1, 2, title="a")], model_name=""))
    assert {name: part["total_tokens"] for name, part in usage.by_model.items()} == {
        "ScriptedModel": 3
    }


async def test_replies_without_token_counts_are_counted_as_such() -> None:
    script = [call("submit_report"), call("submit_report", {"title": "a"})]
    usage = await usage_of(ScriptedModel(script, report_usage=False))
    assert (usage.total_tokens, usage.replies_without_usage) == (0, 2)


async def test_the_tokens_of_a_run_that_failed_are_told_by_its_error() -> None:
    agent = Agent(model=ScriptedModel([costing(10, 2), costing(10, 2)]))
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=Report, max_runs=2)
    assert caught.value.usage.total_tokens == 24
