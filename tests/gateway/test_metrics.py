"""What operators watch: in the format that Prometheus reads, and bounded whatever callers do."""

import os
import re
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from guarded_gateway import Guarded
from httpx2 import ASGITransport, AsyncClient

from gateway import Composition, _metrics, _resident, compose, create_app
from gateway._loop_lag import LoopLag
from gateway._metrics import Metrics
from gateway.aic import MCPTool
from tercet import CallContext, ToolRegistry

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

LINE = re.compile(
    r'[a-z_]+(\{[a-z]+="[A-Za-z0-9_.+-]*"(,[a-z]+="[A-Za-z0-9_.+-]*")*\})? [0-9.e+-]+'
)


async def scrape(http: AsyncClient) -> dict[str, float]:
    answer = await http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples: dict[str, float] = {}
    for line in answer.text.splitlines():
        if not line.startswith("#"):
            assert LINE.fullmatch(line), line
            series, value = line.rsplit(" ", 1)
            assert series not in samples
            samples[series] = float(value)
    return samples


async def call(http: AsyncClient, name: str, arguments: dict[str, Any]) -> None:
    await http.post("/mcp/tools/call", json={"name": name, "arguments": arguments})


async def test_calls_errors_and_refused_commands_are_counted(http: AsyncClient) -> None:
    await call(http, "get_topology", {})
    await call(http, "get_topology", {})
    await call(http, "get_topology", {"no": 1})
    await call(http, "NetworkApp1_set_gain", {"node_id": 8, "target_gain": 30.0})
    samples = await scrape(http)
    assert samples['tercet_calls_total{tool="get_topology",outcome="success"}'] == 2
    assert samples['tercet_calls_total{tool="get_topology",outcome="INVALID_INPUT"}'] == 1
    assert samples['tercet_errors_total{code="INVALID_INPUT"}'] == 1
    assert samples['tercet_errors_total{code="REJECTED"}'] == 1
    refused = {name: n for name, n in samples.items() if name.startswith("tercet_commands_ref")}
    assert list(refused.values()) == [1]
    assert samples["tercet_requests_in_flight"] == 1
    assert samples['tercet_app_crashes_total{app="NetworkApp1"}'] == 0
    assert samples["tercet_event_listeners"] == 0
    assert samples["tercet_read_only"] == 0


async def test_the_histogram_of_times_adds_up(http: AsyncClient) -> None:
    for _ in range(3):
        await call(http, "get_topology", {})
    samples = await scrape(http)
    buckets = [n for name, n in samples.items() if name.startswith("tercet_call_seconds_bucket")]
    assert buckets == sorted(buckets)
    assert buckets[-1] == samples['tercet_call_seconds_count{tool="get_topology"}'] == 3
    assert samples['tercet_call_seconds_bucket{tool="get_topology",le="+Inf"}'] == 3
    assert samples['tercet_call_seconds_sum{tool="get_topology"}'] > 0


async def test_what_callers_make_up_is_one_label(http: AsyncClient) -> None:
    for name in ("x", 'evil"} 1\nforged 2', "y" * 64):
        await call(http, name, {})
    samples = await scrape(http)
    assert samples['tercet_calls_total{tool="unknown",outcome="NOT_FOUND"}'] == 3
    assert not any("evil" in name or "forged" in name for name in samples)


async def test_tools_that_come_and_go_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_metrics, "_MOST_TOOLS", 2)
    metrics = Metrics()
    registry = ToolRegistry(observers=[metrics])

    async def handler(arguments: dict[str, Any]) -> Any:
        return arguments

    for number in range(5):
        tool = MCPTool(f"t{number}", "A tool.", {"type": "object"}, handler, "app", "measurement")
        registry.register_tool(tool.tool)
        await registry.call_tool(f"t{number}", {}, CallContext())
        registry.unregister_tool(f"t{number}")
    text = _metrics.exposition(metrics.families())
    assert 'tercet_calls_total{tool="other",outcome="success"} 3' in text
    assert "t4" not in text


