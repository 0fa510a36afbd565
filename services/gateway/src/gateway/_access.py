"""Who may reach a gateway, under which name, and how much each may ask."""

from pathlib import Path
from urllib.parse import urlsplit

from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, ConfigDict, Field, field_validator

from gateway._tenant_limits import TenantLimits

__all__ = ["AccessSettings"]

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class AccessSettings(BaseModel):
    """The settings of access; without any, everybody on this machine is its owner."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: Path | None = Field(
        default=None, description="The token file; None: no token is asked for."
    )
    public_url: str | None = Field(
        default=None, description="The base URL by which clients elsewhere know this service."
    )
    limits: TenantLimits = Field(
        default=TenantLimits(), description="What one tenant may ask for, where tokens are asked."
    )

    @field_validator("public_url")
    @classmethod
    def _is_a_base_url(cls, given: str | None) -> str | None:
        if given is None:
            return None
        try:
            parts = urlsplit(given)
            port = parts.port
        except ValueError as error:
            raise ValueError(f"{given[:80]!r} is no URL") from error
        plain = given.rstrip("/").lower()
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or port == 0
            or plain != f"{parts.scheme}://{parts.netloc}".lower()
            or parts.username is not None
        ):
            raise ValueError(
                f"{given[:80]!r} is no base URL; give one such as https://tercet.example.org"
            )
        return plain

    def named(self, address: str) -> "AccessSettings":
        """Give the same settings, with a base URL where there is none."""
        return self if self.public_url else self.model_copy(update={"public_url": address})

    def names(self) -> TransportSecuritySettings:
        """Give the names that requests may use for this service, and the pages they may come from.

        A page in a browser can reach loopback. The Host check stops a foreign name that was pointed
        at this machine (DNS rebinding), the Origin check a foreign page that posts here.
        """
        hosts = [form for host in _LOOPBACK for form in (host, f"{host}:*")]
        origins = [form for host in _LOOPBACK for form in (f"http://{host}", f"http://{host}:*")]
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            hosts.append(parts.netloc)
            origins.append(self.public_url)
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
