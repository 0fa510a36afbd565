"""Other nodes, limits and apps in a running controller: all of it or nothing, no call lost."""

import json
from collections import Counter
from typing import Any

import anyio
import pytest
from reloaded_networks import Disk, described, node_of, small, up_to, watcher

from netctl import Controller as NetworkController
from netctl import (
    ControllerClosedError,
    DeclarationError,
    DriverError,
    NetworkApp,
    ReloadError,
    StoreError,
    agent_controlled,
    aic_app,
    command_validator,
)
from netctl.apps.line import LineApp, line_inventory
from netctl.drivers import SimulatedNodes
from netctl.tools import bind
from tercet import ToolRegistry

pytestmark = pytest.mark.anyio


# --- what does not fit -----------------------------------------------------------------------


async def fits_no_app(controller: NetworkController) -> None:
    await controller.reload(small(8))


async def two_of_a_name(controller: NetworkController) -> None:
    await controller.reload(up_to(10.0), apps=[LineApp(), LineApp()])


async def lacks_its_command(controller: NetworkController) -> None:
    await controller.reload(up_to(10.0), commands=())


async def lacks_its_plugin(controller: NetworkController) -> None:
    @aic_app(name="Needy")
    class Needy(NetworkApp):
        aic_app_id = 77
        required_plugins = ("notes",)

    await controller.reload(up_to(10.0), apps=[LineApp(), Needy()])


async def belongs_elsewhere(controller: NetworkController) -> None:
    app = watcher("Elsewhere", app_id=78)()
    NetworkController(small(1), SimulatedNodes(small(1))).add(app)
    await controller.reload(up_to(10.0), apps=[LineApp(), app])


async def clashes_as_a_tool(controller: NetworkController) -> None:
    @aic_app(name="NetworkApp1_set")
    class Clash(NetworkApp):
        aic_app_id = 79

        @agent_controlled(name="gain", description="Be named as somebody else")
        def gain(self, arguments: Any, measurements: Any) -> None: ...

    def narrow(document: dict[str, Any]) -> None:
        for resource in node_of(document, 8)["resources"]:
            resource["max"] = 10.0

    # The tools of the other app would look different, too.
    await controller.reload(described(narrow), apps=[LineApp(), Clash()])


async def has_no_driver(controller: NetworkController) -> None:
    def fail(driver: Any) -> Any:
        raise DriverError(f"nothing speaks to them but {driver!r}")

    await controller.reload(up_to(10.0), fail)


@pytest.mark.parametrize(
    ("reload", "said"),
    [
        (fits_no_app, "NetworkApp1.* names node"),
        (two_of_a_name, "there is an app 'NetworkApp1' already"),
        (lacks_its_command, "unknown command"),
        (lacks_its_plugin, "needs the plugin 'notes'"),
        (belongs_elsewhere, "belongs to a controller already"),
        (clashes_as_a_tool, "NetworkApp1_set_gain"),
        (has_no_driver, "nothing speaks to them"),
    ],
)
async def test_nothing_changes_on_a_fault(
    bench: Any, set_gain: Any, reload: Any, said: str
) -> None:
    controller, registry, told = bench.controller, ToolRegistry(), list[int]()
    bind(controller, registry)
    registry.subscribe(lambda: told.append(len(registry)))
    before = controller.inventory, controller.apps, list(registry), controller.commands.specs
    entries = controller.audit.entries

    with pytest.raises(Exception, match=said) as caught:
        await reload(controller)

    assert isinstance(caught.value, (DeclarationError, DriverError, ValueError))
    assert controller.inventory is before[0]
    assert (controller.apps, list(registry)) == before[1:3]
    assert controller.commands.specs == before[3]
    assert controller.audit.entries == entries
    assert told == []
    assert (await set_gain(controller, 20.0)).status == "verified"


