"""The tokens that a gateway takes: a file of hashes, read anew whenever it changes."""

import hashlib
import hmac
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

import structlog
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from gateway._credentials import CredentialError
from gateway._identity import Identity
from gateway._roles import Role

__all__ = ["TOKEN_PATTERN", "Token", "TokenFile", "TokenFileError", "TokenSet", "digest_of"]

_log = structlog.get_logger("gateway")

TOKEN_PATTERN = re.compile(r"tercet_[A-Za-z0-9_-]{43}")
"""How a token looks: 256 random bits, with a prefix by which scanners for secrets know it."""

_MOST_BYTES = 4 * 1024 * 1024
_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


class TokenFileError(CredentialError):
    """The token file cannot be used; the message says why and what to do."""


class Token(BaseModel):
    """What is kept of a token: never the token itself.

    Attributes:
        digest: SHA-256 of the token, in hexadecimal digits.
        expires_at_s: Unix time from which on it is worth nothing, in seconds; None: never.
        revoked_at_s: Unix time at which it was taken back, in seconds; None: it was not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: _Name
    tenant: _Name
    role: Role
    apps: tuple[Annotated[str, StringConstraints(min_length=1, max_length=64)], ...] | None = None
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    created_at_s: float = Field(allow_inf_nan=False)
    expires_at_s: float | None = Field(default=None, allow_inf_nan=False)
    revoked_at_s: float | None = Field(default=None, allow_inf_nan=False)

    def state_at(self, now_s: float) -> Literal["valid", "expired", "revoked"]:
        """Say what the token is worth at a time."""
        if self.revoked_at_s is not None:
            return "revoked"
        if self.expires_at_s is not None and now_s >= self.expires_at_s:
            return "expired"
        return "valid"

    def identity(self) -> Identity:
        """Give who the bearer is."""
        return Identity(
            tenant=self.tenant,
            # With the tenant: no token is ever taken for the local owner or for an app's loop.
            subject=f"{self.tenant}/{self.name}",
            role=self.role,
            apps=None if self.apps is None else frozenset(self.apps),
        )


class TokenSet(BaseModel):
    """The contents of a token file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    tokens: tuple[Token, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        if len({token.name for token in self.tokens}) < len(self.tokens):
            raise ValueError("two tokens have the same name")
        return self


class TokenFile:
    """Reads a token file, and again once it has changed.

    Args:
        path: The file.
        clock: Unix time, in seconds.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._name = os.fspath(path)
        self._clock = clock
        self._stamp: tuple[int, int, int] | None = None
        self._by_digest: Mapping[str, tuple[Token, Identity]] = {}

    async def find(self, given: str) -> Identity | None:
        """Give whose a token is, as `look_up`: a small file is read at once."""
        return self.look_up(given)

    def look_up(self, given: str) -> Identity | None:
        """Give whose a token is; None where it is nobody's now.

        Raises:
            TokenFileError: The file cannot be read; nobody gets in until it can.
        """
        self._refresh()
        if not TOKEN_PATTERN.fullmatch(given):
            return None
        digest = digest_of(given)
        if (found := self._by_digest.get(digest)) is None:
            return None
        token, identity = found
        if not hmac.compare_digest(token.digest, digest):
            return None
        return identity if token.state_at(self._clock()) == "valid" else None

    def _refresh(self) -> None:
        try:
            found = os.stat(self._name)  # noqa: PTH116 -- for each request: a third of the time
        except OSError as error:
            self._stamp = None
            raise TokenFileError(_unreadable(self.path, error)) from error
        # Each change is a new file that takes the place of the old one.
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._stamp = None
            tokens = read_tokens(self.path).tokens
            self._by_digest = {token.digest: (token, token.identity()) for token in tokens}
            self._stamp = stamp
            _log.info("token file read", path=str(self.path), tokens=len(tokens))


def digest_of(token: str) -> str:
    """Give what is kept of a token.

    A plain hash is enough: 256 random bits cannot be guessed, however quick the hash.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def read_tokens(path: Path) -> TokenSet:
    """Read a token file.

    Raises:
        TokenFileError: There is none, others may read it, or it is no token file.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            text = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise TokenFileError(_unreadable(path, error)) from error
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
        raise TokenFileError(f"others than its owner may use {path}; chmod 600 it")
    if len(text) > _MOST_BYTES:
        raise TokenFileError(f"{path} is larger than {_MOST_BYTES} bytes; it is no token file")
    try:
        return TokenSet.model_validate_json(text)
    except ValidationError as error:
        # Where and why, but not what stands there.
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'the file'}: {fault['msg']}"
            for fault in error.errors()[:3]
        )
        raise TokenFileError(f"{path} is no token file: {faults}") from error


def _unreadable(path: Path, error: OSError) -> str:
    return (
        f"cannot read the token file {path}: {error.strerror}; "
        f"make one with: tercet token create NAME --tenant TENANT --role ROLE --tokens {path}"
    )
