"""The line, its controller and equipment that fails, for every test of this folder."""

from collections.abc import AsyncGenerator, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import pytest
from structlog.testing import capture_logs

from netctl import Controller, NetworkApp, Outcome, aic_app, command_validator
from netctl.apps.line import LineApp, simulated_line
from netctl.drivers import SimulatedLine
from netctl.testing import FaultyDriver, ManualClock


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
    clock = ManualClock()
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
def logs() -> Iterator[list[MutableMapping[str, Any]]]:
    """The events that are logged."""
    with capture_logs() as events:
        yield events


@pytest.fixture
def set_gain() -> Any:
    """Sends SET_GAIN through a controller."""

    async def send(
        controller: Controller, target_gain: Any, *, app: str = "NetworkApp1", **more: Any
    ) -> Outcome:
        options = {name: more.pop(name) for name in ("dry_run", "origin") if name in more}
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
