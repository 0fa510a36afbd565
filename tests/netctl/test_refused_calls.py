"""Calls that do not fit a tool's own schema: refused as before, and in the audit trail."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netctl import StoreError
from netctl.apps.line import LineApp, line_controller
from netctl.stores import SqliteStore
from netctl.tools import bind
from tercet import CallContext, ToolRegistry

pytestmark = pytest.mark.anyio

EVE = CallContext(subject="eve")
SET_GAIN = "NetworkApp1_set_gain"


def facts(bench: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(entry.kind, json.loads(entry.facts)) for entry in bench.controller.audit.entries]


@pytest.mark.parametrize(
    ("arguments", "node_id", "said"),
    [
        ({"node_id": 3, "target_gain": 5}, 3, "/node_id: expected one of [8], got 3"),
        ({"node_id": 8, "target_gain": 500}, 8, "/target_gain: expected at most 35.0, got 500"),
        ({"node_id": 8, "target_gain": "5"}, 8, "/target_gain: expected number, got '5'"),
        ({"node_id": 8, "target_gian": 5}, 8, "/target_gian: expected no such argument"),
        ({"node_id": 8, "target_gain": 5, "dry_run": "yes"}, 8, "/dry_run: expected boolean"),
        ({"node_id": 8, "target_gain": 5, "idempotency_key": ""}, 8, "/idempotency_key"),
        ({}, None, "/node_id: expected a value"),
    ],
)
async def test_a_refused_call_of_a_command_is_on_record_as_rejected(
    network: Any, refuse: Any, arguments: dict[str, Any], node_id: int | None, said: str
) -> None:
    bench, registry = network

    refused = await refuse(registry, SET_GAIN, EVE, **arguments)

    ((kind, told),) = facts(bench)
    assert refused["error_code"] == "INVALID_INPUT"
    assert said in refused["message"]
    assert kind == "command"
    assert (told["status"], told["code"], told["subject"]) == (
        "rejected",
        "invalid_arguments",
        "eve",
    )
    assert (told["app"], told["node_id"], told["origin"]) == ("NetworkApp1", node_id, "tool")
    assert told["command"]["command"] == "SET_GAIN"
    assert said in told["reason"]
    assert bench.driver.applied == []


async def test_a_refused_call_is_no_command_and_no_change(network: Any, refuse: Any) -> None:
    bench, registry = network

    await refuse(registry, SET_GAIN, EVE, node_id=3, target_gain=5)

    assert bench.controller.audit.records == ()
    assert not await bench.controller.changes.list()


async def test_a_refused_dry_run_is_told_as_one(network: Any, refuse: Any) -> None:
    bench, registry = network

    await refuse(registry, SET_GAIN, node_id=3, target_gain=5, dry_run=True)

    assert facts(bench)[0][1]["dry_run"] is True


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("NetworkApp1_set_state", {"state": "flying"}),
        ("SmartApp_optimize_gain", {"how": "gently"}),
        ("rollback_change", {"change_id": 0}),
        ("confirm_change", {"change_id": 0}),
        ("approve_change", {"change_id": "one"}),
        ("reject_change", {"change_id": 1, "reason": "x" * 501}),
        ("set_read_only", {}),
    ],
)
async def test_a_refused_call_of_any_other_tool_that_changes_something_is_on_record(
    network: Any, refuse: Any, call: Any, tool: str, arguments: dict[str, Any]
) -> None:
    bench, registry = network

    refused = await refuse(registry, tool, EVE, **arguments)
    trail = await call(registry, "get_audit", verify=True)

    ((kind, told),) = facts(bench)
    assert refused["error_code"] == "INVALID_INPUT"
    assert (kind, told["tool"], told["status"], told["code"], told["subject"]) == (
        "call",
        tool,
        "rejected",
        "invalid_arguments",
        "eve",
    )
    (entry,) = trail["entries"]
    assert (entry["kind"], entry["tool"], entry["code"]) == ("call", tool, "invalid_arguments")
    assert trail["broken_at"] is None


async def test_every_tool_that_changes_something_keeps_such_a_record(
    network: Any, refuse: Any
) -> None:
    bench, registry = network
    writing = [tool.name for tool in registry if tool.effect != "read"]

    for name in writing:
        await refuse(registry, name, EVE, never="an argument")

    assert len(writing) == 10
    assert [told["subject"] for _, told in facts(bench)] == ["eve"] * len(writing)


async def test_a_refused_look_is_not_on_record(network: Any, refuse: Any) -> None:
    bench, registry = network

    await refuse(registry, "get_topology", never="an argument")

    assert facts(bench) == []


async def test_a_call_that_fits_is_on_record_once(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network

    await call(registry, SET_GAIN, node_id=8, target_gain=15)
    await refuse(registry, SET_GAIN, node_id=8, target_gain=30)

    assert [(kind, told["code"]) for kind, told in facts(bench)] == [
        ("command", None),
        ("command", "rejected_by_validator"),
    ]


async def test_a_huge_argument_is_on_record_and_answered_in_short(
    network: Any, refuse: Any
) -> None:
    bench, registry = network

    refused = await refuse(registry, SET_GAIN, EVE, node_id="8" * 100_000, target_gain=1)

    assert len(json.dumps(refused)) < 5_000
    assert len(bench.controller.audit.entries[-1].facts) < 40_000
    assert facts(bench)[0][1]["subject"] == "eve"


async def test_listeners_hear_of_a_refused_command(network: Any, refuse: Any) -> None:
    bench, registry = network
    with bench.controller.events.listen(kinds=("command",)) as listener:
        await refuse(registry, SET_GAIN, EVE, node_id=3, target_gain=5)
        event = await listener.next()

    assert (event.facts["status"], event.facts["code"]) == ("rejected", "invalid_arguments")


async def test_a_refused_call_outlives_the_process(tmp_path: Path, refuse: Any) -> None:
    kinds = list[str]()
    for _ in range(2):
        store = SqliteStore(tmp_path / "network.db")
        registry = ToolRegistry()
        async with line_controller(store=store, poll_period_s=3600.0) as controller:
            bind(controller, registry)
            await refuse(registry, SET_GAIN, EVE, node_id=3, target_gain=5)
            await refuse(registry, "set_read_only", EVE)
            kinds = [entry.kind for entry in controller.audit.entries]
        assert await store.broken_at() is None
        await store.aclose()

    assert kinds == ["command", "call"] * 2


async def test_a_trail_that_cannot_be_written_still_refuses(
    benches: Any, refuse: Any, logs: Any
) -> None:
    class Full:
        async def load(self) -> Any:
            raise AssertionError("replaced below")

        async def save(self, batch: Any) -> None:
            raise StoreError(f"the disk is full: {len(batch.entries)} entries")

    store = Full()
    bench, registry = benches(LineApp()), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        bench.controller._parts.records._store = store  # its disk fills up while it runs
        refused = await refuse(registry, SET_GAIN, EVE, node_id=3, target_gain=5)

    assert refused["error_code"] == "INVALID_INPUT"
    assert any(event["event"] == "refused call not written down" for event in logs)


async def test_before_a_controller_runs_a_call_is_refused_without_a_record(
    benches: Any, refuse: Any
) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    bind(bench.controller, registry)

    refused = await refuse(registry, SET_GAIN, node_id=3, target_gain=5)

    assert refused["error_code"] == "INVALID_INPUT"
    assert bench.controller.audit.entries == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"node_id": 8, "target_gain": float("nan")},
        {"node_id": float("inf"), "target_gain": 5},
        {"point": [float("inf")]},
        {"node_id": 8, "target_gain": 5, "\ud800": 1},
    ],
    ids=["nan", "infinite node", "infinity in what is unknown", "no text"],
)
async def test_what_no_json_can_hold_is_refused_before_anything_is_written(
    network: Any, refuse: Any, arguments: dict[str, Any]
) -> None:
    bench, registry = network
    refused = await refuse(registry, SET_GAIN, **arguments)
    assert refused["error_code"] == "INVALID_INPUT"
    assert bench.controller.audit.entries == ()
    assert bench.driver.applied == []


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["node_id", "target_gain", "amp_type", "dry_run", "colour"]), VALUES
)


# Each example makes all tools of a controller: fewer of them, and more time.
@pytest.mark.timeout(180)
@settings(max_examples=max(20, settings.default.max_examples // 4) if settings.default else 20)
@given(given_arguments=st.lists(ARGUMENTS, max_size=5))
async def test_whatever_is_called_leaves_exactly_one_entry(
    given_arguments: list[dict[str, Any]],
) -> None:
    registry = ToolRegistry()
    async with line_controller(poll_period_s=3600.0) as controller:
        bind(controller, registry, operator=False)
        for number, arguments in enumerate(given_arguments, 1):
            await registry.call_tool(SET_GAIN, arguments, EVE)
            assert len(controller.audit.entries) == number
        assert controller.audit.broken_at() is None
