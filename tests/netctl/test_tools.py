"""Every app as tools: names, schemas, answers and errors, through the registry."""

from typing import Any

import anyio
import pytest

from netctl import (
    CommandSpec,
    Controller,
    MeasurementsHandler,
    Modify,
    NetworkApp,
    NoDataError,
    agent_controlled,
    aic_app,
)
from netctl.apps.line import LineApp
from netctl.testing import FaultyDriver
from netctl.tools import app_tools, bind, network_tools
from tercet import CallContext, Tool, ToolDefinitionError, ToolRegistry
from tercet.testing import contract_suite

pytestmark = pytest.mark.anyio

VIEWER = CallContext(scopes=frozenset({"network"}))
DRY = CallContext(dry_run=True)


@aic_app(name="SmartApp")
class SmartApp(NetworkApp):
    aic_app_id = 4
    control_loop_update_time = 2.0
    read_measurements = dict.fromkeys((7, 8), (MeasurementsHandler.ALL_MEASUREMENTS,))
    control_functions = dict.fromkeys((3, 7), ("SET_GAIN",))

    def __init__(self) -> None:
        self.ran: list[str] = []

    @agent_controlled(
        name="optimize_gain",
        description="Find a better gain.",
        schema={"properties": {"how": {"enum": ["wait", "fail", "refuse"]}}, "required": ["how"]},
    )
    async def optimize_gain(self, arguments: Any, measurements: Any) -> str:
        del measurements
        self.ran.append(arguments["how"])
        match arguments["how"]:
            case "wait":
                await anyio.sleep_forever()
            case "fail":
                raise RuntimeError("secret")
            case _:
                raise NoDataError("nothing to see", hint="look elsewhere")
        return "never"


@pytest.fixture
async def network(benches: Any) -> Any:
    """The line's app and another one, as tools, running."""
    bench = benches(LineApp(), SmartApp())
    registry = ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await bench.clock.settle()
        yield bench, registry


async def call(
    registry: ToolRegistry, tool: str, context: CallContext | None = None, /, **arguments: Any
) -> Any:
    """The result of a call that must succeed."""
    answer = await registry.call_tool(tool, arguments, context)
    assert answer.status == "success", answer
    return answer.data.result