async def test_nothing_changes_where_it_cannot_be_written_down(
    benches: Any, set_gain: Any, ticker: Any
) -> None:
    disk, registry = Disk(), ToolRegistry()
    bench = benches(LineApp(), store=disk)
    bind(bench.controller, registry)
    async with bench.controller:
        before = bench.controller.inventory
        disk.broken = True
        app = ticker()
        with pytest.raises(StoreError):
            await bench.controller.reload(up_to(10.0), apps=[LineApp(), app])
        disk.broken = False

        assert bench.controller.inventory is before
        assert [app.name for app in bench.controller.apps] == ["NetworkApp1"]
        assert not any(tool.app == "Ticker" for tool in registry)
        assert (await set_gain(bench.controller, 20.0)).status == "verified"
        # It is free to be added, as it belongs to nobody.
        app.clock = bench.clock
        await bench.controller.reload(up_to(10.0), apps=[LineApp(), app])
        assert [app.name for app in bench.controller.apps] == ["NetworkApp1", "Ticker"]


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, float("nan")])
async def test_a_time_that_is_none_is_refused(bench: Any, timeout_s: float) -> None:
    with pytest.raises(DeclarationError, match="timeout_s"):
        await bench.controller.reload(up_to(10.0), timeout_s=timeout_s)


async def test_only_an_entered_controller_is_reloaded(benches: Any) -> None:
    with pytest.raises(ControllerClosedError):
        await benches(LineApp()).controller.reload(up_to(10.0))


async def test_the_same_again_is_no_reload(bench: Any) -> None:
    entries = bench.controller.audit.entries
    report = await bench.controller.reload(line_inventory(), apps=[LineApp()])
    assert str(report) == "the same nodes and apps"
    assert bench.controller.audit.entries == entries


# --- calls that are under way, and calls that come -------------------------------------------


async def test_a_call_under_way_ends_as_it_would_and_one_that_comes_has_the_new_limits(
    bench: Any, set_gain: Any
) -> None:
    controller, outcomes = bench.controller, dict[str, Any]()

    async def send(name: str, gain_db: float) -> None:
        outcomes[name] = await set_gain(controller, gain_db)

    bench.driver.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(send, "under way", 20.0)
            await bench.driver.waiting.wait()
            group.start_soon(controller.reload, up_to(14.0))
            await bench.clock.settle()
            group.start_soon(send, "came later", 19.0)
            group.start_soon(send, "came later still", 13.0)
            await bench.clock.settle()
            assert not outcomes
            bench.driver.gate.set()

    assert outcomes["under way"].status == "verified"
    assert (outcomes["came later"].code, outcomes["came later"].nearest) == ("out_of_limits", 14.0)
    assert outcomes["came later still"].status == "verified"
    assert bench.gain_db() == 13.0


async def test_a_reload_gives_up_where_a_call_does_not_end_and_everything_goes_on(
    bench: Any, set_gain: Any
) -> None:
    controller, outcomes, errors = bench.controller, list[Any](), list[str]()

    async def send() -> None:
        outcomes.append(await set_gain(controller, 20.0))

    async def reload() -> None:
        with pytest.raises(ReloadError, match="1 calls or cycles of apps did not end") as caught:
            await controller.reload(up_to(14.0), timeout_s=3.0)
        errors.append(str(caught.value))

    bench.driver.gate = anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(send)
            await bench.driver.waiting.wait()
            group.start_soon(reload)
            await bench.clock.settle()
            group.start_soon(send)
            await bench.clock.advance(3.0)
            assert errors
            bench.driver.gate.set()

    assert [outcome.status for outcome in outcomes] == ["verified", "verified"]
    assert controller.inventory == line_inventory()


