"""How an app fits a network: what it reads and sets there, checked before it is there."""

from collections.abc import Mapping
from dataclasses import dataclass

from netctl._app import NetworkApp
from netctl._command import CommandSet
from netctl._declaration import AppDeclaration
from netctl._errors import DeclarationError, UnknownNameError
from netctl._inventory import Inventory
from netctl._nearest import nearest_of
from netctl._pipeline import Issuer

__all__ = ["AppFit", "fit_app"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppFit:
    """What an app has to do with an inventory and its commands.

    Attributes:
        inventory: The nodes.
        metrics: What it reads from each of its nodes, spelled out.
        issuer: In whose name it sends commands.
        nodes: The nodes that it reads or sets.
    """

    inventory: Inventory
    metrics: Mapping[int, tuple[str, ...]]
    issuer: Issuer
    nodes: frozenset[int]


def fit_app(
    app: NetworkApp, declaration: AppDeclaration, inventory: Inventory, commands: CommandSet
) -> AppFit:
    """Fit an app to an inventory; nothing is done to the app.

    Raises:
        DeclarationError: If what it declares does not exist in the inventory or the commands.
    """
    metrics = _known_metrics(declaration, inventory)
    _check_commands(declaration, inventory, commands)
    controlled = (node for nodes in declaration.commands.values() for node in nodes)
    return AppFit(
        inventory=inventory,
        metrics=metrics,
        issuer=Issuer(
            name=declaration.name,
            commands=declaration.commands,
            validators={
                command: getattr(app, method) for command, method in declaration.validators.items()
            },
        ),
        nodes=frozenset(metrics).union(controlled),
    )


def _known_metrics(declaration: AppDeclaration, inventory: Inventory) -> dict[int, tuple[str, ...]]:
    """The metrics that an app reads, spelled out, all of them declared by their nodes."""
    metrics: dict[int, tuple[str, ...]] = {}
    for node_id, names in declaration.metrics.items():
        available = _node_metrics(declaration, inventory, node_id)
        for name in names or ():
            if name not in available:
                nearest = nearest_of(name, available)
                raise DeclarationError(
                    f"app {declaration.name!r} reads {name!r}, "
                    f"which node {node_id} does not measure",
                    hint=f"did you mean {nearest!r}?" if nearest else f"it has {available!r}",
                )
        metrics[node_id] = available if names is None else names
    return metrics


def _node_metrics(
    declaration: AppDeclaration, inventory: Inventory, node_id: int
) -> tuple[str, ...]:
    try:
        return inventory.node(node_id).metrics
    except UnknownNameError as error:
        raise DeclarationError(
            f"app {declaration.name!r} names node {node_id}, which does not exist",
            hint=error.hint,
        ) from error


def _check_commands(
    declaration: AppDeclaration, inventory: Inventory, commands: CommandSet
) -> None:
    """Each command of an app exists, and each of its nodes has something that it sets."""
    for name, node_ids in declaration.commands.items():
        spec = commands.get(name)
        if spec is None:
            nearest = commands.nearest(name)
            raise DeclarationError(
                f"app {declaration.name!r} has the unknown command {name!r}",
                hint=f"did you mean {nearest!r}?"
                if nearest
                else f"give it to the controller, which knows {list(commands.names)!r}",
            )
        for node_id in node_ids:
            _node_metrics(declaration, inventory, node_id)
            if not spec.choices(inventory.node(node_id)):
                raise DeclarationError(
                    f"app {declaration.name!r} has {name!r} for node {node_id}, "
                    "which has nothing that it sets",
                    hint="remove it from control_functions, or add the resource to the inventory",
                )
