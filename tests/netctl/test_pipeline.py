"""Schema and limits of the one pipeline, and the good way through it."""

from typing import Any

import pytest

from netctl import (
    CommandSpec,
    Controller,
    Inventory,
    NetworkApp,
    Reading,
    ResourceChoice,
    UnknownNameError,
    aic_app,
)
from netctl.apps.line import LineApp
from netctl.testing import FaultyDriver

pytestmark = pytest.mark.anyio


APP = "NetworkApp1"


async def test_a_verified_command_is_on_the_node_and_read_back(bench: Any, set_gain: Any) -> None:
    outcome = await set_gain(bench.controller, 15.5)

    assert outcome.status == "verified"
    assert (outcome.before, outcome.after, outcome.read_back) == (12.0, 15.5, 15.5)
    assert (outcome.resource, outcome.unit, outcome.code) == ("booster_gain_db", "dB", None)
    assert bench.gain_db() == 15.5
    assert outcome.to_dict() == {
        "app": APP,
        "node_id": 8,
        "command": {"command": "SET_GAIN", "payload": {"target_gain": 15.5}},
        "status": "verified",
    }


async def test_a_dry_run_plans_and_sends_nothing(bench: Any, set_gain: Any) -> None:
    outcome = await set_gain(bench.controller, 15.5, dry_run=True)

    assert (outcome.status, outcome.before, outcome.after) == ("planned", 12.0, 15.5)
    assert outcome.read_back is None
    assert bench.driver.applied == []
    assert bench.gain_db() == 12.0


@pytest.mark.parametrize(("gain_db", "limits"), [(0.0, ("min",)), (12.0, ()), (24.9, ())], ids=str)
async def test_a_plan_names_the_limits_that_it_touches_and_its_effect(
    bench: Any, set_gain: Any, gain_db: float, limits: tuple[str, ...]
) -> None:
    planned = await set_gain(bench.controller, gain_db, dry_run=True)
    await set_gain(bench.controller, gain_db)

    assert planned.limits_touched == limits
    assert planned.predicted_effect == bench.line.state()[8]


async def test_an_effect_that_cannot_be_told_is_left_out(
    bench: Any, set_gain: Any, logs: Any
) -> None:
    class Mute:
        async def read(self, node: Any) -> Any:
            return await bench.line.read(node)

        async def apply(self, node: Any, setting: Any) -> Any:
            return await bench.line.apply(node, setting)

    for driver in (Mute(), FaultyDriver(Mute())):
        controller = Controller(bench.line.inventory, driver)
        controller.add(LineApp())
        async with controller:
            planned = await set_gain(controller, 15.0, dry_run=True)
        assert (planned.status, planned.predicted_effect) == ("planned", None)
    assert "change not predicted" in [log["event"] for log in logs]


async def test_the_argument_that_chooses_the_amplifier_is_obeyed(bench: Any, set_gain: Any) -> None:
    outcome = await set_gain(bench.controller, 10.0, amp_type="preamp")

    assert outcome.resource == "preamp_gain_db"
    assert bench.gain_db(resource="preamp_gain_db") == 10.0
    assert bench.gain_db() == 12.0


async def test_an_integral_float_names_a_node(bench: Any, set_gain: Any) -> None:
    outcome = await set_gain(bench.controller, 13, node_id=8.0)

    assert (outcome.status, outcome.node_id) == ("verified", 8)


