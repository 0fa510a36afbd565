"""The options of the command line that are settings."""

from pathlib import Path
from typing import Annotated

import typer

from gateway._token_commands import TOKENS_VARIABLE

__all__ = [
    "ApproveAboveDb",
    "ApproveByPerson",
    "CommandsPerMinute",
    "JwtAlgorithms",
    "JwtAudience",
    "JwtIssuer",
    "JwtKeys",
    "JwtLeewayS",
    "JwtRoleClaim",
    "JwtTenantClaim",
    "MostDbPerChange",
    "MostNodesPerHour",
    "NetworkInventory",
    "NetworkStore",
    "NetworkWatch",
    "PublicUrl",
    "ReadOnly",
    "SessionBytes",
    "SessionObjects",
    "Store",
    "TaskAfterS",
    "TaskKeepS",
    "TaskKept",
    "TaskRunning",
    "TaskTimeoutS",
    "TaylorCoefficients",
    "TaylorInline",
    "TaylorMemoryBytes",
    "TaylorMultiplications",
    "TaylorPortion",
    "TaylorProduct",
    "TenantCallsAtOnce",
    "TenantCallsPerMinute",
    "TenantCallsWaiting",
    "TenantStreams",
    "TenantWaitS",
    "Tokens",
    "TraceEndpoint",
    "TraceShare",
    "Url",
    "WorkersCount",
    "WorkersDeadlineS",
    "WorkersMemoryBytes",
]

