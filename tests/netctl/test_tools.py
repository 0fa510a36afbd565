"""Every app as tools: what there is, its readings, states and operations."""

from typing import Any

import anyio
import pytest

from netctl import (
    NetworkApp,
    aic_app,
)
from netctl.apps.line import LineApp
from netctl.tools import app_tools, bind, network_tools
from tercet import CallContext, Tool, ToolDefinitionError, ToolRegistry
from tercet.testing import contract_suite

pytestmark = pytest.mark.anyio

VIEWER = CallContext(scopes=frozenset({"network"}))
DRY = CallContext(dry_run=True)


OPERATOR_TOOLS = (
    "approve_change",
    "confirm_change",
    "get_audit",
    "get_changes",
    "get_topology",
    "reject_change",
    "rollback_change",
    "set_read_only",
)


# --- what there is ---------------------------------------------------------------------------


async def test_each_app_has_the_documented_tools(network: Any) -> None:
    _, registry = network

    assert {tool.name: tool.kind for tool in registry} == {
        "NetworkApp1_set_gain": "control",
        "NetworkApp1_get_measurements": "measurement",
        "NetworkApp1_get_state": "state",
        "NetworkApp1_set_state": "state",
        "NetworkApp1_power_model": "agent_controlled",
        "SmartApp_set_gain": "control",
        "SmartApp_get_measurements": "measurement",
        "SmartApp_get_state": "state",
        "SmartApp_set_state": "state",
        "SmartApp_optimize_gain": "agent_controlled",
        **dict.fromkeys(OPERATOR_TOOLS, "network"),
    }
    assert registry.get_stats()["tools_by_type"] == {
        "agent_controlled": 2,
        "control": 2,
        "measurement": 2,
        "network": 8,
        "state": 4,
    }


async def test_the_tools_keep_the_contract(network: Any) -> None:
    _, registry = network

    await contract_suite(registry)


async def test_the_control_tool_is_the_documented_one_with_more_truth(network: Any) -> None:
    _, registry = network
    tool = registry.get("NetworkApp1_set_gain").to_mcp_format()
    schema = tool["inputSchema"]
    documented = {
        "node_id": {"type": "integer", "enum": [8]},
        "amp_type": {"type": "string", "enum": ["line", "preamp", "booster"]},
        "target_gain": {"type": "number"},
    }

    assert tool["description"].startswith("Set amplifier gain. App: NetworkApp1, Nodes: [8]")
    assert schema["required"] == ["node_id", "target_gain"]
    assert schema["additionalProperties"] is False
    for name, rules in documented.items():
        assert schema["properties"][name].items() >= rules.items()
    # Wide enough that the app's own limit of 25 dB answers with its reason.
    gain = schema["properties"]["target_gain"]
    assert (gain["minimum"], gain["maximum"]) == (0.0, 35.0)
    assert gain["description"].endswith("in dB")
    assert schema["properties"]["amp_type"]["description"].endswith("by default booster on node 8")
    assert schema["properties"]["dry_run"]["type"] == "boolean"


async def test_a_default_is_named_for_each_node_that_has_one(network: Any) -> None:
    _, registry = network

    properties = registry.get("SmartApp_set_gain").input_schema["properties"]

    assert properties["node_id"]["enum"] == [3, 7]
    assert properties["amp_type"]["description"].endswith("line on node 3, booster on node 7")


async def test_a_viewer_sees_and_calls_only_what_changes_nothing(network: Any, refuse: Any) -> None:
    bench, registry = network

    assert {tool.name for tool in registry.list_tools(VIEWER)} == {
        "NetworkApp1_get_measurements",
        "NetworkApp1_get_state",
        "NetworkApp1_power_model",
        "SmartApp_get_measurements",
        "SmartApp_get_state",
        "get_changes",
        "get_topology",
    }
    assert {tool.effect for tool in registry.list_tools(VIEWER)} == {"read"}
    refused = await refuse(registry, "NetworkApp1_set_gain", VIEWER, node_id=8, target_gain=1)
    assert refused["error_code"] == "NOT_FOUND"
    assert bench.driver.applied == []


async def test_tools_follow_apps_that_come_and_go(network: Any, smart_app: Any) -> None:
    bench, registry = network
    assert [tool.name for tool in network_tools(bench.controller)] == [
        *(tool.name for tool in app_tools(bench.controller, "NetworkApp1")),
        *(tool.name for tool in app_tools(bench.controller, "SmartApp")),
    ]

    await bench.controller.remove("SmartApp")
    assert {tool.app for tool in registry} == {"NetworkApp1", "network"}

    bench.controller.add(smart_app())
    assert {tool.app for tool in registry} == {"NetworkApp1", "SmartApp", "network"}


async def test_an_app_whose_tools_clash_is_not_added(network: Any, smart_app: Any) -> None:
    bench, registry = network
    await bench.controller.remove("SmartApp")
    taken = app_tools(bench.controller, "NetworkApp1")[0]
    registry.register_tool(_renamed(taken, "SmartApp_set_state"))

    with pytest.raises(ToolDefinitionError, match="SmartApp_set_state"):
        bench.controller.add(smart_app())

    assert [app.name for app in bench.controller.apps] == ["NetworkApp1"]
    assert not registry.list_tools_by_app("SmartApp")


def _renamed(tool: Any, name: str) -> Any:
    return Tool.from_schema(
        name=name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        app=tool.app,
        kind=tool.kind,
        effect=tool.effect,
        function=tool.function,
    )


async def test_unbinding_takes_the_tools_away_and_lets_apps_be(
    benches: Any, smart_app: Any
) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    unbind = bind(bench.controller, registry)

    unbind()
    bench.controller.add(smart_app())

    assert len(registry) == 0
    assert len(bench.controller.apps) == 2


