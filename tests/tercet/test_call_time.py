"""How long calls may take: the registry's time, a person's, a task's, and the caller's own."""

from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult
from task_client import task_client

from tercet import (
    Asker,
    CallContext,
    CallLimits,
    ObjectRegistry,
    Question,
    Reply,
    ToolErrorResponse,
    ToolRegistry,
    ToolTimeoutError,
    program_tool,
    tool,
)
from tercet.mcp import McpTasks, TaskLimits, serve

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

SHORT_S = 0.1
LONG_S = 3 * SHORT_S
YES = Reply(accepted=True, content={"confirm": True})


async def past(time_s: float) -> None:
    """Let time go by."""
    with anyio.move_on_after(time_s):
        await anyio.sleep_forever()


@tool(app="clock", kind="test", effect="read")
async def take(seconds: float) -> str:
    """Take a time."""
    await past(seconds)
    return "done"


@tool(app="clock", kind="test", effect="write")
async def ask_then_take(context: CallContext, seconds: float) -> bool:
    """Ask twice, at once, then take a time."""
    answers: list[bool] = []

    async def ask(key: str) -> None:
        answers.append(await context.confirm("Go on?", key=key))

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "first")
        group.start_soon(ask, "second")
    await past(seconds)
    return all(answers)


@tool(app="clock", kind="test", effect="write")
async def ask_once(context: CallContext) -> bool:
    """Ask."""
    return await context.confirm("Go on?")


@tool(app="clock", kind="test", effect="write")
async def ask_and_go_on(context: CallContext) -> str:
    """Ask once it is a task, and go on for long without an answer."""
    await past(SHORT_S / 2)
    try:
        await context.confirm("Go on?")
    except ToolTimeoutError:
        await past(60.0)
    return "done"


def registry(answer_s: float = 60.0) -> ToolRegistry:
    limits = CallLimits(timeout_s=SHORT_S, answer_s=answer_s)
    tools = ToolRegistry(
        [take, ask_then_take, ask_once, ask_and_go_on], limits=limits, objects=ObjectRegistry()
    )
    tools.register_tool(program_tool(tools))
    return tools


def answering_after(time_s: float) -> Asker:
    async def answer(question: Question) -> Reply:
        del question
        await past(time_s)
        return YES

    return answer


async def test_the_time_a_person_takes_is_not_the_calls() -> None:
    context = CallContext(asker=answering_after(LONG_S))
    answer = await registry().call_tool("ask_then_take", {"seconds": 0.0}, context)
    assert answer.to_dict()["data"]["result"] is True


async def test_after_an_answer_the_call_has_the_time_that_was_left() -> None:
    context = CallContext(asker=answering_after(LONG_S))
    answer = await registry().call_tool("ask_then_take", {"seconds": 60.0}, context)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code.value == "TIMEOUT"


async def test_nobody_is_waited_for_without_an_end() -> None:
    context = CallContext(asker=answering_after(60.0))
    answer = await registry(answer_s=0.05).call_tool("ask_once", {}, context)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code.value == "TIMEOUT"
    assert "nobody answered a question within 0.05 s: Go on?" in answer.message


async def test_a_deadline_of_the_callers_own_is_the_last_word() -> None:
    context = CallContext(asker=answering_after(60.0)).within(SHORT_S)
    answer = await registry().call_tool("ask_once", {}, context)
    assert isinstance(answer, ToolErrorResponse)
    assert answer.error_code.value == "TIMEOUT"
    assert "did not answer within" in answer.message


async def ended_task(limits: TaskLimits, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call gives that becomes a task."""
    async with McpTasks(limits) as tasks, task_client(serve(registry(), tasks=tasks)) as client:
        task = await client.begin(name, arguments)
        found = await client.until(task["taskId"], "completed", "failed", "cancelled")
    return found["result"]


AT_ONCE = TaskLimits(after_s=0.0, timeout_s=60.0, poll_interval_s=0.01)


@pytest.mark.parametrize("as_program", [False, True])
async def test_a_task_has_a_time_of_its_own(*, as_program: bool) -> None:
    arguments = {"seconds": LONG_S}
    steps = [{"tool": "take", "arguments": arguments}]
    call = ("run_program", {"steps": steps}) if as_program else ("take", arguments)
    result = await ended_task(AT_ONCE, *call)
    assert not result["isError"], result


async def test_a_task_ends_with_its_time() -> None:
    result = await ended_task(replace(AT_ONCE, timeout_s=LONG_S), "take", {"seconds": 60.0})
    assert result["structuredContent"]["error_code"] == "TIMEOUT"


async def test_a_call_that_becomes_no_task_has_the_registrys_time() -> None:
    limits = replace(AT_ONCE, running=0)
    async with McpTasks(limits) as tasks, task_client(serve(registry(), tasks=tasks)) as client:
        result = await client.call("take", {"seconds": 60.0})
    assert "did not answer within 0.1 s" in result.structured_content["message"]


async def nobody(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    raise AssertionError(context, params)


async def test_a_question_that_nobody_has_answered_is_open_no_longer() -> None:
    tools = registry(answer_s=0.1)
    async with (
        McpTasks(AT_ONCE) as tasks,
        task_client(serve(tools, tasks=tasks), on_question=nobody) as client,
    ):
        task = await client.begin("ask_and_go_on")
        asked = await client.until(task["taskId"], "input_required")
        assert asked["inputRequests"]
        found = await client.until(task["taskId"], "working")
    assert "inputRequests" not in found