async def refuse(
    registry: ToolRegistry, tool: str, context: CallContext | None = None, /, **arguments: Any
) -> dict[str, Any]:
    """The error envelope of a call that must fail."""
    answer = await registry.call_tool(tool, arguments, context)
    assert answer.status == "error", answer
    return answer.to_dict()


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
    }
    assert registry.get_stats()["tools_by_type"] == {
        "agent_controlled": 2,
        "control": 2,
        "measurement": 2,
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


async def test_a_viewer_sees_and_calls_only_what_changes_nothing(network: Any) -> None:
    bench, registry = network

    assert {tool.name for tool in registry.list_tools(VIEWER)} == {
        "NetworkApp1_get_measurements",
        "NetworkApp1_get_state",
        "NetworkApp1_power_model",
        "SmartApp_get_measurements",
        "SmartApp_get_state",
    }
    assert {tool.effect for tool in registry.list_tools(VIEWER)} == {"read"}
    refused = await refuse(registry, "NetworkApp1_set_gain", VIEWER, node_id=8, target_gain=1)
    assert refused["error_code"] == "NOT_FOUND"
    assert bench.driver.applied == []


async def test_tools_follow_apps_that_come_and_go(network: Any) -> None:
    bench, registry = network
    assert [tool.name for tool in network_tools(bench.controller)] == [
        *(tool.name for tool in app_tools(bench.controller, "NetworkApp1")),
        *(tool.name for tool in app_tools(bench.controller, "SmartApp")),
    ]

    await bench.controller.remove("SmartApp")
    assert {tool.app for tool in registry} == {"NetworkApp1"}

    bench.controller.add(SmartApp())
    assert {tool.app for tool in registry} == {"NetworkApp1", "SmartApp"}


async def test_an_app_whose_tools_clash_is_not_added(network: Any) -> None:
    bench, registry = network
    await bench.controller.remove("SmartApp")
    taken = app_tools(bench.controller, "NetworkApp1")[0]
    registry.register_tool(_renamed(taken, "SmartApp_set_state"))

    with pytest.raises(ToolDefinitionError, match="SmartApp_set_state"):
        bench.controller.add(SmartApp())

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


async def test_unbinding_takes_the_tools_away_and_lets_apps_be(benches: Any) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    unbind = bind(bench.controller, registry)

    unbind()
    bench.controller.add(SmartApp())

    assert len(registry) == 0
    assert len(bench.controller.apps) == 2


async def test_an_app_without_readings_has_no_measurement_tool(benches: Any) -> None:
    @aic_app(name="Blind")
    class Blind(NetworkApp):
        aic_app_id = 1

    tools = network_tools(benches(Blind()).controller)

    assert [tool.name for tool in tools] == ["Blind_get_state", "Blind_set_state"]


# --- control ---------------------------------------------------------------------------------


async def test_a_command_is_confirmed_and_on_record_under_its_subject(network: Any) -> None:
    bench, registry = network
    alice = CallContext(subject="alice")

    result = await call(registry, "NetworkApp1_set_gain", alice, node_id=8, target_gain=15)

    request_id = result.pop("request_id")
    assert result == {
        "app": "NetworkApp1",
        "node_id": 8,
        "command": {"command": "SET_GAIN", "payload": {"target_gain": 15}},
        "status": "confirmed",
        "reason": None,
        "code": None,
        "resource": "booster_gain_db",
        "unit": "dB",
        "before": 12.0,
        "after": 15.0,
        "read_back": 15.0,
        "predicted_effect": None,
    }
    assert bench.gain_db() == 15.0
    (record,) = bench.controller.audit.records
    assert record.outcome.request_id == request_id
    assert (record.outcome.request.origin, record.outcome.request.subject) == ("tool", "alice")


async def test_a_rejection_says_why_where_and_what_would_do(network: Any) -> None:
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


async def test_an_amplifier_that_is_not_there_is_answered_with_one_that_is(network: Any) -> None:
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
    network: Any, arguments: dict[str, Any], pointer: str
) -> None:
    bench, registry = network

    refused = await refuse(registry, "NetworkApp1_set_gain", **arguments)

    assert refused["error_code"] == "INVALID_INPUT"
    assert [detail["pointer"] for detail in refused["details"]] == [pointer]
    assert bench.driver.applied == []


async def test_what_a_validator_made_of_it_is_checked_and_told_in_detail(
    benches: Any, guarded: Any
) -> None:
    bench, registry = benches(guarded(Modify("much", "why not"))), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        refused = await refuse(registry, "Guarded_set_gain", node_id=8, target_gain=1)

    assert refused["error_code"] == "INVALID_INPUT"
    assert refused["details"] == [{"pointer": "/target_gain", "expected": "number", "got": "much"}]
    assert refused["hint"] == "nothing was changed"


async def test_a_command_of_one_fixed_resource_is_a_tool_too(benches: Any) -> None:
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
    network: Any, context: Any, more: dict[str, Any]
) -> None:
    bench, registry = network

    result = await call(
        registry, "NetworkApp1_set_gain", context, node_id=8, target_gain=15, **more
    )

    assert (result["status"], result["before"], result["after"]) == ("planned", 12.0, 15.0)
    assert result["command"]["payload"] == {"target_gain": 15}
    assert bench.driver.applied == []


async def test_a_dry_run_of_the_context_cannot_be_argued_away(network: Any) -> None:
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


async def test_a_change_whose_outcome_is_not_known_is_a_timeout(network: Any) -> None:
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


async def test_the_controllers_read_only_switch_reaches_the_tools(network: Any) -> None:
    bench, registry = network
    bench.controller.set_read_only(True)

    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=15)

    assert refused["error_code"] == "REJECTED"
    assert "operator" in refused["hint"]


