"""Which network a gateway runs: the shipped line, or that of an operator's inventory."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netctl import (
    OPTICAL_COMMANDS,
    RAN_COMMANDS,
    CommandSpec,
    Driver,
    Inventory,
    NetworkApp,
    installed_apps,
    installed_plugins,
    load_inventory,
)
from netctl.apps.line import LineApp, LineTrimApp, simulated_line
from netctl.drivers import simulated_plant

__all__ = ["Network", "network_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The parts of a controller."""

    inventory: Inventory
    equipment: Driver
    apps: tuple[NetworkApp, ...]
    commands: tuple[CommandSpec, ...]
    plugins: tuple[Any, ...] = ()


def network_of(file: Path | None) -> Network:
    """Give the shipped line with its apps, or the simulated plant of an inventory.

    With an inventory, the apps and plugins are those that installed packages offer. Their commands
    are the shipped ones, and those that an app's module lists as `COMMANDS`.

    Raises:
        InventoryError: The inventory cannot be read.
        DeclarationError: An installed app or plugin cannot be imported, or is none.
    """
    if file is None:
        inventory, line = simulated_line()
        return Network(
            inventory=inventory,
            equipment=line,
            apps=(LineApp(), LineTrimApp()),
            commands=tuple(OPTICAL_COMMANDS),
        )
    inventory = load_inventory(file)
    apps = [app() for app in installed_apps().values()]
    return Network(
        inventory=inventory,
        equipment=simulated_plant(inventory),
        apps=tuple(apps),
        commands=tuple(_commands(apps)),
        plugins=tuple(plugin() for plugin in installed_plugins().values()),
    )


def _commands(apps: Sequence[NetworkApp]) -> Iterator[CommandSpec]:
    own = [getattr(sys.modules[type(app).__module__], "COMMANDS", ()) for app in apps]
    seen: set[str] = set()
    for spec in (*OPTICAL_COMMANDS, *RAN_COMMANDS, *(spec for specs in own for spec in specs)):
        if isinstance(spec, CommandSpec) and spec.name not in seen:
            seen.add(spec.name)
            yield spec
