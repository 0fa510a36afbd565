"""What becomes of nodes, readings and drivers when a network is reloaded."""

from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reloaded_networks import always, small, up_to, watcher

from netctl import Controller as NetworkController
from netctl import (
    DriverError,
    Inventory,
    Reading,
    Sample,
    SystemClock,
    UnknownNameError,
)
from netctl.apps.line import LineApp, line_inventory
from netctl.drivers import SimulatedNodes, plant_settings, simulated_plant
from netctl.nodes import NodeHub
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio


@pytest.fixture
async def street() -> AsyncGenerator[Any, None]:
    """Two nodes without a model, entered."""
    clock = ManualClock()
    controller = NetworkController(small(1, 2), SimulatedNodes(small(1, 2)), clock=clock)
    async with controller:
        await clock.settle()
        yield controller, clock


async def test_a_node_that_comes_is_read_and_one_that_goes_is_not(street: Any) -> None:
    controller, clock = street
    await clock.advance(10.0)
    with controller.events.listen(kinds=["network", "measurement"]) as listener:
        report = await controller.reload(small(2, 3), always(SimulatedNodes(small(2, 3))))
        assert controller.silent_nodes == ()
        await clock.advance(2.5)
        events = [await listener.next() for _ in range(6)]

    assert (report.nodes_added, report.nodes_removed) == ((3,), (1,))
    reloads = [event.facts for event in events if event.kind == "network"]
    assert reloads == [{"event": "reloaded", **report.to_dict()}]
    read = Counter(event.facts["node_id"] for event in events if event.kind == "measurement")
    assert read == {2: 2, 3: 3}
    assert controller.last(3, "power_dbm").quality == "good"
    assert controller.failed_reads == {2: 0, 3: 0}
    with pytest.raises(UnknownNameError):
        controller.history(1, "power_dbm")


async def test_what_a_former_driver_tells_after_a_reload_is_left_out(street: Any) -> None:
    controller, clock = street
    answer = anyio.Event()

    class Slow(SimulatedNodes):
        async def read(self, node: Any) -> Any:
            await answer.wait()
            if node.node_id == 1:
                raise DriverError("gone")
            return await super().read(node)

    await controller.reload(small(1, 2), always(Slow(small(1, 2))))
    await clock.advance(1.0)
    numbers = controller.last(2, "power_dbm").sequence
    await controller.reload(small(2), always(SimulatedNodes(small(2), seed=9)))
    answer.set()
    await clock.settle()
    assert controller.last(2, "power_dbm").sequence == numbers
    assert controller.failed_reads == {2: 0}
    await clock.advance(1.0)
    assert controller.last(2, "power_dbm").sequence == numbers + 1


async def test_readings_and_cursors_stay_where_the_metric_does(street: Any) -> None:
    controller, clock = street
    app = watcher("Watcher", 1)()
    controller.add(app)
    await controller.set_state("Watcher", "running")
    await clock.advance(3.0)
    before = controller.history(1, "power_dbm")
    other = small(1, 2, metrics=("osnr_db", "gain_db", "power_dbm"))

    await controller.reload(other, always(SimulatedNodes(other)))

    assert [kept.value for kept in controller.history(1, "power_dbm")] == [
        kept.value for kept in before
    ]
    assert controller.last(1, "osnr_db").quality == "no_data"
    seen = len(app.seen)
    await clock.advance(1.0)
    assert controller.last(1, "osnr_db").sequence == before[-1].sequence + 1
    # Nothing that it has seen is told again, and nothing is left out.
    assert len(app.seen) == seen + 1
    assert sum(app.seen) in (before[-1].sequence, before[-1].sequence + 1)


async def test_readings_that_were_taken_at_times_of_their_own_keep_them(street: Any) -> None:
    controller, clock = street

    class Dated(SimulatedNodes):
        async def read(self, node: Any) -> Any:
            del node
            now_s = clock.now()
            return [
                Reading(metric="gain_db", value=1.0, timestamp_s=now_s - 0.25),
                Reading(metric="power_dbm", value=2.0, timestamp_s=now_s - 0.5),
            ]

    await controller.reload(small(1), always(Dated(small(1))))
    await clock.advance(2.0)
    before = [controller.last(1, metric) for metric in ("gain_db", "power_dbm")]
    await controller.reload(small(1, metrics=("power_dbm", "osnr_db", "gain_db")))
    after = [controller.last(1, metric) for metric in ("gain_db", "power_dbm")]
    assert after == before
    assert before[0].timestamp_s - before[1].timestamp_s == 0.25


async def test_a_node_that_goes_in_the_moment_of_its_poll_hurts_nobody() -> None:
    class Stopwatch(SystemClock):
        """A clock whose periods are over when a test says so."""

        over = anyio.Event()

        async def sleep(self, delay_s: float) -> None:
            del delay_s
            await self.over.wait()

    clock, driver = Stopwatch(), SimulatedNodes(small(1, 2))
    controller = NetworkController(small(1, 2), driver, clock=clock)
    async with controller:
        await anyio.wait_all_tasks_blocked()
        over, clock.over = clock.over, anyio.Event()
        over.set()
        # Nobody has run since.
        await controller.reload(small(2))
        await anyio.wait_all_tasks_blocked()
        assert controller.last(2, "power_dbm").sequence == 2


