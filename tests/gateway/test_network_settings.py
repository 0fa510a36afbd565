"""The network's settings: rules, the kill switch, and a file that outlives any death."""

import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from typer.testing import CliRunner

from gateway import NetworkSettings, cli, compose
from netctl.stores import SqliteStore
from tercet import CallContext

pytestmark = pytest.mark.anyio

COMMAND = str(Path(sys.executable).with_name("tercet"))
ALICE, BOB = (CallContext(subject=name) for name in ("alice", "bob"))


@asynccontextmanager
async def network(**settings: Any) -> AsyncGenerator[Any, None]:
    """Calls a tool of a network with these settings."""
    composition = compose(network=NetworkSettings(**settings))

    async def call(tool: str, context: CallContext = ALICE, /, **arguments: Any) -> Any:
        return (await composition.registry.call_tool(tool, arguments, context)).to_dict()

    async with composition.running():
        yield call
    await composition.aclose()


def gain(target_gain: float) -> dict[str, Any]:
    return {"node_id": 8, "target_gain": target_gain}


async def test_by_default_a_caller_may_send_only_so_many_commands_a_minute() -> None:
    async with network() as call:
        answers = [await call("NetworkApp1_set_gain", **gain(13.0)) for _ in range(61)]
        other = await call("NetworkApp1_set_gain", BOB, **gain(13.0))

    assert {answer["status"] for answer in answers[:60]} == {"success"}
    assert answers[60]["error_code"] == "REJECTED"
    assert other["status"] == "success"


async def test_how_far_and_how_wide_a_caller_may_go_is_a_setting() -> None:
    async with network(most_db_per_change=2.0, most_nodes_per_hour=1) as call:
        far = await call("NetworkApp1_set_gain", **gain(20.0))
        near = await call("NetworkApp1_set_gain", **gain(13.5))

    assert (far["error_code"], near["status"]) == ("REJECTED", "success")
    assert far["details"][0]["nearest"] == 14.0


async def test_a_large_change_waits_for_a_second_person() -> None:
    async with network(approve_above_db=2.0) as call:
        asked = await call("NetworkApp1_set_gain", **gain(20.0))
        number = asked["data"]["result"]["change_id"]
        own = await call("approve_change", ALICE, change_id=number)
        approved = await call("approve_change", BOB, change_id=number)

    assert asked["data"]["result"]["status"] == "pending_approval"
    assert own["error_code"] == "PERMISSION_DENIED"
    assert approved["data"]["result"]["status"] == "verified"


async def test_read_only_from_the_start_refuses_until_it_is_switched_off() -> None:
    async with network(read_only=True) as call:
        refused = await call("NetworkApp1_set_gain", **gain(13.0))
        await call("set_read_only", read_only=False)
        sent = await call("NetworkApp1_set_gain", **gain(13.0))

    assert (refused["error_code"], sent["status"]) == ("REJECTED", "success")


async def test_every_operator_tool_is_served() -> None:
    async with network() as call:
        sent = await call("NetworkApp1_set_gain", **gain(13.0))
        number = sent["data"]["result"]["change_id"]
        listed = await call("get_changes")
        undone = await call("rollback_change", change_id=number)
        trail = await call("get_audit")
        topology = await call("get_topology")
        rejected = await call("reject_change", change_id=number)

    assert [change["change_id"] for change in listed["data"]["result"]["changes"]] == [number]
    assert undone["data"]["result"]["read_back"] == 12.0
    assert len(trail["data"]["result"]["entries"]) == 2
    assert topology["data"]["result"]["total_nodes"] == 6
    assert rejected["error_code"] == "CONFLICT"


async def test_with_a_file_the_next_process_goes_on_where_the_last_one_ended(
    tmp_path: Path,
) -> None:
    path = tmp_path / "network.db"
    async with network(store=path) as call:
        await call("NetworkApp1_set_state", state="paused")
        await call("NetworkApp1_set_gain", **gain(13.0))
    async with network(store=path) as call:
        state = await call("NetworkApp1_get_state")
        changes = await call("get_changes")

    assert state["data"]["result"]["state"] == "paused"
    assert len(changes["data"]["result"]["changes"]) == 1


@pytest.mark.parametrize(
    "settings",
    [
        {"commands_per_minute": 0},
        {"commands_per_minute": float("inf")},
        {"most_db_per_change": -1.0},
        {"most_nodes_per_hour": 0},
        {"approve_above_db": float("nan")},
        {"read_only": "yes"},
        {"unknown": 1},
    ],
)
def test_a_setting_that_makes_no_sense_is_an_error(settings: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        NetworkSettings(**settings)


@asynccontextmanager
async def gateway(store: Path) -> AsyncGenerator[tuple[Any, httpx2.AsyncClient], None]:
    """A gateway in a process of its own, on a file."""
    environment = {**os.environ, "COLUMNS": "200", "TERCET_NETWORK_STORE": str(store)}
    process = await anyio.open_process(
        [COMMAND, "serve", "--port", "0"], stderr=None, env=environment
    )
    async with process:
        assert process.stdout is not None
        said = b""
        while b"Ctrl-C" not in said:
            said += await process.stdout.receive()
        address = said.decode().split(" at ")[1].split("/mcp")[0]
        async with httpx2.AsyncClient(base_url=address, timeout=20) as http:
            yield process, http
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def result_of(http: httpx2.AsyncClient, tool: str, **arguments: Any) -> Any:
    reply = await http.post("/mcp/tools/call", json={"name": tool, "arguments": arguments})
    assert reply.json()["success"], reply.json()
    return reply.json()["result"]


async def test_what_was_acknowledged_survives_the_death_of_the_process(tmp_path: Path) -> None:
    path = tmp_path / "network.db"
    with anyio.fail_after(50):
        async with gateway(path) as (process, http):
            await result_of(http, "NetworkApp1_set_state", state="running")
            key = {"idempotency_key": "raise-1"}
            sent = await result_of(http, "NetworkApp1_set_gain", **gain(14.0), **key)
            await result_of(http, "set_read_only", read_only=True)
            process.kill()
            await process.wait()

        async with gateway(path) as (_, http):
            health = (await http.get("/health")).json()
            assert health["read_only"]
            assert health["apps"] == {"NetworkApp1": "running", "LineTrim": "stopped"}
            listed = await result_of(http, "get_changes")
            assert [change["request_id"] for change in listed["changes"]] == [sent["request_id"]]
            again = await result_of(http, "NetworkApp1_set_gain", **gain(14.0), **key)
            assert again == sent

    store = SqliteStore(path)
    assert await store.broken_at() is None
    await store.aclose()


def test_a_file_that_is_no_store_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "network.db"
    path.write_text("not a database, but long enough to be looked at" * 100)

    async def run() -> Any:
        return await anyio.run_process(
            [COMMAND, "serve", "--network-store", str(path)], check=False
        )

    done = anyio.run(run)

    assert done.returncode == 2
    assert b"network.db" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("number", ["inf", "nan"])
def test_a_number_that_is_none_is_a_usage_error(number: str) -> None:
    done = CliRunner().invoke(cli.app, ["serve", "--commands-per-minute", number])

    assert done.exit_code == 2
    assert "commands" in done.output