async def test_only_an_admin_reads_the_metrics_where_there_are_tokens(guarded: Guarded) -> None:
    for role in ("viewer", "operator", "approver"):
        guarded.token(role, role)
        async with guarded.rest(role) as http:
            assert (await http.get("/metrics")).status_code == 403
    guarded.token("taylor", "admin", apps=("taylor",))
    async with guarded.rest("taylor") as http:
        assert (await http.get("/metrics")).status_code == 403
    async with guarded.rest("root") as http:
        assert "tercet_requests_in_flight" in await scrape(http)
    async with guarded.rest() as http:
        assert (await http.get("/metrics")).status_code == 401


# --- what is stored, and how the process fares -----------------------------------------------


async def test_stored_objects_are_counted_with_their_bytes(
    http: AsyncClient, composition: Composition
) -> None:
    samples = await scrape(http)
    assert (samples["tercet_objects"], samples["tercet_object_bytes"]) == (0, 0)
    for name in ("f", "g"):
        arguments = {"expression": "exp(x1)", "dimension": 1, "max_order": 4, "name": name}
        await call(http, "parse_expression_to_mtf", {**arguments, "session_id": f"session_{name}"})
    samples = await scrape(http)
    assert composition.registry.objects is not None
    usage = await composition.registry.objects.usage()
    assert samples["tercet_objects"] == usage.objects == 2
    assert samples["tercet_object_bytes"] == usage.payload_bytes > 2 * 5 * 8
    await call(http, "delete_object", {"ref": "f", "session_id": "session_f"})
    assert (await scrape(http))["tercet_objects"] == 1


async def test_a_store_that_cannot_be_read_is_told_by_no_number(tmp_path: Path) -> None:
    composition = compose(store=tmp_path / "objects.db")
    app = create_app(composition)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            assert (await scrape(http))["tercet_objects"] == 0
            await composition.aclose()
            samples = await scrape(http)
    assert not any(name.startswith("tercet_object") for name in samples)
    assert "tercet_requests_in_flight" in samples


async def test_memory_of_the_process_is_what_the_system_says(
    http: AsyncClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    statm = tmp_path / "statm"
    monkeypatch.setattr(_resident, "_USE", statm)
    statm.write_text("900 123 45 1 0 300 0\n")
    resident = (await scrape(http))["tercet_process_resident_bytes"]
    assert resident == 123 * os.sysconf("SC_PAGE_SIZE")
    statm.unlink()
    assert "tercet_process_resident_bytes" not in await scrape(http)


async def test_the_event_loop_is_watched_while_the_gateway_runs(
    http: AsyncClient, composition: Composition
) -> None:
    lag = composition.metrics.loop_lag
    with anyio.fail_after(10):
        while not lag.samples:
            await anyio.lowlevel.checkpoint()
    assert (await scrape(http))["tercet_loop_lag_seconds"] == lag.most_s >= 0.0


async def test_the_lag_of_the_event_loop_is_how_much_later_it_woke() -> None:
    now_s, late_s = 100.0, iter([0.0, 0.25, 0.125, *[0.0] * 100])
    woken = anyio.Event()

    async def sleep(period_s: float) -> None:
        nonlocal now_s
        await anyio.lowlevel.checkpoint()
        lag_s = next(late_s, None)
        if lag_s is None:
            woken.set()
            await anyio.sleep_forever()
            return
        now_s += period_s + lag_s

    lag = LoopLag(period_s=0.5, clock=lambda: now_s, sleep=sleep)
    assert lag.most_s == 0.0
    with anyio.fail_after(10):
        async with lag.watching():
            while lag.samples < 3:
                await anyio.lowlevel.checkpoint()
            assert lag.most_s == 0.25
            await woken.wait()
    # It is forgotten after a while, so that the number tells of now.
    assert (lag.most_s, lag.samples) == (0.0, 60)
