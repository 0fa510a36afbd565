"""The tools of commands: answers, refusals, and what the node does."""

from typing import Any

import anyio
import pytest

from netctl import (
    CommandSpec,
    Controller,
    Modify,
    NetworkApp,
    aic_app,
)
from netctl.testing import FaultyDriver
from netctl.tools import bind
from tercet import CallContext, ToolRegistry
from tercet.testing import contract_suite

pytestmark = pytest.mark.anyio

VIEWER = CallContext(scopes=frozenset({"network"}))
DRY = CallContext(dry_run=True)


# --- control ---------------------------------------------------------------------------------


async def test_a_command_is_verified_and_on_record_under_its_subject(
    network: Any, call: Any
) -> None:
    bench, registry = network
    alice = CallContext(subject="alice")

    result = await call(registry, "NetworkApp1_set_gain", alice, node_id=8, target_gain=15)

    request_id = result.pop("request_id")
    assert result == {
        "app": "NetworkApp1",
        "node_id": 8,
        "command": {"command": "SET_GAIN", "payload": {"target_gain": 15}},
        "status": "verified",
        "reason": None,
        "code": None,
        "resource": "booster_gain_db",
        "unit": "dB",
        "before": 12.0,
        "after": 15.0,
        "read_back": 15.0,
        "limits_touched": [],
        "predicted_effect": None,
        "change_id": 1,
        "confirm_within_s": None,
    }
    assert bench.gain_db() == 15.0
    (record,) = bench.controller.audit.records
    assert record.outcome.request_id == request_id
    assert (record.outcome.request.origin, record.outcome.request.subject) == ("tool", "alice")


async def test_a_rejection_says_why_where_and_what_would_do(network: Any, refuse: Any) -> None:
    bench, registry = network

    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=30.0)

    assert refused == {
        "status": "error",
        "error_code": "REJECTED",
        "message": "target_gain 30.0 dB exceeds maximum of 25.0 dB",
        "details": [
            {
                "pointer": "/target_gain",
                "expected": "at most 25.0 dB",
                "got": 30.0,
                "nearest": 25.0,
            }
        ],
        "hint": "use at most 25.0 dB for target_gain; nothing was changed",
    }
    assert bench.driver.applied == []


async def test_an_amplifier_that_is_not_there_is_answered_with_one_that_is(
    network: Any, refuse: Any
) -> None:
    _, registry = network

    refused = await refuse(
        registry, "NetworkApp1_set_gain", node_id=8, target_gain=5, amp_type="line"
    )

    assert refused["error_code"] == "REJECTED"
    (detail,) = refused["details"]
    assert detail["pointer"] == "/amp_type"
    assert detail["nearest"] in ("preamp", "booster")


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({"node_id": 3, "target_gain": 5}, "/node_id"),
        ({"node_id": 8, "target_gain": 500}, "/target_gain"),
        ({"node_id": 8, "target_gain": -1}, "/target_gain"),
        ({"node_id": 8, "target_gain": 5, "amp_type": "laser"}, "/amp_type"),
        ({"node_id": 8, "target_gain": 5, "dry_run": "yes"}, "/dry_run"),
        ({"node_id": 8}, "/target_gain"),
    ],
)
async def test_arguments_that_do_not_fit_change_nothing(
    network: Any, arguments: dict[str, Any], pointer: str, refuse: Any
) -> None:
    bench, registry = network

    refused = await refuse(registry, "NetworkApp1_set_gain", **arguments)

    assert refused["error_code"] == "INVALID_INPUT"
    assert [detail["pointer"] for detail in refused["details"]] == [pointer]
    assert bench.driver.applied == []


async def test_what_a_validator_made_of_it_is_checked_and_told_in_detail(
    benches: Any, guarded: Any, refuse: Any
) -> None:
    bench, registry = benches(guarded(Modify("much", "why not"))), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        refused = await refuse(registry, "Guarded_set_gain", node_id=8, target_gain=1)

    assert refused["error_code"] == "INVALID_INPUT"
    assert refused["details"] == [{"pointer": "/target_gain", "expected": "number", "got": "much"}]
    assert refused["hint"] == "nothing was changed"


