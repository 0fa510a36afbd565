import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tercet import (
    CallContext,
    ConflictError,
    EncodedObject,
    InvalidInputError,
    JsonCodec,
    LimitExceededError,
    MemoryStore,
    NotFoundError,
    ObjectLimits,
    ObjectRegistry,
    ObjectStore,
    Provenance,
    SqliteStore,
    StoreUsage,
    ToolDefinitionError,
    TypeMismatchError,
    UnavailableError,
)
from tercet.testing import FrozenClock

pytestmark = pytest.mark.anyio

ALICE = CallContext(tenant="alice")
BOB = CallContext(tenant="bob")
MADE = Provenance(operation="made", arguments={"n": 1}, parents=("mtf_0",))
LIMITS = ObjectLimits(
    objects_per_session=3, bytes_per_session=100, sessions_per_tenant=2, time_to_live_s=60
)


class SetCodec:
    """Keeps frozensets of numbers: a type that JSON does not have."""

    kind = "number_set"
    type = frozenset

    def encode(self, value: frozenset[int]) -> bytes:
        return json.dumps(sorted(value)).encode()

    def decode(self, data: bytes) -> frozenset[int]:
        return frozenset(json.loads(data))

    def summarize(self, value: frozenset[int]) -> dict[str, Any]:
        return {"size": len(value)}

    def to_json(self, value: frozenset[int]) -> list[int]:
        return sorted(value)


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[ObjectStore]:
    made: ObjectStore = (
        MemoryStore(tombstones_per_session=4)
        if request.param == "memory"
        else SqliteStore(tmp_path / "objects.db", tombstones_per_session=4)
    )
    yield made
    await made.aclose()


@pytest.fixture
def objects(store: ObjectStore, clock: FrozenClock) -> ObjectRegistry:
    return ObjectRegistry(store, codecs=[SetCodec()], limits=LIMITS, clock=clock)


async def put(objects: ObjectRegistry, owner: CallContext, value: Any, **kwargs: Any) -> str:
    handle = await objects.put(owner, value, provenance=MADE, **kwargs)
    return handle.ref


async def test_a_value_comes_back_exactly_under_the_next_name_of_its_prefix(
    objects: ObjectRegistry,
) -> None:
    refs = [await put(objects, ALICE, frozenset({i}), prefix="mtf") for i in range(2)]
    assert refs == ["mtf_0", "mtf_1"]
    assert await put(objects, ALICE, [1], prefix="map") == "map_0"
    assert await objects.get(ALICE, "mtf_1", frozenset) == {1}
    assert await objects.export(ALICE, "mtf_1") == [1]


async def test_one_tenant_reaches_nothing_of_another(objects: ObjectRegistry) -> None:
    await put(objects, ALICE, [1], name="mine")
    with pytest.raises(NotFoundError) as caught:
        await objects.get(BOB, "mine", list)
    assert caught.value.hint is not None
    assert "mine" not in caught.value.hint
    assert await objects.list(BOB) == []
    with pytest.raises(NotFoundError):
        await objects.delete(BOB, "mine")
    assert await objects.clear(BOB) == 0
    assert await objects.get(ALICE, "mine", list) == [1]


async def test_one_session_does_not_see_another(objects: ObjectRegistry) -> None:
    other = CallContext(tenant="alice", session_id="other")
    await put(objects, ALICE, [1])
    assert await put(objects, other, [2]) == "object_0"
    assert await objects.get(other, "object_0", list) == [2]


async def test_a_taken_name_is_a_conflict_and_nothing_is_lost(objects: ObjectRegistry) -> None:
    await put(objects, ALICE, [1], name="gain")
    with pytest.raises(ConflictError, match="already named 'gain'"):
        await put(objects, ALICE, [2], name="gain")
    assert await objects.get(ALICE, "gain", list) == [1]


@pytest.mark.parametrize("name", ["", "1e3", '{"a": 1}', "a b", "x" * 65, "nämé", "../x"])
async def test_a_name_that_could_be_taken_for_a_value_is_refused(
    objects: ObjectRegistry, name: str
) -> None:
    with pytest.raises(InvalidInputError, match="no name"):
        await put(objects, ALICE, [1], name=name)
    with pytest.raises(InvalidInputError, match="no name"):
        await put(objects, CallContext(session_id=name), [1])


async def test_a_wrong_kind_says_what_is_there_and_what_is_needed(objects: ObjectRegistry) -> None:
    ref = await put(objects, ALICE, [1])
    with pytest.raises(TypeMismatchError, match="is of kind 'json'; this tool needs 'number_set'"):
        await objects.get(ALICE, ref, frozenset)
    with pytest.raises(TypeMismatchError, match="needs bytes"):
        await objects.get(ALICE, ref, bytes)


