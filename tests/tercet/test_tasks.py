"""Long calls as tasks, by the official client: what is begun, asked, cancelled and found later."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.server import Server, ServerRequestContext
from mcp.types import ElicitRequestParams, ElicitResult
from task_client import TASKS, TaskClient, task_client

from tercet import CallContext, InvalidInputError, Question, ToolRegistry, tool
from tercet.mcp import McpTasks, MemoryTaskStore, TaskLimits, TaskRecord, serve

pytestmark = pytest.mark.anyio

AT_ONCE = TaskLimits(after_s=0.0, poll_interval_s=0.01)


class Bench:
    """Tools that wait until a test lets them go on."""

    def __init__(self) -> None:
        self.go = anyio.Event()
        self.begun = anyio.Event()
        self.ended: list[str] = []
        bench = self

        @tool(app="bench", kind="test", effect="read")
        async def wait_for_it(context: CallContext, word: str) -> str:
            """Wait, then give a word."""
            bench.begun.set()
            try:
                await context.report(1, 4, "waiting")
                await bench.go.wait()
            except BaseException:
                bench.ended.append("cancelled")
                raise
            bench.ended.append(word)
            return word

        @tool(app="bench", kind="test", effect="read")
        async def fail_later() -> str:
            """Wait, then fail."""
            await bench.go.wait()
            raise InvalidInputError("it is not to be had")

        @tool(app="bench", kind="test", effect="write")
        async def ask_two(context: CallContext) -> list[str]:
            """Wait, then ask for two names at once."""
            await bench.go.wait()
            given: dict[str, str] = {}

            async def ask(key: str) -> None:
                form = {"name": {"type": "string"}}
                question = Question(key=key, message=f"The {key} name?", fields=form)
                reply = await context.ask(question)
                given[key] = reply.content["name"] if reply.accepted else "nobody"

            async with anyio.create_task_group() as group:
                group.start_soon(ask, "first")
                group.start_soon(ask, "second")
            return [given["first"], given["second"]]

        self.registry = ToolRegistry([wait_for_it, fail_later, ask_two])


@pytest.fixture
def bench() -> Bench:
    return Bench()


def caller_of(name: list[str]) -> Callable[[ServerRequestContext[Any, Any]], CallContext]:
    return lambda _: CallContext(tenant="lab", subject=name[0])


@asynccontextmanager
async def serving(
    bench: Bench, limits: TaskLimits = AT_ONCE, name: list[str] | None = None
) -> AsyncGenerator[Server[Any]]:
    tasks = McpTasks(limits)
    async with tasks:
        yield serve(bench.registry, tasks=tasks, context_of=caller_of(name or ["ada"]))


@pytest.fixture
async def client(bench: Bench) -> AsyncGenerator[TaskClient]:
    async with serving(bench) as server, task_client(server) as made:
        yield made


async def test_a_long_call_becomes_a_task_whose_result_is_that_of_the_call(
    client: TaskClient, bench: Bench
) -> None:
    made = await client.begin("wait_for_it", {"word": "done"})
    assert made["status"] == "working"
    assert isinstance(made["ttlMs"], int)
    assert made["pollIntervalMs"] == 10
    assert len(made["taskId"]) >= 32
    found = await client.ask("tasks/get", made["taskId"])
    assert (found["status"], found["resultType"]) == ("working", "complete")
    assert "result" not in found
    bench.go.set()
    ended = await client.until(made["taskId"], "completed")
    assert ended["result"]["structuredContent"]["data"]["result"] == "done"
    assert ended["result"]["isError"] is False
    assert ended["createdAt"] == made["createdAt"]
    assert ended["lastUpdatedAt"] > made["createdAt"]


async def test_a_call_that_ends_in_time_is_answered_by_its_result(bench: Bench) -> None:
    bench.go.set()
    async with serving(bench, TaskLimits(after_s=30)) as server, task_client(server) as client:
        answer = await client.call("wait_for_it", {"word": "quick"})
        assert answer.structured_content["data"]["result"] == "quick"


async def test_a_client_that_does_not_know_tasks_waits_for_its_result(bench: Bench) -> None:
    async with serving(bench) as server, Client(server) as client:
        answers: list[Any] = []

        async def call() -> None:
            answers.append(await client.call_tool("wait_for_it", {"word": "patient"}))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await bench.begun.wait()
            bench.go.set()
        assert answers[0].structured_content["data"]["result"] == "patient"


async def test_a_client_of_an_older_revision_finds_no_tasks(bench: Bench) -> None:
    bench.go.set()
    async with serving(bench) as server, Client(server, mode="legacy") as client:
        answer = await client.call_tool("wait_for_it", {"word": "old"})
        assert answer.structured_content["data"]["result"] == "old"
        with pytest.raises(MCPError) as caught:
            await TaskClient(client).ask("tasks/get", "any")
        assert caught.value.code == -32601


async def test_who_does_not_declare_tasks_may_not_ask_for_any(bench: Bench) -> None:
    async with serving(bench) as server, Client(server) as client:
        for method in ("tasks/get", "tasks/cancel"):
            with pytest.raises(MCPError) as caught:
                await TaskClient(client).ask(method, "any")
            assert caught.value.code == -32021
            assert caught.value.error.data == {"requiredCapabilities": {"extensions": {TASKS: {}}}}


async def test_the_server_says_that_it_knows_tasks(client: TaskClient) -> None:
    capabilities = client.client.server_capabilities
    assert capabilities is not None
    assert capabilities.extensions == {TASKS: {}}


async def test_progress_is_the_message_of_a_task(client: TaskClient) -> None:
    made = await client.begin("wait_for_it", {"word": "far"})
    with anyio.fail_after(10):
        while (await client.ask("tasks/get", made["taskId"])).get("statusMessage") != "waiting":
            await anyio.lowlevel.checkpoint()


async def test_a_task_that_fails_has_completed_with_an_error(
    client: TaskClient, bench: Bench
) -> None:
    made = await client.begin("fail_later")
    bench.go.set()
    ended = await client.until(made["taskId"], "completed", "failed")
    assert ended["status"] == "completed"
    assert ended["result"]["isError"] is True
    assert ended["result"]["structuredContent"]["error_code"] == "INVALID_INPUT"


async def test_a_cancelled_task_stops_and_stays_cancelled(client: TaskClient, bench: Bench) -> None:
    made = await client.begin("wait_for_it", {"word": "never"})
    await bench.begun.wait()
    assert await client.ask("tasks/cancel", made["taskId"]) == {"resultType": "complete"}
    assert bench.ended == ["cancelled"]
    assert (await client.ask("tasks/get", made["taskId"]))["status"] == "cancelled"
    assert await client.ask("tasks/cancel", made["taskId"]) == {"resultType": "complete"}
    bench.go.set()
    assert (await client.ask("tasks/get", made["taskId"]))["status"] == "cancelled"


async def test_a_task_goes_on_when_its_client_is_gone_and_ends_with_the_service(
    bench: Bench,
) -> None:
    async with serving(bench) as server:
        async with task_client(server) as client:
            made = await client.begin("wait_for_it", {"word": "kept"})
        bench.go.set()
        async with task_client(server) as another:
            ended = await another.until(made["taskId"], "completed")
            assert ended["result"]["structuredContent"]["data"]["result"] == "kept"
            bench.go = anyio.Event()
            await another.begin("wait_for_it", {"word": "lost"})
    assert bench.ended == ["kept", "cancelled"]


async def test_a_call_withdrawn_before_it_is_a_task_is_cancelled(bench: Bench) -> None:
    async with serving(bench, TaskLimits(after_s=60)) as server, task_client(server) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call, "wait_for_it", {"word": "withdrawn"})
            await bench.begun.wait()
            group.cancel_scope.cancel()
        with anyio.fail_after(10):
            while bench.ended != ["cancelled"]:
                await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("method", ["tasks/get", "tasks/cancel", "tasks/update"])
async def test_the_task_of_another_caller_is_none(bench: Bench, method: str) -> None:
    name = ["ada"]
    async with serving(bench, name=name) as server, task_client(server) as client:
        made = await client.begin("wait_for_it", {"word": "mine"})
        more = {"inputResponses": {}} if method == "tasks/update" else {}
        name[0] = "eve"
        for task_id in (made["taskId"], "made-up"):
            with pytest.raises(MCPError) as caught:
                await client.ask(method, task_id, **more)
            assert (caught.value.code, caught.value.message) == (-32602, "Task not found")
        name[0] = "ada"
        assert (await client.ask("tasks/get", made["taskId"]))["status"] == "working"


@pytest.mark.parametrize("limits", [{"running": 2}, {"kept": 2}], ids=str)
async def test_beyond_its_share_a_tenant_waits_for_results(
    bench: Bench, limits: dict[str, int]
) -> None:
    async with (
        serving(bench, replace(AT_ONCE, **limits)) as server,
        task_client(server) as client,
    ):
        first = await client.begin("wait_for_it", {"word": "1"})
        await client.begin("wait_for_it", {"word": "2"})
        answers: list[Any] = []

        async def call() -> None:
            answers.append(await client.call("wait_for_it", {"word": "3"}))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            assert answers == []
            bench.go.set()
        assert answers[0].structured_content["data"]["result"] == "3"
        assert (await client.until(first["taskId"], "completed"))["status"] == "completed"


async def test_what_became_of_a_task_is_forgotten_in_time(bench: Bench) -> None:
    limits = replace(AT_ONCE, keep_s=0.0)
    async with serving(bench, limits) as server, task_client(server) as client:
        made = await client.begin("wait_for_it", {"word": "brief"})
        bench.go.set()
        with pytest.raises(MCPError, match="Task not found"):
            await client.until(made["taskId"], "forgotten")


async def test_a_task_asks_its_questions_where_its_result_is_looked_for(bench: Bench) -> None:
    async def unasked(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        del context, params
        raise AssertionError("a task does not ask in rounds")

    async with serving(bench) as server, task_client(server, on_question=unasked) as client:
        made = await client.begin("ask_two")
        bench.go.set()
        found = await client.until(made["taskId"], "input_required")
        with anyio.fail_after(10):
            while len(found["inputRequests"]) < 2:
                found = await client.ask("tasks/get", made["taskId"])
        assert found["inputRequests"]["first"]["method"] == "elicitation/create"
        assert found["inputRequests"]["first"]["params"]["message"] == "The first name?"
        given = {"action": "accept", "content": {"name": "Ada"}}
        nonsense = {"second": given, "first": {"action": "perhaps"}}
        with pytest.raises(MCPError) as caught:
            await client.ask("tasks/update", made["taskId"], inputResponses=nonsense)
        assert caught.value.code == -32602
        answers = {"first": given, "never": {"what": "is this?"}}
        acknowledged = await client.ask("tasks/update", made["taskId"], inputResponses=answers)
        assert acknowledged == {"resultType": "complete"}
        found = await client.ask("tasks/get", made["taskId"])
        assert (found["status"], [*found["inputRequests"]]) == ("input_required", ["second"])
        # An answer that was given stays: the question is closed.
        answers = {"first": {"action": "decline"}, "second": {"action": "decline"}}
        await client.ask("tasks/update", made["taskId"], inputResponses=answers)
        ended = await client.until(made["taskId"], "completed")
        assert ended["result"]["structuredContent"]["data"]["result"] == ["Ada", "nobody"]


async def test_an_unknown_tool_is_a_protocol_error_with_tasks_too(client: TaskClient) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call("no_such_tool")
    assert caught.value.code == -32602


class FullStore(MemoryTaskStore):
    """A store that has room for so many records, and then none."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    async def put(self, record: TaskRecord) -> None:
        if self.room == 0:
            raise OSError("no space left")
        self.room -= 1
        await super().put(record)


@pytest.mark.parametrize("room", [0, 1], ids=["when it is made", "when it ends"])
async def test_a_store_that_is_full_costs_one_task_and_no_other(bench: Bench, room: int) -> None:
    store = FullStore(room)
    async with (
        McpTasks(AT_ONCE, store) as tasks,
        task_client(serve(bench.registry, tasks=tasks)) as client,
    ):
        if room == 0:
            with pytest.raises(MCPError):
                await client.call("wait_for_it", {"word": "lost"})
        else:
            await client.begin("wait_for_it", {"word": "lost"})
        bench.go.set()
        with anyio.fail_after(10):
            while tasks.running:
                await anyio.lowlevel.checkpoint()
        bench.go = anyio.Event()
        store.room = 100
        made = await client.begin("wait_for_it", {"word": "kept"})
        bench.go.set()
        ended = await client.until(made["taskId"], "completed")
        assert ended["result"]["structuredContent"]["data"]["result"] == "kept"
