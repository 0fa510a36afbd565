"""The shipped app: its guard, and a model of the line that agrees with the line."""

import ast
import math
import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import NoDataError, Setting, UnknownNameError
from netctl.apps.line import LineApp, line_controller, line_inventory, simulated_line
from netctl.optics import dbm_to_mw

pytestmark = pytest.mark.anyio

APP = "NetworkApp1"


OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS = {"exp": math.exp, "log": math.log}


def evaluate(expression: str, x1: float) -> float:
    """The value of a formula of +, -, *, /, exp, log, numbers and x1, by its syntax tree."""

    def value(node: ast.AST) -> float:
        match node:
            case ast.Constant(value=number) if isinstance(number, int | float):
                return float(number)
            case ast.Name(id="x1"):
                return x1
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return FUNCTIONS[name](value(argument))
            case _:
                raise AssertionError(ast.dump(node))

    return value(ast.parse(expression, mode="eval").body)


async def model(bench: Any, **arguments: Any) -> dict[str, Any]:
    await bench.controller.set_state(APP, "running")
    reply = await bench.controller.call_operation(APP, "power_model", arguments)
    return reply.result


def test_the_lines_end_is_where_the_story_needs_it() -> None:
    _, line = simulated_line()

    state = line.state()[8]

    assert state["booster_gain_db"] == 12.0
    assert 1.0 < state["output_power_dbm"] < 3.0


@pytest.mark.parametrize(
    ("target_gain", "reason", "nearest"),
    [
        (30.0, "target_gain 30.0 dB exceeds maximum of 25.0 dB", 25.0),
        (30, "target_gain 30.0 dB exceeds maximum of 25.0 dB", 25.0),
        (25.000001, "target_gain 25.000001 dB exceeds maximum of 25.0 dB", 25.0),
    ],
)
async def test_a_gain_above_25_db_is_rejected_in_the_documented_words(
    bench: Any, target_gain: float, reason: str, nearest: float
) -> None:
    outcome = await bench.controller.execute(
        APP, "SET_GAIN", {"node_id": 8, "target_gain": target_gain}
    )

    assert outcome.to_dict() == {
        "app": APP,
        "node_id": 8,
        "command": {"command": "SET_GAIN", "payload": {"target_gain": target_gain}},
        "status": "rejected",
        "reason": reason,
    }
    assert outcome.nearest == nearest
    assert bench.driver.applied == []


@pytest.mark.parametrize("amp_type", ["preamp", "booster"])
async def test_the_guard_holds_for_every_amplifier(bench: Any, amp_type: str) -> None:
    outcome = await bench.controller.execute(
        APP, "SET_GAIN", {"node_id": 8, "target_gain": 30.0, "amp_type": amp_type}
    )

    assert outcome.code == "rejected_by_validator"


def test_the_guard_itself_knows_both_ends() -> None:
    below = LineApp().limit_gain({"target_gain": -1})

    assert getattr(below, "reason", None) == "target_gain -1.0 dB is below minimum of 0.0 dB"
    assert getattr(below, "nearest", None) == 0.0


@pytest.mark.parametrize("target_gain", [0.0, 25.0])
async def test_both_ends_of_the_range_are_accepted(bench: Any, target_gain: float) -> None:
    outcome = await bench.controller.execute(
        APP, "SET_GAIN", {"node_id": 8, "target_gain": target_gain}
    )

    assert outcome.status == "verified"


async def test_the_model_of_the_lines_end_has_the_documented_form(bench: Any) -> None:
    result = await model(bench, node_id=8)

    # By hand: at the output P, with P_sat = 7 dBm, the booster is P/(P_sat - P) deep.
    output_mw = dbm_to_mw(bench.line.state()[8]["output_power_dbm"])
    depth = output_mw / (10**0.7 - output_mw)
    constant = float(result["expression"].split("1 + ")[1].split("*")[0])
    assert constant == pytest.approx(depth, rel=1e-12)
    assert result["expression"] == (
        f"x1 - 10*log((1 + {constant!r}*exp(x1*log(10)/10))/(1 + {constant!r}))/log(10)"
    )
    assert result | {"expression": None} == {
        "node_id": 8,
        "amp_type": "booster",
        "expression": None,
        "variable": "x1 = gain change in dB",
        "value": "change of the node's output power in dB",
        "operating_gain_db": 12.0,
        "output_power_dbm": bench.line.state()[8]["output_power_dbm"],
        "gain_range_db": [0.0, 25.0],
        "valid": "for x1 from -12.0 to 13.0, as long as the input power of node 8 stays as it is",
    }


