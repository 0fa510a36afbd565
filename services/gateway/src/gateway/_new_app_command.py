"""The command `tercet new-app`: a working folder of a new network app, from an inventory."""

import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from netctl import ScaffoldError, load_inventory
from netctl.scaffold import folder_name, new_app

__all__ = ["create_app", "write_folder"]


def create_app(
    name: Annotated[
        str, typer.Argument(help="The app's name: letters, digits, '_' and '-', a letter first.")
    ],
    inventory: Annotated[
        Path, typer.Option(help="The TOML file with the nodes; the folder keeps a copy of it.")
    ],
    node: Annotated[
        list[int] | None,
        typer.Option(help="A node of the app, by its id; repeat it. Left out: all of them."),
    ] = None,
    directory: Annotated[
        Path, typer.Option(help="Where the folder is made; it must be there.")
    ] = Path(),
) -> None:
    """Write the folder of a new network app, with a test that passes, from an inventory."""
    files = new_app(name, load_inventory(inventory), node_ids=node or ())
    folder = directory / folder_name(name)
    write_folder(folder, files)
    typer.echo(f"Wrote {folder}: {len(files)} files.")
    typer.echo(f"Try it: cd {folder} && python -m pytest")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a folder that is not there yet: whole, or not at all.

    Args:
        folder: Where; the folder around it is there.
        files: What, by path in it.

    Raises:
        ScaffoldError: If something of its name is there, or it cannot be written.
    """
    # A dangling link is something of its name too.
    if folder.exists() or folder.is_symlink():
        raise ScaffoldError(
            f"{str(folder)!r} is there already; nothing was written",
            hint="give another name or directory, or remove it first",
        )
    try:
        # Beside it, so that the last step is a renaming: other programs see nothing half done.
        with tempfile.TemporaryDirectory(prefix=".new-app-", dir=folder.parent) as holder:
            draft = Path(holder) / folder.name
            for path, text in files.items():
                file = draft.joinpath(*PurePosixPath(path).parts)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            draft.rename(folder)
    except OSError as error:
        raise ScaffoldError(
            f"{str(folder)!r} cannot be written: {error.strerror}; nothing is left of it",
            hint="check that its directory is there, its rights and the space on its disk",
        ) from error
