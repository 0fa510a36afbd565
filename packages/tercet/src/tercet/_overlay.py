"""Objects that are not kept yet: a store on top of another, kept whole or dropped whole."""

from collections.abc import Sequence
from dataclasses import replace

from tercet._errors import ConflictError
from tercet._object import Absence, ObjectDraft, ObjectEntry, ObjectKey
from tercet._store import ObjectStore, StoreUsage

__all__ = ["OverlayStore"]


class OverlayStore:
    """Holds new objects back until `commit`; what is there already is read through.

    Names are reserved in the store below at once, so that a ref stays true after the commit. What
    is there already can be neither deleted nor renamed through an overlay.
    """

    def __init__(self, below: ObjectStore) -> None:
        self._below = below
        self._drafts: dict[ObjectKey, ObjectDraft] = {}

    async def commit(self) -> None:
        """Keep all that was held back, or nothing.

        Raises:
            ConflictError: A chosen name was taken meanwhile.
            LimitExceededError: There is no room that may be made.
        """
        await self._below.put_all(list(self._drafts.values()))
        self._drafts.clear()

    async def put(self, draft: ObjectDraft) -> ObjectEntry:
        """Hold a draft back under its name, reserving one where it has none."""
        if draft.name is None:
            name = await self._below.reserve(*draft.home, draft.prefix)
            draft = replace(draft, name=name, reserved=True)
        assert draft.name is not None  # noqa: S101 -- given or reserved
        key = ObjectKey(*draft.home, draft.name)
        if key in self._drafts or not isinstance(await self._below.get(key, draft.now), Absence):
            raise ConflictError(
                f"an object is already named {draft.name!r}",
                hint="choose another name, or delete or rename the object that has it",
            )
        self._drafts[key] = draft
        return draft.entry(draft.name)

    async def put_all(self, drafts: Sequence[ObjectDraft]) -> Sequence[ObjectEntry]:
        """Hold several drafts back."""
        return [await self.put(draft) for draft in drafts]

    async def reserve(self, tenant: str, session: str, prefix: str) -> str:
        """Reserve a name in the store below."""
        return await self._below.reserve(tenant, session, prefix)

    async def get(self, key: ObjectKey, now: float) -> tuple[ObjectEntry, bytes] | Absence:
        """Give an object that is held back, or one of the store below."""
        draft = self._drafts.get(key)
        if draft is not None:
            return draft.entry(key.name), draft.payload
        return await self._below.get(key, now)

    async def list(self, tenant: str, session: str, now: float) -> Sequence[ObjectEntry]:
        """Give the entries of the store below, then those held back."""
        held = [
            draft.entry(key.name)
            for key, draft in self._drafts.items()
            if draft.home == (tenant, session)
        ]
        return [*await self._below.list(tenant, session, now), *held]

    async def delete(self, key: ObjectKey, now: float) -> bool:  # noqa: ARG002 -- the protocol's
        """Refuse: see the class."""
        raise _fixed(key)

    async def rename(
        self,
        key: ObjectKey,
        name: str,  # noqa: ARG002 -- the protocol's
        now: float,  # noqa: ARG002 -- the protocol's
    ) -> ObjectEntry | Absence:
        """Refuse: see the class."""
        raise _fixed(key)

    async def clear(self, tenant: str, session: str, now: float) -> int:  # noqa: ARG002 -- the protocol's
        """Refuse: see the class."""
        raise _fixed(ObjectKey(tenant, session, "*"))

    async def usage(self) -> StoreUsage:
        """Say how much the store below keeps; what is held back is not kept yet."""
        return await self._below.usage()

    async def aclose(self) -> None:
        """Leave the store below open; it is not this one's."""


def _fixed(key: ObjectKey) -> ConflictError:
    return ConflictError(
        f"{key.name!r} cannot be deleted or renamed inside an atomic program",
        hint="do that in a call of its own",
    )
