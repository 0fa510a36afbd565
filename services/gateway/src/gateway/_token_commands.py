"""The command `tercet token`: make, list and revoke tokens."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from gateway._roles import Role
from gateway._token_changes import create_token, revoke_token
from gateway._tokens import read_tokens

__all__ = ["TOKENS_VARIABLE", "token_app"]

TOKENS_VARIABLE = "TERCET_TOKENS"

token_app = typer.Typer(
    name="token", help="Make, list and revoke the tokens of a gateway.", no_args_is_help=True
)
_File = Annotated[Path, typer.Option("--tokens", envvar=TOKENS_VARIABLE, help="The token file.")]
_Name = Annotated[str, typer.Argument(help="The token's name, as records show it.")]


@token_app.command()
def create(  # noqa: PLR0917 -- each is an option of the command line
    name: _Name,
    tokens: _File,
    tenant: Annotated[str, typer.Option(help="Whose objects it reaches.")],
    role: Annotated[Role, typer.Option(help="What may be done with it.")],
    app: Annotated[
        list[str] | None,
        typer.Option(help="Only tools of this app; may be repeated. Left out: of all apps."),
    ] = None,
    expires_days: Annotated[
        float | None, typer.Option(help="For how many days it is valid.", min=0.001, max=36500.0)
    ] = None,
) -> None:
    """Make a token and print it; it cannot be shown again."""
    secret = create_token(
        tokens,
        name,
        tenant=tenant,
        role=role,
        apps=tuple(app) if app else None,
        expires_days=expires_days,
    )
    Console().out(secret, highlight=False)
    Console(stderr=True).print("Keep it safe: only its hash is kept, and it is not shown again.")


@token_app.command(name="list")
def list_tokens(
    tokens: _File,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,  # noqa: FBT002 -- a flag of the command line
) -> None:
    """List the tokens: whose they are and what they are worth, never the tokens themselves."""
    now_s, console = time.time(), Console()
    known = read_tokens(tokens).tokens
    if as_json:
        shown = [
            {**token.model_dump(mode="json", exclude={"digest"}), "state": token.state_at(now_s)}
            for token in known
        ]
        console.out(json.dumps(shown, indent=2), highlight=False)
        return
    table = Table(box=None, pad_edge=False)
    for column in ("name", "tenant", "role", "apps", "state", "expires (UTC)"):
        table.add_column(column)
    for token in known:
        table.add_row(
            token.name,
            token.tenant,
            token.role,
            "all" if token.apps is None else ", ".join(token.apps),
            token.state_at(now_s),
            _date(token.expires_at_s),
        )
    console.print(table)


@token_app.command()
def revoke(name: _Name, tokens: _File) -> None:
    """Take a token back, at once and for good."""
    revoke_token(tokens, name)
    Console(stderr=True).print(f"The token {name!r} is worth nothing any more.", markup=False)


def _date(unix_s: float | None) -> str:
    return "never" if unix_s is None else time.strftime("%Y-%m-%d %H:%M", time.gmtime(unix_s))
