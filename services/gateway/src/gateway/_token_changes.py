"""How tokens come and go: each change replaces the token file whole, one change at a time."""

import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import ValidationError

from gateway._roles import Role
from gateway._tokens import Token, TokenFileError, TokenSet, digest_of, read_tokens

__all__ = ["create_token", "revoke_token"]

_PREFIX = "tercet_"
_DAY_S = 86_400.0
_PATIENCE_S = 10.0


def create_token(
    path: Path,
    name: str,
    *,
    tenant: str,
    role: Role,
    apps: tuple[str, ...] | None = None,
    expires_days: float | None = None,
    clock: Callable[[], float] = time.time,
) -> str:
    """Make a token and give it: the only time that it can be seen.

    Args:
        path: The token file; made where there is none.
        name: Its name, never used before; the caller's name in every record.
        tenant: Whose objects it reaches.
        role: What may be done with it.
        apps: The apps whose tools it reaches; None: all of them.
        expires_days: How long it is valid, in days; None: until it is revoked.
        clock: Unix time, in seconds.

    Raises:
        TokenFileError: A value is not possible, the name was used, or the file cannot be written.
    """
    secret = _PREFIX + secrets.token_urlsafe(32)
    now_s = clock()
    try:
        token = Token(
            name=name,
            tenant=tenant,
            role=role,
            apps=apps,
            digest=digest_of(secret),
            created_at_s=now_s,
            expires_at_s=None if expires_days is None else now_s + expires_days * _DAY_S,
        )
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        raise TokenFileError(f"no such token can be made: {'; '.join(faults)}") from error
    with _changing(path) as known:
        if any(other.name == name for other in known.tokens):
            raise TokenFileError(
                f"a token was named {name!r} already; choose another name, so that records of the "
                "two can be told apart"
            )
        _replace(path, TokenSet(tokens=(*known.tokens, token)))
    return secret


def revoke_token(path: Path, name: str, *, clock: Callable[[], float] = time.time) -> None:
    """Take a token back; it is worth nothing from then on, and its name stays taken.

    Raises:
        TokenFileError: There is none of that name, or the file cannot be written.
    """
    with _changing(path) as known:
        if all(token.name != name for token in known.tokens):
            raise TokenFileError(f"no token is named {name[:64]!r}; tercet token list shows them")
        _replace(
            path,
            TokenSet(
                tokens=tuple(
                    token.model_copy(update={"revoked_at_s": clock()})
                    if token.name == name and token.revoked_at_s is None
                    else token
                    for token in known.tokens
                )
            ),
        )


@contextmanager
def _changing(path: Path) -> Generator[TokenSet, None, None]:
    """Keep others from changing a token file for the length of a block."""
    # A file of its own: the token file itself is replaced. SQLite locks files on every system,
    # and a process that dies lets go of its lock.
    lock = path.with_name(f"{path.name}.lock")
    try:
        os.close(os.open(lock, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise TokenFileError(_unwritable(path, error.strerror)) from error
    with closing(sqlite3.connect(lock, timeout=_PATIENCE_S, isolation_level=None)) as held:
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            raise TokenFileError(_unwritable(path, f"{lock.name}: {error}")) from error
        yield read_tokens(path) if path.exists() else TokenSet()


def _replace(path: Path, tokens: TokenSet) -> None:
    """Write a token file so that a reader sees the old one or the new one, also after a crash."""
    try:
        # Nobody but the owner may use it from its first moment on.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(tokens.model_dump_json(indent=1).encode())
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
            _sync_folder(path.parent)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise TokenFileError(_unwritable(path, error.strerror)) from error


def _sync_folder(folder: Path) -> None:
    """Make sure that a token that was revoked is not good again after a loss of power."""
    if os.name == "posix":  # pragma: no branch -- a folder cannot be opened elsewhere
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _unwritable(path: Path, reason: str | None) -> str:
    return f"cannot change the token file {path}: {reason}; use a folder that you may write to"
