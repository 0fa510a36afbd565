"""What goes wrong at a provider, seen through its own client: it ends typed, or is mended."""

from collections.abc import Sequence
from typing import Any

import pytest
from provider_desk import ARGS, BAD, GOOD, MALFORMED, VALUE, Desk, answers, called, search
from wire import INPUT_TOKENS, OUTPUT_TOKENS, WireFailure, WireReply, WireSilence, asks
from wire_server import PROVIDERS, Provider, wire_server

from agent_runtime import (
    Agent,
    ProviderError,
    RefusedError,
    TargetNotCalledError,
    TruncatedError,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streaming(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(params=PROVIDERS)
def desk(request: pytest.FixtureRequest, *, streaming: bool) -> Desk:
    return Desk(request.param, streaming=streaming)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_the_model_declines_is_a_refusal_with_its_words(provider: Provider) -> None:
    refusal = WireReply(text="I cannot say that.", end="refusal")
    desk = Desk(provider, streaming=False)
    with pytest.raises(RefusedError, match=r"I cannot say that\.") as caught:
        await desk.run(refusal)
    assert caught.value.usage.total_tokens == INPUT_TOKENS + OUTPUT_TOKENS


async def test_a_refusal_is_one_also_in_a_stream() -> None:
    desk = Desk("anthropic", streaming=True)
    with pytest.raises(RefusedError, match=r"I cannot say that\."):
        await desk.run(WireReply(text="I cannot say that.", end="refusal"))


async def test_a_streamed_refusal_whose_words_the_client_drops_still_ends_typed() -> None:
    # langchain-openai passes on no refusal of a stream: what is left of it is an empty reply.
    desk = Desk("openai", streaming=True)
    refusal = WireReply(text="I cannot say that.", end="refusal")
    with pytest.raises(TargetNotCalledError) as caught:
        await desk.run(refusal, refusal, max_nudges=1)
    assert caught.value.model_calls == 2


async def test_a_reply_that_is_cut_off_is_never_executed_and_answered_once(desk: Desk) -> None:
    cut = WireReply(calls=GOOD.calls, end="length")
    with pytest.raises(TruncatedError) as caught:
        await desk.run(cut, cut)
    assert [attempt.outcome for attempt in caught.value.attempts] == ["truncated", "truncated"]
    ((own_id, text),) = answers(desk.requests[1])
    assert (own_id, called(desk.requests[1])) == ("call_10", ["call_10"])
    assert "cut off at the token limit" in text
    assert caught.value.usage.output_tokens == 2 * OUTPUT_TOKENS


async def test_prose_that_is_cut_off_is_followed_by_another_try(desk: Desk) -> None:
    result = await desk.run(WireReply(text="It is", end="length"), GOOD)
    assert result.value == VALUE
    assert desk.retried() == ["truncated"]


@pytest.mark.parametrize(
    ("provider", "streaming"), [("openai", False), ("openai", True), ("anthropic", True)]
)
async def test_malformed_arguments_are_an_attempt_and_are_told_to_the_model(
    provider: Provider, *, streaming: bool
) -> None:
    desk = Desk(provider, streaming=streaming)
    result = await desk.run(MALFORMED, GOOD)
    assert result.value == VALUE
    assert [(a.outcome, a.raw_args) for a in result.attempts] == [
        ("unparsable", MALFORMED.calls[0][1]),
        ("accepted", ARGS),
    ]
    ((own_id, text),) = answers(desk.requests[1])
    assert own_id in called(desk.requests[1])
    assert "not a JSON object" in text


async def test_invalid_arguments_are_told_to_the_model_with_their_path(desk: Desk) -> None:
    result = await desk.run(BAD, GOOD)
    assert [attempt.outcome for attempt in result.attempts] == ["invalid", "accepted"]
    ((_, text),) = answers(desk.requests[1])
    assert "/items" in text


async def test_a_limit_or_an_overload_is_waited_for_as_the_provider_asks(desk: Desk) -> None:
    limited = WireFailure(status=429, headers={"retry-after": "7"})
    result = await desk.run(limited, WireFailure(status=529), GOOD, backoff=desk.backoff())
    assert result.value == VALUE
    assert desk.waits.seconds == [7.0, 2.0]
    assert desk.retried() == ["transport", "transport"]
    # A request that failed on its way is no reply.
    assert (result.model_calls, result.usage.input_tokens) == (1, INPUT_TOKENS)


FAILURES: Sequence[tuple[WireFailure, str]] = [
    (WireFailure(status=429), "rate_limited"),
    (WireFailure(status=529), "overloaded"),
    (WireFailure(status=500), "provider_error"),
    (WireFailure(status=401), "provider_error"),
]


@pytest.mark.parametrize(("failure", "kind"), FAILURES, ids=repr)
async def test_a_failure_without_a_retry_is_typed(
    desk: Desk, failure: WireFailure, kind: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        await desk.run(asks("search", {"query": "q"}), failure)
    assert caught.value.type == kind
    # What came before is kept, to go on from.
    assert caught.value.messages[-1].text == "found q"
    assert caught.value.usage.input_tokens == INPUT_TOKENS


async def test_a_provider_that_does_not_answer_in_time_is_a_timeout(desk: Desk) -> None:
    with pytest.raises(ProviderError) as caught:
        await desk.run(WireSilence(), model={"timeout": 0.1})
    assert caught.value.type == "timeout"


async def test_a_request_that_was_wrong_is_not_made_again(desk: Desk) -> None:
    with pytest.raises(ProviderError, match="no such model"):
        await desk.run(
            WireFailure(status=404, message="no such model"), backoff=desk.backoff(), max_runs=1
        )
    assert (desk.waits.seconds, len(desk.requests)) == ([], 1)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("how", "kind"), [("cut", "provider_error"), ("overloaded", None)], ids=["cut", "overloaded"]
)
async def test_a_stream_that_breaks_off_is_asked_for_again_and_never_taken_as_whole(
    provider: Provider, how: Any, kind: str | None
) -> None:
    broken = WireReply(calls=GOOD.calls, after_half=how)
    desk = Desk(provider, streaming=True)
    result = await desk.run(broken, GOOD, backoff=desk.backoff())
    assert result.value == VALUE
    assert desk.retried() == ["transport"]
    assert [attempt.outcome for attempt in result.attempts] == ["accepted"]

    desk = Desk(provider, streaming=True)
    with pytest.raises(ProviderError) as caught:
        await desk.run(broken)
    words = {"openai": "provider_error", "anthropic": "overloaded"}
    assert caught.value.type == (kind or words[provider])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_stream_that_ends_too_early_in_good_order_is_not_taken_as_whole(
    provider: Provider,
) -> None:
    desk = Desk(provider, streaming=True)
    result = await desk.run(WireReply(calls=GOOD.calls, after_half="end"), GOOD)
    assert result.value == VALUE
    assert [attempt.outcome for attempt in result.attempts] == ["unparsable", "accepted"]


async def test_another_provider_goes_on_with_what_the_first_one_did(*, streaming: bool) -> None:
    desks = [Desk(provider, streaming=streaming) for provider in PROVIDERS]
    for desk, other in (desks, desks[::-1]):
        async with wire_server(
            WireReply(text="I search.", calls=[("search", '{"query": "q"}')]),
            WireFailure(status=429),
            BAD,
            GOOD,
        ) as server:
            agent = Agent(
                model=server.model(desk.provider),
                fallback_models=[server.model(other.provider)],
                tools=[search],
            )
            result = await desk.extract(agent)
        assert result.value == VALUE
        assert [w.kind for w in result.warnings] == ["model_fell_back"]
        assert answers(server.requests[2]) == [("call_10", "found q")]
        assert called(server.requests[2]) == ["call_10"]
        assert set(result.usage.by_model) == {"gpt-wire", "claude-wire"}
