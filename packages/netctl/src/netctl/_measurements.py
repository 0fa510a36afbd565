"""What apps see of the network: the last reading of each metric, its age, and its quality."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

from netctl._errors import NoDataError

__all__ = ["Measurement", "Measurements", "MeasurementsHandler", "Quality", "Sample"]

Quality = Literal["good", "stale", "no_data"]


class MeasurementsHandler(IntEnum):
    """What stands for many metrics in `read_measurements`."""

    ALL_MEASUREMENTS = 0


@dataclass(frozen=True, slots=True)
class Sample:
    """What one node measured at one time, as it is pushed to a controller.

    Attributes:
        node_id: The node.
        values: A finite number for each metric.
        timestamp_s: When, in seconds since 1970 (UTC); None: when it arrives.
    """

    node_id: int
    values: Mapping[str, float]
    timestamp_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The last reading of one metric of one node, or the fact that there is none.

    Attributes:
        node_id: The node.
        metric: The metric, with its unit at its end.
        value: The reading; None: there never was one.
        timestamp_s: When it was taken, in seconds since 1970 (UTC).
        age_s: How old it was when it was looked up, in seconds.
        sequence: Number of the node's sample that held it; 0: none did.
        quality: Whether it may be acted on.
    """

    node_id: int
    metric: str
    value: float | None = None
    timestamp_s: float | None = None
    age_s: float | None = None
    sequence: int = 0
    quality: Quality = "no_data"

    def to_dict(self) -> dict[str, Any]:
        """The reading as JSON, without the node and the metric that it is filed under."""
        return {
            "value": self.value,
            "timestamp_s": self.timestamp_s,
            "age_s": self.age_s,
            "sequence": self.sequence,
            "quality": self.quality,
        }


class Measurements(Mapping[int, Sequence[Mapping[str, float]]]):
    """What one app is given: a snapshot, which no later reading changes.

    As a mapping it holds, for each node that the app reads, the samples that came since the app's
    last cycle, oldest first, each `{metric: value}`. `latest` and `require` give the last reading
    of a metric, whenever it came. Looking consumes nothing.
    """

    def __init__(
        self,
        samples: Mapping[int, Sequence[Mapping[str, float]]],
        latest: Mapping[int, Mapping[str, Measurement]],
    ) -> None:
        self._samples = samples
        self._latest = latest

    def __getitem__(self, node_id: int, /) -> Sequence[Mapping[str, float]]:
        return self._samples[node_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._samples)

    def __len__(self) -> int:
        return len(self._samples)

    def __repr__(self) -> str:
        return f"Measurements({dict(self._samples)!r})"

    def latest(self, node_id: int, metric: str) -> Measurement:
        """The last reading of a metric; one that the app does not read has no data."""
        known = self._latest.get(node_id, {}).get(metric)
        return known or Measurement(node_id=node_id, metric=metric)

    def require(self, node_id: int, metric: str) -> float:
        """The value of a metric that is fit to be acted on.

        Raises:
            NoDataError: If there is no reading, or only one that is too old.
        """
        measurement = self.latest(node_id, metric)
        if measurement.value is None or measurement.quality != "good":
            age = "" if measurement.age_s is None else f", {measurement.age_s:.1f} s old"
            raise NoDataError(
                f"node {node_id} has no fresh {metric} ({measurement.quality}{age})",
                hint="check that the node answers and that the app reads this metric",
            )
        return measurement.value
