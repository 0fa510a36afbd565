"""Two amplifiers written in Python, a controller of them, and lives that can be ended."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from netctl import (
    CommandSpec,
    Controller,
    Inventory,
    MeasurementsHandler,
    NetworkApp,
    Setting,
    aic_app,
)
from netctl.nodes import NetworkNode, NodeHub
from netctl.testing import ManualClock

IDS = (3, 30)
INVENTORY = Inventory.model_validate(
    {
        "nodes": [
            {
                "node_id": node_id,
                "name": f"node {node_id}",
                "kind": "amplifier",
                "metrics": ["gain_db", "power_dbm"],
                "resources": [{"name": "gain_db", "unit": "dB", "min": 0.0, "max": 30.0}],
            }
            for node_id in IDS
        ]
    }
)
SET = CommandSpec(
    name="SET_GAIN",
    description="Set gain",
    schema={
        "properties": {"node_id": {"type": "integer"}, "gain": {"type": "number"}},
        "required": ["node_id", "gain"],
    },
    value_argument="gain",
    resource="gain_db",
)


class Amplifier(NetworkNode):
    available_measurements = ("gain_db", "power_dbm")
    available_controls = ("gain_db",)
    measurement_interval_s = 1.0
    heartbeat_s = 3.0

    def __init__(self, node_id: int, clock: ManualClock) -> None:
        super().__init__(node_id, clock=clock)
        self.gain_db = 10.0
        self.fault: Exception | None = None
        self.answer: Any = True
        self.gate: anyio.Event | None = None
        self.commands: list[float] = []
        self.setups = 0

    async def setup(self) -> None:
        self.setups += 1
        if self.fault is not None:
            raise self.fault

    def poll_measurements(self) -> Any:
        if self.fault is not None:
            raise self.fault
        return {"gain_db": self.gain_db, "power_dbm": self.gain_db - 20.0}

    async def handle_command(self, setting: Setting) -> Any:
        self.commands.append(setting.value)
        if self.gate is not None:
            await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        self.gain_db = setting.value
        return self.answer


@aic_app(name="Watcher")
class Watcher(NetworkApp):
    aic_app_id = 1
    control_loop_update_time = 10.0
    read_measurements = dict.fromkeys(IDS, (MeasurementsHandler.ALL_MEASUREMENTS,))
    control_functions = dict.fromkeys(IDS, ("SET_GAIN",))

    def __init__(self) -> None:
        self.told: list[tuple[int, bool]] = []

    def on_node(self, node_id: int, available: bool) -> None:  # noqa: FBT001 -- as the method it is
        self.told.append((node_id, available))
        if node_id == 30:
            raise RuntimeError("no")


class Bench:
    """A controller of two amplifiers, each of which can be killed."""

    def __init__(self, group: Any) -> None:
        self.clock = ManualClock()
        self.hub = NodeHub(INVENTORY, clock=self.clock)
        self.app = Watcher()
        # Nodes push: polling would hide that.
        self.controller = Controller(
            INVENTORY, self.hub, commands=[SET], clock=self.clock, poll_period_s=1000.0
        )
        self.controller.add(self.app)
        self.nodes = {node_id: Amplifier(node_id, self.clock) for node_id in IDS}
        self.lives: dict[int, anyio.CancelScope] = {}
        self._group = group

    def renew(self, node_id: int, kind: type[Amplifier] = Amplifier) -> Amplifier:
        """Put a new node in the place of one."""
        self.nodes[node_id] = kind(node_id, self.clock)
        return self.nodes[node_id]

    def start(self, node_id: int) -> None:
        self._group.start_soon(self._run, node_id)

    async def _run(self, node_id: int) -> None:
        with anyio.CancelScope() as self.lives[node_id]:
            await self.nodes[node_id].run(self.hub)

    async def set_gain(self, gain: float, node_id: int = 3) -> Any:
        return await self.controller.execute(
            "Watcher", "SET_GAIN", {"node_id": node_id, "gain": gain}
        )


@asynccontextmanager
async def enter(*node_ids: int) -> AsyncGenerator[Bench, None]:
    async with anyio.create_task_group() as group:
        bench = Bench(group)
        async with bench.controller:
            for node_id in node_ids:
                bench.start(node_id)
            await bench.controller.set_state("Watcher", "running")
            await bench.clock.settle()
            yield bench
        group.cancel_scope.cancel()


@pytest.fixture
def entered() -> Any:
    """Enters a bench with some of its nodes registered and its app running."""
    return enter


@pytest.fixture
def node_bench() -> Any:
    """Makes benches, not entered."""
    return Bench


@pytest.fixture
def amplifier() -> Any:
    """The class of the nodes, to derive from."""
    return Amplifier


@pytest.fixture
def amplifiers() -> Inventory:
    """The inventory of the nodes 3 and 30."""
    return INVENTORY


@pytest.fixture
def set_command() -> CommandSpec:
    """The command that sets their gain."""
    return SET
