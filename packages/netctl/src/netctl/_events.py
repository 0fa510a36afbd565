"""What happens in a controller, for whoever listens; a slow listener slows nobody."""

from collections import deque
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import anyio
import anyio.lowlevel

from netctl._clock import Clock

__all__ = ["Event", "EventBus", "EventKind", "EventListener"]

EventKind = Literal[
    "measurement", "command", "state", "read_only", "node", "app", "network", "lost"
]
"""What an event is about.

measurement: a sample of a node. command: what became of a command, or that it waits for an
approval. state: an app was set to a state. read_only: the kill switch. node: a node came or went.
app: an app was added or removed. network: it was reloaded, with other nodes, limits or apps.
lost: how many events this listener was too slow for.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: What it is about.
        timestamp_s: When, in seconds since 1970 (UTC).
        facts: The rest, as JSON.
    """

    kind: EventKind
    timestamp_s: float
    facts: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return {**self.facts, "type": self.kind, "timestamp_s": self.timestamp_s}


class EventListener:
    """The events of one listener that it has not heard yet: the newest, so many at the most."""

    def __init__(self, clock: Clock, most: int, kinds: Collection[EventKind] | None) -> None:
        self._clock = clock
        self._kinds = None if kinds is None else frozenset(kinds)
        self._waiting: deque[Event] = deque(maxlen=most)
        self._lost = 0
        self._news = anyio.Event()

    def wants(self, kind: EventKind) -> bool:
        """Whether it listens for what is of this kind."""
        return self._kinds is None or kind in self._kinds

    def hear(self, event: Event) -> None:
        """Queue an event; if there is no room, the oldest is lost, and counted."""
        if len(self._waiting) == self._waiting.maxlen:
            self._lost += 1
        self._waiting.append(event)
        self._news.set()

    async def next(self) -> Event:
        """The next event, once there is one; what was lost before it is told first."""
        # However much happens, whoever listens lets others run, and can be cancelled.
        await anyio.lowlevel.checkpoint()
        while not self._waiting:
            self._news = anyio.Event()
            await self._news.wait()
        if self._lost:
            lost, self._lost = self._lost, 0
            return Event(kind="lost", timestamp_s=self._clock.now(), facts={"count": lost})
        return self._waiting.popleft()


class EventBus:
    """Tells every listener what happens; publishing never waits.

    Args:
        clock: Tells when.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listeners: list[EventListener] = []

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def publish(self, kind: EventKind, facts: Callable[[], Mapping[str, Any]]) -> None:
        """Tell that something happened; it is put into words only if somebody listens for it."""
        event: Event | None = None
        for listener in self._listeners:
            if listener.wants(kind):
                if event is None:
                    event = Event(kind=kind, timestamp_s=self._clock.now(), facts=facts())
                listener.hear(event)

    @contextmanager
    def listen(
        self, *, most: int = 256, kinds: Collection[EventKind] | None = None
    ) -> Generator[EventListener, None, None]:
        """Listen for the length of a block.

        Args:
            most: How many events may wait for the listener; of more, the oldest are lost.
            kinds: What to listen for; None: everything. Other events take no room.
        """
        listener = EventListener(self._clock, max(1, most), kinds)
        self._listeners.append(listener)
        try:
            yield listener
        finally:
            self._listeners.remove(listener)
