"""A gateway whose network's file and installed apps change while it serves."""

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from httpx2 import ASGITransport, AsyncClient
from mcp import Client
from operators_town import APP, Town
from structlog.testing import capture_logs

from gateway import (
    Composition,
    NetworkSettings,
    _reloading,
    compose,
    create_app,
)
from tercet.mcp import serve

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


@asynccontextmanager
async def running(town: Town, **settings: Any) -> AsyncGenerator[Composition, None]:
    composition = compose(network=NetworkSettings(inventory=town.file, **settings))
    async with composition.running():
        yield composition
    await composition.aclose()


async def reload(composition: Composition) -> str | None:
    """Reload, and say what is wrong if anything is."""
    assert composition.reloading is not None
    await composition.reloading.reload("tester")
    return composition.reloading.fault


async def call(composition: Composition, name: str, **arguments: Any) -> dict[str, Any]:
    return (await composition.registry.call_tool(name, arguments)).to_dict()


def apps_of(composition: Composition) -> list[str]:
    return [app.name for app in composition.controller.apps]


def reloads(composition: Composition) -> dict[str, float]:
    families = {family.name: family.samples for family in composition.metrics.families()}
    return dict(families["tercet_reloads_total"])


async def until(condition: Callable[[], object]) -> None:
    for _ in range(2000):
        if condition():
            return
        await anyio.sleep(0.01)
    raise AssertionError("it never came true")


async def test_a_file_that_is_edited_is_taken_up(town: Town) -> None:
    async with running(town) as composition:
        before = await call(composition, "Street_set_gain", node_id=8, target_gain=20.0)
        assert before["status"] == "success"
        with (
            anyio.fail_after(20),
            composition.controller.events.listen(kinds=["network"]) as listener,
        ):
            town.write({7: 30.0, 8: 14.0, 9: 30.0})
            event = await listener.next()

        assert event.facts["nodes_added"] == [9]
        assert event.facts["nodes_changed"] == [8]
        refused = await call(composition, "Street_set_gain", node_id=8, target_gain=20.0)
        assert refused["error_code"] == "REJECTED"
        # Simulated equipment stays what it was set to.
        lowered = await call(composition, "Street_set_gain", node_id=8, target_gain=13.0)
        assert lowered["data"]["result"]["before"] == 20.0
        (entry,) = [one for one in composition.controller.audit.entries if one.kind == "reload"]
        facts = entry.to_dict()["facts"]
        assert (facts["subject"], facts["source"]) == ("gateway/watch", "town.toml")
        assert reloads(composition) == {'outcome="done"': 1}


async def test_a_file_with_faults_changes_nothing_and_says_each_of_them(town: Town) -> None:
    async with running(town) as composition:
        before = composition.controller.inventory
        with capture_logs() as logs:
            town.file.write_text(
                town.file.read_text().replace("min = 0.0", 'min = "no"') + "\n[x]\n"
            )
            await until(lambda: reloads(composition))
        (said,) = [line for line in logs if line["event"].startswith("network not reloaded")]
        assert said["reason"].count(": ") >= 3
        assert {"nodes[0].resources[0].min", "x"} <= {
            word.rstrip(":") for word in said["reason"].split()
        }
        assert composition.controller.inventory is before
        assert (await call(composition, "Street_set_gain", node_id=8, target_gain=20.0))[
            "status"
        ] == "success"

        town.write({7: 30.0, 8: 14.0})
        await until(lambda: 'outcome="done"' in reloads(composition))
        assert composition.reloading is not None
        assert composition.reloading.fault is None
        assert reloads(composition) == {'outcome="done"': 1, 'outcome="failed"': 1}


