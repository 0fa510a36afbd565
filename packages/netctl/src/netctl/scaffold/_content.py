"""What a new app reads and sets, chosen from an inventory."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from netctl._command import CommandSpec, ResourceChoice
from netctl._errors import ScaffoldError
from netctl._inventory import Inventory, Node, Resource
from netctl.scaffold._names import AppNames

__all__ = ["AppContent", "NewCommand", "content_of"]

_LONGEST_COMMAND = 30
_LONGEST_TOOL_NAME = 64
_OTHER_TOOLS = ("get_measurements", "set_state", "get_state", "headroom")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCommand:
    """A command that the app's folder declares itself, for a resource that no shipped one sets.

    Attributes:
        name: In capitals.
        resource: The resource that it sets.
    """

    name: str
    resource: str

    def spec(self) -> CommandSpec:
        """The command, as the folder declares it."""
        return CommandSpec(
            name=self.name,
            description=f"Set {self.resource}",
            schema={
                "properties": {"node_id": {"type": "integer"}, "value": {"type": "number"}},
                "required": ["node_id", "value"],
            },
            value_argument="value",
            resource=self.resource,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContent:
    """What a new app reads and sets.

    Attributes:
        inventory: Everything there is.
        nodes: The app's nodes, in ascending order.
        shipped: The commands of the package that it sends.
        new: The commands that its folder declares.
    """

    inventory: Inventory
    nodes: tuple[Node, ...]
    shipped: tuple[CommandSpec, ...]
    new: tuple[NewCommand, ...]

    @property
    def commands(self) -> tuple[CommandSpec, ...]:
        """Every command that it sends."""
        return (*self.shipped, *(command.spec() for command in self.new))

    @property
    def metrics(self) -> dict[int, tuple[str, ...]]:
        """What it reads from each node."""
        return {node.node_id: node.metrics for node in self.nodes if node.metrics}

    @property
    def control(self) -> dict[int, tuple[str, ...]]:
        """The commands that it sends to each node."""
        names = {
            node.node_id: tuple(spec.name for spec in self.commands if settable(spec, node))
            for node in self.nodes
        }
        return {node_id: commands for node_id, commands in names.items() if commands}

    def targets(self, spec: CommandSpec) -> list[tuple[Node, Mapping[str, str], Resource]]:
        """Whatever a command sets: on which node, with which choosing argument, what."""
        name = spec.resource.argument if isinstance(spec.resource, ResourceChoice) else None
        return [
            (node, {} if name is None else {name: choice}, resource)
            for node in self.nodes
            for choice, resource in settable(spec, node).items()
        ]


def settable(spec: CommandSpec, node: Node) -> dict[str, Resource]:
    """The resources of a node that a command sets, by what chooses each; none that is read-only."""
    return {
        choice: resource
        for choice, resource in spec.choices(node).items()
        if not resource.read_only
    }


def content_of(
    names: AppNames,
    inventory: Inventory,
    node_ids: Sequence[int],
    shipped: Iterable[CommandSpec],
) -> AppContent:
    """What an app reads and sets on some nodes; on all where none are named.

    Raises:
        ScaffoldError: If a named node does not exist, is named twice, or has nothing to read or
            set; if there is no node left; if a tool's name would be too long.
    """
    nodes = _nodes(inventory, node_ids)
    known = tuple(shipped)
    used = tuple(spec for spec in known if any(settable(spec, node) for node in nodes))
    covered = {
        (node.node_id, resource.name)
        for spec in used
        for node in nodes
        for resource in settable(spec, node).values()
    }
    lacking = dict.fromkeys(
        resource.name
        for node in nodes
        for resource in node.resources
        if not resource.read_only and (node.node_id, resource.name) not in covered
    )
    new = _new_commands(lacking, taken={spec.name for spec in known})
    content = AppContent(inventory=inventory, nodes=nodes, shipped=used, new=new)
    _check_tool_names(names, content)
    return content


def _nodes(inventory: Inventory, node_ids: Sequence[int]) -> tuple[Node, ...]:
    known = inventory.node_ids
    shown = ", ".join(str(node_id) for node_id in known[:20]) + (", …" if len(known) > 20 else "")  # noqa: PLR2004 -- as many as a reader looks through
    for place, node_id in enumerate(node_ids):
        if node_id not in known:
            raise ScaffoldError(
                f"the inventory has no node {node_id}", hint=f"its nodes are {shown or 'none'}"
            )
        if node_id in node_ids[:place]:
            raise ScaffoldError(f"node {node_id} is named twice", hint="name each node once")
        if not inventory.node(node_id).metrics:
            raise ScaffoldError(
                f"node {node_id} measures nothing and has nothing to set",
                hint="give it metrics in the inventory, or leave it out",
            )
    chosen = [inventory.node(node_id) for node_id in node_ids or known]
    # A node whose resources could be set has metrics that read them back.
    useful = tuple(sorted((n for n in chosen if n.metrics), key=lambda node: node.node_id))
    if not useful:
        raise ScaffoldError(
            "no node of the inventory measures anything or has anything to set",
            hint="give a node metrics, and resources that can be set",
        )
    return useful


def _new_commands(resources: Iterable[str], *, taken: set[str]) -> tuple[NewCommand, ...]:
    names, commands = set(taken), list[NewCommand]()
    for resource in resources:
        stem = f"SET_{re.sub(r'[^A-Z0-9]', '_', resource.upper())}"[:_LONGEST_COMMAND]
        name, number = stem, 2
        while name in names:
            name, number = f"{stem}_{number}", number + 1
        names.add(name)
        commands.append(NewCommand(name=name, resource=resource))
    return tuple(commands)


def _check_tool_names(names: AppNames, content: AppContent) -> None:
    endings = [*_OTHER_TOOLS, *(spec.name.lower() for spec in content.commands)]
    longest = max(endings, key=len)
    room = _LONGEST_TOOL_NAME - len(longest) - 1
    if len(names.app) > room:
        raise ScaffoldError(
            f"the tool name '{names.app}_{longest}' is longer than {_LONGEST_TOOL_NAME} characters",
            hint=f"give the app a name of at most {room} characters",
        )
