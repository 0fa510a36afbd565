"""Hears what a driver tells on its own: nodes that come and go, and what they measure."""

from collections.abc import Iterable

from netctl._events import EventBus
from netctl._log import get_logger
from netctl._measurement_store import MeasurementStore
from netctl._measurements import Sample
from netctl._roster import AppRoster

__all__ = ["NetworkWatch"]

_log = get_logger("netctl.network")


class NetworkWatch:
    """Takes in samples, and tells apps and listeners of nodes.

    Args:
        store: Keeps the samples.
        roster: The apps.
        events: Where nodes that come or go are published.
    """

    def __init__(self, store: MeasurementStore, roster: AppRoster, events: EventBus) -> None:
        self._store = store
        self._roster = roster
        self._events = events

    def node_changed(self, node_id: int, *, available: bool) -> None:
        """Hear that a node has come or gone."""
        _log.info("node changed", node_id=node_id, available=available)
        self._events.publish("node", lambda: {"node_id": node_id, "available": available})
        for runtime in self._roster:
            runtime.node_changed(node_id, available=available)

    def measured(self, samples: Iterable[Sample]) -> None:
        """Take in what nodes have measured."""
        self._store.record_many(samples)
