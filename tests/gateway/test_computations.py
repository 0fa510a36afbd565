"""What takes long is computed in processes: other calls go on, and it ends with whoever asked."""

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from httpx2 import AsyncClient
from long_portrait import PORTRAIT, TURN
from mcp import Client

from gateway import (
    Composition,
    SessionSettings,
    TaylorSettings,
    WorkerSettings,
    compose,
    create_app,
    listen_on,
    serving,
)
from tercet import ObjectLimits

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

COMMAND = str(Path(sys.executable).with_name("tercet"))
DRAWN = {"name": "plot_phase_space", "arguments": PORTRAIT}
MEMORY = 512 * 1024 * 1024


@pytest.fixture
async def composition() -> AsyncGenerator[Composition]:
    made = compose(workers=WorkerSettings(count=1))
    yield made
    await made.aclose()


@pytest.fixture
async def address(composition: Composition) -> AsyncGenerator[str]:
    async with serving(create_app(composition), listen_on("127.0.0.1", 0)) as url:
        yield url


async def test_no_process_is_started_before_one_is_needed(
    composition: Composition, address: str
) -> None:
    async with Client(f"{address}/mcp") as client:
        small = {"expression": "sin(x1)", "dimension": 1, "max_order": 3}
        assert not (await client.call_tool("parse_expression_to_mtf", small)).is_error
    assert composition.workers.pids == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_goes_away_ends_what_is_computed_for_it(
    composition: Composition, address: str, mode: Any
) -> None:
    computing: list[int] = []
    async with Client(f"{address}/mcp", mode=mode) as client:
        assert not (await client.call_tool("create_taylor_map", TURN)).is_error
        async with anyio.create_task_group() as tasks:

            async def note(progress: float, total: float | None, message: str | None) -> None:
                assert (total, message) == (10_000, "turns tracked")
                assert progress < 10_000
                computing.extend(composition.workers.pids)
                tasks.cancel_scope.cancel()

            async def ask() -> None:
                await client.call_tool("plot_phase_space", PORTRAIT, progress_callback=note)

            tasks.start_soon(ask)
    assert len(computing) == 1
    with anyio.fail_after(20):
        while composition.workers.pids:
            await anyio.lowlevel.checkpoint()
    with pytest.raises(ProcessLookupError):
        os.kill(computing[0], 0)


@pytest.mark.parametrize(
    ("path", "portrait"),
    [
        ("/mcp/tools/call", DRAWN),
        (
            "/mcp/message",
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": DRAWN},
        ),
    ],
    ids=["tools/call", "message"],
)
async def test_a_client_of_rest_that_goes_away_ends_what_is_computed_for_it(
    composition: Composition, address: str, path: str, portrait: Any
) -> None:
    async with AsyncClient(base_url=address) as http:
        turn = {"name": "create_taylor_map", "arguments": TURN}
        assert (await http.post("/mcp/tools/call", json=turn)).json()["success"]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(http.post, path, json=portrait))
            while not composition.workers.pids:
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
    with anyio.fail_after(20):
        while composition.workers.pids:
            await anyio.lowlevel.checkpoint()


async def test_other_calls_are_answered_while_one_is_computed(
    composition: Composition, address: str
) -> None:
    async with Client(f"{address}/mcp") as client, AsyncClient(base_url=address) as http:
        await client.call_tool("create_taylor_map", TURN)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "plot_phase_space", PORTRAIT)
            while not composition.workers.computing:
                await anyio.lowlevel.checkpoint()
            point = {"map_ref": "turn", "point": [0.0] * 4}
            value = {"name": "evaluate_taylor_map", "arguments": point}
            answer = (await http.post("/mcp/tools/call", json=value)).json()
            assert answer["result"] == [0.0] * 4
            metrics = (await http.get("/metrics")).text
            assert 'tercet_computations{state="computed"} 1' in metrics
            assert 'tercet_computations{state="waiting"} 0' in metrics
            assert "tercet_workers 1" in metrics
            tasks.cancel_scope.cancel()


