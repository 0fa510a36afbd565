"""Nodes that register, measure, take commands, die and come again."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
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
    MeasurementsHandler,
    NetworkApp,
    Setting,
    UnknownNameError,
    aic_app,
)
from netctl.nodes import NetworkNode, NodeGoneError, NodeHub
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio

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
async def entered(*node_ids: int) -> AsyncGenerator[Bench, None]:
    async with anyio.create_task_group() as group:
        bench = Bench(group)
        async with bench.controller:
            for node_id in node_ids:
                bench.start(node_id)
            await bench.controller.set_state("Watcher", "running")
            await bench.clock.settle()
            yield bench
        group.cancel_scope.cancel()


async def test_a_node_measures_on_its_own_and_its_samples_arrive() -> None:
    async with entered(3) as bench:
        bench.nodes[3].gain_db = 12.0
        await bench.clock.advance(1.0)

        last = bench.controller.last(3, "gain_db")
        assert (last.value, last.sequence, last.quality) == (12.0, 2, "good")
        assert bench.controller.last(30, "gain_db").quality == "no_data"


async def test_a_command_is_acknowledged_and_read_back() -> None:
    async with entered(*IDS) as bench:
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.before, outcome.read_back) == ("verified", 10.0, 15.0)


async def test_a_command_reaches_its_node_and_no_other() -> None:
    async with entered(*IDS) as bench:
        await bench.set_gain(15.0, 3)
        await bench.set_gain(16.0, 30)

        assert (bench.nodes[3].commands, bench.nodes[30].commands) == ([15.0], [16.0])


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (False, "refused_by_node", "no reason given"),
        ((False, "too hot"), "refused_by_node", "too hot"),
        (Acknowledgement(accepted=False, message="locked"), "refused_by_node", "locked"),
        (None, "node_unavailable", "answered a command with None"),
        ("yes", "node_unavailable", "answered a command with 'yes'"),
        (1, "node_unavailable", "did not confirm"),
    ],
)
async def test_only_a_clear_yes_is_one(answer: Any, code: str, words: str) -> None:
    async with entered(3) as bench:
        bench.nodes[3].answer = answer
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.code) == ("failed", code)
    assert words in (outcome.reason or "")


@pytest.mark.parametrize("answer", [True, (True, None), Acknowledgement(accepted=True)])
async def test_every_clear_yes_is_one(answer: Any) -> None:
    async with entered(3) as bench:
        bench.nodes[3].answer = answer
        assert (await bench.set_gain(15.0)).status == "verified"


async def test_what_a_node_raises_is_counted_and_it_goes_on(logs: Any) -> None:
    async with entered(3) as bench:
        node = bench.nodes[3]
        node.fault = RuntimeError("a bug")
        unread = await bench.set_gain(15.0)
        await bench.clock.advance(1.0)
        crashes = node.crashes
        node.fault = None
        assert (await bench.set_gain(15.0)).status == "verified"

    assert (unread.code, crashes) == ("node_unavailable", 2)
    assert "RuntimeError: a bug" in (unread.reason or "")
    assert "node crashed" in [log["event"] for log in logs]


async def test_a_node_whose_setup_fails_is_a_node_nevertheless(logs: Any) -> None:
    async with anyio.create_task_group() as group:
        bench = Bench(group)
        bench.nodes[3].fault = RuntimeError("no")
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            bench.nodes[3].fault = None
            assert (await bench.set_gain(15.0)).status == "verified"
        group.cancel_scope.cancel()

    assert {log["what"] for log in logs if log["event"] == "node crashed"} == {
        "setup",
        "poll_measurements",
    }


# --- coming and going ------------------------------------------------------------------------


async def test_a_node_that_is_not_there_fails_fast_and_nothing_waits() -> None:
    async with entered() as bench:
        outcome = await bench.set_gain(15.0)

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert "not registered" in (outcome.reason or "")


async def test_a_silent_node_is_dead_within_its_heartbeat_and_the_app_is_told() -> None:
    async with entered() as bench:
        with bench.controller.events.listen() as listener:
            link = bench.hub.register(3, measurements=["gain_db"], heartbeat_s=3.0)
            await bench.clock.advance(2.9)
            assert bench.hub.node_ids == (3,)
            link.beat()
            await bench.clock.advance(2.9)
            assert bench.hub.node_ids == (3,)

            await bench.clock.advance(0.2)

            assert bench.hub.node_ids == ()
            assert bench.app.told == [(3, True), (3, False)]
            told = [(await listener.next()).to_dict() for _ in range(2)]
        assert [(event["type"], event["available"]) for event in told] == [
            ("node", True),
            ("node", False),
        ]
        with pytest.raises(NodeGoneError, match="has ended"):
            link.beat()
        with pytest.raises(NodeGoneError):
            link.push({"gain_db": 1.0})
        with pytest.raises(NodeGoneError):
            await link.next_request()


async def test_what_is_asked_of_a_node_that_dies_ends_at_once() -> None:
    async with entered() as bench:
        link = bench.hub.register(
            3, measurements=["gain_db"], controls=["gain_db"], heartbeat_s=1.0
        )
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await bench.set_gain(15.0))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.clock.settle()
            assert outcomes == []
            # Well before the driver's timeout of five seconds.
            await bench.clock.advance(1.0)
        assert link.closed

    assert outcomes[0].code == "node_unavailable"
    assert "was silent for its heartbeat" in outcomes[0].reason


async def test_a_node_that_leaves_in_the_middle_of_a_command_leaves_its_end_unknown() -> None:
    async with entered(3) as bench:
        bench.nodes[3].gate = anyio.Event()
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await bench.set_gain(15.0))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.clock.settle()
            assert bench.nodes[3].commands == [15.0]
            bench.lives[3].cancel()

    assert (outcomes[0].status, outcomes[0].code) == ("failed", "outcome_unknown")


async def test_a_node_restarts_at_once_and_registers_again() -> None:
    async with entered(3) as bench:
        bench.lives[3].cancel()
        await bench.clock.settle()
        assert (await bench.set_gain(15.0)).code == "node_unavailable"
        bench.nodes[3] = Amplifier(3, bench.clock)
        bench.start(3)
        await bench.clock.settle()
        assert (await bench.set_gain(15.0)).status == "verified"

        assert bench.app.told == [(3, True), (3, False), (3, True)]


async def test_a_node_that_was_held_up_for_too_long_registers_again_by_itself() -> None:
    async with entered(3) as bench:
        link = bench.hub._links[3]
        bench.hub._end(link, "was silent for its heartbeat")
        await bench.clock.advance(1.0)

        assert bench.hub.node_ids == (3,)
        assert bench.nodes[3].setups == 2
        assert (await bench.set_gain(15.0)).status == "verified"


async def test_a_second_node_of_one_id_takes_the_place_of_the_first_which_ends(logs: Any) -> None:
    async with entered(3) as bench:
        first, bench.nodes[3] = bench.nodes[3], Amplifier(3, bench.clock)
        bench.start(3)
        await bench.clock.advance(5.0)
        await bench.set_gain(15.0)

        assert (first.commands, bench.nodes[3].commands) == ([], [15.0])
        assert bench.nodes[3].setups == 1
    assert [log["event"] for log in logs].count("node replaced") == 1


async def test_a_crash_on_hearing_of_a_node_is_contained(logs: Any) -> None:
    async with entered(30) as bench:
        assert bench.controller.status("Watcher").crashes == 1
        await bench.clock.advance(10.0)
        assert bench.controller.status("Watcher").cycles == 2
    assert "app crashed" in [log["event"] for log in logs]


async def test_an_app_that_did_not_run_hears_how_it_is_now() -> None:
    async with anyio.create_task_group() as group:
        bench = Bench(group)
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            bench.lives[3].cancel()
            await bench.clock.settle()
            assert bench.app.told == []
            await bench.controller.set_state("Watcher", "running")
            await bench.clock.settle()
            assert bench.app.told == [(3, False)]
        group.cancel_scope.cancel()


async def test_a_caller_that_gives_up_before_the_node_looks_takes_its_command_back() -> None:
    clock = ManualClock()
    hub = NodeHub(INVENTORY, clock=clock)
    link = hub.register(3, measurements=["gain_db"], controls=["gain_db"], heartbeat_s=100.0)
    node, setting = INVENTORY.node(3), Setting(resource="gain_db", value=1.0)
    async with anyio.create_task_group() as group:
        group.start_soon(hub.apply, node, setting)
        await clock.settle()
        group.cancel_scope.cancel()
    with anyio.move_on_after(0) as waited:
        await link.next_request()

    assert waited.cancelled_caught


async def test_requests_that_wait_for_a_node_are_bounded() -> None:
    clock = ManualClock()
    hub = NodeHub(INVENTORY, clock=clock)
    hub.register(3, measurements=["gain_db"], heartbeat_s=100.0)
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(hub.read, INVENTORY.node(3))
        await clock.settle()
        with pytest.raises(DriverError, match="100 requests wait"):
            await hub.read(INVENTORY.node(3))
        group.cancel_scope.cancel()


async def test_a_resource_that_a_node_does_not_control_is_refused() -> None:
    hub = NodeHub(INVENTORY)
    hub.register(3, measurements=["gain_db"])

    answer = await hub.apply(INVENTORY.node(3), Setting(resource="gain_db", value=1.0))

    assert answer == Acknowledgement(accepted=False, message="gain_db is none of its controls")


class Mute(Amplifier):
    def poll_measurements(self) -> Any:
        return None


async def test_a_node_with_nothing_to_tell_is_read_in_vain() -> None:
    async with anyio.create_task_group() as group:
        bench = Bench(group)
        bench.nodes[3] = Mute(3, bench.clock)
        async with bench.controller:
            bench.start(3)
            await bench.clock.settle()
            outcome = await bench.set_gain(15.0)
            assert outcome.code == "node_unavailable"
            assert "node 3 measured None" in (outcome.reason or "")
        group.cancel_scope.cancel()


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
    claim: dict[str, Any], error: type[Exception], words: str
) -> None:
    hub = NodeHub(INVENTORY)
    known: dict[str, Any] = {"node_id": 3, "measurements": ["gain_db"]}

    with pytest.raises(error, match=words):
        hub.register(**known | claim)
    assert hub.node_ids == ()


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


async def test_a_node_that_overrides_nothing_refuses_commands_and_tells_nothing() -> None:
    hub = NodeHub(INVENTORY)
    async with anyio.create_task_group() as group:
        group.start_soon(Plain(3).run, hub)
        await anyio.wait_all_tasks_blocked()
        answer = await hub.apply(INVENTORY.node(3), Setting(resource="gain_db", value=1.0))
        assert (answer.accepted, answer.message) == (False, "it takes no commands")
        assert await hub.read(INVENTORY.node(3)) == ()
        group.cancel_scope.cancel()


class Forgetful(NodeHub):
    """A hub whose watching fails at first."""

    failures = 1

    async def watch(self, listener: Any) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a bug")
        await super().watch(listener)


async def test_a_driver_that_fails_to_watch_is_asked_again(logs: Any) -> None:
    clock = ManualClock()
    hub = Forgetful(INVENTORY, clock=clock)
    controller = Controller(INVENTORY, hub, commands=[SET], clock=clock, poll_period_s=1000.0)
    async with controller:
        await clock.settle()
        with controller.events.listen() as listener:
            hub.register(3, measurements=["gain_db"], heartbeat_s=100.0)
            await clock.advance(5.0)
            assert (await listener.next()).facts == {"node_id": 3, "available": True}
    assert "driver failed" in [log["event"] for log in logs]


async def test_a_hub_serves_one_controller(logs: Any) -> None:
    async with entered(3) as bench:
        other = Controller(INVENTORY, bench.hub, commands=[SET], clock=bench.clock)
        async with other:
            await bench.clock.settle()
    assert "driver failed" in [log["event"] for log in logs]
