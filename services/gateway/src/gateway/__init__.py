"""Every tool of every domain on one MCP endpoint, with REST beside it."""

from gateway._access import AccessSettings
from gateway._app import create_app
from gateway._compose import Composition, compose
from gateway._serving import BindError, listen_on, serving
from gateway._settings import NetworkSettings, TaylorSettings
from gateway._tenant_limits import TenantLimits
from gateway._token_changes import create_token, revoke_token
from gateway._tokens import TokenFileError

__all__ = [
    "AccessSettings",
    "BindError",
    "Composition",
    "NetworkSettings",
    "TaylorSettings",
    "TenantLimits",
    "TokenFileError",
    "compose",
    "create_app",
    "create_token",
    "listen_on",
    "revoke_token",
    "serving",
]
