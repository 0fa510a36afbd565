"""What a gateway counts, in the text format of Prometheus (version 0.0.4)."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway._loop_lag import LoopLag
from netctl import AuditRecord
from tercet import CallRecord

__all__ = ["Family", "InFlight", "Metrics", "exposition"]

_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_MOST_TOOLS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One metric: its samples by the text of their labels, as `tool="x"`; `""` is none."""

    name: str
    kind: str
    help: str
    samples: Mapping[str, float]


@dataclass(slots=True)
class _Latency:
    counts: list[int] = field(default_factory=lambda: [0] * (len(_BUCKETS_S) + 1))
    sum_s: float = 0.0


class Metrics:
    """Counts calls and commands; an observer of a registry and of an audit trail.

    What a caller can make up never becomes a label: a tool that is not known counts as `unknown`.

    Attributes:
        requests_in_flight: HTTP requests that are being answered.
        loop_lag: Measures the event loop, while it is entered.
    """

    def __init__(self) -> None:
        self.requests_in_flight = 0
        self.loop_lag = LoopLag()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._errors: Counter[str] = Counter()
        self._commands: Counter[str] = Counter()
        self._reloads: Counter[str] = Counter()
        self._latencies: dict[str, _Latency] = {}

    async def __call__(self, record: CallRecord) -> None:
        """Count a call."""
        # Only a tool that the caller may see has an effect in the record.
        tool = record.tool if record.effect else "unknown"
        if tool not in self._latencies and len(self._latencies) >= _MOST_TOOLS:
            tool = "other"
        latency = self._latencies.setdefault(tool, _Latency())
        latency.counts[bisect_left(_BUCKETS_S, record.elapsed_s)] += 1
        latency.sum_s += record.elapsed_s
        self._calls[tool, record.outcome] += 1
        if record.outcome != "success":
            self._errors[record.outcome] += 1

    async def note_command(self, record: AuditRecord) -> None:
        """Count a command that was refused or failed."""
        if record.outcome.code is not None:
            self._commands[record.outcome.code] += 1

    def note_reload(self, outcome: str) -> None:
        """Count a reload of the network."""
        self._reloads[outcome] += 1

    def families(self) -> Iterator[Family]:
        """Give what was counted."""
        yield Family(
            name="tercet_requests_in_flight",
            kind="gauge",
            help="HTTP requests that are being answered, streams of events among them.",
            samples={"": self.requests_in_flight},
        )
        yield Family(
            name="tercet_loop_lag_seconds",
            kind="gauge",
            help="How late the event loop was, the most of the last half minute.",
            samples={"": self.loop_lag.most_s},
        )
        yield Family(
            name="tercet_calls_total",
            kind="counter",
            help="Calls of tools that ended, by tool and outcome.",
            samples={
                f'tool="{tool}",outcome="{outcome}"': count
                for (tool, outcome), count in sorted(self._calls.items())
            },
        )
        yield Family(
            name="tercet_errors_total",
            kind="counter",
            help="Calls of tools that ended in an error, by its code.",
            samples={f'code="{code}"': count for code, count in sorted(self._errors.items())},
        )
        yield Family(
            name="tercet_commands_refused_total",
            kind="counter",
            help="Commands to the network that were refused or failed, by the reason's code.",
            samples={f'code="{code}"': count for code, count in sorted(self._commands.items())},
        )
        yield Family(
            name="tercet_reloads_total",
            kind="counter",
            help="Reloads of the network's inventory and apps, by what became of them.",
            samples={f'outcome="{name}"': count for name, count in sorted(self._reloads.items())},
        )
        yield Family(
            name="tercet_call_seconds",
            kind="histogram",
            help="How long calls of tools took, in seconds.",
            samples=dict(self._latency_samples()),
        )

    def _latency_samples(self) -> Iterator[tuple[str, float]]:
        for tool, latency in sorted(self._latencies.items()):
            total = 0
            for bound, count in zip((*_BUCKETS_S, None), latency.counts, strict=True):
                total += count
                edge = "+Inf" if bound is None else f"{bound:g}"
                yield f'_bucket{{tool="{tool}",le="{edge}"}}', total
            yield f'_sum{{tool="{tool}"}}', latency.sum_s
            yield f'_count{{tool="{tool}"}}', total


class InFlight:
    """Counts the requests that are being answered."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = scope["type"] == "http"
        self._metrics.requests_in_flight += counted
        try:
            await self._app(scope, receive, send)
        finally:
            self._metrics.requests_in_flight -= counted


def exposition(families: Iterable[Family]) -> str:
    """Write metrics down."""
    lines: list[str] = []
    for family in families:
        lines += [f"# HELP {family.name} {family.help}", f"# TYPE {family.name} {family.kind}"]
        for labels, value in family.samples.items():
            series = labels if family.kind == "histogram" or not labels else f"{{{labels}}}"
            lines.append(f"{family.name}{series} {value:.17g}")
    return "\n".join(lines) + "\n"
