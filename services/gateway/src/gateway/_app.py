"""The one web application: MCP on `/mcp`, REST beside it, over the same registry."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version as version_of
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from gateway._access import AccessSettings
from gateway._admission import Admission
from gateway._answered_listings import AnsweredListings
from gateway._app_routes import app_routes
from gateway._compose import Composition
from gateway._door import OPEN_PATHS, Door
from gateway._event_stream import event_routes
from gateway._health import health_routes
from gateway._identity import context_source, identity_of
from gateway._instructions import INSTRUCTIONS
from gateway._known_names import KnownNames
from gateway._mcp_info import AtPaths, InfoOrMcp
from gateway._message import message_routes
from gateway._metrics import InFlight
from gateway._metrics_route import metrics_routes
from gateway._openapi import DescribedApi, problems_of_every_route
from gateway._problem import answer_bad_request, answer_crash, answer_http_error
from gateway._rest import info_of, tool_routes
from gateway._tenant_limits import TenantGate
from gateway._whole_body import WholeBody
from gateway.aic import MCPServer
from tercet.mcp import McpTasks, serve

__all__ = ["McpPlugin", "create_app"]

McpPlugin = Callable[[Server[Any]], None]
"""Is given the MCP server once, before it serves."""


def create_app(
    composition: Composition,
    access: AccessSettings | None = None,
    *,
    tasks: McpTasks | None = None,
    sessions: bool = False,
    plugins: Iterable[McpPlugin] = (),
    around: Callable[[ASGIApp], ASGIApp] | None = None,
) -> FastAPI:
    """Serve every tool of a composition, over MCP and over REST.

    The app's lifespan starts and stops the composition; an app is good for one lifespan.

    Args:
        composition: What is served.
        access: Who may ask; the owner of this machine where there is nothing said.
        tasks: What carries long calls on as tasks, entered with the app's lifespan; one with the
            default limits where there is none.
        sessions: Whether clients of the protocol's revisions up to 2025-11-25 get a session, which
            lets a tool ask the person or the model at such a client. It is kept in this process;
            without, any process of several may answer any request.
        plugins: What puts more on the MCP endpoint than tools, such as further methods.
        around: What sees every request first and every answer last, such as what traces them.

    Raises:
        TokenFileError: The token file cannot be used.
        ValueError: Signed tokens are taken, and it is not said for which audience.
    """
    admitted = access or AccessSettings()
    credentials = admitted.credentials()
    names, context_of = admitted.names(), context_source(composition.registry)
    version, carried = version_of("tercet-gateway"), tasks or McpTasks()
    server = serve(
        composition.registry,
        version=version,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
        context_of=context_of,
        tasks=carried,
    )
    added = tuple(plugins)
    for plugin in added:
        plugin(server)
    # Stateless: any request may be the first. Not JSON only: with an event stream a client that
    # goes away cancels its call, and progress arrives.
    manager = StreamableHTTPSessionManager(
        app=server,
        stateless=not sessions,
        json_response=False,
        # Names are checked outside, on every path.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        watching = composition.metrics.loop_lag.watching()
        async with composition.running(), carried, manager.run(), watching:
            yield

    app = DescribedApi(
        asks=admitted.asks,
        sessions=sessions,
        open_paths=OPEN_PATHS,
        title="Tercet gateway",
        version=version,
        description="Every tool on one MCP endpoint, `/mcp`, and as REST.",
        lifespan=lifespan,
        redirect_slashes=False,
        # What is counted and traced is the gateway's own: see `_metrics` and `_tracing`.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )

    transport: ASGIApp = StreamableHTTPASGIApp(manager)
    if not added:
        # Of a plugin it is not known on what its listings depend.
        transport = AnsweredListings(transport, composition.registry)
    endpoint = InfoOrMcp(
        transport,
        lambda scope: info_of(composition.registry, identity_of(scope).context(), version=version),
        sessions=sessions,
    )
    registry, controller = composition.registry, composition.controller
    messages = MCPServer(
        registry,
        version=version,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
        context_of=context_of,
    )
    app.include_router(
        health_routes(composition, version=version),
        responses=problems_of_every_route(asks=admitted.asks, open_to_strangers=True),
    )
    for routes in (
        app_routes(controller, registry),
        message_routes(messages),
        event_routes(controller, registry),
        tool_routes(registry),
        metrics_routes(composition, carried),
    ):
        app.include_router(routes, responses=problems_of_every_route(asks=admitted.asks))
    app.add_exception_handler(RequestValidationError, answer_bad_request)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(Exception, answer_crash)
    # From the inside to the outside: what a stranger sends is not even read.
    app.add_middleware(AtPaths, paths=("/mcp", "/mcp/"), endpoint=endpoint)
    app.add_middleware(WholeBody)
    if admitted.asks:
        app.add_middleware(Admission, gate=TenantGate(admitted.limits))
    app.add_middleware(
        Door,
        credentials=credentials,
        issuers=[admitted.jwt.issuer] if admitted.jwt.issuer else [],
        public_url=admitted.public_url,
    )
    app.add_middleware(KnownNames, names=names)
    app.add_middleware(InFlight, metrics=composition.metrics)
    if around is not None:
        app.add_middleware(around)
    return app
