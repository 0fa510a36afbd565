"""Handles, not tables: large values stay here, and calls pass their names."""

import difflib
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from tercet._codec import Codec, CodecSet, EncodedObject, JsonCodec
from tercet._errors import InvalidInputError, NotFoundError, TypeMismatchError
from tercet._memory import MemoryStore
from tercet._object import (
    Absence,
    Handle,
    ObjectDraft,
    ObjectEntry,
    ObjectKey,
    ObjectLimits,
    Provenance,
)
from tercet._picture import PictureCodec
from tercet._store import ObjectStore, StoreUsage

__all__ = ["OBJECT_NAME_PATTERN", "ObjectOwner", "ObjectRegistry"]

T = TypeVar("T")

OBJECT_NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_.\-]{0,63}$"
"""What a caller may name an object or a session: no text that could be taken for a value."""

_ABSENCES = {
    "unknown": "no object is named {name!r}",
    "expired": "the object {name!r} has expired",
    "evicted": "the object {name!r} was evicted to make room for newer ones",
    "deleted": "the object {name!r} was deleted or renamed",
}


class ObjectOwner(Protocol):
    """Whose objects are meant; a `CallContext` is one."""

    @property
    def tenant(self) -> str:
        """Who is charged; from the caller's credentials alone."""
        ...

    @property
    def session_id(self) -> str:
        """The caller's own name for a set of objects inside the tenant."""
        ...


class ObjectRegistry:
    """Keeps values for their owners, under names, within limits.

    Args:
        store: Where the encoded values are kept; memory by default.
        codecs: How values become bytes, beside plain JSON and pictures.
        limits: How much one tenant may keep.
        clock: Unix time, in seconds.
    """

    def __init__(
        self,
        store: ObjectStore | None = None,
        *,
        codecs: Iterable[Codec] = (),
        limits: ObjectLimits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = MemoryStore() if store is None else store
        self._given_codecs = tuple(codecs)
        self._codecs = CodecSet([*self._given_codecs, PictureCodec(), JsonCodec()])
        self._limits = limits or ObjectLimits()
        self._clock = clock

    @property
    def store(self) -> ObjectStore:
        """Where the encoded values are kept."""
        return self._store

    def over(self, store: ObjectStore) -> "ObjectRegistry":
        """Give the same registry over another store."""
        return ObjectRegistry(
            store, codecs=self._given_codecs, limits=self._limits, clock=self._clock
        )

    @property
    def limits(self) -> ObjectLimits:
        """How much one tenant may keep."""
        return self._limits

    async def put(
        self,
        owner: ObjectOwner,
        value: Any,
        *,
        provenance: Provenance,
        prefix: str = "object",
        name: str | None = None,
    ) -> Handle:
        """Keep a value, or one that is encoded, under a chosen name or the next one of a prefix.

        Raises:
            InvalidInputError: The chosen name is not one.
            ConflictError: The chosen name is taken.
            LimitExceededError: The owner's limits leave no room.
            UnavailableError: The store cannot be written; nothing was kept.
        """
        for label in (owner.session_id, prefix if name is None else name):
            _check_name(label)
        encoded = self._encoded(value)
        entry = await self._store.put(
            ObjectDraft(
                tenant=owner.tenant,
                session=owner.session_id,
                name=name,
                prefix=prefix,
                kind=encoded.kind,
                payload=encoded.payload,
                summary=encoded.summary,
                provenance=provenance,
                now=self._clock(),
                limits=self._limits,
            )
        )
        return Handle.of(entry)

    async def get(self, owner: ObjectOwner, ref: str, expected: type[T]) -> T:
        """Give the value behind a reference.

        Raises:
            NotFoundError: Nothing has that name; says whether something once had.
            TypeMismatchError: The object is of another kind.
        """
        entry, payload = await self._find(owner, ref)
        value = self._codecs.of_kind(entry.kind).decode(payload)
        if not isinstance(value, expected):
            raise TypeMismatchError(
                f"{ref!r} is of kind {entry.kind!r}; this tool needs {self._kinds_of(expected)}",
                hint="list the objects to find one of the right kind",
            )
        return value

    async def export(self, owner: ObjectOwner, ref: str) -> Any:
        """Give the whole value behind a reference as JSON."""
        entry, payload = await self._find(owner, ref)
        codec = self._codecs.of_kind(entry.kind)
        return codec.to_json(codec.decode(payload))

    async def describe(self, owner: ObjectOwner, ref: str) -> Handle:
        """Give the handle of a reference."""
        entry, _ = await self._find(owner, ref)
        return Handle.of(entry)

    async def explain(self, owner: ObjectOwner, ref: str) -> Provenance:
        """Say how an object came to be."""
        entry, _ = await self._find(owner, ref)
        return entry.provenance

    async def list(self, owner: ObjectOwner) -> Sequence[Handle]:
        """Give the handles of the owner's session, oldest first."""
        entries = await self._store.list(owner.tenant, owner.session_id, self._clock())
        return [Handle.of(entry) for entry in entries]

    async def delete(self, owner: ObjectOwner, ref: str) -> None:
        """Take an object away."""
        if not await self._store.delete(_key(owner, ref), self._clock()):
            await self._find(owner, ref)

    async def rename(self, owner: ObjectOwner, ref: str, name: str) -> Handle:
        """Give an object another name."""
        _check_name(name)
        renamed = await self._store.rename(_key(owner, ref), name, self._clock())
        if isinstance(renamed, Absence):
            raise _missing(ref, renamed)
        return Handle.of(renamed)

    async def clear(self, owner: ObjectOwner) -> int:
        """Take all objects of the owner's session away and say how many there were."""
        return await self._store.clear(owner.tenant, owner.session_id, self._clock())

    async def usage(self) -> StoreUsage:
        """Say how much is kept of all tenants together.

        Raises:
            UnavailableError: The store cannot be read.
        """
        return await self._store.usage()

    async def aclose(self) -> None:
        """Close the store."""
        await self._store.aclose()

    async def _find(self, owner: ObjectOwner, ref: str) -> tuple[ObjectEntry, bytes]:
        found = await self._store.get(_key(owner, ref), self._clock())
        if isinstance(found, Absence):
            raise _missing(ref, found)
        return found

    def _encoded(self, value: Any) -> EncodedObject:
        if isinstance(value, EncodedObject):
            # Nothing is kept that could not be read again.
            self._codecs.of_kind(value.kind)
            return value
        return EncodedObject.of(self._codecs.of_value(value), value)

    def _kinds_of(self, expected: type[Any]) -> str:
        kinds = [
            k for k in self._codecs.kinds if issubclass(self._codecs.of_kind(k).type, expected)
        ]
        return " or ".join(repr(kind) for kind in kinds) or expected.__name__


def _key(owner: ObjectOwner, ref: str) -> ObjectKey:
    return ObjectKey(owner.tenant, owner.session_id, ref)


def _check_name(name: str) -> None:
    if not re.fullmatch(OBJECT_NAME_PATTERN.strip("^$"), name):
        raise InvalidInputError(
            f"{name[:80]!r} is no name for an object or a session",
            hint="use 1 to 64 letters, digits, '_', '-' or '.', beginning with a letter or '_'",
        )


def _missing(ref: str, absence: Absence) -> NotFoundError:
    message = _ABSENCES[absence.reason].format(name=ref[:80])
    near = difflib.get_close_matches(ref[:80], absence.names, n=3) or absence.names[-5:]
    hint = (
        f"objects of this session: {', '.join(near)}"
        if near
        else "this session holds no objects yet; make one first"
    )
    return NotFoundError(message, hint=hint)
