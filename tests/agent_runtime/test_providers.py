"""The providers' own clients, against a server that speaks their wire formats."""

import json

import pytest
from provider_desk import ARGS, BAD, GOOD, VALUE, Desk, Report, answers, called
from wire import INPUT_TOKENS, OUTPUT_TOKENS, WireFailure, WireReply, asks
from wire_server import PROVIDERS, Provider, client_of, wire_server

from agent_runtime import Agent, PartialValue, extract

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streaming(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(params=PROVIDERS)
def desk(request: pytest.FixtureRequest, *, streaming: bool) -> Desk:
    return Desk(request.param, streaming=streaming)


async def test_a_tool_is_used_and_the_value_submitted(desk: Desk) -> None:
    result = await desk.run(asks("search", {"query": "q"}), GOOD)
    assert result.value == VALUE
    assert answers(desk.requests[1]) == [("call_10", "found q")]
    assert result.model_calls == 2


async def test_the_tokens_of_every_reply_are_summed_under_the_name_it_gives(desk: Desk) -> None:
    result = await desk.run(asks("search", {"query": "q"}), BAD, GOOD)
    name = {"openai": "gpt-wire", "anthropic": "claude-wire"}[desk.provider]
    assert list(result.usage.by_model) == [name]
    assert result.usage.input_tokens == 3 * INPUT_TOKENS
    assert result.usage.output_tokens == 3 * OUTPUT_TOKENS
    assert result.usage.replies_without_usage == 0


async def test_parallel_calls_are_answered_in_call_order(desk: Desk) -> None:
    both = WireReply(
        text="Two searches.", calls=[("search", '{"query": "1"}'), ("search", '{"query": "2"}')]
    )
    result = await desk.run(both, GOOD)
    assert result.value == VALUE
    assert answers(desk.requests[1]) == [("call_10", "found 1"), ("call_11", "found 2")]
    assert called(desk.requests[1]) == ["call_10", "call_11"]


async def test_of_two_submissions_in_one_reply_the_first_that_is_valid_counts(desk: Desk) -> None:
    result = await desk.run(WireReply(calls=[*BAD.calls, *GOOD.calls, *GOOD.calls]))
    assert result.value == VALUE
    assert [attempt.outcome for attempt in result.attempts] == ["invalid", "accepted"]
    assert [w.kind for w in result.warnings] == ["duplicate_target_call"]


async def test_tools_are_sent_in_the_form_of_the_provider(desk: Desk) -> None:
    await desk.run(GOOD)
    (request,) = desk.requests
    assert "tool_choice" not in request
    if desk.provider == "openai":
        tools = {tool["function"]["name"]: tool["function"] for tool in request["tools"]}
        assert all(tool["strict"] is True for tool in tools.values())
        schema = tools["submit_report"]["parameters"]
        assert schema["required"] == ["title", "items", "note"]
        assert schema["additionalProperties"] is False
        assert schema["$defs"]["Item"]["additionalProperties"] is False
        assert request["messages"][0] == {"role": "system", "content": "Be brief."}
    else:
        tools = {tool["name"]: tool for tool in request["tools"]}
        schema = tools["submit_report"]["input_schema"]
        assert (schema["type"], schema["required"]) == ("object", ["title", "items"])
        assert schema["$defs"]["Item"]["required"] == ["name", "count"]
        assert request["system"] == "Be brief."
    assert list(tools) == ["search", "submit_report"]


async def test_a_server_at_another_address_is_not_taken_for_one_with_the_strict_mode() -> None:
    client_of("openai")
    async with wire_server(GOOD) as server:
        await extract(Agent(model=server.model("openai")), "go", until_tool_success=Report)
    (tool,) = server.requests[0]["tools"]
    assert "strict" not in tool["function"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_parts_come_as_the_pieces_of_the_arguments_arrive(provider: Provider) -> None:
    desk = Desk(provider, streaming=True)
    await desk.run(GOOD)
    parts = [(e.path, e.value) for e in desk.events if isinstance(e, PartialValue)]
    assert parts == [
        ("/title", "a"),
        ("/items/0/name", "x"),
        ("/items/0/count", 1),
        ("/items/0", {"name": "x", "count": 1}),
        ("/items", ARGS["items"]),
        ("/note", None),
        ("", ARGS),
    ]


async def test_prose_is_followed_by_a_nudge_and_a_forced_choice(desk: Desk) -> None:
    result = await desk.run(WireReply(text="It is x."), GOOD)
    assert result.value == VALUE
    forced = desk.requests[1]["tool_choice"]
    if desk.provider == "openai":
        assert forced == {"type": "function", "function": {"name": "submit_report"}}
    else:
        assert forced == {"type": "tool", "name": "submit_report"}
    assert "Call `submit_report` now" in json.dumps(desk.requests[1]["messages"][-1])


async def test_an_empty_reply_is_a_nudge_too_and_is_not_sent_back(desk: Desk) -> None:
    result = await desk.run(WireReply(), GOOD)
    assert result.value == VALUE
    assert [m for m in desk.requests[1]["messages"] if m["role"] == "assistant"] == []
    assert desk.requests[1]["tool_choice"]


async def test_a_provider_that_refuses_the_choice_is_asked_without_it(desk: Desk) -> None:
    refusal = WireFailure(status=400, message="tool_choice: not with this model")
    result = await desk.run(WireReply(text="It is x."), refusal, GOOD)
    assert result.value == VALUE
    assert "tool_choice" not in desk.requests[2]
    assert [w.kind for w in result.warnings] == ["tool_choice_unsupported"]


async def test_a_choice_that_the_caller_set_on_the_model_holds_until_the_nudge() -> None:
    desk = Desk("openai", streaming=False)
    await desk.run(
        WireReply(text="It is x."), GOOD, model={"model_kwargs": {"tool_choice": "required"}}
    )
    forced = {"type": "function", "function": {"name": "submit_report"}}
    assert [request["tool_choice"] for request in desk.requests] == ["required", forced]


async def test_a_model_that_thinks_aloud_is_not_forced(*, streaming: bool) -> None:
    desk = Desk("anthropic", streaming=streaming)
    thinking = {"type": "enabled", "budget_tokens": 1_024}
    await desk.run(WireReply(text="It is x."), GOOD, model={"thinking": thinking})
    assert [request["thinking"] for request in desk.requests] == [thinking] * 2
    assert all("tool_choice" not in request for request in desk.requests)
