"""Every tool of every domain on one MCP endpoint, with REST beside it."""

from gateway._app import create_app
from gateway._compose import Composition, compose
from gateway._serving import BindError, listen_on, serving
from gateway._settings import NetworkSettings

__all__ = [
    "BindError",
    "Composition",
    "NetworkSettings",
    "compose",
    "create_app",
    "listen_on",
    "serving",
]
