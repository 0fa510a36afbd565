"""Stage 2, limits: what the inventory says the node and its resource can do, for any app."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from netctl._command import CommandSpec, ResourceChoice
from netctl._inventory import Inventory, Node, Resource
from netctl._nearest import nearest_in_range, nearest_of
from netctl._number import is_finite_number
from netctl._pipeline._refusal import CommandRefusedError
from netctl._translation import Translation

__all__ = ["Choices", "Target", "check_limits", "find_target"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a command sets.

    Attributes:
        node: On which node.
        resource: Which of its resources.
        value: To what, in the resource's unit.
        arguments: The command's arguments with the node's defaults filled in.
    """

    node: Node
    resource: Resource
    value: float
    arguments: Mapping[str, Any]

    @property
    def key(self) -> tuple[int, str]:
        """The one thing that two commands may contend for."""
        return self.node.node_id, self.resource.name


class Choices:
    """What each command can set on each node; both stay as they are, so it is looked up once.

    Args:
        inventory: The nodes.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._known: dict[tuple[str, int], tuple[Node, dict[str, Resource], str | None]] = {}

    def of(self, spec: CommandSpec, node_id: int) -> tuple[Node, dict[str, Resource], str | None]:
        """The node, what the command can set on it, and what is meant where nothing is said."""
        known = self._known.get((spec.name, node_id))
        if known is None:
            node = self._inventory.node(node_id)
            known = (node, spec.choices(node), spec.default_choice(node))
            self._known[spec.name, node_id] = known
        return known


def find_target(spec: CommandSpec, known: Choices, arguments: Mapping[str, Any]) -> Target:
    """The resource that valid arguments mean, and the value that it shall have."""
    node, choices, choice = known.of(spec, arguments["node_id"])
    if isinstance(spec.resource, Translation):
        try:
            resource, wanted = spec.resource.target(node, arguments)
        except ValueError as error:
            raise CommandRefusedError(str(error), code="not_settable") from error
        return Target(node=node, resource=resource, value=wanted, arguments=arguments)
    filled = dict(arguments)
    if isinstance(spec.resource, ResourceChoice):
        name = spec.resource.argument
        choice = arguments.get(name, choice)
        if choice is None:
            raise CommandRefusedError(
                f"{name} is needed: node {node.node_id} has {', '.join(choices)}",
                code="invalid_arguments",
                hint=f"give {name} one of {list(choices)!r}",
            )
        filled[name] = choice
    if choice not in choices:
        raise CommandRefusedError(
            f"node {node.node_id} has no {choice} that {spec.name} could set",
            code="not_settable",
            nearest=nearest_of(choice, choices) or next(iter(choices), None),
        )
    value = arguments.get(spec.value_argument)
    if not is_finite_number(value):
        raise CommandRefusedError(
            f"{spec.value_argument} is {value!r}, not a number", code="invalid_arguments"
        )
    return Target(node=node, resource=choices[choice], value=float(value), arguments=filled)


def check_limits(spec: CommandSpec, target: Target) -> None:
    """Refuse what the resource can never be set to, with the nearest value that it can."""
    resource, value = target.resource, target.value
    whose = f"of {resource.name} on node {target.node.node_id}"
    if resource.read_only:
        raise CommandRefusedError(
            f"{resource.name} on node {target.node.node_id} is read-only", code="not_settable"
        )
    nearest = nearest_in_range(
        value, minimum=resource.min, maximum=resource.max, step=resource.step
    )
    asked = f"{spec.value_argument or resource.name} {value!r} {resource.unit}"
    if value > resource.max:
        reason = f"{asked} exceeds maximum of {resource.max!r} {resource.unit} {whose}"
    elif value < resource.min:
        reason = f"{asked} is below minimum of {resource.min!r} {resource.unit} {whose}"
    elif resource.step is not None and abs(nearest - value) > 1e-6 * resource.step:
        reason = f"{asked} is between the steps of {resource.step!r} {resource.unit} {whose}"
    else:
        return
    raise CommandRefusedError(reason, code="out_of_limits", nearest=nearest)
