"""Calls that a server carries on as tasks, and questions that it has for a person."""

from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

import anyio
import pytest
from langchain_core.tools import BaseTool
from mcp import Client, MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from task_client import task_client

from agent_runtime import Agent, extract
from agent_runtime.mcp import mcp_tools
from agent_runtime.testing import ScriptedModel, call
from tercet import CallContext, PermissionDeniedError, ToolRegistry, tool
from tercet.mcp import McpTasks, TaskLimits, serve

pytestmark = pytest.mark.anyio

LIMITS = TaskLimits(after_s=0.0, poll_interval_s=0.001)


class Mill:
    """A server whose tools take long, and which messages it was sent."""

    def __init__(self) -> None:
        self.methods: list[str] = []
        self.begun = anyio.Event()
        self.go = anyio.Event()
        self.stopped = anyio.Event()
        mill = self

        @tool(app="mill", kind="test", effect="read")
        async def grind(grain: str) -> str:
            """Grind some grain, which takes long."""
            mill.begun.set()
            try:
                await mill.go.wait()
            except BaseException:
                mill.stopped.set()
                raise
            return f"{grain} flour"

        @tool(app="mill", kind="test", effect="write")
        async def sell(context: CallContext, grain: str, *, late: bool = False) -> str:
            """Sell some grain, if a person agrees."""
            if late:
                await mill.go.wait()
            if not await context.confirm(f"Sell {grain}?"):
                raise PermissionDeniedError("the person said no")
            return f"{grain} sold"

        self._registry = ToolRegistry([grind, sell])

    def server(self, tasks: McpTasks | None) -> Server[Any]:
        async def note(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
            self.methods.append(ctx.method)
            return await call_next(ctx)

        server = serve(self._registry, tasks=tasks)
        server.middleware.append(note)
        return server


@pytest.fixture
def mill() -> Mill:
    return Mill()


@pytest.fixture
async def server(mill: Mill) -> AsyncGenerator[Server[Any]]:
    async with McpTasks(LIMITS) as tasks:
        yield mill.server(tasks)


def named(tools: list[Any], name: str) -> BaseTool:
    return next(each for each in tools if each.name == name)


async def test_the_result_of_a_task_is_the_result_of_the_call(
    mill: Mill, server: Server[Any]
) -> None:
    mill.go.set()
    model = ScriptedModel([call("grind", {"grain": "rye"})])
    async with mcp_tools(server) as tools:
        agent = Agent(model=model, tools=tools)
        with anyio.fail_after(20):
            result = await extract(agent, "Grind rye.", until_tool_success="grind")
    assert result.value == "rye flour"


async def test_a_task_is_asked_for_until_it_has_ended(mill: Mill, server: Server[Any]) -> None:
    given: list[Any] = []

    async def grind(one: BaseTool) -> None:
        given.append(await one.ainvoke({"grain": "oat"}))

    async with mcp_tools(server) as tools, anyio.create_task_group() as group:
        group.start_soon(grind, named(tools, "grind"))
        with anyio.fail_after(20):
            while mill.methods.count("tasks/get") < 3:
                await anyio.lowlevel.checkpoint()
        assert given == []
        mill.go.set()
    assert "oat flour" in given[0]


async def test_a_call_that_is_given_up_ends_its_task(mill: Mill, server: Server[Any]) -> None:
    async with mcp_tools(server) as tools:
        async with anyio.create_task_group() as group:
            group.start_soon(named(tools, "grind").ainvoke, {"grain": "rye"})
            with anyio.fail_after(20):
                while "tasks/get" not in mill.methods:
                    await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        with anyio.fail_after(20):
            await mill.stopped.wait()
    assert "tasks/cancel" in mill.methods


Handler = Callable[[str, Mapping[str, Any]], Any]


def answering(answer: Mapping[str, Any] | None, asked: list[str]) -> Handler:
    async def on_question(message: str, form: Mapping[str, Any]) -> Mapping[str, Any] | None:
        assert form["required"] == ["confirm"]
        asked.append(message)
        return answer

    return on_question


@pytest.mark.parametrize("way", ["in rounds", "by the task"])
@pytest.mark.parametrize(
    ("answer", "told"), [({"confirm": True}, "rye sold"), (None, "the person said no")]
)
async def test_a_person_is_asked_and_the_call_goes_on(
    mill: Mill, way: str, answer: Any, told: str
) -> None:
    asked: list[str] = []
    late = way == "by the task"
    # A call that asks at once is answered by its question, before it would be a task.
    limits = LIMITS if late else TaskLimits(after_s=60.0)
    async with McpTasks(limits) as tasks:
        server = mill.server(tasks)
        async with mcp_tools(server, on_question=answering(answer, asked)) as tools:
            sell = named(tools, "sell")
            given: list[Any] = []

            async def call_it() -> None:
                given.append(await sell.ainvoke({"grain": "rye", "late": late}))

            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    group.start_soon(call_it)
                    while late and "tasks/get" not in mill.methods:
                        await anyio.lowlevel.checkpoint()
                    mill.go.set()
    assert asked == ["Sell rye?"]
    assert told in given[0]
    assert ("tasks/update" in mill.methods) == late


async def test_where_nobody_answers_questions_none_is_asked(mill: Mill) -> None:
    async with mcp_tools(mill.server(None)) as tools:
        told = await named(tools, "sell").ainvoke({"grain": "rye"})
    assert "this client cannot ask one" in told


async def test_a_client_of_ones_own_stays_as_it_is(mill: Mill, server: Server[Any]) -> None:
    mill.go.set()
    async with Client(server) as client, mcp_tools(client) as tools:
        assert "rye flour" in await named(tools, "grind").ainvoke({"grain": "rye"})
    assert "tasks/get" not in mill.methods


@pytest.mark.parametrize("ending", ["breaks", "is cancelled elsewhere"])
async def test_a_task_without_a_result_is_an_error_that_says_so(mill: Mill, ending: str) -> None:
    made: list[dict[str, Any]] = []
    async with McpTasks(LIMITS) as tasks:

        async def broken(_: object) -> HandlerResult:
            await mill.go.wait()
            raise MCPError(code=-32603, message="the mill is broken")

        async def grind_badly(
            ctx: ServerRequestContext[Any, Any], call_next: CallNext
        ) -> HandlerResult:
            if ctx.method != "tools/call":
                return await call_next(ctx)
            answer = await tasks.run(ctx, CallContext(), broken)
            assert isinstance(answer, dict)
            made.append(answer)
            return answer

        server = mill.server(tasks)
        server.middleware.append(grind_badly)
        told: list[str] = []

        async def grind(one: BaseTool) -> None:
            told.append(await one.ainvoke({"grain": "oat"}))

        async with (
            mcp_tools(server) as tools,
            task_client(server) as other,
            anyio.create_task_group() as group,
        ):
            group.start_soon(grind, named(tools, "grind"))
            with anyio.fail_after(20):
                while not made:
                    await anyio.lowlevel.checkpoint()
            if ending == "breaks":
                mill.go.set()
            else:
                await other.ask("tasks/cancel", made[0]["taskId"])
    expected = {
        "breaks": "the mill is broken",
        "is cancelled elsewhere": "the task was cancelled: cancelled by its client",
    }
    assert expected[ending] in told[0]