async def test_an_app_without_readings_has_no_measurement_tool(benches: Any) -> None:
    @aic_app(name="Blind")
    class Blind(NetworkApp):
        aic_app_id = 1

    tools = network_tools(benches(Blind()).controller)

    assert [tool.name for tool in tools] == ["Blind_get_state", "Blind_set_state"]


# --- measurements ----------------------------------------------------------------------------


async def test_measurements_of_one_node_come_by_metric(network: Any, call: Any) -> None:
    bench, registry = network

    result = await call(registry, "NetworkApp1_get_measurements", node_id=8.0)

    truth = bench.line.state()[8]
    assert (result["app"], result["node_id"]) == ("NetworkApp1", 8)
    assert {name: reading["value"] for name, reading in result["measurements"].items()} == truth
    power = result["measurements"]["output_power_dbm"]
    assert (power["quality"], power["age_s"]) == ("good", 0.0)
    assert power["timestamp_s"] == bench.clock.now()
    assert power["sequence"] >= 2


async def test_measurements_of_all_nodes_come_by_node(network: Any, call: Any) -> None:
    _, registry = network

    result = await call(registry, "SmartApp_get_measurements")

    assert set(result) == {"app", "measurements"}
    assert set(result["measurements"]) == {"7", "8"}
    assert result["measurements"]["7"]["preamp_gain_db"]["value"] == 15.0


async def test_measurements_of_a_node_out_of_reach_are_stale_and_say_so(
    network: Any, call: Any
) -> None:
    bench, registry = network
    bench.driver.read_fault = "unreachable"
    await bench.clock.advance(30.0)

    result = await call(registry, "NetworkApp1_get_measurements", node_id=8)

    assert {reading["quality"] for reading in result["measurements"].values()} == {"stale"}
    assert result["measurements"]["output_power_dbm"]["age_s"] == 30.0


# --- states and operations -------------------------------------------------------------------


async def test_states_are_read_and_set(network: Any, call: Any, refuse: Any) -> None:
    bench, registry = network

    assert await call(registry, "NetworkApp1_set_state", state="running") == {
        "app": "NetworkApp1",
        "state": "running",
        "previous_state": "stopped",
    }
    await bench.clock.advance(2.0)
    state = await call(registry, "NetworkApp1_get_state")
    assert (state["state"], state["cycles"], state["crashes"]) == ("running", 2, 0)
    refused = await refuse(registry, "NetworkApp1_set_state", DRY, state="stopped")
    assert refused["error_code"] == "REJECTED"
    assert bench.controller.status("NetworkApp1").state == "running"


async def test_an_operation_answers_result_and_request_id(network: Any, call: Any) -> None:
    _, registry = network
    await call(registry, "NetworkApp1_set_state", state="running")

    answer = await call(registry, "NetworkApp1_power_model", DRY, node_id=8)

    assert set(answer) == {"result", "request_id"}
    assert answer["result"]["operating_gain_db"] == 12.0


async def test_an_operation_of_an_app_that_does_not_run_is_a_conflict(
    network: Any, refuse: Any
) -> None:
    _, registry = network

    refused = await refuse(registry, "SmartApp_optimize_gain", how="wait")

    assert refused["error_code"] == "CONFLICT"
    assert refused["message"] == (
        "App 'SmartApp' is not running (state: stopped). Start the app first."
    )


async def test_an_operation_that_takes_too_long_is_a_timeout_and_never_executes(
    network: Any, call: Any, refuse: Any
) -> None:
    bench, registry = network
    await call(registry, "SmartApp_set_state", state="running")
    refusals: list[dict[str, Any]] = []

    async def ask() -> None:
        refusals.append(await refuse(registry, "SmartApp_optimize_gain", how="wait"))

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        group.start_soon(ask)
        await bench.clock.advance(11.0)

    for refused in refusals:
        assert refused["error_code"] == "TIMEOUT"
        assert refused["message"].startswith("Timeout waiting for operation 'optimize_gain' (req")
        assert refused["message"].endswith(", timeout=11s).")
    await bench.clock.advance(30.0)
    # Both timed out at the same moment: the first one had begun, the second one never does.
    assert bench.controller.status("SmartApp").state == "running"
    assert len(refusals) == 2


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("fail", ("INTERNAL_ERROR", "'optimize_gain' crashed (request_id=")),
        ("refuse", ("UNAVAILABLE", "nothing to see")),
    ],
)
async def test_an_operation_that_fails_says_so(
    network: Any, how: str, told: tuple[str, str], call: Any, refuse: Any
) -> None:
    _, registry = network
    await call(registry, "SmartApp_set_state", state="running")

    refused = await refuse(registry, "SmartApp_optimize_gain", how=how)

    error_code, words = told
    assert refused["error_code"] == error_code
    assert words in refused["message"]
    assert "secret" not in refused["message"]


async def test_an_operation_that_may_change_things_has_no_dry_run(
    network: Any, call: Any, refuse: Any
) -> None:
    bench, registry = network
    await call(registry, "SmartApp_set_state", state="running")

    refused = await refuse(registry, "SmartApp_optimize_gain", DRY, how="refuse")

    assert refused["error_code"] == "REJECTED"
    await bench.clock.settle()
    assert refused["message"] == "operation 'optimize_gain' cannot be tried dry"


async def test_tools_of_a_controller_that_is_not_entered_are_unavailable(
    benches: Any, refuse: Any
) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    bind(bench.controller, registry)

    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=1)

    assert refused["error_code"] == "UNAVAILABLE"
