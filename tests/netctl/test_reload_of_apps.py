"""What goes on when a network is reloaded: changes, apps and their tools."""

import json
from functools import partial
from typing import Any

import anyio
import pytest
from reloaded_networks import Disk, described, node_of, up_to, watcher

from netctl import (
    Accept,
    DeclarationError,
    NetworkApp,
    Saved,
    UnknownNameError,
    aic_app,
)
from netctl.apps.line import LineApp, line_inventory
from netctl.policies import NeedApproval
from netctl.stores import SqliteStore
from netctl.tools import bind
from tercet import Tool, ToolRegistry

pytestmark = pytest.mark.anyio


# --- what goes on ----------------------------------------------------------------------------


async def test_a_change_that_waits_for_a_yes_is_refused_by_limits_that_came_meanwhile(
    benches: Any, set_gain: Any
) -> None:
    bench = benches(LineApp(), policies=[NeedApproval(above=1.0)])
    async with bench.controller:
        high = await set_gain(bench.controller, 20.0, subject="alice")
        low = await set_gain(bench.controller, 13.9, subject="alice")
        await bench.controller.reload(up_to(14.0))
        changes = bench.controller.changes
        refused = await changes.approve(high.change_id, subject="bob")
        approved = await changes.approve(low.change_id, subject="bob")

    assert (refused.status, refused.code) == ("rejected", "out_of_limits")
    assert approved.status == "verified"
    assert len(bench.driver.applied) == 1


async def test_a_change_of_a_node_that_its_app_has_no_more_is_refused(
    benches: Any, guarded: Any, set_gain: Any
) -> None:
    @aic_app(name="Guarded")
    class Fewer(NetworkApp):
        aic_app_id = 9
        control_functions = dict.fromkeys((3, 7), ("SET_GAIN",))

    def without_8(document: dict[str, Any]) -> None:
        document["nodes"].remove(node_of(document, 8))
        document["links"] = [link for link in document["links"] if link["target"] != 8]

    bench = benches(guarded(Accept()), policies=[NeedApproval(above=1.0)])
    async with bench.controller:
        waiting = await set_gain(bench.controller, 20.0, app="Guarded", subject="alice")
        unconfirmed = await set_gain(bench.controller, 12.5, app="Guarded", confirm_within_s=2.0)
        await bench.controller.reload(described(without_8), apps=[Fewer()])
        refused = await bench.controller.changes.approve(waiting.change_id, subject="bob")
        later = await set_gain(bench.controller, 13.0, app="Guarded")
        undone = await bench.controller.changes.rollback(unconfirmed.change_id)
        with pytest.raises(UnknownNameError, match="no node 8"):
            bench.controller.last(8, "booster_gain_db")
        await bench.clock.advance(5.0)
        overdue = bench.controller.overdue_changes

    assert {refused.code, later.code, undone.code} == {"invalid_arguments"}
    assert overdue == (unconfirmed.change_id,)
    assert len(bench.driver.applied) == 1


async def test_what_is_queued_or_waits_for_a_resource_that_is_gone_is_refused(
    benches: Any, ticking: Any, set_gain: Any
) -> None:
    def without_booster(document: dict[str, Any]) -> None:
        node = node_of(document, 8)
        gone = {"booster_gain_db", "booster_tilt_db"}
        node["resources"] = [one for one in node["resources"] if one["name"] not in gone]
        node["stages"] = [stage for stage in node["stages"] if stage["stage"] != "booster"]
        node.pop("defaults")

    bench, app = ticking(benches, policies=[NeedApproval(above=5.0)])
    gain = {"app": "Ticker", "amp_type": "booster"}
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        waits = await set_gain(bench.controller, 20.0, subject="alice", **gain)
        bench.driver.gate = anyio.Event()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(partial(set_gain, bench.controller, 13.0, **gain))
                await bench.driver.waiting.wait()
                group.start_soon(bench.controller.reload, described(without_booster))
                await bench.clock.settle()
                value = {"target_gain": 14.0, "amp_type": "booster"}
                app.add_command(("SET_GAIN", {"node_id": 8, "value": value}))
                await bench.clock.settle()
                assert app.outcomes == []
                bench.driver.gate.set()
        await bench.clock.settle()
        refused = await bench.controller.changes.approve(waits.change_id, subject="bob")

    assert [outcome.code for outcome in (*app.outcomes, refused)] == ["not_settable"] * 2
    assert len(bench.driver.applied) == 1


