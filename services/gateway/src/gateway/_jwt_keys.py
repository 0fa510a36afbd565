"""The public keys of an issuer of tokens: a JWK Set (RFC 7517), from a file or an address."""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import structlog
from jwt import PyJWK, PyJWKSet, PyJWTError

from gateway._credentials import CredentialError

__all__ = ["IssuerKeys"]

_log = structlog.get_logger("gateway")

_MOST_BYTES = 1024 * 1024
_PATIENCE_S = 5.0
_FRESH_S = 300.0
"""How long keys are used without asking again."""
_PAUSE_S = 10.0
"""How long to wait before asking again for a key that was not there: anybody can name one."""
_STALE_S = 3600.0
"""How long keys are used while the issuer does not answer."""


class IssuerKeys:
    """The keys, asked for when first needed, again when they are old or one is missing.

    Args:
        source: The path of a file, or an http(s) address.
        clock: Seconds on a clock that never goes back.
    """

    def __init__(self, source: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._clock = clock
        self._lock = anyio.Lock()
        self._keys: Mapping[str, PyJWK] = {}
        self._loaded_s: float | None = None
        self._asked_s: float | None = None

    async def find(self, key_id: str) -> PyJWK | None:
        """Give the key of a name; None where the issuer has none.

        Raises:
            CredentialError: There are no keys, or only old ones, and new ones cannot be got.
        """
        if self._is_due(key_id):
            async with self._lock:
                if self._is_due(key_id):
                    await self._load()
        if self._loaded_s is None or self._clock() - self._loaded_s > _STALE_S:
            raise CredentialError(f"the keys of the issuer cannot be read from {self._source}")
        return self._keys.get(key_id)

    def _is_due(self, key_id: str) -> bool:
        now_s = self._clock()
        if self._asked_s is not None and now_s - self._asked_s < _PAUSE_S:
            return False
        old = self._loaded_s is None or now_s - self._loaded_s >= _FRESH_S
        return old or key_id not in self._keys

    async def _load(self) -> None:
        self._asked_s = self._clock()
        try:
            keys = _keys_of(await self._read())
        except (OSError, ValueError, PyJWTError, httpx2.HTTPError) as error:
            _log.error("issuer keys unreadable", source=self._source, reason=str(error)[:200])
            return
        self._keys, self._loaded_s = keys, self._clock()
        _log.info("issuer keys read", source=self._source, keys=len(keys))

    async def _read(self) -> bytes:
        if "://" not in self._source:
            async with await anyio.open_file(Path(self._source), "rb") as file:
                return _bounded(await file.read(_MOST_BYTES + 1))
        # No redirects: what answers is what the operator named.
        async with (
            httpx2.AsyncClient(timeout=_PATIENCE_S, follow_redirects=False) as http,
            http.stream("GET", self._source, headers={"accept": "application/json"}) as answer,
        ):
            if not answer.is_success:
                raise ValueError(f"it answers with status {answer.status_code}")
            body = b""
            async for part in answer.aiter_bytes():
                body = _bounded(body + part)
            return body


def _bounded(body: bytes) -> bytes:
    if len(body) > _MOST_BYTES:
        raise ValueError(f"it is larger than {_MOST_BYTES} bytes")
    return body


def _keys_of(body: bytes) -> Mapping[str, PyJWK]:
    """Read a JWK Set; keys that are of no use here are left out.

    Raises:
        ValueError: It is none.
        PyJWTError: There is no key in it that can be used.
    """
    found: Any = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("it is no JWK Set")  # noqa: TRY004 -- what was sent is wrong, not the code
    keys = PyJWKSet.from_dict(cast("dict[str, Any]", found))
    # A secret that signs as well as it checks does not belong here.
    usable = [key for key in keys if key.key_id and key.key_type != "oct"]
    named = {str(key.key_id): key for key in usable if key.public_key_use in (None, "sig")}
    if not named:
        raise ValueError("it has no public key with a kid, for signatures")
    return named
