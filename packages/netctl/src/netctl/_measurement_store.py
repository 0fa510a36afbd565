"""Where readings are kept: the last of each metric, and a bounded history of each node."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import cast

from netctl._clock import Clock
from netctl._driver import Reading
from netctl._inventory import Inventory
from netctl._log import get_logger
from netctl._measurements import Measurement, Measurements
from netctl._number import is_finite_number

__all__ = ["MeasurementStore"]

_log = get_logger("netctl.measurements")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    value: float
    timestamp_s: float
    taken_at_s: float  # on the clock that never jumps, for the age
    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    sequence: int
    readings: Mapping[str, _Kept]


@dataclass(slots=True, kw_only=True)
class _NodeReadings:
    metrics: frozenset[str]
    samples: deque[_Sample]
    latest: dict[str, _Kept] = field(default_factory=dict[str, _Kept])
    sequence: int = 0


class MeasurementStore:
    """The readings of every node of an inventory.

    Reading never consumes, and no value is ever invented: what was never measured has no data.
    Memory is bounded by the inventory: only metrics that a node declares are kept.

    Args:
        inventory: The nodes and their metrics.
        clock: Tells time and age.
        stale_after_s: Age from which a reading is `stale`.
        history_length: How many samples of each node are remembered.
    """

    def __init__(
        self,
        inventory: Inventory,
        clock: Clock,
        *,
        stale_after_s: float,
        history_length: int = 500,
    ) -> None:
        self._clock = clock
        self._stale_after_s = stale_after_s
        self._refused = 0
        self._nodes = {
            node.node_id: _NodeReadings(
                metrics=frozenset(node.metrics), samples=deque(maxlen=history_length)
            )
            for node in inventory.nodes
        }

    @property
    def refused(self) -> int:
        """How many readings were malformed and left out."""
        return self._refused

    def record(self, node_id: int, readings: object) -> None:
        """Keep one sample of a node; a malformed reading is counted and left out."""
        node = self._nodes[node_id]
        sequence = node.sequence + 1
        kept: dict[str, _Kept] = {}
        now_s, monotonic_s = self._clock.now(), self._clock.monotonic()
        # A driver is not trusted to keep its types.
        for reading in _each(readings):
            fault = _fault(reading, node.metrics)
            if fault is None:
                kept[reading.metric] = _keep(reading, sequence, now_s, monotonic_s)
            else:
                self._refused += 1
                _log.warning("reading refused", node_id=node_id, fault=fault)
        if kept:
            node.sequence = sequence
            node.samples.append(_Sample(sequence=sequence, readings=kept))
            node.latest.update(kept)

    def latest(self, node_id: int, metric: str) -> Measurement:
        """The last reading of a metric, with its age now."""
        kept = self._nodes[node_id].latest.get(metric)
        if kept is None:
            return Measurement(node_id=node_id, metric=metric)
        return self._measurement(node_id, metric, kept)

    def history(self, node_id: int, metric: str) -> tuple[Measurement, ...]:
        """The remembered readings of a metric, oldest first."""
        return tuple(
            self._measurement(node_id, metric, sample.readings[metric])
            for sample in self._nodes[node_id].samples
            if metric in sample.readings
        )

    def sequence(self, node_id: int) -> int:
        """Number of the node's last sample; 0: there was none."""
        return self._nodes[node_id].sequence

    def snapshot(
        self, metrics: Mapping[int, Sequence[str]], since: Mapping[int, int]
    ) -> Measurements:
        """What an app that reads these metrics, and has seen samples so far, is given now."""
        samples: dict[int, tuple[Mapping[str, float], ...]] = {}
        latest: dict[int, dict[str, Measurement]] = {}
        for node_id, names in metrics.items():
            latest[node_id] = {name: self.latest(node_id, name) for name in names}
            samples[node_id] = tuple(
                {name: sample.readings[name].value for name in names if name in sample.readings}
                for sample in self._after(node_id, since.get(node_id, 0))
            )
        return Measurements(samples, latest)

    def _after(self, node_id: int, sequence: int) -> list[_Sample]:
        # From the newest back, so that a long history costs nothing.
        newest_first = reversed(self._nodes[node_id].samples)
        fresh = list(takewhile(lambda sample: sample.sequence > sequence, newest_first))
        return fresh[::-1]

    def _measurement(self, node_id: int, metric: str, kept: _Kept) -> Measurement:
        age_s = self._clock.monotonic() - kept.taken_at_s
        return Measurement(
            node_id=node_id,
            metric=metric,
            value=kept.value,
            timestamp_s=kept.timestamp_s,
            age_s=age_s,
            sequence=kept.sequence,
            quality="good" if age_s < self._stale_after_s else "stale",
        )


def _keep(reading: Reading, sequence: int, now_s: float, monotonic_s: float) -> _Kept:
    timestamp_s = now_s if reading.timestamp_s is None else reading.timestamp_s
    return _Kept(
        value=float(reading.value),
        timestamp_s=timestamp_s,
        taken_at_s=monotonic_s - max(0.0, now_s - timestamp_s),
        sequence=sequence,
    )


def _each(readings: object) -> Iterable[Reading]:
    return cast("Iterable[Reading]", readings if isinstance(readings, Iterable) else (readings,))


def _fault(reading: object, metrics: frozenset[str]) -> str | None:
    """What is wrong with a reading, if anything is."""
    if not isinstance(reading, Reading):
        return f"{type(reading).__name__} is not a Reading"
    metric = cast("object", reading.metric)
    if not isinstance(metric, str) or metric not in metrics:
        return f"the node declares no metric {reading.metric!r}"
    if not is_finite_number(reading.value):
        return f"{reading.metric} is {reading.value!r}, not a finite number"
    if reading.timestamp_s is not None and not is_finite_number(reading.timestamp_s):
        return f"{reading.metric} was taken at {reading.timestamp_s!r}, which is no time"
    return None
