"""Commands that a handler translates, registered on one controller."""

import json
from typing import Any

import pytest

from netctl import ChangeStateError, DeclarationError, NetworkApp, aic_app
from netctl.tools import bind
from tercet import ToolRegistry
from tercet.testing import contract_suite

pytestmark = pytest.mark.anyio

SCHEMA = {
    "description": "Set amplifier gain",
    "properties": {
        "node_id": {"type": "integer"},
        "amp_type": {"type": "string", "enum": ["preamp", "booster"]},
        "target_gain": {"type": "number", "description": "The gain"},
    },
    "required": ["node_id", "target_gain"],
}


def translate(node_id: int, value: dict[str, Any]) -> str:
    assert node_id == 8
    return json.dumps({f"{value.get('amp_type', 'booster')}_gain": value["target_gain"]})


@pytest.fixture
def handled(benches: Any) -> Any:
    """Makes a bench with a command of that handler and an app that sends it."""

    def make(handler: Any = translate, schema: Any = SCHEMA) -> Any:
        bench = benches(commands=())
        bench.controller.register_command("SET_GAIN", handler, schema)

        @aic_app(name="Classic")
        class Classic(NetworkApp):
            aic_app_id = 1
            control_functions = dict.fromkeys((8,), ("SET_GAIN",))

        bench.controller.add(Classic())
        return bench

    return make


async def test_a_handler_names_the_resource_by_an_alias(handled: Any, set_gain: Any) -> None:
    bench = handled()
    async with bench.controller:
        booster = await set_gain(bench.controller, 15.0, app="Classic")
        preamp = await set_gain(bench.controller, 9.0, app="Classic", amp_type="preamp")
        undone = await bench.controller.changes.rollback(2)

    assert (booster.status, booster.resource, bench.gain_db()) == (
        "verified",
        "booster_gain_db",
        15.0,
    )
    assert (preamp.status, preamp.resource) == ("verified", "preamp_gain_db")
    assert (undone.resource, undone.read_back) == ("preamp_gain_db", 16.0)


async def test_schema_and_limits_hold_for_what_a_handler_says(handled: Any, set_gain: Any) -> None:
    bench = handled()
    async with bench.controller:
        wrong = await set_gain(bench.controller, "much", app="Classic")
        far = await set_gain(bench.controller, 500.0, app="Classic")

    assert wrong.code == "invalid_arguments"
    assert (far.code, far.nearest) == ("out_of_limits", 35.0)
    assert far.reason == (
        "booster_gain_db 500.0 dB exceeds maximum of 35.0 dB of booster_gain_db on node 8"
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("no json", "Expecting value"),
        ([], "not one resource and its value"),
        ({"booster_gain": 1.0, "preamp_gain": 1.0}, "not one resource and its value"),
        ({"booster_gain": "1"}, "sets 'booster_gain' to '1', not a number"),
        ({"laser": 1.0}, "node 8 has no 'laser'; it has ['preamp_gain_db', 'booster_gain_db', "),
    ],
)
async def test_a_handler_that_names_no_resource_refuses(
    handled: Any, set_gain: Any, answer: Any, words: str
) -> None:
    def handler(node_id: int, value: dict[str, Any]) -> Any:
        del node_id, value
        return answer

    bench = handled(handler)
    async with bench.controller:
        outcome = await set_gain(bench.controller, 15.0, app="Classic")

    assert (outcome.status, outcome.code) == ("rejected", "not_settable")
    assert words in (outcome.reason or "")
    assert bench.driver.applied == []


async def test_a_handler_that_hides_its_value_cannot_be_undone(handled: Any) -> None:
    def handler(node_id: int, value: dict[str, Any]) -> Any:
        del node_id
        return {"booster_gain": value["payload"]["gain"]}

    bench = handled(handler, None)
    async with bench.controller:
        arguments = {"node_id": 8, "payload": {"gain": 15.0}}
        outcome = await bench.controller.execute("Classic", "SET_GAIN", arguments)
        assert outcome.status == "verified"
        with pytest.raises(ChangeStateError, match="none of its arguments is surely the value"):
            await bench.controller.changes.rollback(1)


async def test_a_command_with_a_handler_is_a_tool(handled: Any, call: Any, refuse: Any) -> None:
    bench, registry = handled(), ToolRegistry()
    bind(bench.controller, registry)
    async with bench.controller:
        await contract_suite(registry)
        done = await call(registry, "Classic_set_gain", node_id=8, target_gain=15.0)
        refused = await refuse(registry, "Classic_set_gain", node_id=8, target_gain=99.0)

    assert done["status"] == "verified"
    assert (refused["error_code"], refused["hint"]) == ("REJECTED", "nothing was changed")
    tool = registry.get("Classic_set_gain")
    assert tool.description.startswith("Set amplifier gain. App: Classic, Nodes: [8]")


def test_a_command_without_a_schema_has_the_documented_one(benches: Any) -> None:
    controller = benches(commands=()).controller
    controller.register_command("SET_TX_POWER", translate)

    spec = controller.commands.get("SET_TX_POWER")
    assert spec.description == "Execute Set Tx Power command"
    assert set(spec.schema["properties"]) == {"node_id", "payload"}


def test_a_command_is_registered_once_and_soundly(benches: Any) -> None:
    controller = benches().controller

    with pytest.raises(DeclarationError, match="two commands are named 'SET_GAIN'"):
        controller.register_command("SET_GAIN", translate, SCHEMA)
    with pytest.raises(DeclarationError, match="cannot be called"):
        controller.register_command("SET_VOA", "translate", SCHEMA)


async def test_what_a_handler_translated_is_taken_back(handled: Any, set_gain: Any) -> None:
    def handler(node_id: int, arguments: Any) -> Any:
        del node_id
        return {"booster_gain": arguments["target_gain"]}

    bench = handled(handler)
    async with bench.controller:
        await set_gain(bench.controller, 15.0, app="Classic", confirm_within_s=60.0)
        assert bench.gain_db() == 15.0
        await bench.clock.advance(61.0)

    assert bench.gain_db() == 12.0


@pytest.mark.parametrize("dry_run", [True, False])
async def test_what_could_not_be_taken_back_is_not_sent(
    handled: Any, set_gain: Any, *, dry_run: bool
) -> None:
    def handler(node_id: int, arguments: Any) -> Any:
        del node_id
        return {"booster_gain": arguments["target_gain"] - 1.0}

    bench = handled(handler)
    async with bench.controller:
        refused = await set_gain(
            bench.controller, 15.0, app="Classic", confirm_within_s=60.0, dry_run=dry_run
        )

    assert (refused.status, refused.code) == ("rejected", "cannot_be_undone")
    assert "it could not be taken back: the change was translated" in (refused.reason or "")
    assert bench.driver.applied == []
