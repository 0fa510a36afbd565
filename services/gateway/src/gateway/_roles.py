"""Which role may use which tool: one table, and what it does not name is refused."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from tercet import ALL_SCOPES, ToolFacts

__all__ = ["ROLES", "SCOPES_OF_ROLE", "Role", "role_may_use"]

Role = Literal["viewer", "operator", "approver", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)

_ALL = frozenset(ROLES)
_COMMANDS: frozenset[Role] = frozenset({"operator", "admin"})
_DECIDES: frozenset[Role] = frozenset({"approver", "admin"})
_ADMIN: frozenset[Role] = frozenset({"admin"})

# By the scopes that a tool asks for and by what it may do. A tool that fits no line is nobody's:
# whoever declares a new kind of tool has to say here whose it is.
_MAY_USE: Mapping[tuple[frozenset[str], str], frozenset[Role]] = MappingProxyType(
    {
        (frozenset[str](), "read"): _ALL,
        (frozenset[str](), "write"): _COMMANDS,
        (frozenset[str](), "destructive"): _COMMANDS,
        (frozenset({"taylor"}), "read"): _ALL,
        (frozenset({"taylor"}), "write"): _COMMANDS,
        (frozenset({"network"}), "read"): _ALL,
        (frozenset({"network", "network:write"}), "write"): _COMMANDS,
        (frozenset({"network", "network:operate"}), "read"): _DECIDES,
        (frozenset({"network", "network:operate"}), "write"): _DECIDES,
        (frozenset({"network", "network:admin"}), "write"): _ADMIN,
    }
)

SCOPES_OF_ROLE: Mapping[Role, frozenset[str]] = MappingProxyType(
    {
        "viewer": frozenset({"role:viewer", "taylor", "network"}),
        "operator": frozenset({"role:operator", "taylor", "network", "network:write"}),
        "approver": frozenset({"role:approver", "taylor", "network", "network:operate"}),
        "admin": frozenset({"role:admin", ALL_SCOPES}),
    }
)
"""What a caller of a role has; the policies of the network see these too."""


def role_may_use(role: Role, tool: ToolFacts) -> bool:
    """Say whether a role may see and call a tool."""
    return role in _MAY_USE.get((tool.scopes, tool.effect), frozenset())
