"""The tools of the whole network: changes, decisions, the trail, the nodes."""

import json
from typing import Any

import pytest

from netctl.apps.line import LineApp
from netctl.policies import NeedApproval
from netctl.tools import bind
from tercet import CallContext, ToolRegistry

pytestmark = pytest.mark.anyio

ALICE = CallContext(subject="alice", scopes=frozenset({"network", "network:write"}))
BOB = CallContext(subject="bob", scopes=frozenset({"network", "network:operate"}))
CHIEF = CallContext(subject="chief", scopes=frozenset({"network", "network:admin"}))
DRY = CallContext(subject="bob", dry_run=True)
GAIN = {"node_id": 8, "target_gain": 15.0}


@pytest.fixture
async def careful(benches: Any) -> Any:
    """A network in which every change waits for an approval."""
    bench, registry = benches(LineApp(), policies=[NeedApproval()]), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await bench.clock.settle()
        yield bench, registry


async def test_changes_are_listed_in_pages(network: Any, call: Any) -> None:
    _, registry = network
    for gain_db in (1.0, 2.0, 3.0):
        await call(registry, "NetworkApp1_set_gain", ALICE, node_id=8, target_gain=gain_db)

    first = await call(registry, "get_changes", limit=2)
    second = await call(registry, "get_changes", limit=2, before_id=first["next_before_id"])

    assert [change["change_id"] for change in first["changes"]] == [3, 2]
    assert [change["change_id"] for change in second["changes"]] == [1]
    assert second["next_before_id"] is None
    assert first["read_only"] is False
    change = second["changes"][0]
    assert (change["subject"], change["before"], change["after"]) == ("alice", 12.0, 1.0)
    for wanted, count in (({"status": "failed"}, 0), ({"node_id": 8}, 3), ({"app": "x"}, 0)):
        assert len((await call(registry, "get_changes", **wanted))["changes"]) == count


