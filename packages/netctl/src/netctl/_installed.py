"""What installed packages offer: apps and plugins, under their entry points."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from netctl._app import NetworkApp
from netctl._errors import DeclarationError
from netctl._words import error_words

__all__ = ["installed_apps", "installed_plugins"]

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
