"""Signed tokens of an identity provider: JSON Web Tokens (RFC 7519), checked by RFC 8725.

An access token is good if one of the pinned algorithms signed it with a key of the issuer, if it
is from the issuer and for this service, and if it is neither too early nor too late. Its claims
then say who asks: the subject, the tenant and one role.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, cast
from urllib.parse import urlsplit

import jwt
import structlog
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from gateway._identity import Identity
from gateway._jwt_keys import IssuerKeys
from gateway._roles import ROLES, Role

__all__ = ["JwtSettings", "JwtTokens"]

_log = structlog.get_logger("gateway")

_MOST_CHARACTERS = 8 * 1024
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST_SUBJECT = 128
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

# Asymmetric ones alone: whoever can check a token must not be able to make one.
Algorithm = Literal["EdDSA", "ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256"]


def _key_source(given: str) -> str:
    """Let keys come from a file, or over a connection that nobody can change on its way."""
    if "://" in given:
        parts = urlsplit(given)
        here = parts.scheme == "http" and parts.hostname in _LOOPBACK
        if not (parts.scheme == "https" or here) or not parts.hostname or parts.username:
            raise ValueError(f"{given[:80]!r} must be an https address, or the path of a file")
    return given


def _split(given: object) -> object:
    """Let a list be a text with commas, which is all that an environment variable can be."""
    return tuple(given.split(",")) if isinstance(given, str) else given


class JwtSettings(BaseModel):
    """Whose signed tokens are taken; without an issuer, nobody's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: str | None = Field(
        default=None, min_length=1, description="The issuer, exactly as in the claim iss."
    )
    keys: Annotated[str, AfterValidator(_key_source)] | None = Field(
        default=None,
        min_length=1,
        description="The address, or the file, of the issuer's JWK Set.",
    )
    audience: str | None = Field(
        default=None,
        min_length=1,
        description="What aud has to name; left out: the base URL of this service with /mcp.",
    )
    algorithms: Annotated[tuple[Algorithm, ...], BeforeValidator(_split)] = Field(
        default=("EdDSA", "ES256", "RS256"), min_length=1, description="What may have signed it."
    )
    tenant_claim: str = Field(
        default="tenant", min_length=1, description="Where the tenant is; dots lead inwards."
    )
    role_claim: str = Field(
        default="role",
        min_length=1,
        description="Where the role, or a list with one of the roles in it, is; dots lead inwards.",
    )
    leeway_s: float = Field(
        default=5.0, ge=0.0, le=60.0, description="How far clocks may be apart, in s."
    )

    @model_validator(mode="after")
    def _issuer_has_keys(self) -> Self:
        if (self.issuer is None) != (self.keys is None):
            raise ValueError("an issuer and its keys belong together; give both or neither")
        return self


class JwtTokens:
    """Checks signed tokens.

    Args:
        settings: Whose tokens are good.
        audience: What `aud` has to name, where the settings do not say.
        keys: The issuer's keys; those of the settings where there are none.

    Raises:
        ValueError: There is no issuer.
    """

    def __init__(
        self, settings: JwtSettings, *, audience: str, keys: IssuerKeys | None = None
    ) -> None:
        if settings.issuer is None or settings.keys is None:
            raise ValueError("signed tokens need an issuer")
        self._settings = settings
        self._issuer = settings.issuer
        self._audience = settings.audience or audience
        self._keys = keys or IssuerKeys(settings.keys)

    async def find(self, given: str) -> Identity | None:
        """Give whose a token is; None where it is nobody's now.

        Raises:
            CredentialError: The issuer's keys cannot be had; nobody gets in until they can.
        """
        if len(given) > _MOST_CHARACTERS or given.count(".") != 2:  # noqa: PLR2004 -- header, claims, signature
            return None
        try:
            claims = await self._claims(given)
        except (jwt.PyJWTError, ValueError) as error:
            # The token itself is not noted, nor what it claims.
            _log.info("signed token refused", reason=type(error).__name__)
            return None
        return None if claims is None else _identity(claims, self._settings)

    async def _claims(self, given: str) -> Mapping[str, Any] | None:
        header = jwt.get_unverified_header(given)
        key_id, algorithm = header.get("kid"), header.get("alg")
        if not isinstance(key_id, str) or algorithm not in self._settings.algorithms:
            return None
        # RFC 9068: what says that it is something else is no access token.
        if str(header.get("typ", "JWT")).lower() not in ("jwt", "at+jwt", "application/at+jwt"):
            return None
        key = await self._keys.find(key_id)
        if key is None:
            return None
        return jwt.decode(
            given,
            key,
            algorithms=[*self._settings.algorithms],
            audience=self._audience,
            issuer=self._issuer,
            leeway=self._settings.leeway_s,
            options={
                "require": ["exp", "iss", "aud", "sub"],
                "enforce_minimum_key_length": True,
            },
        )


def _identity(claims: Mapping[str, Any], settings: JwtSettings) -> Identity | None:
    tenant, subject = _claim(claims, settings.tenant_claim), claims.get("sub")
    role = _role(_claim(claims, settings.role_claim))
    named = isinstance(tenant, str) and _TENANT.fullmatch(tenant)
    fit = isinstance(subject, str) and subject.isprintable() and 0 < len(subject) <= _MOST_SUBJECT
    if not named or not fit or role is None:
        _log.info("signed token without a place here", tenant=bool(named), role=role is not None)
        return None
    # With the tenant: nobody is ever taken for the local owner or for an app's loop.
    return Identity(tenant=cast("str", tenant), subject=f"{tenant}/{subject}", role=role)


def _role(claimed: Any) -> Role | None:
    """Give the one role that is claimed; with several, which is meant is not guessed."""
    several = cast("list[Any]", claimed) if isinstance(claimed, list) else [claimed]
    known: list[Role] = [role for role in ROLES if role in several]
    return known[0] if len(known) == 1 else None


def _claim(claims: Mapping[str, Any], path: str) -> Any:
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = cast("Mapping[str, Any]", found).get(name) if isinstance(found, Mapping) else None
    return found
