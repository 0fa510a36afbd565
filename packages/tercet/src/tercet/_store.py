"""Where objects are kept: the protocol, and the one rule of who makes room for whom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tercet._errors import LimitExceededError
from tercet._object import Absence, ObjectDraft, ObjectEntry, ObjectKey, ObjectLimits

__all__ = ["ObjectStore", "StoreUsage", "make_room", "refuse_new_session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreUsage:
    """What a store holds, of all tenants, what has expired and is still there included.

    Attributes:
        objects: How many objects.
        payload_bytes: The bytes of their encoded values.
    """

    objects: int
    payload_bytes: int


class ObjectStore(Protocol):
    """Keeps encoded objects; each method is atomic."""

    async def put(self, draft: ObjectDraft) -> ObjectEntry:
        """Keep a draft within its limits, evicting unnamed objects where room is needed.

        Raises:
            ConflictError: The chosen name is taken.
            LimitExceededError: There is no room that may be made.
        """
        ...

    async def put_all(self, drafts: Sequence[ObjectDraft]) -> Sequence[ObjectEntry]:
        """Keep several drafts, in order, as `put` does each; all of them or none.

        Raises:
            ConflictError: A chosen name is taken.
            LimitExceededError: There is no room that may be made.
        """
        ...

    async def reserve(self, tenant: str, session: str, prefix: str) -> str:
        """Give the next name of a prefix, which is then never given again."""
        ...

    async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        """Give an object and note its use, or say why it is not there."""
        ...

    async def list(self, tenant: str, session: str, now: float) -> Sequence[ObjectEntry]:
        """Give the living entries of a session, oldest first."""
        ...

    async def delete(self, key: ObjectKey, now: float) -> bool:
        """Take an object away; false where there was none."""
        ...

    async def rename(self, key: ObjectKey, name: str, now: float) -> ObjectEntry | Absence:
        """Give an object another name, chosen by the caller from then on.

        Raises:
            ConflictError: The new name is taken.
        """
        ...

    async def clear(self, tenant: str, session: str, now: float) -> int:
        """Take all objects of a session away and say how many there were."""
        ...

    async def usage(self) -> StoreUsage:
        """Say how much is kept, for operators; nothing is changed."""
        ...

    async def aclose(self) -> None:
        """Let go of files and connections."""
        ...


def make_room(
    entries: Iterable[ObjectEntry], size_bytes: int, limits: ObjectLimits, *, elsewhere: int
) -> list[str]:
    """Choose the names to evict so that one more object fits.

    Objects named by the caller stay; of the others, the ones unused for longest go first.

    Args:
        entries: What the session holds.
        size_bytes: What the object takes.
        limits: What there is room for.
        elsewhere: The bytes that other sessions of the tenant hold.

    Raises:
        LimitExceededError: Not even evicting all of those makes room.
    """
    if size_bytes > limits.bytes_per_session:
        raise LimitExceededError(
            f"the object takes {size_bytes} bytes; a session holds {limits.bytes_per_session}",
            hint="use a lower order or fewer variables",
        )
    kept = list(entries)
    room = min(limits.bytes_per_session, limits.bytes_per_tenant - elsewhere)
    count = len(kept) + 1
    total_bytes = sum(entry.size_bytes for entry in kept) + size_bytes
    candidates = sorted((e for e in kept if not e.named), key=lambda e: (e.used_at, e.created_at))
    evicted: list[str] = []
    for entry in candidates:
        if count <= limits.objects_per_session and total_bytes <= room:
            break
        evicted.append(entry.key.name)
        count -= 1
        total_bytes -= entry.size_bytes
    if total_bytes > room and room < limits.bytes_per_session:
        raise LimitExceededError(
            f"the sessions of this tenant hold {limits.bytes_per_tenant} bytes together, and "
            f"{elsewhere} are taken by others than this",
            hint="delete objects that are no longer needed, or clear a session",
        )
    if count > limits.objects_per_session or total_bytes > room:
        raise LimitExceededError(
            f"the session is full: {len(kept)} objects, "
            f"{sum(entry.size_bytes for entry in kept)} bytes, all named by the caller",
            hint="delete objects that are no longer needed, or use another session_id",
        )
    return evicted


def refuse_new_session(sessions: int, limits: ObjectLimits) -> None:
    """Refuse to open one more session where the tenant has all it may have.

    Raises:
        LimitExceededError: The tenant has the most sessions it may have.
    """
    if sessions >= limits.sessions_per_tenant:
        raise LimitExceededError(
            f"all {limits.sessions_per_tenant} sessions of this tenant hold objects",
            hint="use one of the existing sessions, or clear one",
        )
