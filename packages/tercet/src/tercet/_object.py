"""A stored object as the contract sees it: an entry, an owner, a history."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Absence",
    "Handle",
    "ObjectDraft",
    "ObjectEntry",
    "ObjectKey",
    "ObjectLimits",
    "Provenance",
    "Stored",
]

AbsenceReason = Literal["unknown", "expired", "evicted", "deleted"]


def _no_arguments() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How an object came to be, so that it can be explained and made again."""

    operation: str
    arguments: Mapping[str, Any] = field(default_factory=_no_arguments)
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectLimits:
    """How much one tenant may keep.

    Attributes:
        objects_per_session: The most objects in one session.
        bytes_per_session: The most encoded bytes in one session.
        bytes_per_tenant: The most encoded bytes in all sessions of one tenant.
        sessions_per_tenant: The most sessions of one tenant that hold objects.
        time_to_live_s: How long an object is kept after it was made, in seconds.
        tombstones_per_session: For how many gone objects the reason is remembered.
    """

    objects_per_session: int = 1_000
    bytes_per_session: int = 64 * 1024 * 1024
    bytes_per_tenant: int = 4 * 1024 * 1024 * 1024
    sessions_per_tenant: int = 64
    time_to_live_s: float = 24 * 3600.0
    tombstones_per_session: int = 1_000


@dataclass(frozen=True, slots=True, order=True)
class ObjectKey:
    """Where an object lives. The tenant comes from the caller's credentials alone."""

    tenant: str
    session: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectEntry:
    """All that is known of a stored object but its bytes.

    Attributes:
        named: The caller chose the name; such objects are never evicted to make room.
        created_at: Unix time, in seconds; so are `used_at` and `expires_at`.
    """

    key: ObjectKey
    kind: str
    summary: Mapping[str, Any]
    provenance: Provenance
    size_bytes: int
    named: bool
    created_at: float
    used_at: float
    expires_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectDraft:
    """An object on its way into a store, which settles its name.

    Attributes:
        name: The name the caller chose, or `None` for the next one of the prefix.
        reserved: The name is not of the caller's choice but was reserved in the store before.
        now: Unix time, in seconds.
    """

    tenant: str
    session: str
    name: str | None
    prefix: str
    kind: str
    payload: bytes
    summary: Mapping[str, Any]
    provenance: Provenance
    now: float
    limits: ObjectLimits
    reserved: bool = False

    @property
    def home(self) -> tuple[str, str]:
        """The tenant and the session that the object is for."""
        return self.tenant, self.session

    def entry(self, name: str) -> ObjectEntry:
        """Give the entry this draft becomes under a name."""
        return ObjectEntry(
            key=ObjectKey(self.tenant, self.session, name),
            kind=self.kind,
            summary=self.summary,
            provenance=self.provenance,
            size_bytes=len(self.payload),
            named=self.name is not None and not self.reserved,
            created_at=self.now,
            used_at=self.now,
            expires_at=self.now + self.limits.time_to_live_s,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Why an object is not there, and which names are."""

    reason: AbsenceReason
    names: tuple[str, ...] = ()


class Handle(BaseModel):
    """A reference to a stored object, with a bounded summary in place of its value."""

    model_config = ConfigDict(frozen=True)

    ref: str = Field(description="The name by which later calls refer to the object.")
    kind: str = Field(description="What the object is, such as 'mtf' or 'taylor_map'.")
    summary: dict[str, Any] = Field(description="Its main features; never the whole value.")
    size_bytes: int = Field(description="Encoded size, in bytes.")
    created_at: float = Field(description="When it was made: Unix time, in seconds.")
    expires_at: float = Field(description="When it goes away: Unix time, in seconds.")

    @classmethod
    def of(cls, entry: ObjectEntry) -> "Handle":
        """Give the handle of an entry."""
        return cls(
            ref=entry.key.name,
            kind=entry.kind,
            summary=dict(entry.summary),
            size_bytes=entry.size_bytes,
            created_at=entry.created_at,
            expires_at=entry.expires_at,
        )


class Stored(BaseModel):
    """The answer of a tool that stored its result."""

    model_config = ConfigDict(frozen=True)

    ref: str = Field(description="Pass this name to later calls in place of the object.")
    message: str = Field(description="What was done, in one sentence.")
    summary: dict[str, Any] = Field(description="The main features of the stored object.")

    @classmethod
    def of(cls, handle: Handle, done: str) -> "Stored":
        """Say what was done and where the result is; `done` needs no full stop."""
        return cls(
            ref=handle.ref, message=f"{done}. Saved as {handle.ref!r}.", summary=handle.summary
        )
