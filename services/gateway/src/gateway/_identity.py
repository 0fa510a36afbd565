"""Who asks: established once at the door, and carried by the request to every face."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import INVALID_PARAMS

from gateway._roles import SCOPES_OF_ROLE, Role, role_may_use
from tercet import CallContext, ToolFacts, ToolRegistry
from tercet.mcp import ContextSource

__all__ = ["LOCAL", "Caller", "Identity", "context_source", "identify", "identity_of", "is_known"]

_KEY = "tercet_identity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who asks.

    Attributes:
        tenant: Whose objects are reachable, and who is charged.
        subject: The name for records and approvals.
        role: What may be done; None: everything, as on a machine of one's own.
        apps: The apps whose tools may be used; None: all of them.
    """

    tenant: str
    subject: str
    role: Role | None = None
    apps: frozenset[str] | None = None

    def may_use(self, tool: ToolFacts) -> bool:
        """Say whether a tool exists for this caller."""
        if self.apps is not None and tool.app not in self.apps:
            return False
        return self.role is None or role_may_use(self.role, tool)

    def context(self) -> CallContext:
        """Give the circumstances of one new call."""
        if self.role is None:
            return CallContext(tenant=self.tenant, subject=self.subject, tool_filter=self.may_use)
        return CallContext(
            tenant=self.tenant,
            subject=self.subject,
            scopes=SCOPES_OF_ROLE[self.role],
            tool_filter=self.may_use,
        )


LOCAL = Identity(tenant="local", subject="local")
"""The owner of this machine, on a loopback without tokens and on standard input."""


def identify(scope: MutableMapping[str, Any], identity: Identity) -> None:
    """Note on a request who sent it."""
    scope.setdefault("state", {})[_KEY] = identity


def identity_of(scope: Mapping[str, Any]) -> Identity:
    """Give who sent a request.

    Raises:
        KeyError: It came past the door: a defect, and never taken for the owner.
    """
    return scope["state"][_KEY]


def is_known(scope: Mapping[str, Any]) -> bool:
    """Say whether it is known who sent a request; on open paths it may be a stranger."""
    return _KEY in scope.get("state", {})


async def _context_of(request: Request) -> CallContext:
    return identity_of(request.scope).context()


Caller = Annotated[CallContext, Depends(_context_of)]
"""The caller of a route, as the context of its calls."""


def context_source(registry: ToolRegistry) -> ContextSource:
    """Say who calls over MCP; stored objects are only for who may read objects by a tool."""

    def context_of(ctx: ServerRequestContext[Any, Any]) -> CallContext:
        assert ctx.request is not None  # noqa: S101 -- served over HTTP only
        context = identity_of(ctx.request.scope).context()
        if _is_about_objects(ctx) and registry.find("read_object", context) is None:
            raise MCPError(
                code=INVALID_PARAMS,
                message="Resource not found",
                data={"hint": "this token reaches no stored objects"},
            )
        return context

    return context_of


def _is_about_objects(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Say whether a request can tell what objects there are."""
    if ctx.method != "completion/complete":
        return ctx.method.startswith("resources/")
    reference = (ctx.params or {}).get("ref")
    return isinstance(reference, Mapping) and "uri" in reference
