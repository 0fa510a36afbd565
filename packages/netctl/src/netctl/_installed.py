"""What installed packages offer: apps and plugins, under their entry points."""

import importlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from netctl._app import NetworkApp
from netctl._errors import DeclarationError
from netctl._fresh_modules import FreshModules
from netctl._words import error_words

__all__ = ["InstalledApps", "installed_apps", "installed_plugins"]

_APPS, _PLUGINS = "netctl.apps", "netctl.plugins"


def installed_apps() -> dict[str, type[NetworkApp]]:
    """The class of each app that an installed package offers, by its entry point's name, sorted.

    Nothing is added to a controller: give an instance of each to `Controller.add`.

    Raises:
        DeclarationError: If one cannot be imported, or is no app.
    """
    found: dict[str, type[NetworkApp]] = {}
    for point, app in _loaded(_APPS, "app"):
        if not issubclass(app, NetworkApp):
            raise DeclarationError(
                f"the entry point {point.name!r} names {point.value!r}, which is no NetworkApp",
                hint="let it name the class of the app, as 'package:Class'",
            )
        found[point.name] = app
    return found


class InstalledApps:
    """The apps of installed packages, found anew as often as that is asked for.

    An app whose package has changed since it was imported is imported again; what the package
    imports from elsewhere, and what belongs to this one, stays as it is until the process ends.
    """

    def __init__(self) -> None:
        self._modules = FreshModules()

    @contextmanager
    def found(self) -> Generator[dict[str, type[NetworkApp]], None, None]:
        """The class of each app, as `installed_apps`, for a block that takes them up.

        If one cannot be used, or the block raises, all modules are those that they were before.

        Raises:
            DeclarationError: If one cannot be imported, or is no app.
        """
        importlib.invalidate_caches()
        names = [point.module for point in entry_points(group=_APPS)]
        with self._modules.imported_again(names):
            apps = installed_apps()
            self._modules.note(names)
            yield apps


def installed_plugins() -> dict[str, type[Any]]:
    """The class of each plugin that an installed package offers, by its entry point's name, sorted.

    Nothing is made of them: give an instance of each to `Controller(plugins=…)`.

    Raises:
        DeclarationError: If one cannot be imported, or is no class.
    """
    return {point.name: plugin for point, plugin in _loaded(_PLUGINS, "plugin")}


def _loaded(group: str, what: str) -> Iterator[tuple[EntryPoint, type[Any]]]:
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            found: object = point.load()
        # A package of somebody else's: whatever it raises on import is told under its name.
        except Exception as error:
            raise DeclarationError(
                f"the {what} {point.name!r} cannot be imported from {point.value!r}: "
                f"{error_words(error)}",
                hint="mend its package, or uninstall it",
            ) from error
        if not isinstance(found, type):
            raise DeclarationError(
                f"the entry point {point.name!r} names {point.value!r}, which is no class",
                hint=f"let it name the class of the {what}, as 'package:Class'",
            )
        yield point, found