METRICS = ("a_db", "b_db", "c_db")
SAMPLES = st.lists(
    st.dictionaries(st.sampled_from(METRICS), st.floats(-9, 9), min_size=1), max_size=8
)
CHOICES = st.lists(st.sampled_from(METRICS), unique=True).map(tuple)


@settings(deadline=None)
@given(rounds=st.lists(st.tuples(CHOICES, SAMPLES), min_size=1, max_size=5))
def test_whatever_metrics_come_and_go_what_was_read_of_the_others_stays(
    rounds: list[tuple[tuple[str, ...], list[dict[str, float]]]],
) -> None:
    anyio.run(_come_and_go, rounds)


async def _come_and_go(rounds: list[tuple[tuple[str, ...], list[dict[str, float]]]]) -> None:
    length, number = 4, 0
    known: dict[str, list[tuple[int, float]]] = {}

    def inventory(metrics: tuple[str, ...]) -> Inventory:
        node = {"node_id": 1, "name": "1", "kind": "roadm", "metrics": metrics}
        return Inventory.model_validate({"nodes": [node]})

    controller = NetworkController(
        inventory(()), SimulatedNodes(inventory(())), clock=ManualClock(), history_length=length
    )
    async with controller:
        for metrics, samples in rounds:
            await controller.reload(inventory(metrics))
            known = {metric: known.get(metric, []) for metric in metrics}
            for sample in samples:
                if controller.record_many([Sample(1, sample)]):
                    number += 1
                    for metric in metrics:
                        if metric in sample:
                            known[metric].append((number, sample[metric]))
            for metric, kept in known.items():
                shown = [(one.sequence, one.value) for one in controller.history(1, metric)]
                assert shown == [one for one in kept if one[0] > number - length]
                last = controller.last(1, metric)
                assert (last.sequence, last.value) == (kept[-1] if kept else (0, None))


async def test_a_simulated_plant_stays_what_it_was_set_to(set_gain: Any) -> None:
    clock, first = ManualClock(), simulated_plant(line_inventory())
    controller = NetworkController(line_inventory(), first, clock=clock)
    controller.add(LineApp())
    async with controller:
        await set_gain(controller, 20.0)
        inventory = up_to(14.0)
        await controller.reload(
            inventory, lambda old: simulated_plant(inventory, settings=plant_settings(old))
        )
        measured = (await controller.measurements("NetworkApp1", 8))[8]
        lowered = await set_gain(controller, 13.0)
    assert measured["booster_gain_db"].value == 20.0
    assert (lowered.before, lowered.status) == (20.0, "verified")


async def test_a_slice_that_comes_to_a_cell_has_no_share_yet() -> None:
    from netctl.apps.ran import ran_inventory  # noqa: PLC0415 -- of this test alone

    before = ran_inventory()
    document = before.model_dump(mode="json", exclude_defaults=True)
    node = document["nodes"][0]
    share = dict(node["resources"][-1]) | {"name": "urllc_extra_percent", "min": 0.0}
    share.pop("metric", None)
    node["resources"].append(share)
    node["metrics"].append("urllc_extra_percent")
    node["cell"]["slices"].append({"name": "extra", "resource": "urllc_extra_percent"})
    after = Inventory.model_validate(document)
    plant = simulated_plant(before)
    known = plant_settings(plant)
    grown = plant_settings(simulated_plant(after, settings=known))
    node_id = before.node_ids[0]
    assert grown == {**known, (node_id, "urllc_extra_percent"): 0.0}


async def test_nodes_that_register_themselves_follow_the_inventory() -> None:
    clock = ManualClock()
    hub = NodeHub(small(1, 2), clock=clock)
    controller = NetworkController(small(1, 2), hub, clock=clock)
    async with controller:
        for node_id in (1, 2):
            hub.register(node_id, measurements=["power_dbm"], heartbeat_s=60.0)
        await clock.settle()
        with controller.events.listen(kinds=["node"]) as listener:
            await controller.reload(small(2, 3))
            left = await listener.next()
        assert left.facts == {"node_id": 1, "available": False}
        assert hub.node_ids == (2,)
        hub.register(3, measurements=["power_dbm"], heartbeat_s=60.0)
        with pytest.raises(UnknownNameError):
            hub.register(1, measurements=["power_dbm"])


async def test_another_driver_is_heard_in_the_place_of_the_former() -> None:
    clock = ManualClock()
    first, second = NodeHub(small(1), clock=clock), NodeHub(small(1), clock=clock)
    controller = NetworkController(small(1), first, clock=clock)
    async with controller:
        await clock.settle()
        await controller.reload(small(1), always(second))
        await clock.settle()
        link = second.register(1, measurements=["power_dbm"], heartbeat_s=60.0)
        link.push({"power_dbm": 1.5})
        assert controller.last(1, "power_dbm").value == 1.5
        former = first.register(1, measurements=["power_dbm"], heartbeat_s=60.0)
        former.push({"power_dbm": 9.9})
        assert controller.last(1, "power_dbm").value == 1.5
