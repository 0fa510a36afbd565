"""How a gateway is told to take its network's file up again: by a signal, and by settings."""

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
from httpx2 import AsyncClient
from operators_town import Town
from typer.testing import CliRunner

from gateway import (
    GatewaySettings,
    _commands,
    cli,
)
from gateway._reloading import beside
from netctl import InventoryError

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

COMMAND = str(Path(sys.executable).with_name("tercet"))


@asynccontextmanager
async def process_of(town: Town, *options: str) -> AsyncGenerator[tuple[Any, AsyncClient], None]:
    environment = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(town.folder)}
    process = await anyio.open_process(
        [COMMAND, "serve", "--port", "0", *options], env=environment, stderr=None
    )
    async with process:
        assert process.stdout is not None
        said = b""
        while b"Ctrl-C" not in said:
            said += await process.stdout.receive()
        address = said.decode().split(" at ")[1].split("/mcp")[0]
        async with httpx2.AsyncClient(base_url=address, timeout=20) as http:
            yield process, http
        process.send_signal(signal.SIGTERM)
        await process.wait()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal here")
async def test_a_process_that_is_told_to_hang_up_reloads_and_goes_on_serving(town: Town) -> None:
    options = ("--network-inventory", str(town.file), "--no-network-watch")
    with anyio.fail_after(50):
        async with process_of(town, *options) as (process, http):
            body = {"name": "Street_set_gain", "arguments": {"node_id": 8, "target_gain": 20.0}}
            assert (await http.post("/mcp/tools/call", json=body)).json()["success"]
            town.write({7: 30.0, 8: 14.0})
            town.install("lane_app", "Lane", nodes=(8,), app_id=2)
            async with http.stream("GET", "/mcp/sse", params={"type": "network"}) as events:
                # Each event is told with the list of tools, which is told first.
                process.send_signal(signal.SIGHUP)
                async for line in events.aiter_lines():
                    if '"type": "network"' in line:
                        break
            assert "Lane" in (await http.get("/health")).json()["apps"]
            answer = (await http.post("/mcp/tools/call", json=body)).json()
            assert "exceeds maximum of 14.0" in str(answer)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal here")
async def test_without_a_file_the_signal_does_nothing(town: Town) -> None:
    with anyio.fail_after(50):
        async with process_of(town) as (process, http):
            process.send_signal(signal.SIGHUP)
            await http.get("/health")
            health = (await http.get("/health")).json()
            assert health["status"] == "healthy"
            assert set(health["apps"]) == {"NetworkApp1", "LineTrim"}


def test_whether_the_file_is_watched_is_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: list[GatewaySettings] = []

    async def take(given: GatewaySettings) -> None:
        settings.append(given)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_commands, "serve", take)
    file = tmp_path / "other.toml"
    file.write_text("[network]\nwatch = false\n")
    for arguments, environment in (
        (["serve"], {}),
        (["serve", "--no-network-watch"], {}),
        (["serve"], {"TERCET_NETWORK_WATCH": "false"}),
        (["--config", str(file), "serve"], {}),
        (["--config", str(file), "serve", "--network-watch"], {}),
    ):
        done = CliRunner().invoke(cli.app, arguments, env=environment)
        assert done.exit_code == 0, done.output
    assert [given.network.watch for given in settings] == [True, False, False, False, True]


async def test_what_a_block_raises_beside_something_leaves_as_it_is() -> None:
    with pytest.raises(InventoryError, match="as it is"):
        async with beside(anyio.sleep_forever):
            raise InventoryError("as it is")