async def test_keys_confirmations_and_the_trail_go_on(benches: Any, set_gain: Any) -> None:
    bench = benches(LineApp())
    async with bench.controller:
        first = await set_gain(bench.controller, 13.0, idempotency_key="once")
        await set_gain(bench.controller, 13.5, confirm_within_s=2.0)
        await bench.controller.reload(up_to(14.0), subject="operator", source="line.toml")
        assert await set_gain(bench.controller, 13.0, idempotency_key="once") == first
        await bench.clock.advance(3.0)
        assert bench.gain_db() == 13.0
        (entry,) = [one for one in bench.controller.audit.entries if one.kind == "reload"]

    facts = json.loads(entry.facts)
    assert (facts["subject"], facts["source"]) == ("operator", "line.toml")
    assert (facts["nodes_added"], facts["nodes_removed"], facts["nodes_changed"]) == ([], [], [8])
    assert facts["reason"] == "nodes changed: 8"
    assert bench.controller.audit.broken_at() is None


async def test_with_a_store_the_reload_is_in_the_file(tmp_path: Any, benches: Any) -> None:
    store = SqliteStore(tmp_path / "network.db")
    async with benches(LineApp(), store=store).controller as controller:
        await controller.reload(up_to(14.0))
    assert await store.broken_at() is None
    saved = await store.load()
    assert [entry.kind for entry in saved.entries] == ["reload"]
    await store.aclose()


# --- apps ------------------------------------------------------------------------------------


async def test_an_app_of_the_same_class_goes_on_as_it_was(
    benches: Any, ticking: Any, ticker: Any
) -> None:
    bench, app = ticking(benches)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        app.fault = ValueError("once")
        await bench.clock.advance(1.0)
        app.fault = None
        await bench.controller.reload(up_to(14.0), apps=[ticker()])
        assert app.inventory == up_to(14.0)
        await bench.clock.advance(6.0)
        status = bench.controller.status("Ticker")

    assert app.cycles == [0.0, 2.0, 4.0, 6.0]
    assert (status.cycles, status.crashes, status.state) == (4, 1, "running")


async def test_an_app_in_the_place_of_another_has_its_state_and_its_nodes(
    benches: Any, ticking: Any
) -> None:
    @aic_app(name="Ticker")
    class Newer(NetworkApp):
        aic_app_id = 2
        control_loop_update_time = 2.0

        def __init__(self) -> None:
            self.cycles: list[float] = []

        def process(self, measurements: Any) -> None:
            del measurements
            self.cycles.append(bench.clock.monotonic())

    bench, app = ticking(benches)
    newer, told = Newer(), list[tuple[str, str]]()

    def hear(event: str, name: str) -> None:
        told.append((event, name))

    bench.controller.subscribe(hear)
    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.advance(3.0)
        report = await bench.controller.reload(line_inventory(), apps=[newer])
        await bench.clock.advance(4.0)
        with pytest.raises(DeclarationError, match="belongs to no controller"):
            _ = app.inventory
        assert bench.controller.status("Ticker").cycles == 3

    assert report.apps_changed == ("Ticker",)
    assert (app.cycles, newer.cycles) == ([0.0, 2.0], [3.0, 5.0, 7.0])
    assert told == [("removed", "Ticker"), ("added", "Ticker")]


async def test_an_app_that_is_started_while_another_takes_its_place_runs(
    benches: Any, ticking: Any
) -> None:
    @aic_app(name="Ticker")
    class Newer(NetworkApp):
        aic_app_id = 2

    disk = Disk()
    bench, _ = ticking(benches, store=disk)
    async with bench.controller:
        disk.gate = anyio.Event()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(bench.controller.set_state, "Ticker", "running")
                await disk.waiting.wait()
                group.start_soon(lambda: bench.controller.reload(up_to(14.0), apps=[Newer()]))
                await bench.clock.settle()
                disk.gate.set()
        assert bench.controller.status("Ticker").state == "running"
        assert bench.controller.apps[0].commands == {}


