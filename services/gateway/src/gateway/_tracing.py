"""Traces for an OpenTelemetry collector, joined to those of the clients.

A request over HTTP joins the trace of its `traceparent` header, one over MCP that of its `_meta`.
Below them is a span for each call of a tool, those within a program too. No argument and no result
is in any of them.

Needs the extra `tercet-gateway[otel]`.
"""

from dataclasses import dataclass
from importlib.metadata import version as version_of
from typing import Any

import anyio
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware  # pyright: ignore[reportMissingTypeStubs] -- it has none
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import StatusCode
from starlette.types import ASGIApp

from tercet import CallRecord

__all__ = ["Tracing", "sending_to"]

_UNTRACED = "/health,/metrics"
_NS_PER_S = 1_000_000_000
_PATIENCE_MS = 5_000


@dataclass(frozen=True)
class Tracing:
    """Makes spans and hands them on."""

    provider: TracerProvider

    def around(self, app: ASGIApp) -> ASGIApp:
        """Give an app that makes a span of each request."""
        made: Any = OpenTelemetryMiddleware(
            app,
            excluded_urls=_UNTRACED,
            tracer_provider=self.provider,
            exclude_spans=["receive", "send"],
        )
        return made

    async def __call__(self, record: CallRecord) -> None:
        """Make a span of a call that has ended, below the one that is current."""
        tracer = self.provider.get_tracer("tercet", version_of("tercet-gateway"))
        begun_ns = int(record.started_at * _NS_PER_S)
        # As for the metrics: what a caller made up names nothing.
        name = record.tool if record.effect else "unknown"
        span = tracer.start_span(
            f"tool {name}", start_time=begun_ns, attributes=_attributes(record)
        )
        if record.outcome != "success":
            span.set_status(StatusCode.ERROR, record.outcome)
        span.end(begun_ns + int(record.elapsed_s * _NS_PER_S))

    async def aclose(self) -> None:
        """Send what is left, as far as that is quick."""
        # It waits for the collector, which may be the reason for the end.
        await anyio.to_thread.run_sync(self.provider.force_flush, _PATIENCE_MS)
        await anyio.to_thread.run_sync(self.provider.shutdown)


def sending_to(endpoint: str, *, share: float = 1.0) -> Tracing:
    """Send traces to a collector, in the background and many at a time.

    The provider becomes that of the process, which the MCP server's own spans come from.

    Args:
        endpoint: The base address of the collector.
        share: Which part of the traces that begin here is sent; one that a client began is sent
            if the client says so.
    """
    exporter = OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces")
    return with_processor(BatchSpanProcessor(exporter), share=share)


def with_processor(processor: SpanProcessor, *, share: float = 1.0) -> Tracing:
    """Hand spans to a processor."""
    named = {"service.name": "tercet-gateway", "service.version": version_of("tercet-gateway")}
    provider = TracerProvider(
        resource=Resource.create(named), sampler=ParentBased(TraceIdRatioBased(share))
    )
    provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return Tracing(provider)


def _attributes(record: CallRecord) -> dict[str, str | bool | int]:
    about: dict[str, str | bool | int] = {
        "tercet.app": record.app,
        "tercet.effect": record.effect,
        "tercet.outcome": record.outcome,
        "tercet.tenant": record.tenant,
        "tercet.subject": record.subject,
        "tercet.request_id": record.request_id,
        "tercet.dry_run": record.dry_run,
        "tercet.answer_bytes": record.answer_bytes,
    }
    if record.correlation_id is not None:
        about["tercet.correlation_id"] = record.correlation_id
    return about