@pytest.mark.parametrize(
    ("arguments", "pointer", "nearest"),
    [
        ({}, "/node_id", None),
        ({"node_id": 3, "target_gain": 1}, "/node_id", 8),
        ({"node_id": 88, "target_gain": 1}, "/node_id", 8),
        ({"node_id": "8", "target_gain": 1}, "/node_id", None),
        ({"node_id": True, "target_gain": 1}, "/node_id", None),
        ({"node_id": 8}, "/target_gain", None),
        ({"node_id": 8, "target_gain": "1"}, "/target_gain", None),
        ({"node_id": 8, "target_gain": None}, "/target_gain", None),
        ({"node_id": 8, "target_gain": float("nan")}, "/target_gain", None),
        ({"node_id": 8, "target_gain": float("inf")}, "/target_gain", None),
        ({"node_id": 8, "target_gain": 10**400}, "/target_gain", None),
        ({"node_id": 8, "target_gain": 1, "amp_type": "Boster"}, "/amp_type", "booster"),
        ({"node_id": 8, "target_gain": 1, "target_gian": 2}, "/target_gian", "target_gain"),
        ({"node_id": 8, "target_gain": 1, "a/b~": 2}, "/a~1b~0", None),
        ({"node_id": [8], "target_gain": 1}, "/node_id", None),
    ],
    ids=repr,
)
async def test_arguments_that_do_not_fit_are_rejected_with_where_and_what(
    bench: Any, arguments: dict[str, Any], pointer: str, nearest: Any
) -> None:
    reads = list(bench.driver.reads)

    outcome = await bench.controller.execute(APP, "SET_GAIN", arguments)

    assert (outcome.status, outcome.code) == ("rejected", "invalid_arguments")
    violation = next(found for found in outcome.violations if found.pointer == pointer)
    assert violation.nearest == nearest
    assert pointer in (outcome.reason or "")
    assert bench.driver.applied == []
    assert bench.driver.reads == reads


async def test_what_a_caller_invents_does_not_make_the_answer_long(bench: Any) -> None:
    invented = {f"x{number}": number for number in range(1000)}

    outcome = await bench.controller.execute(APP, "SET_GAIN", invented)

    assert len(outcome.violations) == 20
    assert len(outcome.reason or "") < 3000


async def test_all_violations_come_at_once(bench: Any) -> None:
    outcome = await bench.controller.execute(
        APP, "SET_GAIN", {"node_id": 3, "amp_type": "x", "colour": "red"}
    )

    assert [violation.pointer for violation in outcome.violations] == [
        "/amp_type",
        "/colour",
        "/node_id",
        "/target_gain",
    ]


@pytest.mark.parametrize(("command", "nearest"), [("SET_GIAN", "SET_GAIN"), ("JUMP", None)])
async def test_a_command_that_the_app_does_not_have_is_rejected(
    bench: Any, command: str, nearest: Any
) -> None:
    outcome = await bench.controller.execute(APP, command, {"node_id": 8, "target_gain": 1})

    assert (outcome.status, outcome.code) == ("rejected", "unknown_command")
    assert outcome.nearest == nearest
    assert "it has ['SET_GAIN']" in (outcome.reason or "")


async def test_an_unknown_app_is_an_error_not_an_outcome(bench: Any, set_gain: Any) -> None:
    with pytest.raises(UnknownNameError, match="no app 'NetworkApp2'") as caught:
        await set_gain(bench.controller, 1, app="NetworkApp2")

    assert caught.value.hint == "did you mean 'NetworkApp1'?"


@pytest.mark.parametrize(
    ("target_gain", "reason", "nearest"),
    [
        (
            500,
            "target_gain 500.0 dB exceeds maximum of 35.0 dB of booster_gain_db on node 8",
            35.0,
        ),
        (-1, "target_gain -1.0 dB is below minimum of 0.0 dB of booster_gain_db on node 8", 0.0),
    ],
)
async def test_the_nodes_limit_holds_before_any_validator(
    bench: Any, target_gain: float, reason: str, nearest: float, set_gain: Any
) -> None:
    outcome = await set_gain(bench.controller, target_gain)

    assert (outcome.status, outcome.code) == ("rejected", "out_of_limits")
    assert (outcome.reason, outcome.nearest) == (reason, nearest)
    assert bench.driver.applied == []


async def test_an_amplifier_that_the_node_does_not_have_is_rejected(
    bench: Any, set_gain: Any
) -> None:
    outcome = await set_gain(bench.controller, 10, amp_type="line")

    assert (outcome.status, outcome.code) == ("rejected", "not_settable")
    assert outcome.reason == "node 8 has no line that SET_GAIN could set"
    assert outcome.nearest in ("preamp", "booster")


