"""Mistakes in an app are errors when it is decorated or added, and the error names the fix."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from netctl import (
    SET_GAIN,
    CommandSpec,
    Controller,
    DeclarationError,
    MeasurementsHandler,
    NetworkApp,
    Reject,
    agent_controlled,
    aic_app,
    command_validator,
)
from netctl.apps.line import LineApp, simulated_line

pytestmark = pytest.mark.anyio


def app_class(name: str = "App", /, **attributes: Any) -> type[NetworkApp]:
    """A decorated app class with these attributes beside sound ones."""
    sound = {"aic_app_id": 1, "control_functions": {8: ["SET_GAIN"]}}
    return aic_app(name=name)(type("Made", (NetworkApp,), sound | attributes))


def controller() -> Controller:
    inventory, line = simulated_line()
    return Controller(inventory, line)


def refuse(*_arguments: Any) -> Reject:
    return Reject("never")


def operation(name: str, **more: Any) -> Callable[[Any], Any]:
    return agent_controlled(name=name, description="Do it", **more)


def operate(app: Any, arguments: Any, measurements: Any) -> None:
    del app, arguments, measurements


@pytest.mark.parametrize(
    ("attributes", "fault", "fix"),
    [
        ({"aic_app_id": "1"}, "aic_app_id is '1'", "aic_app_id = 1"),
        ({"aic_app_id": True}, "aic_app_id is True", "aic_app_id = 1"),
        ({"aic_app_id": 0}, "aic_app_id is 0", "aic_app_id = 1"),
        ({"control_loop_update_time": 0}, "control_loop_update_time is 0", "= 2.0"),
        ({"control_loop_update_time": float("nan")}, "control_loop_update_time is nan", "= 2.0"),
        ({"control_loop_update_time": "2"}, "control_loop_update_time is '2'", "= 2.0"),
        ({"priority": 1.5}, "priority is 1.5", "priority = 0"),
        ({"read_measurements": [3]}, "not a mapping", "{8: [...]}"),
        ({"read_measurements": {"3": ["gain_db"]}}, "key '3'", "{8: [...]}"),
        ({"read_measurements": {3: "gain_db"}}, "not a list", "{8: [...]}"),
        ({"read_measurements": {3: [0]}}, "holds 0", "ALL_MEASUREMENTS"),
        ({"control_functions": {8: [7]}}, "holds 7", "names of commands"),
        (
            {"guard": command_validator("SET_GIAN")(refuse)},
            "validates 'SET_GIAN'",
            "did you mean 'SET_GAIN'?",
        ),
        (
            {"guard": command_validator("X")(refuse), "control_functions": {}},
            "validates 'X'",
            "add it to control_functions",
        ),
        (
            {
                "one": command_validator("SET_GAIN")(refuse),
                "two": command_validator("SET_GAIN")(refuse),
            },
            "one and two both validate 'SET_GAIN'",
            "one method",
        ),
        (
            {
                "one": operation("go")(operate),
                "two": operation("go")(operate),
            },
            "one and two are both named 'go'",
            "its own name",
        ),
        ({"one": operation("set_state")(operate)}, "two tools 'App_set_state'", "rename"),
        ({"one": operation("set_gain")(operate)}, "two tools 'App_set_gain'", "rename"),
        ({"one": operation("a b")(operate)}, "'a b' is no operation name", "letters"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_is_an_error_when_decorating(
    attributes: dict[str, Any], fault: str, fix: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        app_class(**attributes)

    assert fault in str(caught.value)
    assert fix in str(caught.value.hint)


def test_an_app_without_an_id_is_an_error() -> None:
    with pytest.raises(DeclarationError, match="aic_app_id is None"):
        aic_app(name="App")(type("Made", (NetworkApp,), {}))


@pytest.mark.parametrize("name", ["", "two words", "1st", "x" * 49, None])
def test_a_bad_app_name_is_an_error(name: Any) -> None:
    with pytest.raises(DeclarationError, match="is no app name"):
        app_class(name)


def test_tool_names_that_would_be_too_long_are_an_error() -> None:
    with pytest.raises(DeclarationError, match="longer than 64 characters"):
        app_class("A" * 48, one=operation("o" * 20)(operate))


def test_only_network_apps_can_be_apps() -> None:
    with pytest.raises(DeclarationError, match="does not derive from NetworkApp"):
        aic_app(name="App")(int)  # pyright: ignore[reportArgumentType] -- the mistake


def test_a_validator_decorator_without_a_command_is_an_error() -> None:
    with pytest.raises(DeclarationError, match="needs a command's name") as caught:
        command_validator(refuse)  # pyright: ignore[reportArgumentType] -- the mistake

    assert caught.value.hint == "write @command_validator('SET_GAIN') above the method"


@pytest.mark.parametrize("thing", [int, 3, property(refuse)])
def test_marking_what_is_no_method_is_an_error(thing: Any) -> None:
    with pytest.raises(DeclarationError, match="is no method"):
        command_validator("SET_GAIN")(thing)


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"properties": {"x": {"type": "colour"}}}, "is no JSON Schema"),
        ({"properties": {}, "required": ["x"]}, "requires \\['x'\\]"),
    ],
)
def test_an_operation_with_a_bad_schema_is_an_error(schema: Any, fault: str) -> None:
    with pytest.raises(DeclarationError, match=fault):
        operation("go", schema=schema)


def wrapped(method: Any) -> Any:
    @functools.wraps(method)
    def wrapper(*args: Any) -> Any:
        return method(*args)

    return wrapper


@pytest.mark.parametrize(
    "order",
    [
        (command_validator("SET_GAIN"),),
        (command_validator("SET_GAIN"), classmethod),
        (classmethod, command_validator("SET_GAIN")),
        (command_validator("SET_GAIN"), wrapped),
        (wrapped, command_validator("SET_GAIN")),
        (wrapped, command_validator("SET_GAIN"), classmethod),
        (operation("go"), command_validator("SET_GAIN")),
        (command_validator("SET_GAIN"), operation("go")),
    ],
)
async def test_a_validator_is_asked_whatever_the_order_of_decorators(order: Any) -> None:
    method: Any = refuse
    for decorate in order:
        method = decorate(method)
    network = controller()
    network.add(app_class(guard=method)())
    async with network:
        outcome = await network.execute("App", "SET_GAIN", {"node_id": 8, "target_gain": 1})

    assert (outcome.status, outcome.reason) == ("rejected", "never")


async def test_a_static_validator_is_asked() -> None:
    network = controller()
    guard = staticmethod(command_validator("SET_GAIN")(refuse))
    network.add(app_class(guard=guard)())
    async with network:
        outcome = await network.execute("App", "SET_GAIN", {"node_id": 8, "target_gain": 1})

    assert outcome.reason == "never"


def test_an_inherited_validator_is_kept() -> None:
    class Parent(NetworkApp):
        guard = command_validator("SET_GAIN")(refuse)

    @aic_app(name="Child")
    class Child(Parent):
        aic_app_id = 1
        control_functions = {8: ["SET_GAIN"]}  # noqa: RUF012 -- as an app writes it

    network = controller()
    network.add(Child())

    assert network.app("Child").validators == {"SET_GAIN": "guard"}


def test_a_validator_cannot_get_lost_by_overriding() -> None:
    class Parent(NetworkApp):
        guard = command_validator("SET_GAIN")(refuse)

    class Child(Parent):
        aic_app_id = 1
        control_functions = {8: ["SET_GAIN"]}  # noqa: RUF012 -- as an app writes it

        def guard(self, params: Any) -> None:
            del params

    with pytest.raises(DeclarationError, match="hides a method with a ValidatorMark") as caught:
        aic_app(name="Child")(Child)

    assert caught.value.hint == "decorate it as the method that it replaces, or rename it"


def test_a_subclass_of_an_app_needs_a_name_of_its_own() -> None:
    class Derived(LineApp):
        pass

    with pytest.raises(DeclarationError, match="Derived is no declared app"):
        controller().add(Derived())


@pytest.mark.parametrize(
    ("attributes", "fault", "fix"),
    [
        ({"control_functions": {8: ["SET_GAINS"]}}, "unknown command 'SET_GAINS'", "'SET_GAIN'?"),
        (
            {"control_functions": {8: ["JUMP"]}},
            "unknown command 'JUMP'",
            "knows ['SET_GAIN', 'SET_TILT', 'SET_VOA']",
        ),
        ({"control_functions": {77: ["SET_GAIN"]}}, "names node 77", "known nodes: 3,"),
        ({"read_measurements": {77: ["gain_db"]}}, "names node 77", "known nodes: 3,"),
        ({"read_measurements": {3: ["gian_db"]}}, "node 3 does not measure", "'gain_db'?"),
        ({"read_measurements": {3: ["x"]}}, "node 3 does not measure", "it has ("),
    ],
)
def test_what_the_network_does_not_have_is_an_error_when_adding(
    attributes: dict[str, Any], fault: str, fix: str
) -> None:
    app = app_class(**attributes)()

    with pytest.raises(DeclarationError) as caught:
        controller().add(app)

    assert fault in str(caught.value)
    assert fix in str(caught.value.hint)


def test_a_command_that_sets_nothing_on_a_node_is_an_error_when_adding() -> None:
    inventory, line = simulated_line()
    tilt = CommandSpec(
        name="SET_TILT",
        description="Set tilt",
        schema={
            "properties": {"node_id": {"type": "integer"}, "tilt": {"type": "number"}},
            "required": ["node_id", "tilt"],
        },
        value_argument="tilt",
        resource="tilt_db",
    )
    network = Controller(inventory, line, commands=[SET_GAIN, tilt])

    with pytest.raises(DeclarationError, match="node 8, which has nothing that it sets"):
        network.add(app_class(control_functions={8: ["SET_TILT"]})())


def test_two_apps_cannot_share_a_name_an_id_or_an_instance() -> None:
    network, app = controller(), LineApp()
    network.add(app)

    with pytest.raises(DeclarationError, match="there is an app 'NetworkApp1' already"):
        network.add(LineApp())
    with pytest.raises(DeclarationError, match="has the aic_app_id 1 of 'NetworkApp1'"):
        network.add(app_class("Other")())
    with pytest.raises(DeclarationError, match="belongs to a controller already"):
        controller().add(app)
    assert [declared.name for declared in network.apps] == ["NetworkApp1"]


@pytest.mark.parametrize("option", ["poll_period_s", "driver_timeout_s"])
def test_a_period_that_is_no_period_is_an_error(option: str) -> None:
    inventory, line = simulated_line()
    for seconds in (0, -1.0, float("nan")):
        with pytest.raises(DeclarationError, match=f"{option} is "):
            Controller(inventory, line, **{option: seconds})  # pyright: ignore[reportArgumentType] -- by name


def test_two_commands_cannot_share_a_name() -> None:
    inventory, line = simulated_line()

    with pytest.raises(DeclarationError, match="two commands are named 'SET_GAIN'"):
        Controller(inventory, line, commands=[SET_GAIN, SET_GAIN])


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"name": "set_gain"}, "is no command name"),
        ({"value_argument": "gain"}, "lacks \\['gain'\\]"),
        ({"schema": {"properties": {"target_gain": {}}, "required": []}}, "lacks \\['node_id'"),
        ({"schema": {"properties": 3}}, "is no JSON Schema"),
        (
            {"schema": {"properties": {"node_id": {}, "dry_run": {}}, "required": ["node_id"]}},
            "has an argument 'dry_run'",
        ),
    ],
)
def test_a_command_that_does_not_fit_together_is_an_error(
    changes: dict[str, Any], fault: str
) -> None:
    sound = {
        "name": SET_GAIN.name,
        "description": SET_GAIN.description,
        "schema": SET_GAIN.schema,
        "value_argument": SET_GAIN.value_argument,
        "resource": SET_GAIN.resource,
    }

    with pytest.raises(DeclarationError, match=fault):
        CommandSpec(**(sound | changes))  # pyright: ignore[reportArgumentType] -- the mistakes


def test_an_app_declares_what_it_is() -> None:
    @aic_app(name="Whole")
    class Whole(NetworkApp):
        aic_app_id = 5
        control_loop_update_time = 2
        read_measurements = {3: ["gain_db", "gain_db"], 4: [MeasurementsHandler.ALL_MEASUREMENTS]}  # noqa: RUF012 -- as an app writes it
        control_functions = {8: ["SET_GAIN"], 7: ["SET_GAIN"]}  # noqa: RUF012 -- as an app writes it
        priority = 3

        @agent_controlled(name="go", description="Go", schema={"properties": {"how": {}}})
        def go(self, arguments: Any, measurements: Any) -> None:
            del arguments, measurements

    network = controller()
    network.add(Whole())
    declared = network.app("Whole")

    assert declared.app_id == 5
    assert declared.period_s == 2.0
    assert declared.timeout_s == 11.0
    assert declared.metrics == {3: ("gain_db",), 4: None}
    assert declared.commands == {"SET_GAIN": (7, 8)}
    assert declared.validators == {}
    assert declared.priority == 3
    assert declared.operations["go"].schema == {
        "type": "object",
        "properties": {"how": {}},
        "required": [],
        "additionalProperties": False,
    }


def test_the_shipped_command_has_exactly_the_documented_schema() -> None:
    assert SET_GAIN.description == "Set amplifier gain"
    assert {
        key: value
        for key, value in SET_GAIN.input_schema([8]).items()
        if key != "additionalProperties"
    } == {
        "type": "object",
        "properties": {
            "node_id": {"type": "integer", "enum": [8]},
            "amp_type": {"type": "string", "enum": ["line", "preamp", "booster"]},
            "target_gain": {"type": "number"},
        },
        "required": ["node_id", "target_gain"],
    }
    assert SET_GAIN.input_schema([8])["additionalProperties"] is False
