"""Many who ask one node: they share reads, and none is told what was before it asked."""

from typing import Any

import anyio
import pytest

from netctl import Controller
from netctl.apps.line import LineApp

pytestmark = pytest.mark.anyio


class Slow:
    """A driver whose node 8 answers reads when the test lets it, or never."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.gates: list[anyio.Event] = []
        self.slow = False

    async def read(self, node: Any) -> Any:
        if self.slow and node.node_id == 8:
            self.gates.append(anyio.Event())
            await self.gates[-1].wait()
        return await self.driver.read(node)

    async def apply(self, node: Any, setting: Any) -> Any:
        return await self.driver.apply(node, setting)


@pytest.fixture
async def slow(benches: Any) -> Any:
    """A controller whose node 8 is slow, entered, with one read under way."""
    bench = benches()
    driver = Slow(bench.driver)
    controller = Controller(bench.line.inventory, driver, clock=bench.clock, poll_period_s=1000.0)
    controller.add(LineApp())
    async with controller:
        await bench.clock.settle()
        driver.slow = True
        yield controller, driver, bench.clock


async def test_many_who_ask_a_silent_node_wait_for_two_reads_at_the_most(slow: Any) -> None:
    controller, driver, clock = slow
    answered: list[Any] = []

    async def ask() -> None:
        answered.append(await controller.measurements("NetworkApp1", 8))

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(ask)
        # Twice the driver's timeout of five seconds.
        await clock.advance(10.0)
        assert len(answered) == 50
    assert len(driver.gates) == controller.failed_reads[8] == 2


async def test_who_asks_while_a_node_is_read_gets_a_read_that_begins_later(slow: Any) -> None:
    controller, driver, clock = slow
    order: list[str] = []

    async def ask(name: str) -> None:
        await controller.measurements("NetworkApp1", 8)
        order.append(name)

    async with anyio.create_task_group() as group:
        for name in ("first", "second", "third"):
            group.start_soon(ask, name)
            await clock.settle()
        driver.gates[0].set()
        await clock.settle()
        assert (order, len(driver.gates)) == (["first"], 2)
        driver.gates[1].set()
        await clock.settle()

    assert order == ["first", "second", "third"]
    assert len(driver.gates) == 2


async def test_a_reader_that_gives_up_leaves_its_turn_to_those_who_shared_it(slow: Any) -> None:
    controller, driver, clock = slow
    answered: list[Any] = []

    async def ask() -> None:
        answered.append(await controller.measurements("NetworkApp1", 8))

    leader = anyio.CancelScope()
    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await clock.settle()
        with leader:
            group.start_soon(ask)

            async def give_up() -> None:
                await clock.settle()
                leader.cancel()

            group.start_soon(give_up)
            await controller.measurements("NetworkApp1", 8)
        driver.slow = False
        for gate in driver.gates:
            gate.set()
        await clock.settle()

    assert leader.cancelled_caught
    assert len(answered) == 2
