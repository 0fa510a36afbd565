"""The web server around the application."""

import ipaddress
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import uvicorn
from fastapi import FastAPI

from gateway._patience import PatientHttp

__all__ = ["BindError", "address_of", "is_any_address", "listen_on", "serving", "web_server"]


class BindError(Exception):
    """The address cannot be listened on; the message says why and what to do."""


def listen_on(host: str, port: int, *, authenticated: bool = False) -> socket.socket:
    """Listen on an address; port 0 takes a free one.

    Args:
        host: An IP address, or localhost.
        port: The port.
        authenticated: Whether the service asks everybody who they are.

    Raises:
        BindError: The address is not loopback and nobody is asked, or it is taken.
    """
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise BindError(f"{host!r} is no IP address; use 127.0.0.1 or ::1") from None
    if not (address.is_loopback or authenticated):
        # Whoever reaches the port can command the network: never without authentication.
        raise BindError(
            f"{host} can be reached from other machines, and there is no authentication; make a "
            "token with 'tercet token create' and name its file by --tokens, or use 127.0.0.1"
        )
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 -- IPv4
    # The protocol is named: of a socket without, asyncio does not know that it may send small parts
    # at once, and each answer on a kept connection waits 40 ms for an acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
        app,
        http=PatientHttp,
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
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


def is_any_address(listener: socket.socket) -> bool:
    """Say whether a socket listens on every address, such as 0.0.0.0."""
    return ipaddress.ip_address(listener.getsockname()[0]).is_unspecified


def address_of(listener: socket.socket) -> str:
    """Give the base URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
