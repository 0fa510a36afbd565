"""What policies have counted so far: allowances that refill, and sums over the last hour."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from netctl._clock import Clock

__all__ = ["HourlyUse", "Ledger"]

_SLOT_S = 60.0
_HOUR_S = 3600.0
_ENTRIES_BEFORE_PURGE = 1_000


@dataclass(slots=True, kw_only=True)
class _Bucket:
    level: float
    capacity: float
    refill_per_s: float
    at_s: float

    def level_at(self, now_s: float) -> float:
        return min(self.capacity, self.level + (now_s - self.at_s) * self.refill_per_s)


@dataclass(slots=True, kw_only=True)
class _Slot:
    start_s: float
    amount: float = 0.0
    nodes: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyUse:
    """What was used in the last hour.

    Attributes:
        amount: The sum of the changes' sizes.
        nodes: The nodes that were changed.
    """

    amount: float
    nodes: frozenset[int]


class Ledger:
    """The memory of a controller's policies, which have none themselves.

    It is bounded by who and what used something in the last hour.

    Args:
        clock: Measures time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[Any, _Bucket] = {}
        self._hours: dict[Any, deque[_Slot]] = {}
        self._limit = _ENTRIES_BEFORE_PURGE

    def now_s(self) -> float:
        """The time of day, in seconds since 1970 (UTC)."""
        return self._clock.now()

    def allowance(self, key: Any, *, capacity: float) -> float:
        """What is left in a token bucket; one that was never used is full."""
        bucket = self._buckets.get(key)
        return capacity if bucket is None else bucket.level_at(self._clock.monotonic())

    def take(self, key: Any, amount: float, *, capacity: float, refill_per_s: float) -> None:
        """Take something out of a token bucket."""
        self._buckets[key] = _Bucket(
            level=self.allowance(key, capacity=capacity) - amount,
            capacity=capacity,
            refill_per_s=refill_per_s,
            at_s=self._clock.monotonic(),
        )
        self._purge()

    def last_hour(self, key: Any) -> HourlyUse:
        """What was used in the last hour, counted by the minute: up to 61 minutes back."""
        slots = self._living(self._hours.get(key, deque()))
        return HourlyUse(
            amount=sum(slot.amount for slot in slots),
            nodes=frozenset[int]().union(*(slot.nodes for slot in slots)),
        )

    def use(self, key: Any, *, amount: float, node_id: int) -> None:
        """Count a change."""
        slots = self._hours.setdefault(key, deque())
        start_s = self._clock.monotonic() // _SLOT_S * _SLOT_S
        if not slots or slots[-1].start_s != start_s:
            slots.append(_Slot(start_s=start_s))
        slots[-1].amount += amount
        slots[-1].nodes.add(node_id)
        while slots[0].start_s <= start_s - _HOUR_S - _SLOT_S:
            slots.popleft()
        self._purge()

    def _living(self, slots: deque[_Slot]) -> list[_Slot]:
        oldest_s = self._clock.monotonic() - _HOUR_S - _SLOT_S
        return [slot for slot in slots if slot.start_s > oldest_s]

    def _purge(self) -> None:
        if len(self._buckets) + len(self._hours) <= self._limit:
            return
        now_s = self._clock.monotonic()
        self._buckets = {
            key: bucket
            for key, bucket in self._buckets.items()
            if bucket.level_at(now_s) < bucket.capacity
        }
        self._hours = {key: slots for key, slots in self._hours.items() if self._living(slots)}
        # Twice what is left, so that purging costs little for each entry.
        self._limit = max(_ENTRIES_BEFORE_PURGE, 2 * (len(self._buckets) + len(self._hours)))
