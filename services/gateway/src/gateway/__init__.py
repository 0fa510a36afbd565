"""Every tool of every domain on one MCP endpoint, with REST beside it."""

from gateway._access import AccessSettings
from gateway._app import McpPlugin, create_app
from gateway._compose import Composition, compose
from gateway._jwt import JwtSettings
from gateway._serving import BindError, listen_on, serving
from gateway._settings import (
    NetworkSettings,
    SessionSettings,
    TaskSettings,
    TaylorSettings,
    WorkerSettings,
)
from gateway._settings_file import GatewaySettings
from gateway._tenant_limits import TenantLimits
from gateway._token_changes import create_token, revoke_token
from gateway._tokens import TokenFileError
from gateway._trace_settings import TraceSettings, TracingError

__all__ = [
    "AccessSettings",
    "BindError",
    "Composition",
    "GatewaySettings",
    "JwtSettings",
    "McpPlugin",
    "NetworkSettings",
    "SessionSettings",
    "TaskSettings",
    "TaylorSettings",
    "TenantLimits",
    "TokenFileError",
    "TraceSettings",
    "TracingError",
    "WorkerSettings",
    "compose",
    "create_app",
    "create_token",
    "listen_on",
    "revoke_token",
    "serving",
]
