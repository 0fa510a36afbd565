"""What got lost on the way to a model is asked for again, or of another model; progress stays."""

from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from langchain_core.exceptions import ModelRateLimitError, ModelRefusalError, ModelTimeoutError
from langchain_core.language_models import FakeListChatModel
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    Backoff,
    DeadlineExceededError,
    Event,
    ExtractError,
    InvalidOptionsError,
    ProviderError,
    RefusedError,
    Retried,
    extract,
    extract_stream,
)
from agent_runtime.testing import ScriptedModel, call

pytestmark = pytest.mark.anyio


class Report(BaseModel):
    title: str


GOOD = call("submit_report", {"title": "a"})
BAD = call("submit_report", {})


class HttpError(Exception):
    """As the clients of the providers raise it."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(f"status {status}")
        self.status_code = status
        self.response = SimpleNamespace(
            headers={name.replace("_", "-"): value for name, value in headers.items()}
        )


class APIConnectionError(Exception):
    """Named as the clients of the providers name it."""


class APITimeoutError(APIConnectionError):
    """Likewise."""


class StreamError(Exception):
    """An error that a provider reported within a stream, which had begun with a good status."""

    status_code = 200

    def __init__(self, body: object) -> None:
        super().__init__(repr(body))
        self.body = body


class Waits:
    """Remembers the waits, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, delay_s: float) -> None:
        self.seconds.append(delay_s)


def backoff(**fields: Any) -> tuple[Backoff, list[float]]:
    waits = Waits()
    return Backoff(sleep=waits, **fields), waits.seconds


@pytest.mark.parametrize(
    "error",
    [
        *(HttpError(status) for status in (408, 429, 500, 503, 529)),
        ConnectionResetError("gone"),
        TimeoutError(),
        APIConnectionError("gone"),
    ],
    ids=repr,
)
async def test_what_failed_on_its_way_is_asked_again_and_counts_as_no_reply(
    error: Exception,
) -> None:
    model = ScriptedModel([error, error, GOOD])
    policy, waits = backoff(max_retries=2, first_delay_s=1.0)
    result = await extract(
        Agent(model=model), "go", until_tool_success=Report, backoff=policy, max_runs=1
    )
    assert result.value == Report(title="a")
    assert result.model_calls == 1
    assert waits == [1.0, 2.0]


