"""The hub of nodes: what it takes for a node, and what it lets nobody wait for."""

from typing import Any

import anyio
import pytest

from netctl import (
    Acknowledgement,
    CommandSpec,
    Controller,
    DeclarationError,
    DriverError,
    Inventory,
    Setting,
    UnknownNameError,
)
from netctl.nodes import NetworkNode, NodeHub
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio


async def test_a_caller_that_gives_up_before_the_node_looks_takes_its_command_back(
    amplifiers: Inventory,
) -> None:
    clock = ManualClock()
    hub = NodeHub(amplifiers, clock=clock)
    link = hub.register(3, measurements=["gain_db"], controls=["gain_db"], heartbeat_s=100.0)
    node, setting = amplifiers.node(3), Setting(resource="gain_db", value=1.0)
    async with anyio.create_task_group() as group:
        group.start_soon(hub.apply, node, setting)
        await clock.settle()
        group.cancel_scope.cancel()
    with anyio.move_on_after(0) as waited:
        await link.next_request()

    assert waited.cancelled_caught


async def test_requests_that_wait_for_a_node_are_bounded(amplifiers: Inventory) -> None:
    clock = ManualClock()
    hub = NodeHub(amplifiers, clock=clock)
    hub.register(3, measurements=["gain_db"], heartbeat_s=100.0)
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(hub.read, amplifiers.node(3))
        await clock.settle()
        with pytest.raises(DriverError, match="100 requests wait"):
            await hub.read(amplifiers.node(3))
        group.cancel_scope.cancel()


async def test_a_resource_that_a_node_does_not_control_is_refused(amplifiers: Inventory) -> None:
    hub = NodeHub(amplifiers)
    hub.register(3, measurements=["gain_db"])

    answer = await hub.apply(amplifiers.node(3), Setting(resource="gain_db", value=1.0))

    assert answer == Acknowledgement(accepted=False, message="gain_db is none of its controls")


@pytest.mark.parametrize(
    ("claim", "error", "words"),
    [
        ({"node_id": 31}, UnknownNameError, "no node 31"),
        ({"node_id": True}, DeclarationError, "True is no node id"),
        ({"node_id": "3"}, DeclarationError, "'3' is no node id"),
        ({"measurements": ["colour"]}, DeclarationError, "measures 'colour'"),
        ({"controls": ["tilt_db"]}, DeclarationError, "controls 'tilt_db'"),
        ({"heartbeat_s": 0}, DeclarationError, "heartbeat"),
        ({"heartbeat_s": float("nan")}, DeclarationError, "heartbeat"),
    ],
)
def test_a_claim_that_the_inventory_does_not_bear_out_is_refused(
    claim: dict[str, Any], error: type[Exception], words: str, amplifiers: Inventory
) -> None:
    hub = NodeHub(amplifiers)
    known: dict[str, Any] = {"node_id": 3, "measurements": ["gain_db"]}

    with pytest.raises(error, match=words):
        hub.register(**known | claim)
    assert hub.node_ids == ()


class Forgetful(NodeHub):
    """A hub whose watching fails at first."""

    failures = 1

    async def watch(self, listener: Any) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a bug")
        await super().watch(listener)


async def test_a_driver_that_fails_to_watch_is_asked_again(
    logs: Any, amplifiers: Inventory, set_command: CommandSpec
) -> None:
    clock = ManualClock()
    hub = Forgetful(amplifiers, clock=clock)
    controller = Controller(
        amplifiers, hub, commands=[set_command], clock=clock, poll_period_s=1000.0
    )
    async with controller:
        await clock.settle()
        with controller.events.listen() as listener:
            hub.register(3, measurements=["gain_db"], heartbeat_s=100.0)
            await clock.advance(5.0)
            assert (await listener.next()).facts == {"node_id": 3, "available": True}
    assert "driver failed" in [log["event"] for log in logs]


async def test_a_hub_serves_one_controller(
    logs: Any, entered: Any, amplifiers: Inventory, set_command: CommandSpec
) -> None:
    async with entered(3) as bench:
        other = Controller(amplifiers, bench.hub, commands=[set_command], clock=bench.clock)
        async with other:
            await bench.clock.settle()
    assert "driver failed" in [log["event"] for log in logs]


class Nothing(NetworkNode):
    pass


class Never(NetworkNode):
    available_measurements = ("gain_db",)
    measurement_interval_s = 0.0


@pytest.mark.parametrize(
    ("kind", "words"), [(Nothing, "measures nothing"), (Never, "measurement_interval_s")]
)
def test_a_class_that_is_no_node_is_an_error(kind: type[NetworkNode], words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        kind(3)


class Plain(NetworkNode):
    available_measurements = ("gain_db",)
    available_controls = ("gain_db",)


async def test_a_node_that_overrides_nothing_refuses_commands_and_tells_nothing(
    amplifiers: Inventory,
) -> None:
    hub = NodeHub(amplifiers)
    async with anyio.create_task_group() as group:
        group.start_soon(Plain(3).run, hub)
        await anyio.wait_all_tasks_blocked()
        answer = await hub.apply(amplifiers.node(3), Setting(resource="gain_db", value=1.0))
        assert (answer.accepted, answer.message) == (False, "it takes no commands")
        assert await hub.read(amplifiers.node(3)) == ()
        group.cancel_scope.cancel()
