"""The routes of the applications, and the health that tells the truth."""

from dataclasses import replace
from typing import Any

import anyio
import pytest
from httpx2 import ASGITransport, AsyncClient

from gateway import Composition, NetworkSettings, compose, create_app
from netctl import NetworkApp, Sample, StoreError, aic_app
from tercet import UnavailableError

pytestmark = pytest.mark.anyio

APP = "/apps/NetworkApp1"
GAIN = {"node_id": 8, "command": "SET_GAIN"}


@aic_app(name="Idle")
class Idle(NetworkApp):
    aic_app_id = 77


async def test_apps_are_listed_with_what_they_touch(http: AsyncClient) -> None:
    assert (await http.get("/apps")).json() == {
        "apps": [
            {
                "name": "NetworkApp1",
                "state": "stopped",
                "node_id": 1,
                "cell_ids": [3, 4, 5, 6, 7, 8],
                "time_interval": 2.0,
            },
            {
                "name": "LineTrim",
                "state": "stopped",
                "node_id": 3,
                "cell_ids": [3, 4, 5, 6, 7, 8],
                "time_interval": 2.0,
            },
        ],
        "total": 2,
    }


async def test_an_app_says_what_it_declares(http: AsyncClient) -> None:
    info = (await http.get(f"{APP}/info")).json()

    assert set(info) == {
        "app_name",
        "aic_app_id",
        "cell_ids",
        "control_loop_update_time",
        "read_measurements",
        "control_functions",
    }
    assert info["control_functions"] == {"8": ["SET_GAIN"]}
    assert info["read_measurements"]["3"] == [
        "gain_db",
        "input_power_dbm",
        "output_power_dbm",
        "osnr_db",
    ]
    # All measurements are spelled out.
    assert "booster_gain_db" in info["read_measurements"]["8"]


async def test_a_state_is_set_and_shown(http: AsyncClient) -> None:
    assert (await http.get(f"{APP}/state")).json() == {"app": "NetworkApp1", "state": "stopped"}
    assert (await http.put(f"{APP}/state", json={"state": "running"})).json() == {
        "app": "NetworkApp1",
        "state": "running",
        "previous_state": "stopped",
    }
    assert (await http.get(f"{APP}/state")).json()["state"] == "running"

    wrong = await http.put(f"{APP}/state", json={"state": "RUNNING"})
    assert wrong.status_code == 400
    assert wrong.json()["errors"][0]["pointer"] == "/state"
    assert (await http.get(f"{APP}/state")).json()["state"] == "running"


async def test_measurements_are_values_by_node_and_metric(
    http: AsyncClient, composition: Composition
) -> None:
    reply = (await http.get(f"{APP}/measurements")).json()

    assert set(reply) == {"app", "measurements"}
    assert reply["measurements"]["8"] == pytest.approx(composition.line.state()[8])


async def test_an_app_that_reads_nothing_has_no_measurements(
    http: AsyncClient, composition: Composition
) -> None:
    composition.controller.add(Idle())

    assert (await http.get("/apps/Idle/measurements")).json() == {
        "app": "Idle",
        "measurements": {},
    }


async def test_a_command_is_verified_and_on_the_node(
    http: AsyncClient, composition: Composition
) -> None:
    reply = await http.post(f"{APP}/control", json={**GAIN, "payload": {"target_gain": 13.5}})

    assert reply.json() == {
        "app": "NetworkApp1",
        "node_id": 8,
        "command": {"command": "SET_GAIN", "payload": {"target_gain": 13.5}},
        "status": "verified",
    }
    assert composition.line.state()[8]["booster_gain_db"] == 13.5


async def test_a_refused_command_says_why_and_changes_nothing(
    http: AsyncClient, composition: Composition
) -> None:
    before = composition.line.state()

    reply = await http.post(f"{APP}/control", json={**GAIN, "payload": {"target_gain": 30.0}})

    assert (reply.status_code, reply.json()) == (
        200,
        {
            "app": "NetworkApp1",
            "node_id": 8,
            "command": {"command": "SET_GAIN", "payload": {"target_gain": 30.0}},
            "status": "rejected",
            "reason": "target_gain 30.0 dB exceeds maximum of 25.0 dB",
        },
    )
    assert composition.line.state() == before


