"""What clients are told of their tasks while they listen, by the official client."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.server import Server, ServerRequestContext
from mcp.types import ElicitRequestParams, ElicitResult
from task_client import TaskClient, task_client

from tercet import CallContext, Question, ToolRegistry, tool
from tercet.mcp import McpTasks, MemoryTaskStore, TaskLimits, serve

pytestmark = pytest.mark.anyio

AT_ONCE = TaskLimits(after_s=0.0, poll_interval_s=0.01, kept=3)


class Bench:
    """Tools that wait until a test lets them go on."""

    def __init__(self) -> None:
        self.go = anyio.Event()
        self.store = MemoryTaskStore()
        self.subject = "ada"
        bench = self

        @tool(app="bench", kind="test", effect="read")
        async def wait_for_it(word: str | None) -> dict[str, str | None]:
            """Wait, then give a word."""
            await bench.go.wait()
            return {"word": word}

        @tool(app="bench", kind="test", effect="write")
        async def ask_for_it(context: CallContext) -> str:
            """Wait, then ask for a word."""
            await bench.go.wait()
            question = Question(key="word", message="Which?", fields={"word": {"type": "string"}})
            return (await context.ask(question)).content["word"]

        self.registry = ToolRegistry([wait_for_it, ask_for_it])

    def caller(self, _: ServerRequestContext[Any, Any]) -> CallContext:
        return CallContext(tenant="lab", subject=self.subject)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@asynccontextmanager
async def serving(bench: Bench) -> AsyncGenerator[Server[Any]]:
    async with McpTasks(AT_ONCE, bench.store) as tasks:
        yield serve(bench.registry, tasks=tasks, context_of=bench.caller)


@pytest.fixture
async def client(bench: Bench) -> AsyncGenerator[TaskClient]:
    async with serving(bench) as server, task_client(server) as made:
        yield made


async def test_who_listens_is_told_of_a_task_as_it_is_and_of_its_end(
    client: TaskClient, bench: Bench
) -> None:
    made = await client.begin("wait_for_it", {"word": "done"})
    async with client.listening(taskIds=[made["taskId"]]) as told:
        assert told.acknowledged == {"taskIds": [made["taskId"]]}
        await told.until(lambda: bool(told.of(made["taskId"], "working")))
        bench.go.set()
        await told.until(lambda: bool(told.of(made["taskId"], "completed")))
    found = await client.ask("tasks/get", made["taskId"])
    (ended,) = told.of(made["taskId"], "completed")
    assert found == {"resultType": "complete", **ended}
    assert ended["result"]["structuredContent"]["data"]["result"] == {"word": "done"}


async def test_a_task_that_ended_before_anybody_listened_is_told_of(
    client: TaskClient, bench: Bench
) -> None:
    made = await client.begin("wait_for_it", {"word": None})
    bench.go.set()
    await client.until(made["taskId"], "completed")
    async with client.listening(taskIds=[made["taskId"]]) as told:
        await told.until(lambda: bool(told.of(made["taskId"], "completed")))
    (ended,) = told.of(made["taskId"], "completed")
    # Also what is null arrives: the state is that of `tasks/get`, to the letter.
    assert ended["result"]["structuredContent"]["data"]["result"] == {"word": None}


async def unasked(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    raise AssertionError(f"a task does not ask in rounds: {context} {params}")


async def test_a_question_of_a_task_is_told_of_and_so_is_that_it_was_answered(
    bench: Bench,
) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(bench))
        client = await stack.enter_async_context(task_client(server, on_question=unasked))
        made = await client.begin("ask_for_it")
        told = await stack.enter_async_context(client.listening(taskIds=[made["taskId"]]))
        bench.go.set()
        await told.until(lambda: bool(told.of(made["taskId"], "input_required")))
        (asked,) = told.of(made["taskId"], "input_required")
        assert asked["inputRequests"]["word"]["params"]["message"] == "Which?"
        answers = {"word": {"action": "accept", "content": {"word": "that"}}}
        await client.ask("tasks/update", made["taskId"], inputResponses=answers)
        await told.until(lambda: bool(told.of(made["taskId"], "completed")))


async def test_a_stream_tells_of_tasks_and_of_lists(client: TaskClient, bench: Bench) -> None:
    made = await client.begin("wait_for_it", {"word": "both"})

    @tool(app="bench", kind="test", effect="read")
    async def another() -> None:
        """Do nothing."""

    filters: dict[str, Any] = {"taskIds": [made["taskId"]], "toolsListChanged": True}
    async with client.listening(**filters) as told:
        assert told.acknowledged == filters
        bench.registry.register_tool(another)
        await told.until(lambda: told.lists_changed == 1)
        bench.go.set()
        await told.until(lambda: bool(told.of(made["taskId"], "completed")))


async def test_who_does_not_declare_tasks_may_not_listen_to_any(bench: Bench) -> None:
    async with serving(bench) as server, Client(server) as client:
        with pytest.raises(MCPError) as caught:
            await TaskClient(client).listen(taskIds=["any"])
        assert caught.value.code == -32021


async def test_tasks_of_others_and_of_nobody_are_left_out(bench: Bench) -> None:
    async with serving(bench) as server, task_client(server) as client:
        made = await client.begin("wait_for_it", {"word": "mine"})
        bench.subject = "eve"
        async with client.listening(taskIds=[made["taskId"], "made-up"]) as told:
            assert told.acknowledged == {}
            bench.go.set()
            bench.subject = "ada"
            await client.until(made["taskId"], "completed")
            await anyio.wait_all_tasks_blocked()
            assert told.states == []


@pytest.mark.parametrize(
    "named", ["not-a-list", [1], {"a": 1}, ["one", "two", "three", "four"]], ids=str
)
async def test_names_that_cannot_be_meant_are_refused(client: TaskClient, named: object) -> None:
    with pytest.raises(MCPError) as caught:
        await client.listen(taskIds=named)
    assert caught.value.code == -32602


async def test_of_changes_that_nobody_has_read_the_last_is_told(bench: Bench) -> None:
    begun = anyio.Event()

    @tool(app="bench", kind="test", effect="read")
    async def count(context: CallContext) -> None:
        """Report often, and then wait."""
        await bench.go.wait()
        for number in range(1000):
            await context.report(number, 1000, None)
        begun.set()
        await anyio.sleep_forever()

    bench.registry.register_tool(count)
    async with serving(bench) as server, task_client(server) as client:
        made = await client.begin("count")
        async with client.listening(taskIds=[made["taskId"]]) as told:
            bench.go.set()
            await begun.wait()
            await told.until(lambda: told.states[-1].get("statusMessage") == "999 of 1000")


async def test_who_has_listened_leaves_nothing_behind(bench: Bench) -> None:
    bench.store = watching = Watched()
    async with serving(bench) as server, task_client(server) as client:
        made = await client.begin("wait_for_it", {"word": "left"})
        async with client.listening(taskIds=[made["taskId"]] * 2):
            assert watching.count_of_watchers == 1
        with anyio.fail_after(10):
            while watching.count_of_watchers:
                await anyio.lowlevel.checkpoint()


class Watched(MemoryTaskStore):
    """A store that says how many watch."""

    def __init__(self) -> None:
        super().__init__()
        self.count_of_watchers = 0

    def subscribe(self, task_id: str, changed: Callable[[str], None]) -> Callable[[], None]:
        leave = super().subscribe(task_id, changed)
        self.count_of_watchers += 1

        def unsubscribe() -> None:
            self.count_of_watchers -= 1
            leave()

        return unsubscribe
