"""The apps that installed packages offer, under the entry point `netctl.apps`."""

from importlib.metadata import EntryPoint, entry_points

from netctl._app import NetworkApp
from netctl._errors import DeclarationError
from netctl._words import error_words

__all__ = ["installed_apps"]

_GROUP = "netctl.apps"


def installed_apps() -> dict[str, type[NetworkApp]]:
    """The class of each app that an installed package offers, by its entry point's name, sorted.

    Nothing is added to a controller: give an instance of each to `Controller.add`.

    Raises:
        DeclarationError: If one cannot be imported, or is no app.
    """
    found = sorted(entry_points(group=_GROUP), key=lambda point: point.name)
    return {point.name: _load(point) for point in found}


def _load(point: EntryPoint) -> type[NetworkApp]:
    try:
        app: object = point.load()
    # A package of somebody else's: whatever it raises on import is told under its name.
    except Exception as error:
        raise DeclarationError(
            f"the app {point.name!r} cannot be imported from {point.value!r}: {error_words(error)}",
            hint="mend its package, or uninstall it",
        ) from error
    if not (isinstance(app, type) and issubclass(app, NetworkApp)):
        raise DeclarationError(
            f"the entry point {point.name!r} names {point.value!r}, which is no NetworkApp",
            hint="let it name the class of the app, as 'package:Class'",
        )
    return app
