"""The one web application: MCP on `/mcp`, REST beside it, over the same registry."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version as version_of

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.exceptions import HTTPException
from starlette.routing import Route

from gateway._access import AccessSettings
from gateway._admission import Admission
from gateway._app_routes import app_routes
from gateway._compose import Composition
from gateway._door import Door
from gateway._event_stream import event_routes
from gateway._health import health_routes
from gateway._identity import context_source, identity_of
from gateway._instructions import INSTRUCTIONS
from gateway._known_names import KnownNames
from gateway._mcp_info import InfoOrMcp
from gateway._message import message_routes
from gateway._metrics import InFlight
from gateway._metrics_route import metrics_routes
from gateway._problem import PROBLEMS, answer_bad_request, answer_crash, answer_http_error
from gateway._rest import info_of, tool_routes
from gateway._tenant_limits import TenantGate
from gateway._tokens import TokenFile, read_tokens
from gateway._whole_body import WholeBody
from gateway.aic import MCPServer
from tercet.mcp import serve

__all__ = ["create_app"]


def create_app(composition: Composition, access: AccessSettings | None = None) -> FastAPI:
    """Serve every tool of a composition, over MCP and over REST.

    The app's lifespan starts and stops the composition; an app is good for one lifespan.

    Args:
        composition: What is served.
        access: Who may ask; the owner of this machine where there is nothing said.

    Raises:
        TokenFileError: The token file cannot be used.
    """
    admitted = access or AccessSettings()
    tokens = None
    if admitted.tokens is not None:
        # At once, so that a file that cannot be used keeps the service from starting.
        read_tokens(admitted.tokens)
        tokens = TokenFile(admitted.tokens)
    names, context_of = admitted.names(), context_source(composition.registry)
    version = version_of("tercet-gateway")
    server = serve(
        composition.registry,
        version=version,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
        context_of=context_of,
    )
    # Stateless: any request may be the first. Not JSON only: with an event stream a client that
    # goes away cancels its call, and progress arrives.
    manager = StreamableHTTPSessionManager(
        app=server, stateless=True, json_response=False, security_settings=names
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with composition.running(), manager.run():
            yield

    app = FastAPI(
        title="Tercet gateway",
        version=version,
        description="Every tool on one MCP endpoint, `/mcp`, and as REST.",
        lifespan=lifespan,
        redirect_slashes=False,
    )

    endpoint = InfoOrMcp(
        StreamableHTTPASGIApp(manager),
        lambda scope: info_of(composition.registry, identity_of(scope).context(), version=version),
    )
    # Exact routes, not a mount: a mount answers `/mcp` with a redirect that clients do not follow.
    for path in ("/mcp", "/mcp/"):
        app.router.routes.append(Route(path, endpoint=endpoint, include_in_schema=False))
    registry, controller = composition.registry, composition.controller
    messages = MCPServer(
        registry,
        version=version,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
        context_of=context_of,
    )
    for routes in (
        health_routes(composition, version=version),
        app_routes(controller, registry),
        message_routes(messages),
        event_routes(controller, registry),
        tool_routes(registry),
        metrics_routes(composition),
    ):
        app.include_router(routes, responses=PROBLEMS)
    app.add_exception_handler(RequestValidationError, answer_bad_request)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(Exception, answer_crash)
    # From the inside to the outside: what a stranger sends is not even read.
    app.add_middleware(WholeBody)
    if tokens is not None:
        app.add_middleware(Admission, gate=TenantGate(admitted.limits))
    app.add_middleware(Door, tokens=tokens, public_url=admitted.public_url)
    app.add_middleware(KnownNames, names=names)
    app.add_middleware(InFlight, metrics=composition.metrics)
    return app