Store = Annotated[
    Path | None,
    typer.Option(
        envvar="TERCET_STORE",
        help="Keep stored objects in this SQLite file instead of in memory.",
    ),
]
NetworkInventory = Annotated[
    Path | None,
    typer.Option(
        envvar="TERCET_NETWORK_INVENTORY",
        help="Simulate the network of this TOML file, with the apps that installed packages offer.",
    ),
]
NetworkWatch = Annotated[
    bool,
    typer.Option(
        "--network-watch/--no-network-watch",
        envvar="TERCET_NETWORK_WATCH",
        help="Whether the network's file is taken up again when it has changed.",
    ),
]
NetworkStore = Annotated[
    Path | None,
    typer.Option(
        envvar="TERCET_NETWORK_STORE",
        help="Keep changes, approvals, the audit trail and the apps' states in this SQLite file.",
    ),
]
ReadOnly = Annotated[
    bool,
    typer.Option(
        "--read-only",
        envvar="TERCET_NETWORK_READ_ONLY",
        help="Start with the kill switch on: every change is refused.",
    ),
]
CommandsPerMinute = Annotated[
    float,
    typer.Option(
        envvar="TERCET_NETWORK_COMMANDS_PER_MINUTE",
        help="How many commands one caller may send.",
        min=1.0,
    ),
]
MostDbPerChange = Annotated[
    float | None,
    typer.Option(
        envvar="TERCET_NETWORK_MOST_DB_PER_CHANGE", help="How far one command may go.", min=0.001
    ),
]
MostNodesPerHour = Annotated[
    int | None,
    typer.Option(
        envvar="TERCET_NETWORK_MOST_NODES_PER_HOUR",
        help="How many nodes may be changed in an hour.",
        min=1,
    ),
]
ApproveAboveDb = Annotated[
    float | None,
    typer.Option(
        envvar="TERCET_NETWORK_APPROVE_ABOVE_DB",
        help="From which size on a change waits until somebody else than who asked approves it.",
        min=0.0,
    ),
]
ApproveByPerson = Annotated[
    bool,
    typer.Option(
        "--approve-by-person",
        envvar="TERCET_NETWORK_APPROVE_BY_PERSON",
        help="Have nothing approved without a person at a client that can ask one; else the role "
        "of the caller is enough where nobody can be asked.",
    ),
]
Tokens = Annotated[
    Path | None,
    typer.Option(
        envvar=TOKENS_VARIABLE,
        help="Ask everybody for a token of this file; see: tercet token create.",
    ),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(
        envvar="TERCET_PUBLIC_URL",
        help="The base URL by which clients elsewhere know this service.",
    ),
]
JwtIssuer = Annotated[
    str | None,
    typer.Option(
        envvar="TERCET_JWT_ISSUER",
        help="Take signed tokens of this issuer; exactly as in their claim iss.",
    ),
]
JwtKeys = Annotated[
    str | None,
    typer.Option(
        envvar="TERCET_JWT_KEYS", help="The https address, or the file, of the issuer's JWK Set."
    ),
]
JwtAudience = Annotated[
    str | None,
    typer.Option(
        envvar="TERCET_JWT_AUDIENCE",
        help="What the claim aud has to name; left out: the base URL of the service with /mcp.",
    ),
]
JwtAlgorithms = Annotated[
    str,
    typer.Option(
        envvar="TERCET_JWT_ALGORITHMS",
        help="The algorithms that may have signed a token, with commas between them.",
    ),
]
JwtTenantClaim = Annotated[
    str,
    typer.Option(
        envvar="TERCET_JWT_TENANT_CLAIM", help="The claim that is the tenant; dots lead inwards."
    ),
]
JwtRoleClaim = Annotated[
    str,
    typer.Option(
        envvar="TERCET_JWT_ROLE_CLAIM",
        help="The claim that is the role, or a list with one role in it; dots lead inwards.",
    ),
]
JwtLeewayS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_JWT_LEEWAY_S",
        help="How far the issuer's clock may be from this one, in s.",
        min=0.0,
        max=60.0,
    ),
]
TraceEndpoint = Annotated[
    str | None,
    typer.Option(
        envvar="TERCET_TRACE_ENDPOINT",
        help="Send traces to the collector with this base address, by OTLP over HTTP.",
    ),
]
TraceShare = Annotated[
    float,
    typer.Option(
        envvar="TERCET_TRACE_SHARE",
        help="Which part of the traces that begin here is sent.",
        min=0.0,
        max=1.0,
    ),
]
TenantCallsPerMinute = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TENANT_CALLS_PER_MINUTE", help="How often one tenant may ask.", min=1
    ),
]
TenantCallsAtOnce = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TENANT_CALLS_AT_ONCE", help="How many calls of a tenant run.", min=1
    ),
]
TenantCallsWaiting = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TENANT_CALLS_WAITING", help="How many calls of a tenant wait.", min=0
    ),
]
TenantWaitS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_TENANT_WAIT_S", help="How long a call waits for its turn, in s.", min=0.0
    ),
]
TenantStreams = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TENANT_STREAMS", help="How many event streams a tenant has.", min=1
    ),
]
TaylorCoefficients = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_COEFFICIENTS",
        help="How many coefficients an object of the Taylor tools may have.",
        min=1,
    ),
]
TaylorProduct = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_PRODUCT",
        help="How many multiplications one product of two functions may take.",
        min=1,
    ),
]
TaylorMultiplications = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_MULTIPLICATIONS",
        help="How many multiplications a call of a Taylor tool may take.",
        min=1,
    ),
]
TaylorInline = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_INLINE",
        help="How many multiplications are done at once; more are a worker's.",
        min=0,
    ),
]
TaylorPortion = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_PORTION",
        help="How many multiplications come between two reports of progress.",
        min=1,
    ),
]
TaylorMemoryBytes = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TAYLOR_MEMORY_BYTES",
        help="How much memory a call of a Taylor tool may take, in bytes.",
        min=1,
    ),
]
WorkersCount = Annotated[
    int | None,
    typer.Option(
        envvar="TERCET_WORKERS_COUNT",
        help="How many processes compute at most; left out: as many as there are processors.",
        min=1,
    ),
]
WorkersMemoryBytes = Annotated[
    int,
    typer.Option(
        envvar="TERCET_WORKERS_MEMORY_BYTES",
        help="How much memory each of them may take beside its own code and data, in bytes.",
        min=256 * 1024 * 1024,
    ),
]
WorkersDeadlineS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_WORKERS_DEADLINE_S",
        help="How long one call may be computed, in s.",
        min=0.001,
    ),
]
SessionObjects = Annotated[
    int,
    typer.Option(
        envvar="TERCET_SESSION_OBJECTS", help="How many objects a session may keep.", min=1
    ),
]
SessionBytes = Annotated[
    int,
    typer.Option(
        envvar="TERCET_SESSION_BYTES",
        help="How much the objects of a session may take, in bytes.",
        min=1,
    ),
]
TaskAfterS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_TASK_AFTER_S",
        help="How long a client that knows tasks waits before its call becomes one, in s.",
        min=0.0,
    ),
]
TaskKeepS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_TASK_KEEP_S",
        help="How long what became of a task can be asked for, in s.",
        min=0.0,
    ),
]
TaskTimeoutS = Annotated[
    float,
    typer.Option(
        envvar="TERCET_TASK_TIMEOUT_S",
        help="How long a call may run once it is a task, in s.",
        min=0.001,
    ),
]
TaskRunning = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TASK_RUNNING", help="How many tasks of a tenant run at once.", min=0
    ),
]
TaskKept = Annotated[
    int,
    typer.Option(
        envvar="TERCET_TASK_KEPT", help="How many tasks of a tenant are known at once.", min=0
    ),
]
Url = Annotated[
    str | None,
    typer.Option(help="Ask a running gateway, such as http://127.0.0.1:8000/mcp, instead."),
]
