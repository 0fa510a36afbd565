"""Server-sent events over real HTTP: what happens is told, and a slow client slows nobody."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest

from gateway import Composition, _event_stream
from netctl import NetworkApp, Sample, aic_app
from tercet import CallContext

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]


@aic_app(name="Newcomer")
class Newcomer(NetworkApp):
    aic_app_id = 79


@asynccontextmanager
async def listening(address: str, query: str = "") -> AsyncGenerator[AsyncIterator[Any], None]:
    """The events that a client hears."""
    async with (
        httpx2.AsyncClient() as http,
        http.stream("GET", f"{address}/mcp/sse{query}", timeout=20) as reply,
    ):
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith("text/event-stream")

        async def events() -> AsyncIterator[Any]:
            async for line in reply.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

        yield events()


async def first(events: AsyncIterator[Any], kind: str) -> Any:
    async for event in events:
        if event["type"] == kind:
            return event
    raise AssertionError(f"the stream ended without {kind}")


async def test_a_listener_hears_of_tools_samples_outcomes_states_and_new_apps(
    address: str, composition: Composition
) -> None:
    controller = composition.controller
    async with listening(address) as events:
        assert (await first(events, "connected"))["server"] == "aic-controller"
        names = {tool["name"] for tool in (await first(events, "tools"))["tools"]}
        assert "NetworkApp1_set_gain" in names

        await controller.execute("NetworkApp1", "SET_GAIN", {"node_id": 8, "target_gain": 13.0})
        sample = await first(events, "measurement")
        assert {"node_id", "sequence", "values", "timestamp_s"} <= set(sample)
        command = await first(events, "command")
        assert (command["status"], command["node_id"], command["after"]) == ("verified", 8, 13.0)

        await controller.set_state("NetworkApp1", "running")
        assert (await first(events, "state"))["state"] == "running"

        controller.add(Newcomer())
        names = {tool["name"] for tool in (await first(events, "tools"))["tools"]}
        assert "Newcomer_get_state" in names


async def test_a_client_that_does_not_read_slows_nobody_and_is_told_what_it_lost(
    address: str, composition: Composition
) -> None:
    controller = composition.controller
    async with listening(address) as slow:
        await first(slow, "tools")
        values = {"output_power_dbm": 1.0}
        # More than its queue and the sockets' buffers hold.
        for _ in range(200):
            controller.record_many([Sample(8, values) for _ in range(500)])
            await anyio.lowlevel.checkpoint()
        async with listening(address) as quick:
            await first(quick, "tools")
            controller.record_many([Sample(8, values)])
            with anyio.fail_after(5):
                await first(quick, "measurement")
        await controller.set_state("NetworkApp1", "paused")
        lost = 0
        async for event in slow:
            lost += event["count"] if event["type"] == "lost" else 0
            if event["type"] == "state":
                break

    assert 50_000 < lost < 100_000


async def test_a_client_hears_only_what_it_asked_for_and_loses_nothing_to_the_rest(
    address: str, composition: Composition
) -> None:
    controller = composition.controller
    async with listening(address, "?type=state&type=read_only") as events:
        await first(events, "tools")
        await controller.set_state("NetworkApp1", "running")
        controller.record_many([Sample(8, {"output_power_dbm": 1.0}) for _ in range(1_000)])
        await controller.set_state("NetworkApp1", "paused")
        heard = [
            (event["type"], event["state"]) for event in [await anext(events), await anext(events)]
        ]

    assert heard == [("state", "running"), ("state", "paused")]


async def test_a_type_that_there_is_not_is_refused(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        refused = await http.get(f"{address}/mcp/sse?type=weather")

    assert refused.status_code == 422
    assert "measurement" in refused.text


async def test_a_quiet_stream_is_kept_alive(
    address: str, composition: Composition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_event_stream, "_HEARTBEAT_S", 0.01)
    assert composition.controller.events.listeners == 0
    async with listening(address) as events:
        await first(events, "heartbeat")


async def test_listeners_are_bounded_and_forgotten_when_they_leave(
    address: str, composition: Composition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_event_stream, "MOST_LISTENERS", 1)
    async with listening(address) as events:
        await first(events, "tools")
        async with httpx2.AsyncClient() as http:
            refused = await http.get(f"{address}/mcp/sse")
        assert refused.status_code == 503
        assert refused.headers["content-type"] == "application/problem+json"
    with anyio.fail_after(5):
        while composition.controller.events.listeners:
            composition.controller.record_many([Sample(8, {"output_power_dbm": 1.0})])
            await anyio.lowlevel.checkpoint()


async def test_a_client_that_is_gone_at_a_send_leaves_nothing_behind(
    composition: Composition,
) -> None:
    stream = _event_stream.EventStream(composition.controller, composition.registry, CallContext())

    async def receive() -> Any:
        await anyio.sleep_forever()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            raise OSError("broken pipe")

    with anyio.fail_after(5):
        await stream({}, receive, send)

    assert composition.controller.events.listeners == 0
