"""The samples of one node in flat arrays: a ring of the newest, and the last value of each metric.

A sample costs eight bytes for each metric and sixteen for its times.
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

__all__ = ["ABSENT", "Kept", "Series", "Times"]

ABSENT = math.nan
"""Stands in a row for a metric that a sample does not hold; readings are finite."""


class Times(NamedTuple):
    """When a reading was taken.

    Attributes:
        timestamp_s: In seconds since 1970 (UTC).
        taken_at_s: On the clock that never jumps, for the age.
    """

    timestamp_s: float
    taken_at_s: float


class Kept(NamedTuple):
    """One reading that is remembered: its value, when it was taken, and its sample's number."""

    value: float
    times: Times
    sequence: int


class Series:
    """The samples of one node, numbered from 1.

    Args:
        metrics: What a sample may hold.
        capacity: How many samples are remembered; of each metric, the last reading always is.
    """

    __slots__ = (
        "_capacity",
        "_complete",
        "_last",
        "_odd",
        "_saved",
        "_times",
        "_values",
        "_width",
        "index",
        "sequence",
    )

    def __init__(self, metrics: Sequence[str], capacity: int) -> None:
        self.index = {metric: position for position, metric in enumerate(metrics)}
        self.sequence = 0
        self._width = len(metrics)
        self._capacity = capacity
        self._values = array("d")
        self._times = array("d")
        # The last sample that held every metric, and for each the last one that held it since.
        self._complete = 0
        self._last = array("q", [0]) * len(metrics)
        # Last readings whose sample is gone, and times that differ from their sample's.
        self._saved: dict[int, Kept] = {}
        self._odd: dict[int, Mapping[int, Times]] = {}

    def add(self, row: list[float], times: Times, odd: Mapping[int, Times] | None = None) -> int:
        """Keep a sample, and give its number.

        Args:
            row: The value of each metric, in their order; `ABSENT` itself where there is none.
            times: When it was taken.
            odd: When those readings were taken that were not taken then, by position.
        """
        complete = ABSENT not in row
        gone = self.sequence + 1 - self._capacity
        if gone > 0:
            if not complete:
                self._save(gone, row)
            self._odd.pop(gone, None)
        slot = self.sequence % self._capacity
        self.sequence += 1
        self._values[slot * self._width : (slot + 1) * self._width] = array("d", row)
        self._times[slot * 2 : slot * 2 + 2] = array("d", times)
        if odd:
            self._odd[self.sequence] = odd
        if complete:
            self._complete = self.sequence
        else:
            for position, value in enumerate(row):
                if value is not ABSENT:
                    self._last[position] = self.sequence
        return self.sequence

    def latest(self, position: int) -> Kept | None:
        """The last reading of a metric."""
        sequence = max(self._complete, self._last[position])
        if sequence == 0:
            return None
        if sequence <= self.sequence - self._capacity:
            return self._saved[position]
        return self._at(sequence, position)

    @property
    def last_taken_at_s(self) -> float | None:
        """When the last sample was taken, on the clock that never jumps; None: there was none."""
        if self.sequence == 0:
            return None
        return self._times[(self.sequence - 1) % self._capacity * 2 + 1]

    def history(self, position: int) -> Iterator[Kept]:
        """The remembered readings of a metric, oldest first."""
        for sequence in self._remembered(0):
            kept = self._at(sequence, position)
            if not math.isnan(kept.value):
                yield kept

    def rows_after(self, sequence: int) -> Iterator[Sequence[float]]:
        """The remembered samples with higher numbers, oldest first; NaN where one holds nothing."""
        for number in self._remembered(sequence):
            start = (number - 1) % self._capacity * self._width
            yield self._values[start : start + self._width]

    def with_metrics(self, metrics: Sequence[str]) -> "Series":
        """The same samples, under the same numbers, of other metrics: new ones were never read."""
        made = Series(metrics, self._capacity)
        slots = len(self._times) // 2
        made.sequence = self.sequence
        made._times = self._times[:]
        made._values = array("d", [ABSENT]) * (slots * made._width)
        moved: dict[int, int] = {}
        for metric, new in made.index.items():
            old = self.index.get(metric)
            if old is not None:
                moved[old] = new
                made._values[new :: made._width] = self._values[old :: self._width]
                made._last[new] = max(self._complete, self._last[old])
        made._saved = {moved[at]: kept for at, kept in self._saved.items() if at in moved}
        made._odd = {
            number: {moved[at]: times for at, times in odd.items() if at in moved}
            for number, odd in self._odd.items()
        }
        return made

    def _remembered(self, after: int) -> range:
        return range(max(after, self.sequence - self._capacity) + 1, self.sequence + 1)

    def _at(self, sequence: int, position: int) -> Kept:
        slot = (sequence - 1) % self._capacity
        times = Times(self._times[slot * 2], self._times[slot * 2 + 1])
        odd = self._odd.get(sequence)
        return Kept(
            value=self._values[slot * self._width + position],
            times=times if odd is None else odd.get(position, times),
            sequence=sequence,
        )

    def _save(self, gone: int, row: Sequence[float]) -> None:
        """Keep the last readings of a sample that is going to be overwritten."""
        for position, value in enumerate(row):
            if value is ABSENT and max(self._complete, self._last[position]) == gone:
                self._saved[position] = self._at(gone, position)
