"""Who may reach a gateway, under which name, and how much each may ask."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from gateway._credentials import Credentials
from gateway._jwt import JwtSettings, JwtTokens
from gateway._tenant_limits import TenantLimits
from gateway._tokens import TokenFile, read_tokens

__all__ = ["AccessSettings", "base_url"]

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def base_url(given: str) -> str:
    """Give a base URL in its plain form.

    Raises:
        ValueError: It is none: there is a path, a user, or no name of a host.
    """
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


class AccessSettings(BaseModel):
    """The settings of access; without any, everybody on this machine is its owner."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: Path | None = Field(
        default=None, description="The token file; None: no token is asked for."
    )
    jwt: JwtSettings = Field(
        default=JwtSettings(), description="Whose signed tokens are taken; by default nobody's."
    )
    public_url: Annotated[str, AfterValidator(base_url)] | None = Field(
        default=None, description="The base URL by which clients elsewhere know this service."
    )
    limits: TenantLimits = Field(
        default=TenantLimits(), description="What one tenant may ask for, where tokens are asked."
    )

    @property
    def asks(self) -> bool:
        """Whether everybody is asked who they are."""
        return self.tokens is not None or self.jwt.issuer is not None

    def credentials(self) -> tuple[Credentials, ...]:
        """Give what is taken as a proof of who asks; nothing, where nobody is asked.

        Raises:
            TokenFileError: The token file cannot be used.
            ValueError: Signed tokens are taken, and it is not said for which audience.
        """
        found: list[Credentials] = []
        if self.tokens is not None:
            # At once, so that a file that cannot be used keeps the service from starting.
            read_tokens(self.tokens)
            found.append(TokenFile(self.tokens))
        if self.jwt.issuer is not None:
            if self.jwt.audience is None and self.public_url is None:
                raise ValueError("signed tokens need an audience, or the base URL of the service")
            found.append(JwtTokens(self.jwt, audience=f"{self.public_url}/mcp"))
        return tuple(found)

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
