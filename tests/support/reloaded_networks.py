"""Networks as they are before and after a reload, for the tests of reloads."""

from collections.abc import Callable
from typing import Any

import anyio

from netctl import Batch, Driver, Inventory, NetworkApp, Saved, StoreError, aic_app
from netctl.apps.line import line_inventory

__all__ = ["Disk", "always", "described", "node_of", "small", "up_to", "watcher"]


def described(change: Callable[[dict[str, Any]], None]) -> Inventory:
    """The shipped line, described otherwise."""
    document = line_inventory().model_dump(mode="json", exclude_defaults=True)
    change(document)
    return Inventory.model_validate(document)


def node_of(document: dict[str, Any], node_id: int) -> Any:
    return next(node for node in document["nodes"] if node["node_id"] == node_id)


def up_to(max_db: float) -> Inventory:
    """The line, where the gain of node 8's booster ends sooner or later."""

    def change(document: dict[str, Any]) -> None:
        for resource in node_of(document, 8)["resources"]:
            if resource["name"] == "booster_gain_db":
                resource["max"] = max_db

    return described(change)


def small(*node_ids: int, metrics: tuple[str, ...] = ("gain_db", "power_dbm")) -> Inventory:
    """Amplifiers without a model, each with a gain."""
    return Inventory.model_validate(
        {
            "nodes": [
                {
                    "node_id": node_id,
                    "name": f"node {node_id}",
                    "kind": "amplifier",
                    "metrics": metrics,
                    "resources": [{"name": "gain_db", "unit": "dB", "min": 0, "max": 30}],
                }
                for node_id in node_ids
            ]
        }
    )


def always(driver: Driver) -> Callable[[Driver], Driver]:
    """Gives this driver, whatever there was before."""

    def give(former: Driver) -> Driver:
        del former
        return driver

    return give


def watcher(name: str, *node_ids: int, app_id: int = 1) -> Any:
    """The class of an app that reads nodes."""

    @aic_app(name=name)
    class Watcher(NetworkApp):
        aic_app_id = app_id
        read_measurements = dict.fromkeys(node_ids, ("power_dbm",))

        def __init__(self) -> None:
            self.seen: list[int] = []

        def process(self, measurements: Any) -> None:
            self.seen.append(sum(len(measurements[node_id]) for node_id in node_ids))

    return Watcher


class Disk:
    """A store whose next write waits, or fails."""

    def __init__(self) -> None:
        self.gate: anyio.Event | None = None
        self.waiting = anyio.Event()
        self.broken = False
        self.entries: list[Any] = []

    async def load(self) -> Saved:
        return Saved()

    async def save(self, batch: Batch) -> None:
        if self.gate is not None:
            self.waiting.set()
            await self.gate.wait()
        if self.broken:
            raise StoreError("the disk is full")
        self.entries += batch.entries
