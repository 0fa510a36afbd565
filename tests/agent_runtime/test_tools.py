"""Whatever a tool does, the run goes on; only cancellation goes through it."""

from collections.abc import Callable, Sequence
from typing import Any

import anyio
import pytest
from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool

from agent_runtime import Agent, AttemptsExhaustedError, DeadlineExceededError, extract
from agent_runtime.testing import Entry, ScriptedModel, call

pytestmark = pytest.mark.anyio


def submit(title: str) -> str:
    """Submit."""
    return title


GOOD = call("submit", {"title": "a"})


def failing(error: BaseException) -> Callable[[str], str]:
    def work(query: str) -> str:
        """Work."""
        assert query == "x"
        raise error

    return work


async def answer_to(work: BaseTool | Callable[..., Any], **agent_fields: Any) -> ToolMessage:
    """What the model is told about a call of `work`, in a run that goes on to its end."""
    model = ScriptedModel([call("work", {"query": "x"}), GOOD])
    agent = Agent(model=model, tools=[work, submit], **agent_fields)
    result = await extract(agent, "go", until_tool_success="submit")
    assert result.value == {"title": "a"}
    message = result.messages[2]
    assert isinstance(message, ToolMessage)
    return message


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ToolException("the index is down"), "the index is down"),
        (ToolException(), "ToolException"),
        (ValueError("bad luck"), "ValueError: bad luck"),
        (KeyError("x"), "KeyError: 'x'"),
        (TimeoutError(), "TimeoutError"),
        (ExceptionGroup("two", [ValueError("a")]), "ExceptionGroup: two (1 sub-exception)"),
    ],
    ids=repr,
)
async def test_what_a_tool_raises_is_an_answer_without_a_traceback(
    error: Exception, text: str
) -> None:
    message = await answer_to(failing(error))
    assert (message.status, message.text) == ("error", text)


async def test_a_long_error_is_shortened() -> None:
    message = await answer_to(failing(ValueError("x" * 100_000)))
    assert len(message.text) < 2_100


async def test_a_tool_that_handles_its_errors_itself_still_answers_by_an_error() -> None:
    @tool
    def work(query: str) -> str:
        """Work."""
        assert query == "x"
        raise ToolException("inner words")

    work.handle_tool_error = "outer words"
    message = await answer_to(work)
    assert (message.status, message.text) == ("error", "outer words")


async def test_a_tool_that_takes_too_long_is_stopped_and_answered() -> None:
    stopped: list[str] = []

    async def work(query: str) -> str:
        """Work."""
        try:
            await anyio.sleep_forever()
        finally:
            stopped.append(query)
        return query

    with anyio.fail_after(5):
        message = await answer_to(work, tool_timeout_s=0.5)
    assert stopped == ["x"]
    assert (message.status, message.text) == (
        "error",
        "work did not finish within 0.5 s and was stopped.",
    )


class Stop(BaseException):
    """Is no exception, as an interrupt from the keyboard is none."""


async def test_what_is_no_exception_passes_through() -> None:
    async def work(query: str) -> str:
        """Work."""
        assert query == "x"
        raise Stop

    model = ScriptedModel([call("work", {"query": "x"})])
    with pytest.raises(Stop):
        await extract(Agent(model=model, tools=[work, submit]), "go", until_tool="submit")


async def waiting(_: Sequence[BaseMessage]) -> str:
    await anyio.sleep_forever()
    return "never"


async def wait(query: str) -> str:
    """Wait."""
    await anyio.sleep_forever()
    return query


async def test_the_deadline_ends_a_run_whose_model_does_not_answer() -> None:
    agent = Agent(model=ScriptedModel([call("submit", {}), waiting]), tools=[submit])
    with anyio.fail_after(5), pytest.raises(DeadlineExceededError) as caught:
        await extract(agent, "go", until_tool_success="submit", deadline_s=0.5)
    error = caught.value
    assert error.type == "timeout"
    assert isinstance(error, TimeoutError)
    assert (error.model_calls, len(error.attempts)) == (1, 1)


async def test_the_deadline_leaves_no_call_unanswered() -> None:
    calls: Entry = [call("submit", {}), call("wait", {"query": "x"}), GOOD]
    agent = Agent(model=ScriptedModel([calls]), tools=[submit, wait])
    with anyio.fail_after(5), pytest.raises(DeadlineExceededError) as caught:
        await extract(agent, "go", until_tool_success="submit", deadline_s=0.5)
    answers = [m for m in caught.value.messages if isinstance(m, ToolMessage)]
    assert [m.name for m in answers] == ["submit", "wait", "submit"]
    assert "not executed: the deadline" in answers[1].text


async def test_a_timeout_of_the_tools_own_is_not_the_deadline() -> None:
    model = ScriptedModel([call("submit", {"title": "x"})])
    agent = Agent(model=model, tools=[failing(TimeoutError("slow disk"))])
    agent = Agent(
        model=ScriptedModel([call("work", {"query": "x"}), GOOD]), tools=[*agent.tools, submit]
    )
    result = await extract(agent, "go", until_tool_success="submit", deadline_s=60)
    assert result.messages[2].text == "TimeoutError: slow disk"


async def test_cancellation_goes_through_a_tool_and_leaves_nothing_running() -> None:
    started, ended = anyio.Event(), anyio.Event()

    async def work(query: str) -> str:
        """Work."""
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return query

    outcome: list[object] = []

    async def run() -> None:
        agent = Agent(model=ScriptedModel([call("work", {"query": "x"})]), tools=[work, submit])
        outcome.append(await extract(agent, "go", until_tool_success="submit"))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            await started.wait()
            tasks.cancel_scope.cancel()
    assert ended.is_set()
    assert not outcome


async def test_a_submit_tool_that_breaks_is_corrected_like_any_other() -> None:
    seen: list[str] = []

    def once(title: str) -> str:
        """Submit."""
        seen.append(title)
        if len(seen) == 1:
            raise ConnectionError("database is locked")
        return title

    model = ScriptedModel([call("once", {"title": "a"}), call("once", {"title": "b"})])
    result = await extract(Agent(model=model, tools=[once]), "go", until_tool_success="once")
    assert [a.outcome for a in result.attempts] == ["rejected", "accepted"]
    assert result.attempts[0].answer == "ConnectionError: database is locked"
    seen.clear()
    model = ScriptedModel([call("once", {"title": "a"})])
    with pytest.raises(AttemptsExhaustedError, match="database is locked"):
        await extract(Agent(model=model, tools=[once]), "go", until_tool_success="once", max_runs=1)