async def test_a_change_is_rolled_back_by_number(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network
    await call(registry, "NetworkApp1_set_gain", **GAIN)

    planned = await call(registry, "rollback_change", change_id=1, dry_run=True)
    done = await call(registry, "rollback_change", ALICE, change_id=1)
    refused = await refuse(registry, "rollback_change", change_id=1)
    unknown = await refuse(registry, "rollback_change", change_id=9)

    assert (planned["status"], planned["after"]) == ("planned", 12.0)
    assert (done["status"], done["change_id"], bench.gain_db()) == ("verified", 2, 12.0)
    assert (refused["error_code"], refused["hint"]) == ("CONFLICT", "roll change 2 back first")
    assert unknown["error_code"] == "NOT_FOUND"
    changes = (await call(registry, "get_changes"))["changes"]
    assert changes[0]["rollback_of"] == 1


async def test_a_change_waits_until_somebody_else_approves(
    careful: Any, call: Any, refuse: Any
) -> None:
    bench, registry = careful
    asked = await call(registry, "NetworkApp1_set_gain", ALICE, **GAIN)
    own = await refuse(registry, "approve_change", CallContext(subject="alice"), change_id=1)
    unseen = await refuse(registry, "approve_change", ALICE, change_id=1)
    dry = await refuse(registry, "approve_change", DRY, change_id=1)
    assert bench.driver.applied == []

    done = await call(registry, "approve_change", BOB, change_id=1)
    again = await refuse(registry, "approve_change", BOB, change_id=1)

    assert (asked["status"], asked["change_id"]) == ("pending_approval", 1)
    assert [own["error_code"], unseen["error_code"], dry["error_code"]] == [
        "PERMISSION_DENIED",
        "NOT_FOUND",
        "REJECTED",
    ]
    assert (done["status"], done["read_back"]) == ("verified", 15.0)
    assert again["error_code"] == "CONFLICT"


async def test_a_change_that_waits_is_rejected(careful: Any, call: Any, refuse: Any) -> None:
    bench, registry = careful
    await call(registry, "NetworkApp1_set_gain", ALICE, **GAIN)
    assert (await refuse(registry, "reject_change", DRY, change_id=1))["error_code"] == "REJECTED"

    told = await call(registry, "reject_change", BOB, change_id=1, reason="no")

    assert told == {"change_id": 1, "status": "rejected", "reason": "'bob' rejected it: no"}
    assert bench.driver.applied == []


async def test_an_approval_that_comes_too_late_is_told_as_what_it_is(
    careful: Any, call: Any, refuse: Any
) -> None:
    bench, registry = careful
    await call(registry, "NetworkApp1_set_gain", ALICE, **GAIN)
    await bench.controller.set_read_only(True)

    refused = await refuse(registry, "approve_change", BOB, change_id=1)

    assert refused["error_code"] == "REJECTED"
    assert "read-only" in refused["message"]


async def test_the_kill_switch_is_one_call(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network
    assert (await refuse(registry, "set_read_only", DRY, read_only=True))[
        "error_code"
    ] == "REJECTED"

    assert (await refuse(registry, "set_read_only", BOB, read_only=True))[
        "error_code"
    ] == "NOT_FOUND"

    on = await call(registry, "set_read_only", CHIEF, read_only=True)
    refused = await refuse(registry, "NetworkApp1_set_gain", **GAIN)
    off = await call(registry, "set_read_only", CHIEF, read_only=False)
    await call(registry, "NetworkApp1_set_gain", **GAIN)

    assert on == {"read_only": True, "previous": False}
    assert off == {"read_only": False, "previous": True}
    assert refused["error_code"] == "REJECTED"
    assert bench.gain_db() == 15.0


async def test_the_trail_is_listed_in_pages_and_checked(
    network: Any, call: Any, refuse: Any
) -> None:
    _, registry = network
    await call(registry, "NetworkApp1_set_gain", ALICE, **GAIN)
    await refuse(registry, "NetworkApp1_set_gain", ALICE, node_id=8, target_gain=30.0)
    await call(registry, "set_read_only", CHIEF, read_only=True)
    await call(registry, "NetworkApp1_set_state", ALICE, state="running")

    first = await call(registry, "get_audit", limit=3, verify=True)
    second = await call(registry, "get_audit", before_sequence=first["next_before_sequence"])

    assert (first["verified"], first["broken_at"]) == (True, None)
    assert [(entry["kind"], entry["status"], entry["subject"]) for entry in first["entries"]] == [
        ("state", "running", "alice"),
        ("read_only", "on", "chief"),
        ("command", "rejected", "alice"),
    ]
    (oldest,) = second["entries"]
    assert (oldest["command"], oldest["change_id"]) == ("SET_GAIN", 1)
    assert (second["verified"], second["next_before_sequence"]) == (False, None)


class Wordless:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise OSError


@pytest.mark.parametrize(
    "payload",
    [
        {1: 0, "a": 1},
        {("a", "b"): 1},
        {"note": 10**5000, "node_id": 8},
        {"node_id": 10**5000, "target_gain": 1.0},
        {"note": Wordless(), "node_id": 8},
        {"node_id": 8, "note": "x" * 100_000},
        {"node_id": "x" * 100_000, "target_gain": 1.0},
    ],
    ids=[
        "two kinds of keys",
        "a tuple as key",
        "a long number",
        "a node beyond all numbers",
        "no words",
        "long",
        "a text as node",
    ],
)
async def test_the_trail_tells_who_asked_whatever_was_asked(
    network: Any, call: Any, payload: Any
) -> None:
    bench, registry = network
    await bench.controller.execute("NetworkApp1", "SET_GAIN", payload, subject="mallory")

    trail = await call(registry, "get_audit", verify=True)

    assert trail["broken_at"] is None
    newest = trail["entries"][0]
    assert (newest["subject"], newest["command"]) == ("mallory", "SET_GAIN")
    assert newest["status"] in ("rejected", "failed")
    assert bench.gain_db() == 12.0
    assert len(json.dumps(bench.controller.audit.entries[-1].to_dict())) < 40_000


async def test_the_topology_is_listed_in_pages(network: Any, call: Any) -> None:
    _, registry = network

    whole = await call(registry, "get_topology")
    page = await call(registry, "get_topology", limit=2, after_node_id=4)

    assert [node["node_id"] for node in whole["nodes"]] == [3, 4, 5, 6, 7, 8]
    assert len(whole["links"]) == 5
    assert [node["node_id"] for node in page["nodes"]] == [5, 6]
    assert page["links"] == [
        {"source": 6, "target": 3, "loss_db": 16.5},
        {"source": 5, "target": 8, "loss_db": 15.4},
    ]
    assert (page["total_nodes"], page["next_after_node_id"]) == (6, 6)
    resources = {resource["name"]: resource for resource in whole["nodes"][-1]["resources"]}
    booster = resources["booster_gain_db"]
    assert (booster["unit"], booster["max"]) == ("dB", 35.0)


async def test_no_page_is_longer_than_an_answer_may_be(network: Any, call: Any) -> None:
    _, registry = network
    for number in range(60):
        await call(registry, "NetworkApp1_set_gain", node_id=8, target_gain=number % 25)

    for tool in ("get_changes", "get_audit", "get_topology"):
        assert len(json.dumps(await call(registry, tool))) < 30_000


async def test_a_key_makes_a_call_safe_to_repeat(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network

    first = await call(registry, "NetworkApp1_set_gain", **GAIN, idempotency_key="k")
    again = await call(registry, "NetworkApp1_set_gain", **GAIN, idempotency_key="k")
    other = await refuse(
        registry, "NetworkApp1_set_gain", node_id=8, target_gain=16.0, idempotency_key="k"
    )

    assert again == first
    assert first["command"]["payload"] == {"target_gain": 15.0}
    assert len(bench.driver.applied) == 1
    assert (other["error_code"], other["hint"]) == ("CONFLICT", "use a new key for a new command")


async def test_the_tools_of_the_whole_network_can_be_left_out(benches: Any) -> None:
    registry = ToolRegistry()
    unbind = bind(benches(LineApp()).controller, registry)
    bind(benches().controller, registry, operator=False)

    assert {tool.app for tool in registry} == {"NetworkApp1", "network"}
    unbind()
    assert len(registry) == 0