async def test_a_new_app_is_stopped_unless_the_store_knows_better(benches: Any) -> None:
    disk = Disk()

    async def load() -> Saved:
        return Saved(states={"Known": "running"})

    disk.load = load
    bench = benches(LineApp(), store=disk, restore_states=True)
    known, fresh = watcher("Known", app_id=5)(), watcher("Fresh", app_id=6)()
    async with bench.controller:
        report = await bench.controller.reload(line_inventory(), apps=[LineApp(), known, fresh])
        states = [bench.controller.status(app.name).state for app in bench.controller.apps]
    assert report.apps_added == ("Known", "Fresh")
    assert states == ["stopped", "running", "stopped"]


async def test_an_app_that_cannot_leave_keeps_nobody_from_going_on(
    benches: Any, set_gain: Any, logs: Any
) -> None:
    class Sticky(watcher("Sticky", app_id=5)):
        def detach(self) -> None:
            raise RuntimeError("I stay")

    sticky = aic_app(name="Sticky")(Sticky)()
    bench = benches(LineApp(), sticky)

    def fail(*_: Any) -> None:
        raise RuntimeError("I do not listen")

    bench.controller.subscribe(fail)
    async with bench.controller:
        await bench.controller.reload(up_to(14.0), apps=[LineApp()])
        assert (await set_gain(bench.controller, 13.0)).status == "verified"
    said = {event["event"] for event in logs}
    assert {"app not let go of", "listener of apps failed", "network reloaded"} <= said


# --- tools -----------------------------------------------------------------------------------


async def test_tools_follow_limits_nodes_and_apps(bench: Any, call: Any, refuse: Any) -> None:
    registry, told = ToolRegistry(), list[int]()
    bind(bench.controller, registry)
    registry.subscribe(lambda: told.append(len(registry)))
    lasting = registry.get("NetworkApp1_get_state")
    extra = watcher("Extra", 3, app_id=40)
    gone = registry.get("NetworkApp1_set_gain").input_schema["properties"]["target_gain"]

    def power(document: dict[str, Any]) -> None:
        node_of(document, 3)["metrics"].append("power_dbm")
        for node in document["nodes"]:
            for resource in node["resources"]:
                if resource["name"].endswith("gain_db"):
                    resource["max"] = 14.0

    await bench.controller.reload(described(power), apps=[LineApp(), extra()])

    schema = registry.get("NetworkApp1_set_gain").input_schema["properties"]["target_gain"]
    assert (gone["maximum"], schema["maximum"]) == (35.0, 14.0)
    assert "Extra_get_measurements" in registry
    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=20.0)
    assert refused["error_code"] == "INVALID_INPUT"
    assert (await call(registry, "NetworkApp1_get_state"))["state"] == "stopped"
    listed = (await call(registry, "get_audit"))["entries"]
    assert [entry["kind"] for entry in listed] == ["command", "reload"]
    assert listed[1]["status"] == "reloaded"

    told.clear()
    await bench.controller.reload(described(power), apps=[LineApp()])
    assert "Extra_get_measurements" not in registry
    # The other app's tools look as before, and are not touched.
    assert len(told) == 1
    assert isinstance(lasting, Tool)


async def test_tools_of_nodes_that_went_refuse_them_as_any_unknown_node(
    benches: Any, guarded: Any, refuse: Any
) -> None:
    @aic_app(name="Guarded")
    class Fewer(NetworkApp):
        aic_app_id = 9
        control_functions = dict.fromkeys((3, 7), ("SET_GAIN",))

    bench, registry = benches(guarded(Accept())), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await bench.controller.reload(line_inventory(), apps=[Fewer()])
        schema = registry.get("Guarded_set_gain").input_schema
        assert schema["properties"]["node_id"]["enum"] == [3, 7]
        answers = [
            await refuse(registry, "Guarded_set_gain", node_id=node_id, target_gain=13.0)
            for node_id in (8, 88)
        ]
        await bench.controller.reload(line_inventory(), apps=[])
        unknown = await refuse(registry, "Guarded_set_gain", node_id=3, target_gain=13.0)
    assert [answer["error_code"] for answer in answers] == ["INVALID_INPUT", "INVALID_INPUT"]
    assert unknown["error_code"] == "NOT_FOUND"
