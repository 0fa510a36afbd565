"""The module of a new app."""

from netctl.scaffold._content import AppContent
from netctl.scaffold._literal import Name, import_line, literal
from netctl.scaffold._names import AppNames

__all__ = ["app_module", "package_module"]

_READING = '''\
"""The app {app}: what it reads and what it sets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

{imports}
from netctl.drivers import simulated_plant

INVENTORY_FILE = Path(__file__).with_name("inventory.toml")
{commands}

@aic_app(name="{app}")
class {type}(NetworkApp):
    """{summary}"""

    aic_app_id: ClassVar[int] = {app_id}
    control_loop_update_time: ClassVar[float] = 1.0
    read_measurements: ClassVar[Mapping[int, Sequence[str]]] = {metrics}
{control}
    def __init__(self) -> None:
        self.silent_nodes: tuple[int, ...] = ()

    def process(self, measurements: Measurements) -> None:
        """Note which nodes tell nothing fresh. Your control law goes here, with add_command."""
        self.silent_nodes = tuple(
            node_id
            for node_id, metrics in self.read_measurements.items()
            if all(measurements.latest(node_id, name).quality != "good" for name in metrics)
        )
{guards}

def simulated_controller(**options: Any) -> Controller:
    """A controller of the inventory's simulated plant, with the app in it; options as of it."""
    inventory = load_inventory(INVENTORY_FILE)
    controller = Controller(inventory, simulated_plant(inventory), commands=COMMANDS, **options)
    controller.add({type}())
    return controller
'''

_GUARD = '''
    @command_validator({command})
    def guard_{method}(self, params: Mapping[str, Any]) -> Accept | Reject:
        """Refuse what leaves the app's own range."""
        return _within({command}, float(params[{argument}]))
'''

_OPERATION = '''
    @agent_controlled(
        name="headroom",
        description="How far each resource of a node can still be moved, by live readings",
        schema={{
            "properties": {{"node_id": {{"type": "integer", "enum": list(control_functions)}}}},
            "required": ["node_id"],
        }},
        read_only=True,
    )
    def headroom(self, arguments: Mapping[str, Any], measurements: Measurements) -> dict[str, Any]:
        """Answer, for each resource, its value and how far it can go down and up."""
        node = self.inventory.node(int(arguments["node_id"]))
        answer: dict[str, Any] = {{}}
        for resource in node.resources:
            value = measurements.require(node.node_id, resource.read_back_metric)
            down, up = value - resource.min, resource.max - value
            answer[resource.name] = {{"value": value, "down": down, "up": up}}
        return answer
'''

_WITHIN = """

def _within(command: str, value: float) -> Accept | Reject:
    lowest, highest = RANGES[command]
    if not lowest <= value <= highest:
        nearest = min(max(value, lowest), highest)
        return Reject(f"{value} is outside {lowest} to {highest}", nearest=nearest)
    return Accept()
"""

_NEW_COMMAND = """\
{constant} = CommandSpec(
    name={name},
    description={description},
    schema={{
        "properties": {{"node_id": {{"type": "integer"}}, "value": {{"type": "number"}}}},
        "required": ["node_id", "value"],
    }},
    value_argument="value",
    resource={resource},
)
"""


def package_module(names: AppNames) -> str:
    """What the package offers."""
    return (
        f'"""The app {names.app}."""\n\n'
        f"{import_line(f'{names.module}.app', [names.type, 'simulated_controller'])}\n\n"
        f"__all__ = {literal([names.type, 'simulated_controller'], lead=10)}\n"
    )


def app_module(names: AppNames, content: AppContent) -> str:
    """The module of the app: ranges of its own, commands of its own, and its class."""
    control = content.control
    return _READING.format(
        app=names.app,
        type=names.type,
        app_id=names.app_id,
        imports=_imports(content),
        summary="Reads its nodes, and sets them within ranges of its own."
        if control
        else "Reads its nodes.",
        commands=_commands(content),
        metrics=literal(content.metrics, indent=4, lead=63),
        control=_control(control),
        guards=_guards(content),
    )


def _imports(content: AppContent) -> str:
    names = {"Controller", "Measurements", "NetworkApp", "aic_app", "load_inventory"}
    names |= {spec.name for spec in content.shipped}
    names |= {"CommandSpec"} if content.new or not content.control else set()
    if content.control:
        names |= {"Accept", "Reject", "agent_controlled", "command_validator"}
    # Constants, then classes, then functions: the order of a sorted import.
    inorder = sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
    return import_line("netctl", inorder)


def _commands(content: AppContent) -> str:
    if not content.control:
        return "COMMANDS: tuple[CommandSpec, ...] = ()\n"
    made = [
        _NEW_COMMAND.format(
            constant=command.name,
            name=literal(command.name),
            description=literal(command.spec().description),
            resource=literal(command.resource),
        )
        for command in content.new
    ]
    names = tuple(Name(spec.name) for spec in content.commands)
    ranges = {
        spec.name: (
            min(float(resource.min) for _, _, resource in content.targets(spec)),
            max(float(resource.max) for _, _, resource in content.targets(spec)),
        )
        for spec in content.commands
    }
    return (
        "".join(made)
        + f"COMMANDS = {literal(names, lead=11)}\n"
        + "# The widest limits of the nodes: narrow them to what your network bears.\n"
        + f"RANGES = {literal(ranges, lead=9)}\n"
    )


def _control(control: dict[int, tuple[str, ...]]) -> str:
    if not control:
        return ""
    start = "    control_functions: ClassVar[Mapping[int, Sequence[str]]] = "
    return f"{start}{literal(control, indent=4, lead=len(start) - 4)}\n"


def _guards(content: AppContent) -> str:
    if not content.control:
        return ""
    guards = [
        _GUARD.format(
            command=literal(spec.name),
            method=spec.name.lower(),
            argument=literal(spec.value_argument),
        )
        for spec in content.commands
    ]
    return "".join(guards) + _OPERATION.format() + _WITHIN
