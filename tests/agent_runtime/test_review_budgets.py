"""Budgets go on over a review."""

from dataclasses import replace

import pytest
from langchain_core.messages import ToolMessage
from shop import ORDER, Shop, agent_of, interrupted

from agent_runtime import (
    Approve,
    AttemptsExhaustedError,
    BudgetExceededError,
    DeadlineExceededError,
    Decision,
    Reject,
    resume,
)
from agent_runtime.testing import call

pytestmark = pytest.mark.anyio


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
