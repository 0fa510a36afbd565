"""A step of the caller's own, between validation and the body, coerces or refuses."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import anyio
import anyio.lowlevel
import pytest
from langchain_core.tools import InjectedToolCallId, StructuredTool, ToolException, tool
from pydantic import BaseModel

from agent_runtime import (
    Agent,
    AgentDefinitionError,
    AttemptsExhaustedError,
    ExtractResult,
    InvalidOptionsError,
    SubmitTool,
    ToolStarted,
    extract,
)
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Booking:
    day: date
    seats: int


seen: list[Any] = []


def submit(day: str, seats: int = 1) -> str:
    """Submit."""
    seen.append((day, seats))
    return f"booked for {day}"


def parse(args: dict[str, Any]) -> dict[str, Any]:
    return {"day": date.fromisoformat(args["day"]), "seats": args["seats"] + 1}


@pytest.fixture(autouse=True)
def nothing_seen() -> None:
    seen.clear()


async def run(
    parse_args: Any, *script: Entry, body: Any = submit, **fields: Any
) -> ExtractResult[Any]:
    model = ScriptedModel(script or [call("submit", {"day": "2026-11-30", "seats": "2"})])
    agent = Agent(model=model, tools=[SubmitTool(body, parse_args=parse_args)], **fields)
    runs = len(script) or 1
    return await extract(agent, "go", until_tool_success="submit", max_runs=runs)


async def refusal(parse_args: Any, **fields: Any) -> str:
    with pytest.raises(AttemptsExhaustedError) as caught:
        await run(parse_args, **fields)
    attempt = caught.value.attempts[0]
    assert (attempt.outcome, attempt.args) == ("invalid", None)
    assert not seen
    return attempt.answer


async def test_the_body_sees_what_was_parsed_and_so_does_the_caller() -> None:
    result = await run(parse)
    parsed = {"day": date(2026, 11, 30), "seats": 3}
    assert seen == [(parsed["day"], 3)]
    # The body produced no value: it is what was parsed, not what the model sent.
    assert result.value == result.args == result.attempts[0].args == parsed
    assert result.raw_args == {"day": "2026-11-30", "seats": "2"}
    assert result.tool_message.text == "booked for 2026-11-30"


async def test_the_value_that_the_body_produces_comes_first() -> None:
    def shaped(day: str, seats: int) -> Booking:
        """Submit."""
        assert isinstance(day, date)
        return Booking(day, seats)

    shaped.__name__ = "submit"
    described = StructuredTool(
        name="submit",
        description="Submit.",
        args_schema=submit_schema(),
        coroutine=pair,
        response_format="content_and_artifact",
    )
    for body in (shaped, described):
        result = await run(parse, body=body)
        assert result.value == Booking(date(2026, 11, 30), 3)


async def pair(day: date, seats: int) -> tuple[str, Booking]:
    return "booked", Booking(day, seats)


def submit_schema() -> type[BaseModel]:
    class Submit(BaseModel):
        day: str
        seats: int = 1

    return Submit


async def test_a_tool_with_a_json_schema_is_parsed_likewise() -> None:
    schema = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
    described = StructuredTool(
        name="submit", description="Submit.", args_schema=schema, func=submit
    )

    def widen(args: dict[str, Any]) -> dict[str, Any]:
        return {**args, "seats": 7}

    result = await run(widen, body=described)
    assert seen == [("2026-11-30", 7)]
    assert result.value["seats"] == 7


async def test_the_model_is_offered_the_schema_of_the_tool_and_held_to_it() -> None:
    model = ScriptedModel([call("submit", {"seats": "many"})])
    agent = Agent(model=model)
    submission = SubmitTool(submit, parse_args=parse)
    with pytest.raises(AttemptsExhaustedError) as caught:
        await extract(agent, "go", until_tool_success=submission, max_runs=1)
    assert {p.path for p in caught.value.attempts[0].problems} == {"/day", "/seats"}
    offered = model.requests[0].tools[0]["function"]["parameters"]["properties"]
    assert list(offered) == ["day", "seats"]
    # A tool of the agent's may be named by the very same value.
    owner = Agent(model=ScriptedModel([call("submit", {"day": "2026-11-30"})]), tools=[submission])
    result = await extract(owner, "go", until_tool_success=submission)
    assert result.target is submission


class Never(BaseModel):
    day: date


def raising(error: Exception) -> Any:
    def parse_args(args: dict[str, Any]) -> dict[str, Any]:
        assert args == {"day": "2026-11-30", "seats": 2}
        raise error

    return parse_args


def returning(answer: Any) -> Any:
    return lambda _: answer  # pyright: ignore[reportUnknownLambdaType] -- it takes anything


def modelled(args: dict[str, Any]) -> dict[str, Any]:
    return Never.model_validate({**args, "day": "?"}).model_dump()


@pytest.mark.parametrize(
    ("parse_args", "told"),
    [
        (returning("that day is a holiday"), "nothing was executed: that day is a holiday"),
        (returning(""), "no reason was given"),
        (raising(ToolException("no seats are left")), "no seats are left"),
        (raising(ValueError("a bad day")), "ValueError: a bad day"),
        (modelled, "- /day: got"),
        (returning([]), "TypeError: parse_args returned a list"),
        (returning(None), "TypeError: parse_args returned a NoneType"),
    ],
)
async def test_a_refusal_goes_back_to_the_model_and_the_body_does_not_run(
    parse_args: Any, told: str
) -> None:
    assert told in await refusal(parse_args)


async def test_after_a_refusal_the_model_corrects_itself() -> None:
    bad, good = (call("submit", {"day": day}) for day in ("soon", "2026-12-01"))
    result = await run(parse, bad, good)
    assert [a.outcome for a in result.attempts] == ["invalid", "accepted"]
    assert seen == [(date(2026, 12, 1), 2)]


async def test_the_step_may_be_async_and_is_bounded_like_the_body() -> None:
    async def parse_later(args: dict[str, Any]) -> dict[str, Any]:
        await anyio.lowlevel.checkpoint()
        return parse(args)

    async def never(args: dict[str, Any]) -> dict[str, Any]:
        await anyio.sleep_forever()
        return args

    assert (await run(parse_later)).value["seats"] == 3
    seen.clear()
    with anyio.fail_after(5):
        assert "did not finish within 0.01 s" in await refusal(never, tool_timeout_s=0.01)


async def test_a_body_that_fails_after_parsing_was_rejected_with_what_was_parsed() -> None:
    def submit(day: str) -> str:
        """Submit."""
        raise ToolException(f"{day:%d.%m.} is full")

    def parse_day(args: dict[str, Any]) -> dict[str, Any]:
        return {"day": date.fromisoformat(args["day"])}

    with pytest.raises(AttemptsExhaustedError, match=r"30\.11\. is full") as caught:
        await run(parse_day, call("submit", {"day": "2026-11-30"}), body=submit)
    assert caught.value.attempts[0].outcome == "rejected"
    assert caught.value.attempts[0].args == {"day": date(2026, 11, 30)}


async def test_what_the_step_and_the_body_change_does_not_change_the_record() -> None:
    def mutate(args: dict[str, Any]) -> dict[str, Any]:
        args["tags"].append("parsed")
        return args

    def submit(tags: list[str]) -> str:
        """Submit."""
        return ",".join(tags)

    sent = call("submit", {"tags": ["sent"]})
    result = await run(mutate, sent, body=submit)
    assert result.raw_args == {"tags": ["sent"]}
    assert result.tool_message.text == "sent,parsed"


async def test_observers_are_told_the_parsed_arguments() -> None:
    started: list[Any] = []
    agent = Agent(
        model=ScriptedModel([call("submit", {"day": "2026-11-30"})]),
        tools=[SubmitTool(submit, parse_args=parse)],
    )
    await extract(
        agent,
        "go",
        until_tool_success="submit",
        callbacks=[lambda event: started.append(event) if isinstance(event, ToolStarted) else None],
    )
    assert [event.args["day"] for event in started] == [date(2026, 11, 30)]


def test_a_step_that_is_no_function_or_a_tool_with_injected_arguments_is_refused() -> None:
    @tool
    def injected(name: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Submit."""
        return name + call_id

    unusable: Any = "parse"
    for submission in (
        SubmitTool(injected, parse_args=parse),
        SubmitTool(submit, parse_args=unusable),
    ):
        with pytest.raises(AgentDefinitionError, match="parse_args"):
            Agent(model=ScriptedModel([]), tools=[submission])


async def test_as_a_target_it_is_checked_before_any_model_call() -> None:
    unusable: Any = None
    with pytest.raises(InvalidOptionsError, match="parse_args"):
        await extract(
            Agent(model=ScriptedModel([])),
            "go",
            until_tool_success=SubmitTool(submit, parse_args=unusable),
        )