@pytest.mark.parametrize("commands_each", [40])
async def test_of_a_stream_of_commands_during_many_reloads_none_is_lost_or_sent_twice(
    benches: Any, set_gain: Any, commands_each: int
) -> None:
    bench = benches(LineApp())
    answered: list[Any] = []

    async def stream(number: int) -> None:
        for turn in range(commands_each):
            key = f"{number}-{turn}"
            gain_db = 5.0 + (number * commands_each + turn) % 20
            answered.append(
                await set_gain(bench.controller, gain_db, subject=key, idempotency_key=key)
            )

    async def reload_often(done: anyio.Event) -> None:
        for turn in range(30):
            await bench.controller.reload(up_to(14.0 if turn % 2 else 24.5))
        done.set()

    async with bench.controller:
        done = anyio.Event()
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for number in range(20):
                    group.start_soon(stream, number)
                group.start_soon(reload_often, done)
        assert done.is_set()
        trail = bench.controller.audit
        recorded = Counter(
            json.loads(entry.facts)["idempotency_key"]
            for entry in trail.entries
            if entry.kind == "command"
        )
        kinds = Counter(entry.kind for entry in trail.entries)

    assert len(answered) == 20 * commands_each
    assert set(recorded.values()) == {1}
    assert len(recorded) == len(answered)
    assert kinds["reload"] == 30
    assert trail.broken_at() is None
    verified = [outcome for outcome in answered if outcome.status == "verified"]
    refused = {outcome.code for outcome in answered if outcome.status != "verified"}
    assert len(bench.driver.applied) == len(verified)
    assert refused == {"out_of_limits"}


async def test_a_call_inside_a_call_does_not_wait_for_the_reload_that_waits_for_it(
    benches: Any, set_gain: Any
) -> None:
    inside, go_on = anyio.Event(), anyio.Event()

    @aic_app(name="Curious")
    class Curious(NetworkApp):
        aic_app_id = 5
        read_measurements = dict.fromkeys((8,), ("booster_gain_db",))
        control_functions = dict.fromkeys((8,), ("SET_GAIN",))

        @command_validator("SET_GAIN")
        async def look(self, params: Any) -> bool:
            inside.set()
            await go_on.wait()
            return bool(await bench.controller.measurements("Curious", params["node_id"]))

    bench = benches(Curious())
    async with bench.controller:
        outcomes: list[Any] = []

        async def send() -> None:
            outcomes.append(await set_gain(bench.controller, 13.0, app="Curious"))

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(send)
                await inside.wait()
                group.start_soon(bench.controller.reload, up_to(14.0))
                await bench.clock.settle()
                go_on.set()
        assert outcomes[0].status == "verified"
        assert bench.controller.inventory == up_to(14.0)


async def test_who_is_inside_cannot_reload(benches: Any) -> None:
    @aic_app(name="Reloader")
    class Reloader(NetworkApp):
        aic_app_id = 5

        @agent_controlled(name="reload", description="Reload")
        async def again(self, arguments: Any, measurements: Any) -> None:
            del arguments, measurements
            await bench.controller.reload(up_to(14.0))

    bench = benches(Reloader())
    async with bench.controller:
        await bench.controller.set_state("Reloader", "running")
        with pytest.raises(ReloadError, match="cannot reload"):
            await bench.controller.call_operation("Reloader", "reload", {})


async def test_operations_that_were_called_before_are_executed_and_later_ones_after(
    benches: Any, ticking: Any
) -> None:
    bench, app = ticking(benches)
    replies: list[str] = []

    async def rest(name: str) -> None:
        reply = await bench.controller.call_operation("Ticker", "rest", {})
        replies.append(f"{name} {reply.result} {bench.controller.inventory == line_inventory()}")

    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        app.gate = anyio.Event()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(rest, "first")
                await bench.clock.settle()
                group.start_soon(rest, "second")
                await bench.clock.settle()
                group.start_soon(bench.controller.reload, up_to(14.0))
                await bench.clock.settle()
                group.start_soon(rest, "third")
                await bench.clock.settle()
                assert replies == []
                app.gate.set()
        assert sorted(replies) == [
            "first rested True",
            "second rested True",
            "third rested False",
        ]


async def test_an_operation_whose_caller_is_inside_is_executed_though_its_cycle_has_not_begun(
    benches: Any, ticking: Any
) -> None:
    bench, _ = ticking(benches)
    replies: list[Any] = []

    async def rest() -> None:
        replies.append(await bench.controller.call_operation("Ticker", "rest", {}))

    async with bench.controller:
        await bench.controller.set_state("Ticker", "running")
        await bench.clock.settle()
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                # One after the other, before the app's loop hears of the first.
                group.start_soon(rest)
                group.start_soon(bench.controller.reload, up_to(14.0))
    assert [reply.result for reply in replies] == ["rested"]
    assert bench.controller.inventory == up_to(14.0)