async def test_a_command_of_one_fixed_resource_is_a_tool_too(benches: Any, call: Any) -> None:
    bench = benches()
    preamp = CommandSpec(
        name="SET_PREAMP",
        description="Set the preamp",
        schema={
            "properties": {
                "node_id": {"type": "integer"},
                "gain": {"type": "number", "minimum": 5, "maximum": 20},
                "tags": {"type": "array", "maxItems": 1, "description": "Words"},
            },
            "required": ["node_id", "gain"],
        },
        value_argument="gain",
        resource="preamp_gain_db",
    )
    controller = Controller(bench.line.inventory, bench.line, commands=[preamp])

    @aic_app(name="Preamp")
    class Preamp(NetworkApp):
        aic_app_id = 1
        control_functions = dict.fromkeys((8,), ("SET_PREAMP",))

    controller.add(Preamp())
    registry = ToolRegistry()
    bind(controller, registry)
    async with controller:
        await contract_suite(registry)
        assert (await call(registry, "Preamp_set_preamp", node_id=8, gain=9))["after"] == 9.0
        outcome = await controller.execute(
            "Preamp", "SET_PREAMP", {"node_id": 8, "gain": 21, "tags": [float("nan"), {}]}
        )

    schema = registry.get("Preamp_set_preamp").input_schema["properties"]
    assert (schema["gain"]["minimum"], schema["gain"]["maximum"]) == (5, 20)
    assert schema["gain"]["description"] == "gain, in dB"
    assert schema["tags"]["description"] == "Words"
    assert [(found.pointer, found.nearest) for found in outcome.violations] == [
        ("/gain", 20),
        ("/tags", None),
        ("/tags/0", None),
    ]


@pytest.mark.parametrize(("context", "more"), [(DRY, {}), (None, {"dry_run": True})])
async def test_a_dry_run_of_either_kind_only_plans(
    network: Any, context: Any, more: dict[str, Any], call: Any
) -> None:
    bench, registry = network

    result = await call(
        registry, "NetworkApp1_set_gain", context, node_id=8, target_gain=15, **more
    )

    assert (result["status"], result["before"], result["after"]) == ("planned", 12.0, 15.0)
    assert result["command"]["payload"] == {"target_gain": 15}
    assert bench.driver.applied == []
    predicted = result["predicted_effect"]
    await call(registry, "NetworkApp1_set_gain", node_id=8, target_gain=15)
    assert predicted == bench.line.state()[8]


async def test_a_dry_run_of_the_context_cannot_be_argued_away(network: Any, call: Any) -> None:
    bench, registry = network

    result = await call(
        registry, "NetworkApp1_set_gain", DRY, node_id=8, target_gain=15, dry_run=False
    )

    assert result["status"] == "planned"
    assert bench.driver.applied == []


@pytest.mark.parametrize(
    ("fault", "error_code"),
    [("unreachable", "UNAVAILABLE"), ("refuse", "REJECTED"), ("ignore", None)],
)
async def test_what_the_node_does_is_told_as_it_is(
    network: Any, fault: Any, error_code: str | None
) -> None:
    bench, registry = network
    driver: FaultyDriver = bench.driver
    driver.apply_fault = fault

    answer = await registry.call_tool("NetworkApp1_set_gain", {"node_id": 8, "target_gain": 15})

    if error_code is None:
        assert answer.data.result["status"] == "applied"
        assert answer.data.result["read_back"] == 12.0
    else:
        assert answer.error_code == error_code
        assert answer.hint


async def test_a_change_whose_outcome_is_not_known_is_a_timeout(network: Any, refuse: Any) -> None:
    bench, registry = network
    bench.driver.apply_fault = "silent"
    refusals: list[dict[str, Any]] = []

    async def send() -> None:
        refusals.append(await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=15))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await bench.clock.advance(5.0)

    (refused,) = refusals
    assert refused["error_code"] == "TIMEOUT"
    assert "not known" in refused["message"]
    assert "read the measurements" in refused["hint"]


async def test_the_controllers_read_only_switch_reaches_the_tools(
    network: Any, refuse: Any
) -> None:
    bench, registry = network
    await bench.controller.set_read_only(True)

    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=15)

    assert refused["error_code"] == "REJECTED"
    assert "operator" in refused["hint"]
