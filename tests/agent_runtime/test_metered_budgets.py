"""Tokens and cost have budgets: watched before each call, and never guessed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AttemptsExhaustedError,
    BudgetExceededError,
    ExtractError,
    ExtractOptions,
    InvalidOptionsError,
    Price,
    PriceTable,
    extract,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio

PRICES = PriceTable({"scripted": Price(input_usd=1.0, output_usd=10.0)})


class Report(BaseModel):
    title: str


def reply(read: int, written: int, **args: Any) -> AIMessage:
    return AIMessage(
        "",
        tool_calls=[{"name": "submit_report", "args": args, "id": "1"}],
        usage_metadata={
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
        },
    )


def silent(**args: Any) -> ScriptedModel:
    return ScriptedModel([call("submit_report", args)] * 3, report_usage=False)


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ({"max_input_tokens": 100}, 1),
        ({"max_input_tokens": 101}, 2),
        ({"max_output_tokens": 10}, 1),
        ({"max_output_tokens": 11}, 2),
        ({"max_total_tokens": 110}, 1),
        ({"max_total_tokens": 111}, 2),
        ({"max_cost_usd": 0.0002, "cost_of": PRICES}, 1),
        ({"max_cost_usd": 0.0003, "cost_of": PRICES}, 2),
    ],
)
async def test_no_call_is_made_once_a_budget_is_reached_and_the_error_names_it(
    options: ExtractOptions, calls: int
) -> None:
    model = ScriptedModel([reply(100, 10)] * 4)
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(Agent(model=model), "go", until_tool_success=Report, **options)
    assert len(model.requests) == calls
    assert caught.value.kind == next(iter(options))
    assert caught.value.type in {"exceeded_tokens", "exceeded_cost"}
    assert f"{caught.value.kind}=" in str(caught.value)
    assert "is spent" in str(caught.value)


async def test_the_reply_that_goes_past_the_budget_is_used() -> None:
    model = ScriptedModel([reply(10**6, 10**6, title="a")])
    result = await extract(
        Agent(model=model), "go", until_tool_success=Report, max_total_tokens=1, max_runs=1
    )
    assert result.value == Report(title="a")


async def test_a_budget_that_a_silent_reply_may_have_spent_forbids_the_next_call() -> None:
    for options in (
        ExtractOptions(max_total_tokens=10**9),
        ExtractOptions(max_cost_usd=1e9, cost_of=PRICES),
    ):
        model = silent()
        with pytest.raises(BudgetExceededError, match="cannot be watched: 1 replies") as caught:
            await extract(Agent(model=model), "go", until_tool_success=Report, **options)
        assert len(model.requests) == 1
        assert caught.value.usage.replies_without_usage == 1


async def test_a_silent_reply_that_submits_is_a_success_without_a_known_cost() -> None:
    result = await extract(
        Agent(model=silent(title="a")),
        "go",
        until_tool_success=Report,
        max_cost_usd=1.0,
        cost_of=PRICES,
    )
    assert (result.usage.cost_usd, result.usage.replies_without_cost) == (None, 1)
    assert [(w.kind, w.message) for w in result.warnings] == [
        ("cost_unknown", "the cost of reply 1 is not known: the reply reported no tokens")
    ]


async def test_silent_replies_do_not_matter_without_a_budget_of_tokens_or_cost() -> None:
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(Agent(model=silent()), "go", until_tool_success=Report, max_runs=3)
    assert caught.value.kind == "max_runs"


async def test_costs_are_summed_and_told_without_a_limit_too() -> None:
    model = ScriptedModel([reply(100, 10), reply(200, 20, title="a")])
    result = await extract(Agent(model=model), "go", until_tool_success=Report, cost_of=PRICES)
    assert result.usage.cost_usd == pytest.approx(0.0006)
    assert result.usage.replies_without_cost == 0
    unpriced = ScriptedModel([reply(1, 1, title="a")])
    result = await extract(Agent(model=unpriced), "go", until_tool_success=Report)
    assert result.usage.cost_usd is None


def _fails(_: str, __: UsageMetadata) -> float:
    raise ZeroDivisionError("prices are gone")


def costing(*, amount: Any) -> Any:
    def cost_of(_: str, __: UsageMetadata) -> Any:
        return amount

    return cost_of


@pytest.mark.parametrize(
    ("cost_of", "words"),
    [
        (PriceTable({}), "no price for the model 'scripted'"),
        (_fails, "ZeroDivisionError: prices are gone"),
        (costing(amount=float("nan")), "not nan"),
        (costing(amount=-1.0), "not -1.0"),
        (costing(amount=True), "not True"),
        (costing(amount="1"), "not '1'"),
        (costing(amount=10**400), "finite"),
    ],
)
async def test_a_cost_that_cannot_be_used_is_unknown_and_says_why(cost_of: Any, words: str) -> None:
    model = ScriptedModel([reply(1, 1, title="a")])
    result = await extract(Agent(model=model), "go", until_tool_success=Report, cost_of=cost_of)
    assert words in result.warnings[0].message
    assert result.usage.replies_without_cost == 1


def test_cached_input_has_a_price_of_its_own_if_it_is_given() -> None:
    usage = UsageMetadata(
        input_tokens=10,
        output_tokens=0,
        total_tokens=10,
        input_token_details={"cache_read": 4},
    )
    plain = Price(input_usd=1e6, output_usd=0.0)
    cached = Price(input_usd=1e6, output_usd=0.0, cache_read_usd=1e5)
    assert plain.cost_usd(usage) == 10
    assert cached.cost_usd(usage) == pytest.approx(6.4)


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf"), True, "1", 10**400])
def test_a_price_that_is_no_amount_is_refused(amount: Any) -> None:
    with pytest.raises(InvalidOptionsError, match="input_usd must be"):
        Price(input_usd=amount, output_usd=1.0)
    with pytest.raises(InvalidOptionsError, match="cache_read_usd must be"):
        Price(input_usd=1.0, output_usd=1.0, cache_read_usd=amount)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_input_tokens": 0}, "max_input_tokens must be an integer of at least 1"),
        ({"max_output_tokens": True}, "max_output_tokens"),
        ({"max_total_tokens": 1.5}, "max_total_tokens"),
        ({"max_runs": None}, "max_runs"),
        ({"max_cost_usd": 0.0, "cost_of": PRICES}, "above 0"),
        ({"max_cost_usd": float("nan"), "cost_of": PRICES}, "above 0"),
        ({"max_cost_usd": 1.0}, "needs cost_of"),
        ({"cost_of": 3}, "cost_of must be a function"),
        ({"deadline_s": 10**400}, "deadline_s"),
    ],
)
async def test_budgets_out_of_bounds_are_refused_before_the_model_is_called(
    options: Any, words: str
) -> None:
    model = ScriptedModel([reply(1, 1, title="a")])
    with pytest.raises(InvalidOptionsError, match=words):
        await extract(Agent(model=model), "go", until_tool_success=Report, **options)
    assert not model.requests


@given(sizes=st.lists(st.integers(1, 50), min_size=1, max_size=6), limit=st.integers(1, 200))
async def test_the_calls_made_are_those_before_the_budget_was_reached(
    sizes: list[int], limit: int
) -> None:
    model = ScriptedModel([reply(size, 0) for size in sizes])
    with pytest.raises(ExtractError):
        await extract(
            Agent(model=model),
            "go",
            until_tool_success=Report,
            max_input_tokens=limit,
            max_runs=len(sizes),
        )
    before = [sum(sizes[:count]) for count in range(len(sizes))]
    assert len(model.requests) == sum(spent < limit for spent in before)