@pytest.mark.parametrize(
    "error", [HttpError(400), HttpError(401), ValueError("bad schema"), LookupError("x")], ids=repr
)
async def test_what_was_asked_wrongly_is_not_asked_again(error: Exception) -> None:
    policy, waits = backoff()
    for agent in (
        Agent(model=ScriptedModel([error, GOOD])),
        Agent(model=ScriptedModel([error]), fallback_models=[ScriptedModel([GOOD])]),
    ):
        with pytest.raises(ProviderError) as caught:
            await extract(agent, "go", until_tool_success=Report, backoff=policy)
        assert caught.value.__cause__ is error
    assert waits == []


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (HttpError(408), "timeout"),
        (HttpError(429), "rate_limited"),
        (HttpError(500), "provider_error"),
        (TimeoutError(), "timeout"),
        (APITimeoutError("late"), "timeout"),
        (APIConnectionError("gone"), "provider_error"),
        (ModelRateLimitError("slow down"), "rate_limited"),
        (ModelTimeoutError("late"), "timeout"),
        (StreamError({"type": "error", "error": {"type": "overloaded_error"}}), "overloaded"),
        (StreamError({"type": "server_error", "message": "sorry"}), "provider_error"),
    ],
    ids=repr,
)
async def test_a_failure_on_the_way_is_typed_and_asked_again(error: Exception, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        await extract(Agent(model=ScriptedModel([error])), "go", until_tool_success=Report)
    assert caught.value.type == kind
    policy, waits = backoff(max_retries=1)
    agent = Agent(model=ScriptedModel([error, GOOD]))
    await extract(agent, "go", until_tool_success=Report, backoff=policy)
    assert len(waits) == 1


@pytest.mark.parametrize(
    "body",
    [
        None,
        "overloaded_error",
        {"type": "error", "error": {"type": "invalid_request_error"}},
        {"type": ["overloaded_error"]},
        {"error": "overloaded_error"},
    ],
    ids=repr,
)
async def test_an_error_in_a_stream_that_is_not_known_is_not_asked_again(body: object) -> None:
    policy, waits = backoff()
    model = ScriptedModel([StreamError(body), GOOD])
    with pytest.raises(ProviderError) as caught:
        await extract(Agent(model=model), "go", until_tool_success=Report, backoff=policy)
    assert (caught.value.type, waits) == ("provider_error", [])


async def test_a_submission_that_is_not_valid_is_never_a_matter_of_transport() -> None:
    model = ScriptedModel([BAD, GOOD])
    policy, waits = backoff()
    result = await extract(Agent(model=model), "go", until_tool_success=Report, backoff=policy)
    assert (result.model_calls, waits) == (2, [])


async def test_a_refusal_is_not_asked_again() -> None:
    policy, waits = backoff()
    agent = Agent(
        model=ScriptedModel([ModelRefusalError("no")]), fallback_models=[ScriptedModel([GOOD])]
    )
    with pytest.raises(RefusedError):
        await extract(agent, "go", until_tool_success=Report, backoff=policy)
    assert waits == []


async def test_the_wait_that_a_provider_asks_for_is_kept_within_the_limit() -> None:
    errors = [
        HttpError(429, retry_after="7"),
        HttpError(429, retry_after="3600"),
        HttpError(429, retry_after="soon"),
        HttpError(429, retry_after="nan"),
        HttpError(429, retry_after="-5"),
    ]
    policy, waits = backoff(max_retries=5, first_delay_s=1.0, max_delay_s=10.0)
    agent = Agent(model=ScriptedModel([*errors, GOOD]))
    await extract(agent, "go", until_tool_success=Report, backoff=policy)
    assert waits == [7.0, 10.0, 4.0, 8.0, 10.0]


async def test_waits_stay_within_the_limit_however_many_there_are() -> None:
    policy, waits = backoff(max_retries=1100, first_delay_s=1.0, max_delay_s=2.0)
    agent = Agent(model=ScriptedModel([TimeoutError()] * 1100 + [GOOD]))
    await extract(agent, "go", until_tool_success=Report, backoff=policy)
    assert waits == [1.0] + [2.0] * 1099


async def test_the_last_failure_is_told_once_the_retries_are_spent() -> None:
    policy, waits = backoff(max_retries=1)
    model = ScriptedModel([TimeoutError(), HttpError(429), GOOD])
    with pytest.raises(ProviderError) as caught:
        await extract(Agent(model=model), "go", until_tool_success=Report, backoff=policy)
    assert (caught.value.type, len(waits)) == ("rate_limited", 1)


async def test_nothing_is_asked_again_without_being_told_to() -> None:
    model = ScriptedModel([HttpError(503), GOOD])
    with pytest.raises(ProviderError) as caught:
        await extract(Agent(model=model), "go", until_tool_success=Report)
    assert caught.value.type == "overloaded"
    assert model.remaining == 1


async def test_the_deadline_ends_a_wait() -> None:
    with pytest.raises(DeadlineExceededError):
        await extract(
            Agent(model=ScriptedModel([TimeoutError()])),
            "go",
            until_tool_success=Report,
            deadline_s=0.01,
            backoff=Backoff(first_delay_s=60.0, max_delay_s=60.0),
        )


class Notes:
    def __init__(self) -> None:
        self.taken: list[str] = []

    def note(self, text: str) -> str:
        """Take a note."""
        self.taken.append(text)
        return f"noted {text}"


async def test_another_model_goes_on_where_the_first_was_and_nothing_runs_twice() -> None:
    notes = Notes()
    first = ScriptedModel(
        [call("note", {"text": "1"}), call("note", {"text": "2"}), HttpError(429)],
        model_name="first",
    )
    second = ScriptedModel([BAD, GOOD], model_name="second")
    agent = Agent(model=first, tools=[notes.note], fallback_models=[second])
    result = await extract(agent, "go", until_tool_success=Report)
    assert result.value == Report(title="a")
    assert notes.taken == ["1", "2"]
    assert [m.text for m in second.requests[0].messages if m.type == "tool"] == [
        "noted 1",
        "noted 2",
    ]
    # It stays with the run, and each is counted under its own name.
    assert (len(first.requests), len(second.requests), result.model_calls) == (3, 2, 4)
    assert set(result.usage.by_model) == {"first", "second"}
    assert [w.kind for w in result.warnings] == ["model_fell_back"]
    assert "HttpError: status 429" in result.warnings[0].message


async def test_tokens_are_counted_under_the_class_of_the_model_that_gave_them() -> None:
    class Other(ScriptedModel):
        model_name: str = ""

    agent = Agent(
        model=ScriptedModel([TimeoutError()], model_name=""), fallback_models=[Other(script=[GOOD])]
    )
    result = await extract(agent, "go", until_tool_success=Report)
    assert set(result.usage.by_model) == {"Other"}


async def test_each_model_is_retried_before_the_next_and_the_last_failure_is_told() -> None:
    events: list[Event] = []
    policy, waits = backoff(max_retries=1, first_delay_s=1.0)
    agent = Agent(
        model=ScriptedModel([TimeoutError("1"), TimeoutError("2")]),
        fallback_models=[ScriptedModel([TimeoutError("3"), HttpError(529)])],
    )
    with pytest.raises(ProviderError) as caught:
        await extract(
            agent, "go", until_tool_success=Report, backoff=policy, callbacks=[events.append]
        )
    assert caught.value.type == "overloaded"
    assert waits == [1.0, 1.0]
    assert [(e.run, e.reason) for e in events if isinstance(e, Retried)] == [
        (1, "transport"),
        (1, "fallback"),
        (1, "transport"),
    ]


async def test_the_choice_of_a_tool_is_forced_on_the_model_that_can_be_forced() -> None:
    first = ScriptedModel(["prose", ValueError("no tool_choice here"), TimeoutError()])
    second = ScriptedModel([GOOD])
    agent = Agent(model=first, fallback_models=[second])
    await extract(agent, "go", until_tool_success=Report)
    assert [request.tool_choice for request in first.requests] == [None, "submit_report", None]
    assert [request.tool_choice for request in second.requests] == ["submit_report"]


async def test_a_stream_goes_on_with_the_other_model_too() -> None:
    agent = Agent(model=ScriptedModel([TimeoutError()]), fallback_models=[ScriptedModel([GOOD])])
    async with extract_stream(agent, "go", until_tool_success=Report) as events:
        kinds = [event.kind async for event in events]
    assert kinds[:2] == ["model_started", "retried"]
    assert kinds[-1] == "finished"


async def test_a_run_that_is_cancelled_while_it_waits_ends_at_once() -> None:
    policy = Backoff(first_delay_s=60.0, max_delay_s=60.0)
    with anyio.move_on_after(0.01) as scope:
        await extract(
            Agent(model=ScriptedModel([TimeoutError()])),
            "go",
            until_tool_success=Report,
            backoff=policy,
        )
    assert scope.cancelled_caught


@pytest.mark.parametrize(
    "fields",
    [
        {"max_retries": -1},
        {"max_retries": True},
        {"max_retries": 1.5},
        {"first_delay_s": float("nan")},
        {"first_delay_s": -1.0},
        {"max_delay_s": float("inf")},
        {"max_delay_s": 10**400},
        {"sleep": None},
    ],
    ids=repr,
)
def test_a_backoff_out_of_bounds_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionsError, match="cannot be used"):
        Backoff(**fields)


async def test_what_is_no_backoff_is_refused_before_the_model_is_called() -> None:
    options: Any = {"backoff": 3}
    with pytest.raises(ExtractError, match="backoff must be a Backoff, not 3"):
        await extract(Agent(model=ScriptedModel([])), "go", until_tool_success=Report, **options)


async def test_a_fallback_model_that_takes_no_tools_is_found_out_before_any_call() -> None:
    with pytest.raises(AgentDefinitionError, match="no bind_tools"):
        Agent(model=ScriptedModel([]), fallback_models=[object()])  # pyright: ignore[reportArgumentType] -- that is the point
    first = ScriptedModel([GOOD])
    agent = Agent(model=first, fallback_models=[FakeListChatModel(responses=["x"])])
    with pytest.raises(InvalidOptionsError, match="FakeListChatModel cannot be given the tools"):
        await extract(agent, "go", until_tool_success=Report)
    assert not first.requests