def attenuators() -> tuple[Controller, "Attenuators"]:
    """Two attenuators on one node, in steps, without a default; a third is read-only."""
    rules = {"unit": "dB", "min": 1.0, "max": 20.0, "step": 0.1}
    inventory = Inventory.model_validate(
        {
            "nodes": [
                {
                    "node_id": 1,
                    "name": "switch",
                    "kind": "roadm",
                    "resources": [
                        {"name": "add_db", **rules},
                        {"name": "drop_db", **rules},
                        {"name": "fixed_db", **rules, "read_only": True},
                    ],
                    "metrics": ["add_db", "drop_db", "fixed_db"],
                }
            ]
        }
    )
    command = CommandSpec(
        name="SET_VOA",
        description="Set attenuation",
        schema={
            "properties": {
                "node_id": {"type": "integer"},
                "direction": {"type": "string"},
                "attenuation": {"type": ["number", "null"]},
            },
            "required": ["node_id"],
        },
        value_argument="attenuation",
        resource=ResourceChoice(
            argument="direction",
            resources={"add": "add_db", "drop": "drop_db", "fixed": "fixed_db"},
        ),
    )
    driver = Attenuators()
    controller = Controller(inventory, driver, commands=[command])

    @aic_app(name="Voa")
    class Voa(NetworkApp):
        aic_app_id = 1
        control_functions = {1: ["SET_VOA"]}  # noqa: RUF012 -- as an app writes it

    controller.add(Voa())
    return controller, driver


class Attenuators:
    """A driver of three numbers."""

    def __init__(self) -> None:
        self.values = {"add_db": 1.0, "drop_db": 1.0, "fixed_db": 1.0}

    async def read(self, node: Any) -> Any:
        del node
        return [Reading(metric=name, value=value) for name, value in self.values.items()]

    async def apply(self, node: Any, setting: Any) -> Any:
        del node
        self.values[setting.resource] = setting.value
        return "yes"


@pytest.mark.parametrize(
    ("arguments", "code", "reason", "nearest"),
    [
        ({"attenuation": 5}, "invalid_arguments", "direction is needed: node 1 has add,", None),
        ({"direction": "up", "attenuation": 5}, "not_settable", "has no up", "add"),
        ({"direction": "drip", "attenuation": 5}, "not_settable", "has no drip", "drop"),
        ({"direction": "fixed", "attenuation": 5}, "not_settable", "is read-only", None),
        ({"direction": "add"}, "invalid_arguments", "attenuation is None", None),
        ({"direction": "add", "attenuation": None}, "invalid_arguments", "is None", None),
        ({"direction": "add", "attenuation": 5.04}, "out_of_limits", "between the steps", 5.0),
        ({"direction": "add", "attenuation": 5.06}, "out_of_limits", "between the steps", 5.1),
        ({"direction": "add", "attenuation": 20.04}, "out_of_limits", "exceeds maximum", 20.0),
    ],
)
async def test_limits_of_a_resource_are_kept(
    arguments: dict[str, Any], code: str, reason: str, nearest: Any
) -> None:
    controller, driver = attenuators()
    async with controller:
        outcome = await controller.execute("Voa", "SET_VOA", {"node_id": 1, **arguments})

    assert (outcome.status, outcome.code) == ("rejected", code)
    assert reason in (outcome.reason or "")
    assert outcome.nearest == nearest
    assert set(driver.values.values()) == {1.0}


async def test_a_value_on_a_step_that_floats_cannot_hold_exactly_is_accepted() -> None:
    controller, _ = attenuators()
    async with controller:
        outcome = await controller.execute(
            "Voa",
            "SET_VOA",
            {"node_id": 1, "direction": "add", "attenuation": 1 + 3 * 0.1},
            dry_run=True,
        )

    assert outcome.status == "planned"


async def test_an_answer_that_is_no_acknowledgement_is_no_success() -> None:
    controller, _ = attenuators()
    async with controller:
        outcome = await controller.execute(
            "Voa", "SET_VOA", {"node_id": 1, "direction": "add", "attenuation": 5.0}
        )

    assert (outcome.status, outcome.code) == ("failed", "node_unavailable")
    assert outcome.reason == "node 1 answered a change with 'yes'; it did not confirm the change"
