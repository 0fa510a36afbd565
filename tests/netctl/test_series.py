"""What a node measured, in flat arrays: the same as a list of samples would say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import Controller, DeclarationError, Inventory, Measurement, Reading, Sample
from netctl.testing import ManualClock

METRICS = ("gain_db", "power_dbm", "osnr_db")
INVENTORY = Inventory.model_validate(
    {"nodes": [{"node_id": 1, "name": "node", "kind": "amplifier", "metrics": METRICS}]}
)


class Unread:
    """A driver of nodes that push what they measure."""

    async def read(self, node: Any) -> list[Reading]:
        del node
        return []

    async def apply(self, node: Any, setting: Any) -> Any:
        raise NotImplementedError


def controller(history_length: int = 4) -> Controller:
    return Controller(INVENTORY, Unread(), clock=ManualClock(), history_length=history_length)


samples = st.dictionaries(st.sampled_from(METRICS), st.floats(-100, 100), min_size=1)
times = st.one_of(st.none(), st.floats(1_799_999_000.0, 1_800_000_000.0))


@given(st.lists(st.tuples(samples, times), max_size=12), st.integers(1, 5))
def test_the_history_is_the_last_samples_and_the_last_value_is_never_lost(
    told: list[tuple[dict[str, float], float | None]], length: int
) -> None:
    network = controller(length)
    for values, timestamp_s in told:
        assert network.record_many([Sample(1, values, timestamp_s)]) == 1

    numbered = list(enumerate(told, 1))
    for metric in METRICS:
        held = [(number, *sample) for number, sample in numbered if metric in sample[0]]
        expected = [
            (number, values[metric], 1_800_000_000.0 if timestamp_s is None else timestamp_s)
            for number, values, timestamp_s in held
        ]
        history = [
            (measured.sequence, measured.value, measured.timestamp_s)
            for measured in network.history(1, metric)
        ]
        assert history == [entry for entry in expected if entry[0] > len(told) - length]
        last = network.last(1, metric)
        assert (last.sequence, last.value, last.timestamp_s) == (
            expected[-1] if expected else (0, None, None)
        )


def test_readings_of_one_sample_keep_the_times_that_they_have_of_their_own() -> None:
    network = controller()
    store = network._parts.store
    store.record(
        1,
        [
            Reading(metric="gain_db", value=1.0, timestamp_s=1_799_999_990.0),
            Reading(metric="power_dbm", value=2.0, timestamp_s=1_799_999_980.0),
            Reading(metric="osnr_db", value=3.0),
        ],
    )

    ages = {metric: network.last(1, metric).age_s for metric in METRICS}
    assert ages == {"gain_db": 10.0, "power_dbm": 20.0, "osnr_db": 0.0}
    for _ in range(4):
        store.record(1, [Reading(metric="osnr_db", value=4.0)])
    assert network.last(1, "gain_db").age_s == 10.0
    assert network.history(1, "gain_db") == ()


def test_what_is_malformed_or_of_nobody_is_counted_and_the_rest_kept(logs: Any) -> None:
    network = controller()
    bad: Any = {"gain_db": 1.0, "power_dbm": "2", "colour": 3.0, 7: 4.0}

    faults: list[Any] = [True, [], [1.0]]
    yes, nothing, no_values = faults
    strange: list[Any] = [Sample(30, {"gain_db": 1.0}), Sample(yes, bad), Sample(nothing, bad)]
    strange += [Sample(1, no_values), {"node_id": 1}, None]
    assert network.record_many([*strange, Sample(1, bad)]) == 1

    assert network.last(1, "gain_db").value == 1.0
    assert network.last(1, "power_dbm") == Measurement(node_id=1, metric="power_dbm")
    assert network.refused_readings == 9
    # One line a sample: nonsense must not fill the disk.
    assert [log["event"] for log in logs] == ["sample refused"] * 6 + ["readings refused"]


def test_a_metric_that_nobody_declares_has_no_data_and_no_history() -> None:
    network = controller()

    assert network.last(1, "colour").quality == "no_data"
    assert network.history(1, "colour") == ()


@pytest.mark.parametrize("length", [0, -1, True, 2.0])
def test_a_history_without_a_length_is_an_error(length: Any) -> None:
    with pytest.raises(DeclarationError, match="history_length"):
        controller(length)