async def test_a_file_that_is_gone_or_half_written_hurts_nobody(town: Town) -> None:
    whole = town.file.read_text()
    async with running(town, watch=False) as composition:
        before = composition.controller.inventory
        town.file.unlink()
        assert "cannot be read" in str(await reload(composition))
        town.file.write_text(whole[: len(whole) // 2 + 5])
        assert await reload(composition) is not None
        assert composition.controller.inventory is before
        town.file.write_text(whole)
        assert await reload(composition) is None
        assert composition.controller.inventory is before
    assert reloads(composition) == {'outcome="failed"': 2, 'outcome="unchanged"': 1}


async def test_a_node_that_an_app_needs_cannot_go(town: Town) -> None:
    async with running(town) as composition:
        town.write({7: 30.0})
        fault = await reload(composition)
        assert fault == "app 'Street' names node 8, which does not exist"
        topology = await call(composition, "get_topology")
        assert topology["data"]["result"]["total_nodes"] == 2


async def test_health_and_metrics_say_that_the_file_is_not_what_runs(town: Town) -> None:
    composition = compose(network=NetworkSettings(inventory=town.file))
    app = create_app(composition)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            health = (await http.get("/health")).json()
            assert health["network_fault"] is None
            town.file.write_text("nodes = 1")
            await reload(composition)
            health = (await http.get("/health")).json()
            assert health["status"] == "degraded"
            assert "nodes: Input should be a valid tuple" in health["network_fault"]
            counted = (await http.get("/metrics")).text
            assert 'tercet_reloads_total{outcome="failed"} 1' in counted.splitlines()
    await composition.aclose()


async def test_a_file_that_is_not_watched_is_taken_up_only_when_told(town: Town) -> None:
    async with running(town, watch=False) as composition:
        town.write({7: 30.0, 8: 14.0})
        for _ in range(5):
            await call(composition, "Street_get_measurements")
        assert reloads(composition) == {}
        assert await reload(composition) is None
        assert reloads(composition) == {'outcome="done"': 1}


async def test_what_fails_without_a_fault_of_the_file_is_tried_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_reloading, "_PAUSE_S", 0.0)
    composition = compose(network=NetworkSettings(inventory=town.file))
    town.write({7: 30.0, 8: 14.0})
    # Before it is entered, nothing can be reloaded.
    assert "not entered" in str(await reload(composition))
    async with composition.running():
        await until(lambda: 'outcome="done"' in reloads(composition))
        assert composition.controller.inventory.node(8).resources[0].max == 14.0
    await composition.aclose()


# --- apps ------------------------------------------------------------------------------------


async def test_a_new_version_of_an_app_is_taken_up_with_its_state(town: Town) -> None:
    async with running(town, watch=False) as composition:
        await call(composition, "Street_set_state", state="running")
        before = composition.registry.get("Street_set_gain")
        town.install("street_app", "Street", nodes=(7,))

        assert await reload(composition) is None

        schema = composition.registry.get("Street_set_gain").input_schema
        assert before.input_schema["properties"]["node_id"]["enum"] == [7, 8]
        assert schema["properties"]["node_id"]["enum"] == [7]
        assert composition.controller.status("Street").state == "running"
        assert await reload(composition) is None
        assert reloads(composition) == {'outcome="done"': 1, 'outcome="unchanged"': 1}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("import nowhere_to_be_found\n", "cannot be imported"),
        ("class Street:\n    pass\n", "is no NetworkApp"),
        (
            APP.format(name="Street", app_id=1, nodes=(7, 88)),
            "names node 88, which does not exist",
        ),
        (
            APP.format(name="Street", app_id=1, nodes=(7,)) + "        raise OSError('no disk')\n",
            "OSError: no disk",
        ),
    ],
)
async def test_of_a_version_that_cannot_be_used_nothing_stays(
    town: Town, broken: str, said: str
) -> None:
    async with running(town, watch=False) as composition:
        module, package = sys.modules["street_app.app"], sys.modules["street_app"]
        declared = composition.controller.app("Street")
        town.source("street_app", "app").write_text(broken)
        town.install("lane_app", "Lane", nodes=(8,), app_id=2)

        assert said in str(await reload(composition))

        assert apps_of(composition) == ["Street"]
        assert composition.controller.app("Street") is declared
        assert (sys.modules["street_app.app"], sys.modules["street_app"]) == (module, package)
        assert (await call(composition, "Street_set_gain", node_id=8, target_gain=20.0))[
            "status"
        ] == "success"
        town.install("street_app", "Street", nodes=(7,))
        assert await reload(composition) is None
        assert apps_of(composition) == ["Lane", "Street"]
        assert sys.modules["street_app.app"] is not module


async def test_apps_that_are_installed_and_uninstalled_come_and_go(town: Town) -> None:
    async with running(town, watch=False) as composition:
        town.install("lane_app", "Lane", nodes=(8,), app_id=2)
        assert await reload(composition) is None
        assert apps_of(composition) == ["Lane", "Street"]
        assert composition.controller.status("Lane").state == "stopped"
        assert "Lane_set_gain" in composition.registry
        town.uninstall("street_app")
        assert await reload(composition) is None
        assert apps_of(composition) == ["Lane"]
        gone = await call(composition, "Street_set_gain", node_id=8, target_gain=1.0)
        assert gone["error_code"] == "NOT_FOUND"


async def test_a_client_that_listens_hears_of_it_and_goes_on_listening(town: Town) -> None:
    async with (
        running(town, watch=False) as composition,
        Client(serve(composition.registry)) as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        for max_db in (14.0, 16.0):
            town.write({7: max_db, 8: max_db})
            await reload(composition)
            with anyio.fail_after(10):
                async for event in changes:
                    assert type(event).__name__ == "ToolsListChanged"
                    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                    schema = tools["Street_set_gain"].input_schema
                    if schema["properties"]["target_gain"]["maximum"] == max_db:
                        break