async def test_a_command_that_waits_for_approval_says_so_and_changes_nothing() -> None:
    composition = compose(network=NetworkSettings(approve_above_db=1.0))
    app = create_app(composition)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            reply = await http.post(f"{APP}/control", json={**GAIN, "payload": {"target_gain": 20}})

    assert reply.json()["status"] == "pending_approval"
    assert reply.json()["reason"]
    assert composition.line.state()[8]["booster_gain_db"] == 12.0


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({**GAIN, "node_id": 77, "payload": {"target_gain": 1}}, 422, "/node_id"),
        ({**GAIN, "payload": {"target_gian": 1}}, 422, "target_gain"),
        ({**GAIN, "command": "LAUNCH", "payload": {}}, 404, "it has ['SET_GAIN']"),
        ({**GAIN, "command": "set_gain", "payload": {"target_gain": 1}}, 404, "no command"),
        ({**GAIN, "payload": {"target_gain": 1, "node_id": 3}, "node_id": 7}, 422, "/node_id"),
        (GAIN, 422, "payload"),
        ({**GAIN, "payload": {}, "more": 1}, 422, "more"),
    ],
)
async def test_a_command_that_does_not_fit_is_a_problem_with_its_place(
    http: AsyncClient, composition: Composition, body: Any, status: int, words: str
) -> None:
    before = composition.line.state()

    reply = await http.post(f"{APP}/control", json=body)

    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert words in reply.json()["detail"]
    assert composition.line.state() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/info", None),
        ("GET", "/state", None),
        ("GET", "/measurements", None),
        ("PUT", "/state", {"state": "running"}),
        ("POST", "/control", {**GAIN, "payload": {}}),
    ],
)
async def test_an_unknown_app_is_a_problem_with_the_nearest_name(
    http: AsyncClient, method: str, path: str, body: Any
) -> None:
    reply = await http.request(method, f"/apps/NetworkApp{path}", json=body)

    assert reply.status_code == 404
    assert "did you mean 'NetworkApp1'?" in reply.json()["detail"]


async def test_a_method_that_a_path_does_not_have_is_a_problem(http: AsyncClient) -> None:
    reply = await http.delete("/apps")

    assert (reply.status_code, reply.json()["status"]) == (405, 405)
    assert "GET" in reply.headers["allow"]


async def test_a_defect_is_a_problem_with_a_name_and_no_traceback(
    composition: Composition, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(composition)

    def broken(_: str) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr(composition.controller, "status", broken)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app=app, raise_app_exceptions=False)
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            reply = await http.get("/apps")

    assert reply.status_code == 500
    assert reply.json()["detail"].startswith("an unexpected error (correlation id ")
    assert "secret" not in reply.text


@pytest.mark.parametrize("path", ["state", "measurements"])
async def test_a_network_that_cannot_answer_is_a_problem_not_an_old_answer(
    http: AsyncClient, composition: Composition, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    async def unavailable(*_: Any, **__: Any) -> Any:
        raise UnavailableError("the network is away", hint="wait")

    for name in ("set_state", "measurements"):
        monkeypatch.setattr(composition.controller, name, unavailable)
    reply = (
        await http.put(f"{APP}/state", json={"state": "running"})
        if path == "state"
        else await http.get(f"{APP}/measurements")
    )

    assert (reply.status_code, reply.json()["detail"]) == (503, "the network is away (wait)")


# --- health ----------------------------------------------------------------------------------


@aic_app(name="Crasher")
class Crasher(NetworkApp):
    aic_app_id = 78

    def process(self, measurements: Any) -> None:
        del measurements
        raise RuntimeError("no")


async def test_health_names_the_app_that_crashes(
    http: AsyncClient, composition: Composition
) -> None:
    assert (await http.get("/health")).json()["crashing_apps"] == []
    composition.controller.add(Crasher())
    await composition.controller.set_state("Crasher", "running")
    while not composition.controller.status("Crasher").crashes:
        await anyio.lowlevel.checkpoint()

    health = (await http.get("/health")).json()

    assert (health["status"], health["crashing_apps"]) == ("degraded", ["Crasher"])


async def test_health_names_the_nodes_that_tell_nothing_fresh(
    http: AsyncClient, composition: Composition
) -> None:
    samples = [
        Sample(node_id, {"output_power_dbm": 1.0}, timestamp_s=1.0)
        for node_id in composition.controller.inventory.node_ids
    ]
    parts = composition.controller._parts
    # As if the nodes had been asked for a minute, and told of the seventies.
    composition.controller._entered_at_s = parts.clock.monotonic() - 60.0
    composition.controller.record_many(samples[:2])

    health = (await http.get("/health")).json()

    assert health["status"] == "degraded"
    assert {3, 4} <= set(health["silent_nodes"])


async def test_health_says_that_the_switch_is_on_and_that_the_store_fails(
    composition: Composition, http: AsyncClient
) -> None:
    await composition.controller.set_read_only(True)
    composition.controller._parts.records.fault = str(StoreError("the disk is full"))

    health = (await http.get("/health")).json()

    assert (health["read_only"], health["status"]) == (True, "degraded")
    assert health["store_fault"] == "the disk is full"


async def test_health_names_the_changes_that_could_not_be_taken_back(
    composition: Composition, http: AsyncClient
) -> None:
    controller, arguments = composition.controller, {"node_id": 8, "target_gain": 14.0}
    assert (await http.get("/health")).json()["overdue_changes"] == []
    await controller.execute("NetworkApp1", "SET_GAIN", arguments, confirm_within_s=60.0)
    await controller.set_read_only(True)
    # As if its minute were over.
    changes = controller._parts.records.changes
    changes.put(replace(changes.get(1), confirm_by_s=0.0))

    health = (await http.get("/health")).json()

    assert (health["status"], health["overdue_changes"]) == ("degraded", [1])


def test_a_composition_that_is_not_entered_has_no_silent_nodes() -> None:
    assert compose().controller.silent_nodes == ()
