"""The command `tercet`."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import anyio
import typer
from pydantic import ValidationError
from rich.console import Console

from gateway import _commands
from gateway._access import AccessSettings
from gateway._audit_commands import audit_app
from gateway._cli_options import (
    ApproveAboveDb,
    CommandsPerMinute,
    MostDbPerChange,
    MostNodesPerHour,
    NetworkStore,
    PublicUrl,
    ReadOnly,
    Store,
    TaylorCoefficients,
    TaylorMemoryBytes,
    TaylorMultiplications,
    TaylorProduct,
    TenantCallsAtOnce,
    TenantCallsPerMinute,
    TenantCallsWaiting,
    TenantStreams,
    TenantWaitS,
    Tokens,
    Url,
)
from gateway._commands import RemoteError
from gateway._config_command import config_app, defaults_of, settings_path
from gateway._demo import run_demo
from gateway._logging import log_to_stderr
from gateway._new_app_command import create_app
from gateway._serving import BindError
from gateway._settings import NetworkSettings, TaylorSettings
from gateway._settings_file import CONFIG_VARIABLE, SettingsError, read_settings, variable_of
from gateway._stdio import Family
from gateway._tenant_limits import TenantLimits
from gateway._token_commands import token_app
from gateway._tokens import TokenFileError
from netctl import InventoryError, ScaffoldError, StoreError

__all__ = ["app", "main"]

app = typer.Typer(
    name="tercet",
    help="Taylor algebra and network control as typed, safe tools for AI agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(token_app)
app.add_typer(audit_app)
app.add_typer(config_app)
app.command("new-app")(create_app)
_LIMITS, _TAYLOR = TenantLimits(), TaylorSettings()
# What a person can mend: said in one line, without a traceback.
_FAULTS = (
    BindError,
    InventoryError,
    RemoteError,
    ScaffoldError,
    SettingsError,
    StoreError,
    TokenFileError,
)


def main() -> None:
    """Run the command."""
    log_to_stderr(level="WARNING")
    try:
        app()
    except _FAULTS as error:
        hint = getattr(error, "hint", None)
        said = f"tercet: {error}" if hint is None else f"tercet: {error}; {hint}"
        Console(stderr=True).print(said, style="red", highlight=False, markup=False, soft_wrap=True)
        raise SystemExit(2) from error


@app.callback()
def settings(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            envvar=CONFIG_VARIABLE,
            help="The settings file; left out: tercet.toml, if this folder has one.",
        ),
    ] = None,
) -> None:
    """Taylor algebra and network control as typed, safe tools for AI agents."""
    path = settings_path(config)
    if path is None or context.invoked_subcommand == "config":
        return
    given = read_settings(path).given(path.absolute().parent)
    context.default_map = defaults_of(
        context.command, {variable_of(name): value for name, value in given}
    )
    if context.invoked_subcommand in {"serve", "mcp"}:
        Console(stderr=True).print(f"Settings: {path}", highlight=False, markup=False)


def _network_settings(**given: Any) -> NetworkSettings:
    try:
        return NetworkSettings(**given)
    except ValidationError as error:
        faults = [f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors()]
        raise typer.BadParameter("; ".join(faults)) from error


@app.command()
def serve(  # noqa: PLR0917 -- each is an option of the command line
    host: Annotated[
        str,
        typer.Option(
            envvar="TERCET_HOST", help="The address; one that others reach needs --tokens."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(envvar="TERCET_PORT", help="The port; 0 takes a free one.", min=0, max=65535),
    ] = 8000,
    store: Store = None,
    network_store: NetworkStore = None,
    read_only: ReadOnly = False,
    commands_per_minute: CommandsPerMinute = 120.0,
    most_db_per_change: MostDbPerChange = None,
    most_nodes_per_hour: MostNodesPerHour = None,
    approve_above_db: ApproveAboveDb = None,
    tokens: Tokens = None,
    public_url: PublicUrl = None,
    tenant_calls_per_minute: TenantCallsPerMinute = _LIMITS.calls_per_minute,
    tenant_calls_at_once: TenantCallsAtOnce = _LIMITS.calls_at_once,
    tenant_calls_waiting: TenantCallsWaiting = _LIMITS.calls_waiting,
    tenant_wait_s: TenantWaitS = _LIMITS.wait_s,
    tenant_streams: TenantStreams = _LIMITS.streams,
    taylor_coefficients: TaylorCoefficients = _TAYLOR.coefficients,
    taylor_product: TaylorProduct = _TAYLOR.product,
    taylor_multiplications: TaylorMultiplications = _TAYLOR.multiplications,
    taylor_memory_bytes: TaylorMemoryBytes = _TAYLOR.memory_bytes,
) -> None:
    """Serve every tool on one MCP endpoint, with REST beside it."""
    network = _network_settings(
        store=network_store,
        read_only=read_only,
        commands_per_minute=commands_per_minute,
        most_db_per_change=most_db_per_change,
        most_nodes_per_hour=most_nodes_per_hour,
        approve_above_db=approve_above_db,
    )
    limits = TenantLimits(
        calls_per_minute=tenant_calls_per_minute,
        calls_at_once=tenant_calls_at_once,
        calls_waiting=tenant_calls_waiting,
        wait_s=tenant_wait_s,
        streams=tenant_streams,
    )
    try:
        access = AccessSettings(tokens=tokens, public_url=public_url, limits=limits)
    except ValidationError as error:
        raise typer.BadParameter(error.errors()[0]["msg"], param_hint="--public-url") from error
    taylor = TaylorSettings(
        coefficients=taylor_coefficients,
        product=taylor_product,
        multiplications=taylor_multiplications,
        memory_bytes=taylor_memory_bytes,
    )
    anyio.run(_commands.serve, host, port, store, network, access, taylor)


@app.command()
def mcp(  # noqa: PLR0917 -- each is an option of the command line
    store: Store = None,
    only: Annotated[
        Family | None, typer.Option(help="Offer one family of tools: taylor or network.")
    ] = None,
    network_store: NetworkStore = None,
    read_only: ReadOnly = False,
    commands_per_minute: CommandsPerMinute = 120.0,
    most_db_per_change: MostDbPerChange = None,
    most_nodes_per_hour: MostNodesPerHour = None,
    approve_above_db: ApproveAboveDb = None,
    taylor_coefficients: TaylorCoefficients = _TAYLOR.coefficients,
    taylor_product: TaylorProduct = _TAYLOR.product,
    taylor_multiplications: TaylorMultiplications = _TAYLOR.multiplications,
    taylor_memory_bytes: TaylorMemoryBytes = _TAYLOR.memory_bytes,
) -> None:
    """Serve one MCP client on standard input and output."""
    network = _network_settings(
        store=network_store,
        read_only=read_only,
        commands_per_minute=commands_per_minute,
        most_db_per_change=most_db_per_change,
        most_nodes_per_hour=most_nodes_per_hour,
        approve_above_db=approve_above_db,
    )
    taylor = TaylorSettings(
        coefficients=taylor_coefficients,
        product=taylor_product,
        multiplications=taylor_multiplications,
        memory_bytes=taylor_memory_bytes,
    )
    anyio.run(_commands.speak_stdio, store, only, network, taylor)


@app.command()
def tools(
    url: Url = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print names and schemas as JSON.")
    ] = False,
) -> None:
    """List the tools."""
    anyio.run(partial(_commands.list_tools, url=url, as_json=as_json))


@app.command()
def call(
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    arguments: Annotated[str, typer.Argument(help="Its arguments, a JSON object.")] = "{}",
    url: Url = None,
    store: Store = None,
) -> None:
    """Call one tool and print its answer; the exit code is 1 where the answer is an error."""
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"not JSON: {error}", param_hint="ARGUMENTS") from error
    if not isinstance(parsed, dict):
        raise typer.BadParameter('not a JSON object such as {"name": 1}', param_hint="ARGUMENTS")
    given = cast("dict[str, Any]", parsed)
    ok = anyio.run(partial(_commands.call_tool, name, given, url=url, store=store))
    raise typer.Exit(0 if ok else 1)


@app.command()
def demo(
    wanted_dbm: Annotated[
        float,
        typer.Option(help="The power wanted at the line's end, in dBm.", min=0.0, max=6.0),
    ] = 4.0,
) -> None:
    """Run one story end to end, offline: bring a line's output power to a wanted value."""
    raise typer.Exit(anyio.run(run_demo, wanted_dbm, Console()))
