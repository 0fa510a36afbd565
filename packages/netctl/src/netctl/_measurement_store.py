"""Where readings are kept: the last of each metric, and a bounded history of each node."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from netctl._clock import Clock
from netctl._driver import Reading
from netctl._errors import DeclarationError
from netctl._events import EventBus
from netctl._inventory import Inventory, Node
from netctl._log import get_logger
from netctl._measurements import Measurement, Measurements, Sample
from netctl._number import is_finite_number
from netctl._series import ABSENT, Kept, Series, Times
from netctl._words import short_words

__all__ = ["MeasurementStore"]

_log = get_logger("netctl.measurements")

_Part = tuple[object, object, object]
"""A metric, its value and its timestamp, none of them checked."""


class MeasurementStore:
    """The readings of every node of an inventory.

    Reading never consumes, and no value is ever invented: what was never measured has no data.
    Memory is bounded by the inventory: only metrics that a node declares are kept.

    Args:
        inventory: The nodes and their metrics.
        clock: Tells time and age.
        events: Where every sample is published.
        stale_after_s: Age from which a reading is `stale`.
        history_length: How many samples of each node are remembered.

    Raises:
        DeclarationError: If the history has no length.
    """

    def __init__(
        self,
        inventory: Inventory,
        clock: Clock,
        events: EventBus,
        *,
        stale_after_s: float,
        history_length: int = 500,
    ) -> None:
        if type(history_length) is not int or history_length < 1:
            raise DeclarationError(
                f"history_length is {history_length!r}, not a whole number above 0",
                hint="say how many samples of each node shall be remembered",
            )
        self._clock = clock
        self._events = events
        self._stale_after_s = stale_after_s
        self._refused = 0
        self._history_length = history_length
        self._nodes = {node.node_id: self._new_series(node) for node in inventory.nodes}
        # Of nodes that a reload has brought.
        self._came_at_s: dict[int, float] = {}

    def exchange(self, inventory: Inventory) -> Callable[[], None]:
        """Keep the readings of another inventory's nodes from now on; returns how to undo this.

        Nodes and metrics that remain keep what was read, under its numbers.
        """
        former, came_at_s, now_s = self._nodes, self._came_at_s, self._clock.monotonic()
        self._nodes = {node.node_id: self._series_for(node) for node in inventory.nodes}
        self._came_at_s = {
            node_id: came_at_s.get(node_id, now_s)
            for node_id in self._nodes
            if node_id in came_at_s or node_id not in former
        }

        def undo() -> None:
            self._nodes, self._came_at_s = former, came_at_s

        return undo

    @property
    def refused(self) -> int:
        """How many readings were malformed and left out."""
        return self._refused

    def record(self, node_id: int, readings: Sequence[object]) -> int:
        """Keep what a driver read, as one sample, and give its number; 0: nothing was kept.

        A malformed reading is counted and left out.
        """
        series = self._nodes[node_id]
        row = _sound_row(series, readings)
        if row is None:
            return self._add(node_id, series, _parts_of_readings(readings))
        return self._kept(node_id, series, row, {})

    def record_many(self, samples: Iterable[Sample]) -> int:
        """Keep samples, in their order, and say of how many something was kept.

        Malformed readings, and samples of no known node, are counted and left out.
        """
        kept = 0
        for sample in samples:
            fault = self._sample_fault(sample)
            if fault is not None:
                self._refused += 1
                _log.warning("sample refused", fault=fault)
                continue
            series = self._nodes[sample.node_id]
            kept += self._add(sample.node_id, series, _parts_of_sample(sample)) > 0
        return kept

    def latest(self, node_id: int, metric: str) -> Measurement:
        """The last reading of a metric, with its age now."""
        series = self._nodes[node_id]
        position = series.index.get(metric)
        kept = None if position is None else series.latest(position)
        if kept is None:
            return Measurement(node_id=node_id, metric=metric)
        return self._measurement(node_id, metric, kept)

    def history(self, node_id: int, metric: str) -> tuple[Measurement, ...]:
        """The remembered readings of a metric, oldest first."""
        series = self._nodes[node_id]
        position = series.index.get(metric)
        if position is None:
            return ()
        return tuple(self._measurement(node_id, metric, kept) for kept in series.history(position))

    def silent(self, since_s: float) -> tuple[int, ...]:
        """The nodes that have told nothing fresh, though they could since a time.

        Args:
            since_s: From when on they were asked, on the clock that never jumps.
        """
        oldest_s = self._clock.monotonic() - self._stale_after_s
        if since_s > oldest_s:
            return ()
        return tuple(
            node_id
            for node_id, series in sorted(self._nodes.items())
            if self._came_at_s.get(node_id, since_s) <= oldest_s
            and (series.last_taken_at_s is None or series.last_taken_at_s <= oldest_s)
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
            series = self._nodes[node_id]
            latest[node_id] = {name: self.latest(node_id, name) for name in names}
            positions = [(name, series.index[name]) for name in names]
            samples[node_id] = tuple(
                {name: row[at] for name, at in positions if not math.isnan(row[at])}
                for row in series.rows_after(since.get(node_id, 0))
            )
        return Measurements(samples, latest)

    def _new_series(self, node: Node) -> Series:
        return Series(_metrics_of(node), self._history_length)

    def _series_for(self, node: Node) -> Series:
        """The series of a node of another inventory, with what is known of its metrics."""
        series = self._nodes.get(node.node_id)
        if series is None:
            return self._new_series(node)
        metrics = _metrics_of(node)
        return series if tuple(series.index) == metrics else series.with_metrics(metrics)

    def _add(self, node_id: int, series: Series, parts: Iterable[_Part]) -> int:
        row = [ABSENT] * len(series.index)
        own: dict[int, float] = {}
        faults: list[str] = []
        kept = False
        for metric, value, timestamp_s in parts:
            position = series.index.get(metric) if isinstance(metric, str) else None
            # A value that is not equal to itself, or infinite, leaves no 0 behind.
            sound = type(value) is float and value - value == 0.0
            if position is None or not (sound or is_finite_number(value)):
                faults.append(_fault(metric, value, known=position is not None))
            elif timestamp_s is not None and not is_finite_number(timestamp_s):
                faults.append(f"{metric} was taken at {short_words(timestamp_s)}, which is no time")
            else:
                row[position] = float(cast("float", value))
                kept = True
                if timestamp_s is not None:
                    own[position] = float(timestamp_s)
        if faults:
            self._refused += len(faults)
            # One line a sample: a node that tells nonsense must not fill the disk.
            _log.warning("readings refused", node_id=node_id, count=len(faults), first=faults[0])
        return self._kept(node_id, series, row, own) if kept else 0

    def _kept(
        self, node_id: int, series: Series, row: list[float], own: Mapping[int, float]
    ) -> int:
        sequence = self._keep(series, row, own)
        self._events.publish("measurement", lambda: _told(node_id, sequence, series, row))
        return sequence

    def _sample_fault(self, sample: object) -> str | None:
        """Why nothing of what was pushed can be looked at, if that is so."""
        if not isinstance(sample, Sample) or not isinstance(cast("object", sample.values), Mapping):
            return f"{short_words(sample)} is no Sample"
        if type(sample.node_id) is not int or sample.node_id not in self._nodes:
            return f"there is no node {short_words(sample.node_id)}"
        return None

    def _keep(self, series: Series, row: list[float], own: Mapping[int, float]) -> int:
        now_s, monotonic_s = self._clock.now(), self._clock.monotonic()
        arrived = Times(now_s, monotonic_s)
        if not own:
            return series.add(row, arrived)
        taken = {
            position: Times(timestamp_s, monotonic_s - max(0.0, now_s - timestamp_s))
            for position, timestamp_s in own.items()
        }
        if len(set(taken.values())) == 1 and row.count(ABSENT) + len(own) == len(row):
            return series.add(row, next(iter(taken.values())))
        return series.add(row, arrived, taken)

    def _measurement(self, node_id: int, metric: str, kept: Kept) -> Measurement:
        age_s = self._clock.monotonic() - kept.times.taken_at_s
        return Measurement(
            node_id=node_id,
            metric=metric,
            value=kept.value,
            timestamp_s=kept.times.timestamp_s,
            age_s=age_s,
            sequence=kept.sequence,
            quality="good" if age_s < self._stale_after_s else "stale",
        )


def _metrics_of(node: Node) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.metrics))


def _told(node_id: int, sequence: int, series: Series, row: Sequence[float]) -> dict[str, Any]:
    values = dict(zip(series.index, row, strict=True))
    return {
        "node_id": node_id,
        "sequence": sequence,
        "values": {metric: value for metric, value in values.items() if value is not ABSENT},
    }


def _sound_row(series: Series, readings: Sequence[object]) -> list[float] | None:
    """The row of readings that are sound beyond doubt and were taken now; None says nothing."""
    index, row = series.index, [ABSENT] * len(series.index)
    for reading in readings:
        if type(reading) is not Reading or reading.timestamp_s is not None:
            return None
        # Foreign code made it: its types are not trusted.
        metric: object = reading.metric
        value: object = reading.value
        # As in the whole way: what is not equal to itself, or infinite, leaves no 0 behind.
        if type(metric) is not str or type(value) is not float or value - value != 0.0:
            return None
        position = index.get(metric)
        if position is None:
            return None
        row[position] = value
    return row if readings else None


def _parts_of_readings(readings: Iterable[object]) -> Iterator[_Part]:
    # A driver is not trusted to keep its types.
    for reading in readings:
        if isinstance(reading, Reading):
            yield reading.metric, reading.value, reading.timestamp_s
        else:
            yield reading, None, None


def _parts_of_sample(sample: Sample) -> Iterator[_Part]:
    timestamp_s = sample.timestamp_s
    for metric, value in sample.values.items():
        yield metric, value, timestamp_s


def _fault(metric: object, value: object, *, known: bool) -> str:
    """What is wrong with a reading."""
    if not isinstance(metric, str):
        return f"{short_words(metric)} is not a Reading"
    if not known:
        return f"the node declares no metric {short_words(metric)}"
    return f"{metric} is {short_words(value)}, not a finite number"