async def test_how_long_a_call_may_be_computed_is_a_setting() -> None:
    composition = compose(workers=WorkerSettings(count=1, deadline_s=0.001))
    async with composition.running():
        assert (await composition.registry.call_tool("create_taylor_map", TURN)).status == "success"
        answer = await composition.registry.call_tool("plot_phase_space", PORTRAIT)
    await composition.aclose()
    assert answer.status == "error"
    assert answer.error_code == "TIMEOUT"
    assert "0.001 s" in answer.message


async def test_how_much_memory_a_call_may_take_is_a_setting() -> None:
    composition = compose(
        taylor=TaylorSettings(memory_bytes=4 * MEMORY),
        workers=WorkerSettings(count=1, memory_bytes=MEMORY // 2),
    )
    spec = {"kind": "gaussian", "widths": [1e-3] * 4, "count": 1_000_000}
    async with composition.running():
        call = composition.registry.call_tool
        assert (await call("create_taylor_map", TURN)).status == "success"
        batch = {"map_ref": "turn", "distribution": spec}
        answer = await call("evaluate_taylor_map_batch", batch)
        assert answer.status == "error"
        assert answer.error_code == "LIMIT_EXCEEDED"
        assert str(MEMORY // 2) in answer.message
        assert (await call("invert_taylor_map", {"map_ref": "turn"})).status == "success"
    await composition.aclose()


async def test_how_much_a_session_keeps_is_a_setting() -> None:
    composition = compose(session=SessionSettings(objects=2, bytes=400))
    call = composition.registry.call_tool
    wave = {"expression": "sin(x1)", "dimension": 1, "max_order": 3}
    for name in ("a", "b"):
        assert (await call("parse_expression_to_mtf", {**wave, "name": name})).status == "success"
    third = await call("parse_expression_to_mtf", {**wave, "name": "c"})
    assert third.status == "error"
    assert (third.error_code, "full: 2 objects" in third.message) == ("LIMIT_EXCEEDED", True)
    full = {"expression": "exp(x1 + x2 + x3 + x4)", "dimension": 4, "max_order": 4}
    large = await call("parse_expression_to_mtf", full)
    assert large.status == "error"
    assert (large.error_code, "holds 400" in large.message) == ("LIMIT_EXCEEDED", True)
    await composition.aclose()


def test_the_defaults_are_those_that_are_promised() -> None:
    assert TaylorSettings().coefficients == 2_000_000
    assert SessionSettings().limits() == ObjectLimits(
        objects_per_session=1_000,
        bytes_per_session=512 * 1024 * 1024,
        bytes_per_tenant=4 * 1024 * 1024 * 1024,
    )
    assert WorkerSettings().deadline_s == 60


def _requests() -> bytes:
    info = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": _call("create_taylor_map", TURN)},
    ]
    return b"".join(map(_written, calls))


def _written(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def _call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "_meta": {"progressToken": 1}}


@pytest.mark.parametrize(
    "command",
    [[COMMAND, "mcp"], [sys.executable, "-m", "tpsa_core.tools.mcp_server"]],
    ids=["tercet mcp", "mcp_server"],
)
@pytest.mark.parametrize("end", ["closed", "SIGTERM", "SIGKILL"])
async def test_a_server_on_standard_streams_leaves_no_worker_behind(
    command: list[str], end: str
) -> None:
    async with await anyio.open_process(command) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        await server.stdin.send(_requests())
        lines = _lines(server.stdout)
        while json.loads(await anext(lines)).get("id") != 2:
            pass
        portrait = {"id": 3, "method": "tools/call", "params": _call("plot_phase_space", PORTRAIT)}
        await server.stdin.send(_written(portrait))
        # The first portion is done, so a worker computes the second.
        assert json.loads(await anext(lines))["method"] == "notifications/progress"
        if end == "closed":
            await server.stdin.aclose()
        else:
            server.send_signal(signal.Signals[end])
        # Server and worker both hold it, so it ends when both have ended.
        with anyio.fail_after(20):
            async for _ in server.stderr:
                pass


async def _lines(stream: Any) -> AsyncGenerator[bytes]:
    """Every line that a server writes, which is JSON-RPC."""
    received = b""
    async for part in stream:
        *lines, received = (received + part).split(b"\n")
        for line in lines:
            assert json.loads(line)["jsonrpc"] == "2.0"
            yield line
