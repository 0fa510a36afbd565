"""Long calls as tasks, over HTTP: computed in a worker, and nobody else's to see or to stop."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from guarded_gateway import Guarded, guarding
from long_portrait import PORTRAIT, TURN
from mcp import MCPError
from task_client import Told, task_client

from agent_runtime.mcp import mcp_tools
from gateway import TaskSettings
from tercet.mcp import McpTasks, TaskLimits

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

AT_ONCE = TaskLimits(after_s=0.0, poll_interval_s=0.01)


async def make_turn(guarded: Guarded) -> None:
    async with guarded.rest("root") as rest:
        turn = {"name": "create_taylor_map", "arguments": TURN}
        assert (await rest.post("/mcp/tools/call", json=turn)).json()["success"]


async def begin_portrait(guarded: Guarded) -> dict[str, Any]:
    """Have something computed that takes seconds, and go away."""
    await make_turn(guarded)
    async with guarded.wire("root") as wire, task_client(wire) as client:
        return await client.begin("plot_phase_space", PORTRAIT)


async def test_a_long_computation_goes_on_as_a_task_and_ends_when_it_is_cancelled(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path / "tokens.json", tasks=McpTasks(AT_ONCE)) as guarded:
        made = await begin_portrait(guarded)
        # Its client has gone, and it is computed all the same.
        with anyio.fail_after(30):
            while not guarded.composition.workers.computing:
                await anyio.lowlevel.checkpoint()
        async with guarded.rest("root") as rest:
            assert "\ntercet_tasks 1\n" in (await rest.get("/metrics")).text
        async with guarded.wire("root") as wire, task_client(wire) as client:
            with anyio.fail_after(30):
                while (await client.ask("tasks/get", made["taskId"])).get(
                    "statusMessage"
                ) != "turns tracked":
                    await anyio.lowlevel.checkpoint()
            await client.ask("tasks/cancel", made["taskId"])
            assert (await client.ask("tasks/get", made["taskId"]))["status"] == "cancelled"
        assert guarded.composition.workers.pids == []


async def test_a_task_is_nobody_elses_in_the_same_tenant_or_in_another(tmp_path: Path) -> None:
    async with guarding(tmp_path / "tokens.json", tasks=McpTasks(AT_ONCE)) as guarded:
        guarded.token("bob", "admin")
        guarded.token("eve", "admin", tenant="elsewhere")
        made = await begin_portrait(guarded)
        for name in ("bob", "eve"):
            async with guarded.wire(name) as wire, task_client(wire) as client:
                for method in ("tasks/get", "tasks/cancel"):
                    with pytest.raises(MCPError) as caught:
                        await client.ask(method, made["taskId"])
                    assert caught.value.code == -32602


async def test_who_listens_hears_how_far_a_computation_is_and_nobody_else_does(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path / "tokens.json", tasks=McpTasks(AT_ONCE)) as guarded:
        guarded.token("bob", "admin")
        made = await begin_portrait(guarded)
        task_id = made["taskId"]
        async with AsyncExitStack() as stack:
            heard: dict[str, Told] = {}
            for name in ("bob", "root"):
                wire = await stack.enter_async_context(guarded.wire(name))
                client = await stack.enter_async_context(task_client(wire))
                heard[name] = await stack.enter_async_context(client.listening(taskIds=[task_id]))
            told = heard["root"]
            await told.until(
                lambda: any(s.get("statusMessage") == "turns tracked" for s in told.states)
            )
            await client.ask("tasks/cancel", task_id)
            await told.until(lambda: bool(told.of(task_id, "cancelled")))
            assert told.acknowledged == {"taskIds": [task_id]}
            assert (heard["bob"].acknowledged, heard["bob"].states) == ({}, [])


async def test_the_agents_tools_follow_tasks_by_themselves(tmp_path: Path) -> None:
    tasks, drawn = McpTasks(AT_ONCE), list[Any]()
    async with guarding(tmp_path / "tokens.json", tasks=tasks) as guarded:
        await make_turn(guarded)
        async with mcp_tools(
            f"{guarded.address}/mcp", headers=guarded.headers["root"], only=["plot_phase_space"]
        ) as (plot,):

            async def draw() -> None:
                drawn.append(await plot.ainvoke({**PORTRAIT, "turns": 1_000}))

            async with anyio.create_task_group() as group:
                group.start_soon(draw)
                with anyio.fail_after(30):
                    while not tasks.running:
                        await anyio.lowlevel.checkpoint()
    assert [block["type"] for block in drawn[0]] == ["text", "image"]


def test_the_settings_of_tasks_are_their_limits() -> None:
    settings = TaskSettings(after_s=1.0, keep_s=2.0, running=3, kept=4)
    assert settings.limits() == TaskLimits(after_s=1.0, keep_s=2.0, running=3, kept=4)
    assert TaskSettings().limits() == TaskLimits()
