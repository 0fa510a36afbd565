"""Quick ways that every command takes: each gives what the plain way gives."""

import hashlib
import json
import uuid
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import AuditTrail, CommandRequest, Inventory, Outcome, Reading, Setting
from netctl._events import EventBus  # white box: the store needs one
from netctl._measurement_store import MeasurementStore  # white box: drivers reach it alone
from netctl._mutex import Mutex  # white box: what guards the books
from netctl._replaced import replaced  # white box: no command shows which copy was made
from netctl._request_id import new_request_id  # white box: many at once
from netctl.apps.line import simulated_line
from netctl.testing import ManualClock

pytestmark = pytest.mark.anyio

FACTS = st.dictionaries(
    st.text(max_size=5), st.text(max_size=20) | st.floats(allow_nan=False) | st.none(), max_size=4
)


@given(
    timestamp_s=st.floats(allow_nan=False) | st.integers(0, 10**10),
    kinds=st.lists(st.sampled_from(["command", "state", "call"]), min_size=1, max_size=3),
    facts=FACTS,
)
def test_a_digest_is_that_of_the_documented_text(
    timestamp_s: float, kinds: list[Any], facts: dict[str, Any]
) -> None:
    trail = AuditTrail()
    for kind in kinds:
        entry = trail.draft(kind, facts, timestamp_s)
        trail.append(entry)

        whole = [entry.sequence, entry.timestamp_s, entry.kind, entry.facts, entry.previous]
        text = json.dumps(whole, separators=(",", ":"))
        assert entry.digest == hashlib.sha256(text.encode()).hexdigest()
    assert trail.broken_at() is None


REQUEST = CommandRequest(app="a", command="SET", arguments={"node_id": 1}, request_id="r")
OUTCOME = Outcome(request=REQUEST, status="queued", before=1.0, change_id=7)


@pytest.mark.parametrize(
    "changes", [{}, {"status": "verified"}, {"status": "failed", "code": "leased", "reason": "w"}]
)
def test_a_copy_is_what_the_standard_library_makes(changes: dict[str, Any]) -> None:
    copy = replaced(OUTCOME, **changes)

    assert copy == replace(OUTCOME, **changes)
    assert copy is not OUTCOME
    assert OUTCOME.status == "queued"


def test_a_copy_with_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="'colour'"):
        replaced(OUTCOME, colour="red")


def test_names_of_commands_are_uuids_and_all_different() -> None:
    names = [new_request_id() for _ in range(2_000)]

    assert len(set(names)) == len(names)
    for name in names:
        parsed = uuid.UUID(name)
        assert (str(parsed), parsed.version, parsed.variant) == (name, 4, uuid.RFC_4122)


async def test_a_mutex_lets_one_in_at_a_time_in_the_order_of_coming() -> None:
    mutex, order, inside = Mutex(), list[int](), 0

    async def enter(number: int) -> None:
        nonlocal inside
        async with mutex:
            inside += 1
            assert inside == 1
            assert mutex.locked()
            await anyio.wait_all_tasks_blocked()
            order.append(number)
            inside -= 1

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(enter, number)

    assert order == [0, 1, 2, 3, 4]
    assert not mutex.locked()


async def test_a_mutex_is_free_after_an_error_and_after_a_waiter_gave_up() -> None:
    mutex = Mutex()

    async def take() -> None:
        async with mutex:
            raise AssertionError("it was not free")

    with pytest.raises(KeyError):
        async with mutex:
            raise KeyError
    async with mutex, anyio.create_task_group() as group:
        group.start_soon(take)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()

    assert not mutex.locked()


VALUES = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.text(max_size=3), st.none(), st.just(10**400)
)
READINGS = st.lists(
    st.one_of(
        st.builds(
            Reading,
            metric=st.sampled_from(["a_db", "b_db", "c_db", "other", 7, ("a_db",), ["a_db"]]),
            value=VALUES,
            timestamp_s=st.none() | st.floats() | st.just("now"),
        ),
        st.none(),
        st.just({"metric": "a_db", "value": 1.0}),
    ),
    max_size=5,
)


class Told(Reading):
    """A reading like any other, that only the careful way takes."""


@given(readings=READINGS)
def test_sound_readings_are_kept_as_the_careful_way_keeps_them(readings: list[Any]) -> None:
    def kept(given_readings: list[Any]) -> tuple[Any, ...]:
        document = {"node_id": 1, "name": "n", "kind": "amplifier"}
        document |= {"metrics": ["a_db", "b_db", "c_db"]}
        inventory = Inventory.model_validate({"nodes": [document]})
        clock = ManualClock()
        store = MeasurementStore(inventory, clock, EventBus(clock), stale_after_s=3.0)
        number = store.record(1, given_readings)
        last = tuple(store.latest(1, metric) for metric in ("a_db", "b_db", "c_db"))
        return number, store.refused, last

    careful = [
        Told(metric=r.metric, value=r.value, timestamp_s=r.timestamp_s)
        if isinstance(r, Reading)
        else r
        for r in readings
    ]
    assert kept(readings) == kept(careful)


@given(
    gains=st.lists(
        st.tuples(st.sampled_from(["preamp_gain_db", "booster_gain_db"]), st.integers(0, 35)),
        max_size=6,
    )
)
async def test_a_line_that_remembers_is_one_that_computes_everything(
    gains: list[tuple[str, int]],
) -> None:
    inventory, line = simulated_line()
    node = inventory.node(7)
    for resource, gain_db in gains:
        setting = Setting(resource=resource, value=float(gain_db))
        predicted = await line.predict(node, setting)
        await line.apply(node, setting)
        assert line.state()[7] == predicted

    _, fresh = simulated_line()
    for resource, gain_db in gains:
        await fresh.apply(node, Setting(resource=resource, value=float(gain_db)))
    assert line.state() == fresh.state()
