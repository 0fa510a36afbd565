"""Which network a gateway runs: the shipped line, or that of an operator's inventory."""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netctl import (
    OPTICAL_COMMANDS,
    RAN_COMMANDS,
    CommandSpec,
    Driver,
    InstalledApps,
    Inventory,
    NetworkApp,
    installed_plugins,
    load_inventory,
)
from netctl.apps.line import LineApp, LineTrimApp, simulated_line
from netctl.drivers import simulated_plant

__all__ = ["Network", "NetworkFile", "network_of", "stamp_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The parts of a controller."""

    inventory: Inventory
    equipment: Driver
    apps: tuple[NetworkApp, ...]
    commands: tuple[CommandSpec, ...]
    plugins: tuple[Any, ...] = ()


class NetworkFile:
    """An operator's inventory, and the apps that are installed for it, as they are now.

    Attributes:
        path: The file.
        stamp: What the file was like before it was read first.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = stamp_of(path)
        self._installed = InstalledApps()
        self._made: dict[type[NetworkApp], NetworkApp] = {}

    def inventory(self) -> Inventory:
        """What the file says.

        Raises:
            InventoryError: It cannot be read.
        """
        return load_inventory(self.path)

    @contextmanager
    def apps(
        self,
    ) -> Generator[tuple[tuple[NetworkApp, ...], tuple[CommandSpec, ...]], None, None]:
        """The apps that installed packages offer, and all commands, for a block that takes them up.

        An app whose class is the one of before is the same. If the block raises, what was
        imported anew is forgotten.

        Raises:
            DeclarationError: An app cannot be imported, or is none.
        """
        with self._installed.found() as classes:
            made = {kind: self._made.get(kind) or kind() for kind in classes.values()}
            apps = tuple(made.values())
            yield apps, tuple(_commands(apps))
        self._made = made


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """What tells a file from what it was before; None: there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def network_of(file: NetworkFile | None) -> Network:
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
    inventory = file.inventory()
    with file.apps() as (apps, commands):
        return Network(
            inventory=inventory,
            equipment=simulated_plant(inventory),
            apps=apps,
            commands=commands,
            plugins=tuple(plugin() for plugin in installed_plugins().values()),
        )


def _commands(apps: Sequence[NetworkApp]) -> Iterator[CommandSpec]:
    own = [getattr(sys.modules[type(app).__module__], "COMMANDS", ()) for app in apps]
    seen: set[str] = set()
    for spec in (*OPTICAL_COMMANDS, *RAN_COMMANDS, *(spec for specs in own for spec in specs)):
        if isinstance(spec, CommandSpec) and spec.name not in seen:
            seen.add(spec.name)
            yield spec
