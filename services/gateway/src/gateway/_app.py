"""The one web application: MCP on `/mcp`, REST beside it, over the same registry."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version as version_of

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import (
    DEFAULT_MAX_REQUEST_BODY_SIZE,
    RequestBodyLimitMiddleware,
)
from starlette.exceptions import HTTPException
from starlette.routing import Route

from gateway._app_routes import app_routes
from gateway._compose import Composition
from gateway._event_stream import event_routes
from gateway._health import health_routes
from gateway._instructions import INSTRUCTIONS
from gateway._mcp_info import InfoOrMcp
from gateway._message import message_routes
from gateway._problem import PROBLEMS, answer_bad_request, answer_crash, answer_http_error
from gateway._rest import info_of, tool_routes
from gateway._same_machine import SAME_MACHINE, SameMachine
from gateway.aic import MCPServer
from tercet.mcp import serve

__all__ = ["create_app"]


def create_app(composition: Composition) -> FastAPI:
    """Serve every tool of a composition, over MCP and over REST.

    The app's lifespan starts and stops the composition; an app is good for one lifespan.
    """
    version = version_of("tercet-gateway")
    server = serve(
        composition.registry,
        version=version,
        instructions=INSTRUCTIONS,
        prompts=composition.prompts,
    )
    # Stateless: any request may be the first. Not JSON only: with an event stream a client that
    # goes away cancels its call, and progress arrives.
    manager = StreamableHTTPSessionManager(
        app=server, stateless=True, json_response=False, security_settings=SAME_MACHINE
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
        StreamableHTTPASGIApp(manager), lambda: info_of(composition.registry, version=version)
    )
    # Exact routes, not a mount: a mount answers `/mcp` with a redirect that clients do not follow.
    for path in ("/mcp", "/mcp/"):
        app.router.routes.append(Route(path, endpoint=endpoint, include_in_schema=False))
    registry, controller = composition.registry, composition.controller
    messages = MCPServer(
        registry, version=version, instructions=INSTRUCTIONS, prompts=composition.prompts
    )
    for routes in (
        health_routes(composition, version=version),
        app_routes(controller, registry),
        message_routes(messages),
        event_routes(controller, registry),
        tool_routes(registry),
    ):
        app.include_router(routes, responses=PROBLEMS)
    app.add_exception_handler(RequestValidationError, answer_bad_request)
    app.add_exception_handler(HTTPException, answer_http_error)
    app.add_exception_handler(Exception, answer_crash)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=DEFAULT_MAX_REQUEST_BODY_SIZE)
    app.add_middleware(SameMachine)
    return app
