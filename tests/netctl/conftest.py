"""The line, its controller and equipment that fails, for every test of this folder."""

import logging
from collections.abc import AsyncGenerator, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import anyio
import pytest
from structlog.testing import capture_logs

from netctl import (
    Controller,
    MeasurementsHandler,
    NetworkApp,
    NoDataError,
    Outcome,
    agent_controlled,
    aic_app,
    command_validator,
)
from netctl.apps.line import LineApp, simulated_line
from netctl.drivers import SimulatedLine
from netctl.testing import FaultyDriver, ManualClock
from netctl.tools import bind
from tercet import CallContext, ToolRegistry


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A controller of the simulated line on a clock that the test turns."""

    controller: Controller
    clock: ManualClock
    line: SimulatedLine
    driver: FaultyDriver

    def gain_db(self, node_id: int = 8, resource: str = "booster_gain_db") -> float:
        """What the simulator itself says that a gain is set to."""
        return self.line.state()[node_id][resource]


def make_bench(*apps: NetworkApp, **options: Any) -> Bench:
    clock = options.pop("clock", None) or ManualClock()
    inventory, line = simulated_line()
    driver = FaultyDriver(line)
    controller = Controller(inventory, driver, clock=clock, **options)
    for app in apps:
        controller.add(app)
    return Bench(controller=controller, clock=clock, line=line, driver=driver)


@pytest.fixture
def benches() -> Any:
    """Makes benches, not entered."""
    return make_bench


@pytest.fixture
async def bench(anyio_backend: str) -> AsyncGenerator[Bench, None]:
    """The line with its app, entered, its first readings taken."""
    del anyio_backend
    bench = make_bench(LineApp())
    async with bench.controller:
        await bench.clock.settle()
        yield bench


@pytest.fixture
def logs(caplog: pytest.LogCaptureFixture) -> Iterator[list[MutableMapping[str, Any]]]:
    """The events that are logged, those of the ordinary course of things too."""
    caplog.set_level(logging.INFO, logger="netctl")
    with capture_logs() as events:
        yield events


_OPTIONS = ("dry_run", "origin", "subject", "roles", "idempotency_key", "confirm_within_s")


@pytest.fixture
def set_gain() -> Any:
    """Sends SET_GAIN through a controller."""

    async def send(
        controller: Controller, target_gain: Any, *, app: str = "NetworkApp1", **more: Any
    ) -> Outcome:
        options = {name: more.pop(name) for name in _OPTIONS if name in more}
        arguments = {"node_id": 8, "target_gain": target_gain} | more
        return await controller.execute(app, "SET_GAIN", arguments, **options)

    return send


@pytest.fixture
def guarded() -> Any:
    """Makes an app whose validator answers as told; an exception is raised instead."""

    def make(answer: Any) -> NetworkApp:
        @aic_app(name="Guarded")
        class Guarded(NetworkApp):
            aic_app_id = 9
            control_functions = dict.fromkeys((3, 7, 8), ("SET_GAIN",))

            @command_validator("SET_GAIN")
            def guard(self, params: dict[str, Any]) -> Any:
                value = answer(params) if callable(answer) else answer
                if isinstance(value, BaseException):
                    raise value
                return value

        return Guarded()

    return make


@aic_app(name="SmartApp")
class SmartApp(NetworkApp):
    aic_app_id = 4
    control_loop_update_time = 2.0
    read_measurements = dict.fromkeys((7, 8), (MeasurementsHandler.ALL_MEASUREMENTS,))
    control_functions = dict.fromkeys((3, 7), ("SET_GAIN",))

    def __init__(self) -> None:
        self.ran: list[str] = []

    @agent_controlled(
        name="optimize_gain",
        description="Find a better gain.",
        schema={"properties": {"how": {"enum": ["wait", "fail", "refuse"]}}, "required": ["how"]},
    )
    async def optimize_gain(self, arguments: Any, measurements: Any) -> str:
        del measurements
        self.ran.append(arguments["how"])
        match arguments["how"]:
            case "wait":
                await anyio.sleep_forever()
            case "fail":
                raise RuntimeError("secret")
            case _:
                raise NoDataError("nothing to see", hint="look elsewhere")
        return "never"


@pytest.fixture
async def network(benches: Any) -> Any:
    """The line's app and another one, as tools, running."""
    bench = benches(LineApp(), SmartApp())
    registry = ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await bench.clock.settle()
        yield bench, registry


async def call_tool(
    registry: ToolRegistry, tool: str, context: CallContext | None = None, /, **arguments: Any
) -> Any:
    """The result of a call that must succeed."""
    answer = await registry.call_tool(tool, arguments, context)
    assert answer.status == "success", answer
    return answer.data.result


async def refuse_tool(
    registry: ToolRegistry, tool: str, context: CallContext | None = None, /, **arguments: Any
) -> dict[str, Any]:
    """The error envelope of a call that must fail."""
    answer = await registry.call_tool(tool, arguments, context)
    assert answer.status == "error", answer
    return answer.to_dict()


@pytest.fixture
def call() -> Any:
    """Calls a tool that must succeed."""
    return call_tool


@pytest.fixture
def refuse() -> Any:
    """Calls a tool that must fail."""
    return refuse_tool


@pytest.fixture
def smart_app() -> Any:
    """The app beside the line's own."""
    return SmartApp


@aic_app(name="Ticker")
class Ticker(NetworkApp):
    """Counts its cycles, and does in each what the test has scheduled."""

    aic_app_id = 2
    control_loop_update_time = 2.0
    control_functions = dict.fromkeys((8,), ("SET_GAIN",))

    def __init__(self) -> None:
        self.cycles: list[float] = []
        self.inside = 0
        self.most_inside = 0
        self.gate: anyio.Event | None = None
        self.fault: Exception | None = None
        self.queue: list[Any] = []
        self.outcomes: list[Outcome] = []
        self.clock: Any = None

    async def process(self, measurements: Any) -> None:
        del measurements
        self.cycles.append(self.clock.monotonic())
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        try:
            if self.fault is not None:
                raise self.fault
            if self.gate is not None:
                await self.gate.wait()
            while self.queue:
                self.add_command(self.queue.pop(0))
        finally:
            self.inside -= 1

    async def on_outcome(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    @agent_controlled(name="rest", description="Wait for the gate")
    async def rest(self, arguments: Any, measurements: Any) -> str:
        del arguments, measurements
        if self.gate is not None:
            await self.gate.wait()
        return "rested"


def make_ticking(benches: Any, **options: Any) -> tuple[Any, Ticker]:
    app = Ticker()
    bench = benches(app, **options)
    app.clock = bench.clock
    return bench, app


@pytest.fixture
def ticker() -> Any:
    """An app that counts its cycles."""
    return Ticker


@pytest.fixture
def ticking() -> Any:
    """Makes a bench with such an app."""
    return make_ticking