async def test_a_miss_names_near_objects(objects: ObjectRegistry) -> None:
    with pytest.raises(NotFoundError) as caught:
        await objects.get(ALICE, "gain", list)
    assert caught.value.hint == "this session holds no objects yet; make one first"
    await put(objects, ALICE, [1], name="gain_map")
    with pytest.raises(NotFoundError, match="no object is named 'gain_mop'") as caught:
        await objects.get(ALICE, "gain_mop", list)
    assert caught.value.hint == "objects of this session: gain_map"


async def test_an_object_expires_and_a_miss_says_so(
    objects: ObjectRegistry, clock: FrozenClock
) -> None:
    ref = await put(objects, ALICE, [1])
    clock.advance(59)
    assert await objects.get(ALICE, ref, list) == [1]
    clock.advance(1)
    with pytest.raises(NotFoundError, match="has expired"):
        await objects.get(ALICE, ref, list)
    assert await objects.list(ALICE) == []


async def test_the_object_unused_for_longest_makes_room_and_a_miss_says_so(
    objects: ObjectRegistry, clock: FrozenClock
) -> None:
    refs: list[str] = []
    for i in range(3):
        clock.advance(1)
        refs.append(await put(objects, ALICE, [i]))
    clock.advance(1)
    await objects.get(ALICE, refs[0], list)
    await put(objects, ALICE, [3])
    with pytest.raises(NotFoundError, match="was evicted"):
        await objects.get(ALICE, refs[1], list)
    assert await objects.get(ALICE, refs[0], list) == [0]


async def test_objects_that_the_caller_named_are_never_evicted(objects: ObjectRegistry) -> None:
    for name in ("a", "b", "c"):
        await put(objects, ALICE, [1], name=name)
    with pytest.raises(LimitExceededError, match="all named by the caller"):
        await put(objects, ALICE, [2])
    assert len(await objects.list(ALICE)) == 3


async def test_an_object_larger_than_a_session_is_refused(objects: ObjectRegistry) -> None:
    with pytest.raises(LimitExceededError, match="a session holds 100"):
        await put(objects, ALICE, "x" * 200)
    await put(objects, ALICE, "x" * 60, name="large")
    with pytest.raises(LimitExceededError, match="session is full"):
        await put(objects, ALICE, "x" * 60)


async def test_a_tenant_has_only_so_many_sessions_and_another_is_not_affected(
    objects: ObjectRegistry,
) -> None:
    for session in ("s1", "s2"):
        await put(objects, CallContext(tenant="alice", session_id=session), [1])
    third = CallContext(tenant="alice", session_id="s3")
    with pytest.raises(LimitExceededError, match="all 2 sessions"):
        await put(objects, third, [1])
    assert await put(objects, BOB, [1]) == "object_0"
    assert await objects.clear(CallContext(tenant="alice", session_id="s1")) == 1
    assert await put(objects, third, [1]) == "object_0"


async def test_a_tenant_has_only_so_many_bytes_in_all_its_sessions(
    store: ObjectStore, clock: FrozenClock
) -> None:
    limits = ObjectLimits(bytes_per_session=100, bytes_per_tenant=150)
    objects = ObjectRegistry(store, limits=limits, clock=clock)
    one, other = (CallContext(tenant="alice", session_id=name) for name in ("one", "other"))
    await put(objects, one, "x" * 90, name="large")
    with pytest.raises(LimitExceededError, match="150 bytes together, and 92 are taken") as caught:
        await put(objects, other, "x" * 70)
    assert "clear a session" in str(caught.value.hint)
    # What may be evicted in its own session makes room; nothing of another one does.
    assert await put(objects, other, "x" * 40) == "object_0"
    assert await put(objects, other, "y" * 40) == "object_1"
    with pytest.raises(NotFoundError, match="was evicted"):
        await objects.get(other, "object_0", str)
    assert await objects.get(one, "large", str) == "x" * 90
    assert await put(objects, BOB, "x" * 90) == "object_0"


async def test_emptied_sessions_do_not_pile_up(objects: ObjectRegistry) -> None:
    for i in range(50):
        owner = CallContext(tenant="alice", session_id=f"s{i}")
        await put(objects, owner, [i])
        await objects.clear(owner)
    assert await put(objects, ALICE, [1]) == "object_0"


async def test_a_number_is_never_given_twice(objects: ObjectRegistry) -> None:
    first = await put(objects, ALICE, [1])
    await objects.delete(ALICE, first)
    assert await put(objects, ALICE, [2]) == "object_1"
    await put(objects, ALICE, [3], name="object_2")
    assert await put(objects, ALICE, [4]) == "object_3"


async def test_a_deleted_object_is_gone_and_a_miss_says_so(objects: ObjectRegistry) -> None:
    ref = await put(objects, ALICE, [1])
    await objects.delete(ALICE, ref)
    with pytest.raises(NotFoundError, match="deleted or renamed"):
        await objects.delete(ALICE, ref)


async def test_only_so_many_gone_names_are_remembered(objects: ObjectRegistry) -> None:
    for _ in range(6):
        await objects.delete(ALICE, await put(objects, ALICE, [1]))
    with pytest.raises(NotFoundError, match="no object is named"):
        await objects.get(ALICE, "object_0", list)
    with pytest.raises(NotFoundError, match="deleted"):
        await objects.get(ALICE, "object_5", list)


