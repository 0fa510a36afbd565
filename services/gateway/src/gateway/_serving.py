"""The web server around the application."""

import ipaddress
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import uvicorn
from fastapi import FastAPI

__all__ = ["BindError", "listen_on", "serving", "web_server"]


class BindError(Exception):
    """The address cannot be listened on; the message says why and what to do."""


def listen_on(host: str, port: int) -> socket.socket:
    """Listen on a loopback address; port 0 takes a free one.

    Raises:
        BindError: The address is not loopback, or is taken.
    """
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise BindError(f"{host!r} is no IP address; use 127.0.0.1 or ::1") from None
    if not address.is_loopback:
        # Whoever reaches the port can command the network: never without authentication.
        raise BindError(
            f"{host} can be reached from other machines, and there is no authentication yet; "
            "use 127.0.0.1 or ::1, and a reverse proxy that authenticates for access from elsewhere"
        )
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 -- IPv4
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((str(address), port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise BindError(
            f"cannot listen on {address} port {port}: {error.strerror}; choose another --port"
        ) from error
    return listener


def web_server(app: FastAPI) -> uvicorn.Server:
    """Give a server for an app; open event streams do not hold up its end for long."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=2
    )
    return uvicorn.Server(config)


@asynccontextmanager
async def serving(app: FastAPI, listener: socket.socket) -> AsyncGenerator[str, None]:
    """Serve in the background of a block and give the address.

    The socket listens already, so a client may connect at once; it is answered as soon as the
    server is up.
    """
    server = web_server(app)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: server.serve(sockets=[listener]))
        try:
            yield address_of(listener)
        finally:
            server.should_exit = True


def address_of(listener: socket.socket) -> str:
    """Give the base URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
