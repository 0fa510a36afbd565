"""The command `tercet audit`: check and export the audit trail of a network's store."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from netctl.stores import AuditFile

__all__ = ["audit_app"]

audit_app = typer.Typer(
    name="audit",
    help="Check and export the audit trail in a network's store.",
    no_args_is_help=True,
)
_Store = Annotated[
    Path,
    typer.Option(
        "--network-store",
        envvar="TERCET_NETWORK_STORE",
        help="The SQLite file of the network; a gateway may be using it.",
    ),
]


@audit_app.command()
def verify(
    network_store: _Store,
    noted: Annotated[
        str | None,
        typer.Option(help="A digest that an earlier check printed: it must still be there."),
    ] = None,
) -> None:
    """Check every entry and print the last digest; the exit code is 1 where the trail is broken.

    Note the digest where nobody who can write the file can write: a trail forged as a whole
    is whole, but lacks it.
    """
    console, errors = Console(), Console(stderr=True)
    with errors.status("Checking every entry"):
        found = AuditFile(network_store).check(noted=noted)
    if found.broken_at is not None:
        errors.print(
            f"Broken at entry {found.broken_at}: it was altered or is missing, or one before it is "
            "missing.",
            style="red",
            soft_wrap=True,
        )
        raise typer.Exit(1)
    if noted is not None and found.noted_at is None:
        errors.print(
            f"Whole, but no entry has the digest {noted!r}: this is not the trail that was checked "
            "when it was noted.",
            style="red",
            markup=False,
            soft_wrap=True,
        )
        raise typer.Exit(1)
    console.out(f"Whole: {found.length} entries.", highlight=False)
    if found.head is not None:
        console.out(f"Last digest: {found.head}", highlight=False)
    if found.noted_at is not None:
        console.out(f"The digest that was noted is of entry {found.noted_at}.", highlight=False)


@audit_app.command()
def export(
    network_store: _Store,
    after: Annotated[
        int, typer.Option(help="Only entries with a larger number, for exports that go on.", min=0)
    ] = 0,
) -> None:
    """Print the entries, oldest first, each as one line of JSON."""
    for entry in AuditFile(network_store).entries(after=after):
        typer.echo(json.dumps(entry.to_dict(), sort_keys=True, separators=(",", ":")))