# --- measurements ----------------------------------------------------------------------------


async def test_measurements_of_one_node_come_by_metric(network: Any) -> None:
    bench, registry = network

    result = await call(registry, "NetworkApp1_get_measurements", node_id=8.0)

    truth = bench.line.state()[8]
    assert (result["app"], result["node_id"]) == ("NetworkApp1", 8)
    assert {name: reading["value"] for name, reading in result["measurements"].items()} == truth
    power = result["measurements"]["output_power_dbm"]
    assert (power["quality"], power["age_s"]) == ("good", 0.0)
    assert power["timestamp_s"] == bench.clock.now()
    assert power["sequence"] >= 2


async def test_measurements_of_all_nodes_come_by_node(network: Any) -> None:
    _, registry = network

    result = await call(registry, "SmartApp_get_measurements")

    assert set(result) == {"app", "measurements"}
    assert set(result["measurements"]) == {"7", "8"}
    assert result["measurements"]["7"]["preamp_gain_db"]["value"] == 15.0


async def test_measurements_of_a_node_out_of_reach_are_stale_and_say_so(network: Any) -> None:
    bench, registry = network
    bench.driver.read_fault = "unreachable"
    await bench.clock.advance(30.0)

    result = await call(registry, "NetworkApp1_get_measurements", node_id=8)

    assert {reading["quality"] for reading in result["measurements"].values()} == {"stale"}
    assert result["measurements"]["output_power_dbm"]["age_s"] == 30.0


# --- states and operations -------------------------------------------------------------------


async def test_states_are_read_and_set(network: Any) -> None:
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


async def test_an_operation_answers_result_and_request_id(network: Any) -> None:
    _, registry = network
    await call(registry, "NetworkApp1_set_state", state="running")

    answer = await call(registry, "NetworkApp1_power_model", DRY, node_id=8)

    assert set(answer) == {"result", "request_id"}
    assert answer["result"]["operating_gain_db"] == 12.0


async def test_an_operation_of_an_app_that_does_not_run_is_a_conflict(network: Any) -> None:
    _, registry = network

    refused = await refuse(registry, "SmartApp_optimize_gain", how="wait")

    assert refused["error_code"] == "CONFLICT"
    assert refused["message"] == (
        "App 'SmartApp' is not running (state: stopped). Start the app first."
    )


async def test_an_operation_that_takes_too_long_is_a_timeout_and_never_executes(
    network: Any,
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
    ("how", "error_code", "words"),
    [
        ("fail", "INTERNAL_ERROR", "'optimize_gain' crashed (request_id="),
        ("refuse", "UNAVAILABLE", "nothing to see"),
    ],
)
async def test_an_operation_that_fails_says_so(
    network: Any, how: str, error_code: str, words: str
) -> None:
    _, registry = network
    await call(registry, "SmartApp_set_state", state="running")

    refused = await refuse(registry, "SmartApp_optimize_gain", how=how)

    assert refused["error_code"] == error_code
    assert words in refused["message"]
    assert "secret" not in refused["message"]


async def test_an_operation_that_may_change_things_has_no_dry_run(network: Any) -> None:
    bench, registry = network
    await call(registry, "SmartApp_set_state", state="running")

    refused = await refuse(registry, "SmartApp_optimize_gain", DRY, how="refuse")

    assert refused["error_code"] == "REJECTED"
    await bench.clock.settle()
    assert refused["message"] == "operation 'optimize_gain' cannot be tried dry"


async def test_tools_of_a_controller_that_is_not_entered_are_unavailable(benches: Any) -> None:
    bench, registry = benches(LineApp()), ToolRegistry()
    bind(bench.controller, registry)

    refused = await refuse(registry, "NetworkApp1_set_gain", node_id=8, target_gain=1)

    assert refused["error_code"] == "UNAVAILABLE"
