"""The files of a new app's folder."""

from collections.abc import Iterable, Sequence

from netctl._command import CommandSpec
from netctl._inventory import Inventory
from netctl._inventory_file import inventory_text
from netctl._optical_commands import SET_GAIN, SET_TILT, SET_VOA
from netctl._ran_commands import RAN_COMMANDS
from netctl.scaffold._app_module import app_module, package_module
from netctl.scaffold._content import content_of
from netctl.scaffold._names import names_of
from netctl.scaffold._papers import project_file, readme
from netctl.scaffold._test_module import test_module

__all__ = ["folder_name", "new_app"]

_SHIPPED = (SET_GAIN, SET_TILT, SET_VOA, *RAN_COMMANDS)


def folder_name(app: str) -> str:
    """What the folder of an app is called.

    Raises:
        ScaffoldError: If it is no app name.
    """
    return names_of(app).package


def new_app(
    app: str,
    inventory: Inventory,
    *,
    node_ids: Sequence[int] = (),
    commands: Iterable[CommandSpec] = _SHIPPED,
) -> dict[str, str]:
    """The files of a folder with a new app, by their path in it, with `/` between its parts.

    The app reads every metric of its nodes and may send them every command that they can take; a
    resource that no known command sets gets one of the folder's own. The folder has a test that
    passes on the simulated plant of the inventory, and the same arguments give the same files.

    Args:
        app: The app's name, up to 47 characters.
        inventory: Everything there is; the folder keeps a copy.
        node_ids: The app's nodes; none: all that measure something.
        commands: The commands of the package `netctl`, by the names that it exports.

    Raises:
        ScaffoldError: If it is no app name, or no app can be made of these nodes.
    """
    names = names_of(app)
    content = content_of(names, inventory, node_ids, commands)
    source = f"src/{names.module}"
    return {
        "README.md": readme(names, content),
        "pyproject.toml": project_file(names),
        f"{source}/__init__.py": package_module(names),
        f"{source}/app.py": app_module(names, content),
        f"{source}/inventory.toml": inventory_text(inventory),
        f"tests/test_{names.module}.py": test_module(names, content),
    }
