"""Objects kept in this process's memory: the default, gone when the process ends."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tercet._errors import ConflictError
from tercet._object import Absence, AbsenceReason, ObjectDraft, ObjectEntry, ObjectKey
from tercet._store import StoreUsage, make_room, refuse_new_session

__all__ = ["MemoryStore"]


@dataclass(slots=True)
class _Session:
    objects: dict[str, tuple[ObjectEntry, bytes]] = field(
        default_factory=dict[str, tuple[ObjectEntry, bytes]]
    )
    counters: dict[str, int] = field(default_factory=dict[str, int])
    gone: OrderedDict[str, AbsenceReason] = field(default_factory=OrderedDict[str, AbsenceReason])

    def copy(self) -> "_Session":
        return _Session(dict(self.objects), dict(self.counters), OrderedDict(self.gone))

    def drop(self, name: str, reason: AbsenceReason, keep_tombstones: int) -> None:
        del self.objects[name]
        self.gone[name] = reason
        self.gone.move_to_end(name)
        while len(self.gone) > keep_tombstones:
            self.gone.popitem(last=False)


class MemoryStore:
    """Keeps objects in memory; safe to use from several threads and tasks."""

    def __init__(self, *, tombstones_per_session: int = 1_000) -> None:
        self._tombstones = tombstones_per_session
        self._sessions: dict[tuple[str, str], _Session] = {}
        self._lock = threading.Lock()

    async def put(self, draft: ObjectDraft) -> ObjectEntry:
        """Keep a draft under its own name or the next one of its prefix."""
        return (await self.put_all([draft]))[0]

    async def put_all(self, drafts: Sequence[ObjectDraft]) -> Sequence[ObjectEntry]:
        """Keep several drafts, all of them or none."""
        with self._lock:
            for draft in drafts:
                self._expire(draft.now, draft.tenant)
            changed = {
                draft.home: self._sessions.get(draft.home, _Session()).copy() for draft in drafts
            }
            entries = [self._put(draft, changed) for draft in drafts]
            self._sessions.update(changed)
            for draft in drafts:
                self._forget_empty_sessions(draft.tenant, 4 * draft.limits.sessions_per_tenant)
            return entries

    async def reserve(self, tenant: str, session: str, prefix: str) -> str:
        """Give the next name of a prefix, which is then never given again."""
        with self._lock:
            return _next_name(self._sessions.setdefault((tenant, session), _Session()), prefix)

    async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        """Give an object and note its use, or say why it is not there."""
        with self._lock:
            self._expire(now, key.tenant)
            session = self._sessions.get((key.tenant, key.session))
            found = session.objects.get(key.name) if session else None
            if session is None or found is None:
                return self._absence(session, key.name)
            entry = replace(found[0], used_at=now)
            session.objects[key.name] = (entry, found[1])
            return entry, found[1]

    async def list(self, tenant: str, session: str, now: float) -> Sequence[ObjectEntry]:
        """Give the living entries of a session, oldest first."""
        with self._lock:
            self._expire(now, tenant)
            held = self._sessions.get((tenant, session), _Session())
            return [entry for entry, _ in held.objects.values()]

    async def delete(self, key: ObjectKey, now: float) -> bool:
        """Take an object away; false where there was none."""
        with self._lock:
            self._expire(now, key.tenant)
            session = self._sessions.get((key.tenant, key.session))
            if session is None or key.name not in session.objects:
                return False
            session.drop(key.name, "deleted", self._tombstones)
            return True

    async def rename(self, key: ObjectKey, name: str, now: float) -> ObjectEntry | Absence:
        """Give an object another name."""
        with self._lock:
            self._expire(now, key.tenant)
            session = self._sessions.get((key.tenant, key.session))
            found = session.objects.get(key.name) if session else None
            if session is None or found is None:
                return self._absence(session, key.name)
            if name in session.objects:
                raise ConflictError(
                    f"an object is already named {name!r}", hint="choose another name"
                )
            entry = replace(found[0], key=replace(key, name=name), named=True)
            session.drop(key.name, "deleted", self._tombstones)
            session.objects[name] = (entry, found[1])
            session.gone.pop(name, None)
            return entry

    async def clear(self, tenant: str, session: str, now: float) -> int:
        """Take all objects of a session away and say how many there were."""
        with self._lock:
            self._expire(now, tenant)
            held = self._sessions.get((tenant, session), _Session())
            names = list(held.objects)
            for name in names:
                held.drop(name, "deleted", self._tombstones)
            return len(names)

    async def usage(self) -> StoreUsage:
        """Say how much is kept."""
        with self._lock:
            sizes = [
                entry.size_bytes
                for session in self._sessions.values()
                for entry, _ in session.objects.values()
            ]
        return StoreUsage(objects=len(sizes), payload_bytes=sum(sizes))

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _put(self, draft: ObjectDraft, changed: dict[tuple[str, str], _Session]) -> ObjectEntry:
        session = changed[draft.home]
        if not session.objects:
            living = self._living_sessions(draft.tenant, changed)
            refuse_new_session(living, draft.limits)
        if draft.name is not None and draft.name in session.objects:
            raise ConflictError(
                f"an object is already named {draft.name!r}",
                hint="choose another name, or delete or rename the object that has it",
            )
        held = (entry for entry, _ in session.objects.values())
        elsewhere = self._bytes_elsewhere(draft, changed)
        for name in make_room(held, len(draft.payload), draft.limits, elsewhere=elsewhere):
            session.drop(name, "evicted", self._tombstones)
        name = draft.name or _next_name(session, draft.prefix)
        entry = draft.entry(name)
        session.objects[name] = (entry, draft.payload)
        session.gone.pop(name, None)
        return entry

    def _expire(self, now: float, tenant: str) -> None:
        for (owner, _), session in self._sessions.items():
            if owner == tenant:
                due = [n for n, (entry, _) in session.objects.items() if entry.expires_at <= now]
                for name in due:
                    session.drop(name, "expired", self._tombstones)

    def _living_sessions(self, tenant: str, changed: dict[tuple[str, str], _Session]) -> int:
        sessions = {**self._sessions, **changed}
        return sum(1 for (owner, _), s in sessions.items() if owner == tenant and s.objects)

    def _bytes_elsewhere(self, draft: ObjectDraft, changed: dict[tuple[str, str], _Session]) -> int:
        return sum(
            entry.size_bytes
            for home, session in {**self._sessions, **changed}.items()
            if home[0] == draft.tenant and home != draft.home
            for entry, _ in session.objects.values()
        )

    def _forget_empty_sessions(self, tenant: str, most: int) -> None:
        # An emptied session still remembers its names; only so many of them may pile up.
        of_tenant = [key for key in self._sessions if key[0] == tenant]
        for key in of_tenant[: max(0, len(of_tenant) - most)]:
            if not self._sessions[key].objects:
                del self._sessions[key]

    @staticmethod
    def _absence(session: _Session | None, name: str) -> Absence:
        if session is None:
            return Absence(reason="unknown")
        return Absence(reason=session.gone.get(name, "unknown"), names=tuple(session.objects))


def _next_name(session: _Session, prefix: str) -> str:
    # A number is never given twice, so that a ref can never come to mean another object.
    while True:
        number = session.counters.get(prefix, 0)
        session.counters[prefix] = number + 1
        name = f"{prefix}_{number}"
        if name not in session.objects:
            return name
