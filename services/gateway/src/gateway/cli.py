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
from gateway._audit_commands import audit_app
from gateway._cli_options import (
    ApproveAboveDb,
    ApproveByPerson,
    CommandsPerMinute,
    JwtAlgorithms,
    JwtAudience,
    JwtIssuer,
    JwtKeys,
    JwtLeewayS,
    JwtRoleClaim,
    JwtTenantClaim,
    MostDbPerChange,
    MostNodesPerHour,
    NetworkInventory,
    NetworkStore,
    NetworkWatch,
    PublicUrl,
    ReadOnly,
    SessionBytes,
    SessionObjects,
    Store,
    TaskAfterS,
    TaskKeepS,
    TaskKept,
    TaskRunning,
    TaskTimeoutS,
    TaylorCoefficients,
    TaylorInline,
    TaylorMemoryBytes,
    TaylorMultiplications,
    TaylorPortion,
    TaylorProduct,
    TenantCallsAtOnce,
    TenantCallsPerMinute,
    TenantCallsWaiting,
    TenantStreams,
    TenantWaitS,
    Tokens,
    TraceEndpoint,
    TraceShare,
    Url,
    WorkersCount,
    WorkersDeadlineS,
    WorkersMemoryBytes,
)
from gateway._commands import RemoteError
from gateway._config_command import config_app, defaults_of, settings_path
from gateway._demo import run_demo
from gateway._logging import log_to_stderr
from gateway._new_app_command import create_app
from gateway._serving import BindError
from gateway._settings_file import (
    CONFIG_VARIABLE,
    GatewaySettings,
    SettingsError,
    faults_of,
    read_settings,
    setting_names,
    variable_of,
)
from gateway._stdio import Family
from gateway._token_commands import token_app
from gateway._tokens import TokenFileError
from gateway._trace_settings import TracingError
from netctl import DeclarationError, InventoryError, PluginError, ScaffoldError, StoreError

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
_ALL = GatewaySettings()
_ALGORITHMS = ",".join(_ALL.jwt.algorithms)
# What a person can mend: said in one line, without a traceback.
_FAULTS = (
    BindError,
    DeclarationError,
    InventoryError,
    PluginError,
    RemoteError,
    ScaffoldError,
    SettingsError,
    StoreError,
    TokenFileError,
    TracingError,
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


def _settings_of(context: typer.Context) -> GatewaySettings:
    """The settings that the options of a command say, wherever their values come from."""
    names = {variable_of(name): name for name in setting_names()}
    nested: dict[str, Any] = {}
    for option in context.command.params:
        name = names.get(str(option.envvar))
        if name is None:
            continue
        section, _, inner = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[inner] = context.params[
            str(option.name)
        ]
    try:
        return GatewaySettings.model_validate(nested, strict=False)
    except ValidationError as error:
        raise typer.BadParameter("; ".join(map(str, faults_of(error)))) from error


@app.command()
def serve(  # noqa: PLR0917 -- each is an option of the command line
    context: typer.Context,
    host: Annotated[
        str,
        typer.Option(
            envvar="TERCET_HOST", help="The address; one that others reach needs --tokens."
        ),
    ] = _ALL.host,
    port: Annotated[
        int,
        typer.Option(envvar="TERCET_PORT", help="The port; 0 takes a free one.", min=0, max=65535),
    ] = _ALL.port,
    store: Store = None,
    network_inventory: NetworkInventory = None,
    network_watch: NetworkWatch = True,
    network_store: NetworkStore = None,
    read_only: ReadOnly = False,
    commands_per_minute: CommandsPerMinute = _ALL.network.commands_per_minute,
    most_db_per_change: MostDbPerChange = None,
    most_nodes_per_hour: MostNodesPerHour = None,
    approve_above_db: ApproveAboveDb = None,
    approve_by_person: ApproveByPerson = False,
    tokens: Tokens = None,
    jwt_issuer: JwtIssuer = None,
    jwt_keys: JwtKeys = None,
    jwt_audience: JwtAudience = None,
    jwt_algorithms: JwtAlgorithms = _ALGORITHMS,
    jwt_tenant_claim: JwtTenantClaim = _ALL.jwt.tenant_claim,
    jwt_role_claim: JwtRoleClaim = _ALL.jwt.role_claim,
    jwt_leeway_s: JwtLeewayS = _ALL.jwt.leeway_s,
    public_url: PublicUrl = None,
    tenant_calls_per_minute: TenantCallsPerMinute = _ALL.tenant.calls_per_minute,
    tenant_calls_at_once: TenantCallsAtOnce = _ALL.tenant.calls_at_once,
    tenant_calls_waiting: TenantCallsWaiting = _ALL.tenant.calls_waiting,
    tenant_wait_s: TenantWaitS = _ALL.tenant.wait_s,
    tenant_streams: TenantStreams = _ALL.tenant.streams,
    taylor_coefficients: TaylorCoefficients = _ALL.taylor.coefficients,
    taylor_product: TaylorProduct = _ALL.taylor.product,
    taylor_multiplications: TaylorMultiplications = _ALL.taylor.multiplications,
    taylor_memory_bytes: TaylorMemoryBytes = _ALL.taylor.memory_bytes,
    taylor_inline: TaylorInline = _ALL.taylor.inline,
    taylor_portion: TaylorPortion = _ALL.taylor.portion,
    workers_count: WorkersCount = None,
    workers_memory_bytes: WorkersMemoryBytes = _ALL.workers.memory_bytes,
    workers_deadline_s: WorkersDeadlineS = _ALL.workers.deadline_s,
    session_objects: SessionObjects = _ALL.session.objects,
    session_bytes: SessionBytes = _ALL.session.bytes,
    task_after_s: TaskAfterS = _ALL.task.after_s,
    task_timeout_s: TaskTimeoutS = _ALL.task.timeout_s,
    task_keep_s: TaskKeepS = _ALL.task.keep_s,
    task_running: TaskRunning = _ALL.task.running,
    task_kept: TaskKept = _ALL.task.kept,
    trace_endpoint: TraceEndpoint = None,
    trace_share: TraceShare = _ALL.trace.share,
) -> None:
    """Serve every tool on one MCP endpoint, with REST beside it."""
    anyio.run(_commands.serve, _settings_of(context))


@app.command()
def mcp(  # noqa: PLR0917 -- each is an option of the command line
    context: typer.Context,
    store: Store = None,
    only: Annotated[
        Family | None, typer.Option(help="Offer one family of tools: taylor or network.")
    ] = None,
    network_inventory: NetworkInventory = None,
    network_watch: NetworkWatch = True,
    network_store: NetworkStore = None,
    read_only: ReadOnly = False,
    commands_per_minute: CommandsPerMinute = _ALL.network.commands_per_minute,
    most_db_per_change: MostDbPerChange = None,
    most_nodes_per_hour: MostNodesPerHour = None,
    approve_above_db: ApproveAboveDb = None,
    approve_by_person: ApproveByPerson = False,
    taylor_coefficients: TaylorCoefficients = _ALL.taylor.coefficients,
    taylor_product: TaylorProduct = _ALL.taylor.product,
    taylor_multiplications: TaylorMultiplications = _ALL.taylor.multiplications,
    taylor_memory_bytes: TaylorMemoryBytes = _ALL.taylor.memory_bytes,
    taylor_inline: TaylorInline = _ALL.taylor.inline,
    taylor_portion: TaylorPortion = _ALL.taylor.portion,
    workers_count: WorkersCount = None,
    workers_memory_bytes: WorkersMemoryBytes = _ALL.workers.memory_bytes,
    workers_deadline_s: WorkersDeadlineS = _ALL.workers.deadline_s,
    session_objects: SessionObjects = _ALL.session.objects,
    session_bytes: SessionBytes = _ALL.session.bytes,
    task_after_s: TaskAfterS = _ALL.task.after_s,
    task_timeout_s: TaskTimeoutS = _ALL.task.timeout_s,
    task_keep_s: TaskKeepS = _ALL.task.keep_s,
    task_running: TaskRunning = _ALL.task.running,
    task_kept: TaskKept = _ALL.task.kept,
    trace_endpoint: TraceEndpoint = None,
    trace_share: TraceShare = _ALL.trace.share,
) -> None:
    """Serve one MCP client on standard input and output."""
    anyio.run(_commands.speak_stdio, _settings_of(context), only)


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
