"""Traces: each call has its spans, below those of the client, and none says what was asked."""

import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest
from fastapi import FastAPI, Request, Response
from httpx2 import AsyncClient
from mcp import Client
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind
from pydantic import ValidationError

from gateway import TraceSettings, TracingError, compose, create_app, listen_on, serving
from gateway._tracing import Tracing, with_processor

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

EXPRESSION = "sin(x1) + 4711"
WAVE = {"expression": EXPRESSION, "dimension": 1, "max_order": 3, "name": "wave"}


@pytest.fixture(scope="module")
def recorded() -> tuple[Tracing, InMemorySpanExporter]:
    # The provider of a process is set once.
    exporter = InMemorySpanExporter()
    return with_processor(SimpleSpanProcessor(exporter)), exporter


@pytest.fixture
async def address(recorded: tuple[Tracing, InMemorySpanExporter]) -> AsyncGenerator[str]:
    tracing, exporter = recorded
    exporter.clear()
    composition = compose(observers=[tracing])
    app = create_app(composition, around=tracing.around)
    async with serving(app, listen_on("127.0.0.1", 0)) as url:
        yield url
    await composition.aclose()


def spans(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def chain(span: ReadableSpan, exporter: InMemorySpanExporter) -> list[str]:
    """The names of a span and of those that it is below, the nearest first."""
    by_id = {each.context.span_id: each for each in exporter.get_finished_spans() if each.context}
    names = [span.name]
    while span.parent is not None and span.parent.span_id in by_id:
        span = by_id[span.parent.span_id]
        names.append(span.name)
    return names


async def test_a_call_over_mcp_is_in_the_trace_of_its_client(
    address: str, recorded: tuple[Tracing, InMemorySpanExporter]
) -> None:
    _, exporter = recorded
    async with Client(f"{address}/mcp") as client:
        with trace.get_tracer("agent").start_as_current_span("agent"):
            assert not (await client.call_tool("parse_expression_to_mtf", WAVE)).is_error
    call = spans(exporter)["tool parse_expression_to_mtf"]
    names = chain(call, exporter)
    assert names[1] == "tools/call parse_expression_to_mtf"
    assert names[-1] == "agent"
    assert spans(exporter)[names[1]].kind is SpanKind.SERVER
    assert call.attributes is not None
    assert call.attributes["tercet.outcome"] == "success"
    assert (call.attributes["tercet.tenant"], call.attributes["tercet.app"]) == ("local", "taylor")
    assert call.end_time is not None
    assert call.start_time is not None
    assert call.end_time > call.start_time


async def test_a_request_over_rest_joins_the_trace_of_its_header(
    address: str, recorded: tuple[Tracing, InMemorySpanExporter]
) -> None:
    _, exporter = recorded
    trace_id, span_id = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    async with AsyncClient(base_url=address) as http:
        done = await http.post(
            "/mcp/tools/call",
            json={"name": "parse_expression_to_mtf", "arguments": WAVE},
            headers={"traceparent": f"00-{trace_id}-{span_id}-01"},
        )
        assert done.json()["success"]
        await http.get("/health")
        await http.get("/metrics")
    call = spans(exporter)["tool parse_expression_to_mtf"]
    assert call.context is not None
    assert f"{call.context.trace_id:032x}" == trace_id
    assert len(chain(call, exporter)) == 2
    assert not any("/health" in name or "/metrics" in name for name in spans(exporter))


async def test_a_program_has_a_span_for_each_step_and_failures_are_errors_by_their_code(
    address: str, recorded: tuple[Tracing, InMemorySpanExporter]
) -> None:
    _, exporter = recorded
    steps = [
        {"tool": "parse_expression_to_mtf", "arguments": WAVE, "as": "w"},
        {"tool": "evaluate_mtf", "arguments": {"mtf_ref": "no_such", "point": [0.0]}},
    ]
    async with AsyncClient(base_url=address) as http:
        body = {"name": "run_program", "arguments": {"steps": steps}}
        await http.post("/mcp/tools/call", json=body)
        await http.post("/mcp/tools/call", json={"name": "made_up_by_a_caller", "arguments": {}})
    found = spans(exporter)
    assert {"tool run_program", "tool parse_expression_to_mtf", "tool evaluate_mtf"} <= set(found)
    assert found["tool evaluate_mtf"].status.description == "NOT_FOUND"
    assert not found["tool evaluate_mtf"].status.is_ok
    assert not any("made_up" in name for name in found)


async def test_no_argument_and_no_result_is_in_a_span(
    address: str, recorded: tuple[Tracing, InMemorySpanExporter]
) -> None:
    _, exporter = recorded
    # No number: the ids of spans and their times are made of digits themselves.
    word = "zyzzyva"
    async with Client(f"{address}/mcp") as client:
        made = await client.call_tool("parse_expression_to_mtf", {**WAVE, "name": word})
        await client.call_tool("parse_expression_to_mtf", {**WAVE, "expression": word})
    assert word in str(made.structured_content)
    assert len(exporter.get_finished_spans()) >= 6
    for span in exporter.get_finished_spans():
        assert word not in span.to_json()


async def test_spans_are_sent_to_the_collector_and_the_last_ones_at_the_end(
    tmp_path: Path,
) -> None:
    collector, got = FastAPI(), anyio.Event()
    bodies: list[bytes] = []

    @collector.post("/v1/traces")
    async def take(request: Request) -> Response:
        bodies.append(await request.body())
        got.set()
        return Response(status_code=200)

    program = (
        "import anyio, sys\n"
        "from gateway import TraceSettings, compose\n"
        "async def main():\n"
        "    tracing = TraceSettings(endpoint=sys.argv[1]).tracing()\n"
        "    composition = compose(observers=[tracing])\n"
        "    await composition.registry.call_tool('get_topology', {})\n"
        "    await tracing.aclose()\n"
        "anyio.run(main)\n"
    )
    async with serving(collector, listen_on("127.0.0.1", 0)) as url:
        await anyio.run_process([sys.executable, "-c", program, url], stderr=None, cwd=tmp_path)
        with anyio.fail_after(10):
            await got.wait()
    assert b"tool get_topology" in b"".join(bodies)
    assert b"tercet-gateway" in b"".join(bodies)


async def test_a_collector_that_is_not_there_stops_nothing(tmp_path: Path) -> None:
    program = (
        "import anyio\n"
        "from gateway import TraceSettings, compose\n"
        "async def main():\n"
        "    tracing = TraceSettings(endpoint='http://127.0.0.1:9').tracing()\n"
        "    composition = compose(observers=[tracing])\n"
        "    print((await composition.registry.call_tool('get_topology', {})).status)\n"
        "    await tracing.aclose()\n"
        "anyio.run(main)\n"
    )
    with anyio.fail_after(25):
        done = await anyio.run_process([sys.executable, "-c", program], cwd=tmp_path)
    assert done.stdout.decode().split() == ["success"]


@pytest.mark.parametrize("endpoint", ["", "127.0.0.1:4318", "ftp://x", "http://", "http://u:p@x"])
def test_what_is_no_address_of_a_collector_is_refused(endpoint: str) -> None:
    with pytest.raises(ValidationError, match="no address of a collector"):
        TraceSettings(endpoint=endpoint)


def test_without_the_extra_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gateway._tracing", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(TracingError, match=r"tercet-gateway\[otel\]"):
        TraceSettings(endpoint="http://127.0.0.1:4318").tracing()
    assert TraceSettings().tracing() is None