async def test_renaming_moves_an_object(objects: ObjectRegistry) -> None:
    ref = await put(objects, ALICE, [1])
    handle = await objects.rename(ALICE, ref, "gain")
    assert handle.ref == "gain"
    assert await objects.get(ALICE, "gain", list) == [1]
    with pytest.raises(NotFoundError, match="deleted or renamed"):
        await objects.get(ALICE, ref, list)
    with pytest.raises(NotFoundError):
        await objects.rename(ALICE, ref, "other")
    await put(objects, ALICE, [2], name="taken")
    with pytest.raises(ConflictError):
        await objects.rename(ALICE, "gain", "taken")
    await objects.delete(ALICE, "gain")
    assert await put(objects, ALICE, [3], name="gain") == "gain"
    assert await objects.get(ALICE, "gain", list) == [3]


async def test_an_object_remembers_how_it_was_made(objects: ObjectRegistry) -> None:
    ref = await put(objects, ALICE, [1])
    assert await objects.explain(ALICE, ref) == MADE
    handle = await objects.describe(ALICE, ref)
    assert handle.kind == "json"
    assert handle.summary == {"type": "array", "length": 1}
    assert handle.size_bytes == 3
    assert handle.expires_at - handle.created_at == 60


async def test_many_tasks_get_as_many_names(objects: ObjectRegistry) -> None:
    roomy = ObjectRegistry(objects._store, limits=ObjectLimits())
    refs: list[str] = []

    async def one() -> None:
        refs.append(await put(roomy, ALICE, [1]))

    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(one)
    assert sorted(refs) == sorted(f"object_{i}" for i in range(20))


async def test_values_without_a_codec_are_refused(objects: ObjectRegistry) -> None:
    with pytest.raises(ToolDefinitionError, match="no codec keeps a value of type 'bytes'"):
        await put(objects, ALICE, b"raw")
    with pytest.raises(ToolDefinitionError, match="two codecs"):
        ObjectRegistry(codecs=[SetCodec(), SetCodec()])


async def test_a_value_that_was_encoded_elsewhere_is_kept_as_it_is(objects: ObjectRegistry) -> None:
    encoded = EncodedObject.of(SetCodec(), frozenset({2, 1}))
    ref = await put(objects, ALICE, encoded, prefix="set")
    assert await objects.get(ALICE, ref, frozenset) == {1, 2}
    handle = await objects.describe(ALICE, ref)
    assert (handle.kind, handle.summary) == ("number_set", {"size": 2})
    with pytest.raises(ToolDefinitionError, match="no codec reads the kind 'picture_of_a_set'"):
        await put(objects, ALICE, EncodedObject("picture_of_a_set", b"", {}))


async def test_an_object_whose_codec_is_gone_is_not_misread(store: ObjectStore) -> None:
    await put(ObjectRegistry(store, codecs=[SetCodec()]), ALICE, frozenset({1}), name="s")
    with pytest.raises(ToolDefinitionError, match="no codec reads the kind 'number_set'"):
        await ObjectRegistry(store).get(ALICE, "s", frozenset)


@pytest.mark.parametrize(
    ("value", "summary"),
    [
        ({"a": 1}, {"type": "object", "length": 1, "keys": ["a"]}),
        ("abc", {"type": "string", "length": 3}),
        (1.5, {"type": "float"}),
        (None, {"type": "NoneType"}),
    ],
)
async def test_json_values_are_summarized(value: Any, summary: dict[str, Any]) -> None:
    codec = JsonCodec()
    assert codec.summarize(value) == summary
    assert codec.decode(codec.encode(value)) == value


async def test_a_store_says_how_much_it_keeps_of_all_tenants(
    objects: ObjectRegistry, store: ObjectStore, clock: FrozenClock
) -> None:
    assert await store.usage() == StoreUsage(objects=0, payload_bytes=0)
    sizes = {"a": len(b"[1]"), "b": len(b"[1,22]")}
    await put(objects, ALICE, [1], name="a")
    await put(objects, CallContext(tenant="alice", session_id="other"), [1, 22], name="b")
    await put(objects, BOB, [1], name="a")
    whole = StoreUsage(objects=3, payload_bytes=2 * sizes["a"] + sizes["b"])
    assert await objects.usage() == await store.usage() == whole
    await objects.delete(BOB, "a")
    assert await store.usage() == StoreUsage(objects=2, payload_bytes=sizes["a"] + sizes["b"])
    # To look changes nothing: what has expired counts until it is taken away.
    clock.advance(LIMITS.time_to_live_s)
    assert (await store.usage()).objects == 2
    assert await objects.list(ALICE) == []
    assert (await store.usage()).objects < 2


async def test_a_store_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "objects.db")
    await store.aclose()
    with pytest.raises(UnavailableError):
        await store.usage()