RESOURCES = {"line": "gain_db", "preamp": "preamp_gain_db", "booster": "booster_gain_db"}


@pytest.mark.parametrize(
    ("node_id", "amp_type"),
    [(3, "line"), (5, "line"), (6, "booster"), (7, "preamp"), (7, "booster"), (8, "preamp")],
)
@pytest.mark.parametrize("change_db", [-5.0, -1.0, 0.0, 2.0, 7.0])
async def test_the_model_predicts_what_the_line_then_does(
    bench: Any, node_id: int, amp_type: str, change_db: float
) -> None:
    result = await model(bench, node_id=node_id, amp_type=amp_type)
    target_gain_db = result["operating_gain_db"] + change_db

    await bench.line.apply(
        bench.line.inventory.node(node_id),
        Setting(resource=RESOURCES[amp_type], value=target_gain_db),
    )

    after = bench.line.state()[node_id]["output_power_dbm"]
    assert result["output_power_dbm"] + evaluate(result["expression"], change_db) == (
        pytest.approx(after, abs=1e-9)
    )


async def test_the_model_is_zero_at_the_operating_point_and_never_steeper_than_the_gain(
    bench: Any,
) -> None:
    expression = (await model(bench, node_id=8))["expression"]

    assert evaluate(expression, 0.0) == 0.0

    @given(st.floats(-12, 13), st.floats(0.01, 5))
    def check(x1: float, step: float) -> None:
        rise = evaluate(expression, x1 + step) - evaluate(expression, x1)
        assert 0 < rise < step

    check()


async def test_the_gain_that_the_model_asks_for_brings_the_power_that_was_wanted(
    bench: Any,
) -> None:
    result = await model(bench, node_id=8)
    wanted_dbm, low, high = 4.0, -12.0, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        power = result["output_power_dbm"] + evaluate(result["expression"], middle)
        low, high = (middle, high) if power < wanted_dbm else (low, middle)

    outcome = await bench.controller.execute(
        APP, "SET_GAIN", {"node_id": 8, "target_gain": result["operating_gain_db"] + high}
    )

    assert outcome.status == "verified"
    assert outcome.after < 25.0
    assert bench.line.state()[8]["output_power_dbm"] == pytest.approx(wanted_dbm, abs=1e-9)


async def test_each_node_has_a_default_amplifier(bench: Any) -> None:
    defaults = {node_id: (await model(bench, node_id=node_id))["amp_type"] for node_id in (3, 6, 7)}

    assert defaults == {3: "line", 6: "booster", 7: "booster"}


async def test_a_model_of_an_amplifier_that_is_not_there_is_refused(bench: Any) -> None:
    with pytest.raises(UnknownNameError, match="node 3 has no preamp amplifier"):
        await model(bench, node_id=3, amp_type="preamp")


async def test_a_model_without_fresh_readings_is_refused(bench: Any) -> None:
    bench.driver.read_fault = "unreachable"
    await bench.clock.advance(4.0)

    with pytest.raises(NoDataError, match="no fresh output_power_dbm"):
        await model(bench, node_id=8)


async def test_readings_that_contradict_the_data_sheet_give_no_model() -> None:
    controller = line_controller(noise_db=30.0, seed=3)
    async with controller:
        await controller.set_state(APP, "running")
        refusals = 0
        for _ in range(10):
            try:
                await controller.call_operation(APP, "power_model", {"node_id": 8})
            except NoDataError as error:
                assert "contradict its data sheets" in str(error)  # noqa: PT017 -- either ends well
                refusals += 1

    assert refusals > 0


async def test_the_app_reads_every_metric_of_the_line(bench: Any) -> None:
    measured = await bench.controller.measurements(APP)

    assert {node_id: set(metrics) for node_id, metrics in measured.items()} == {
        # Of what an amplifier measures, the documented four.
        node.node_id: set(node.metrics) - ({"tilt_db"} if node.kind == "amplifier" else set())
        for node in line_inventory().nodes
    }
    assert measured[8]["output_power_dbm"].value == bench.line.state()[8]["output_power_dbm"]
