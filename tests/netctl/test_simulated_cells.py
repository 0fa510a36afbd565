"""Simulated base stations: commands change what their users get, by the published formulas."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl import (
    RAN_COMMANDS,
    Acknowledgement,
    Controller,
    DeclarationError,
    Inventory,
    Setting,
)
from netctl.apps.ran import RanApp, ran_inventory, simulated_ran
from netctl.drivers import SimulatedCells
from netctl.ran import User

pytestmark = pytest.mark.anyio

INVENTORY = ran_inventory()
NODE = INVENTORY.node(21)
SHARES = ("embb_prb_share_percent", "urllc_prb_share_percent", "mmtc_prb_share_percent")


def setting(resource: str, value: float) -> Setting:
    return Setting(resource=resource, value=value)


def test_two_cells_with_one_seed_measure_the_same() -> None:
    assert simulated_ran(seed=5)[1].state() == simulated_ran(seed=5)[1].state()
    assert simulated_ran(seed=5)[1].state() != simulated_ran(seed=6)[1].state()


def test_a_users_measurements_follow_from_the_formulas_alone() -> None:
    user = User(
        number=1,
        rnti=17,
        slice="embb",
        distance_m=100.0,
        shadowing_db=3.0,
        offered_dl_mbps=math.inf,
    )
    cells = SimulatedCells(
        INVENTORY,
        users={21: [user]},
        settings={(21, "tx_power_dbm"): 10.0, (21, "embb_prb_share_percent"): 40.0},
    )

    measured = cells.state()[21]

    loss_db = 32.4 + 21 * math.log10(100) + 20 * math.log10(3.5) + 3.0 - 8.0
    noise_dbm = 10 * math.log10(1.380649e-23 * 290 * 1000 * 51 * 12 * 30e3) + 7.0
    snr_db = 10.0 - loss_db - noise_dbm
    assert measured["ue_1_snr_db"] == pytest.approx(snr_db, abs=1e-9)
    # 24 dB is 4.4 dB above what the highest efficiency needs, 10 log10(2^5.5547 - 1) + 3.
    margin_db = snr_db - 10 * math.log10(2 ** (6 * 948 / 1024) - 1) - 3.0
    assert (measured["ue_1_cqi"], measured["ue_1_mcs"]) == (15.0, 28.0)
    bler = 0.1 * 10**-margin_db
    assert measured["ue_1_bler_ratio"] == pytest.approx(bler)
    prb_mbps = 12 * 28e3 * (6 * 948 / 1024) * (1 - bler) * 0.86 / 1e6
    assert measured["ue_1_dl_prbs"] == pytest.approx(20.4)
    assert measured["ue_1_dl_throughput_mbps"] == pytest.approx(20.4 * prb_mbps)
    assert measured["embb_dl_throughput_mbps"] == pytest.approx(20.4 * prb_mbps)
    assert measured["prb_use_percent"] == pytest.approx(40.0)
    assert measured["ue_1_rnti"] == 17.0


async def test_power_changes_the_quality_of_every_user_by_as_many_decibels() -> None:
    _, cells = simulated_ran()
    before = cells.state()[21]

    await cells.apply(NODE, setting("tx_power_dbm", 13.0))

    after = cells.state()[21]
    for number in range(1, 7):
        metric = f"ue_{number}_snr_db"
        assert after[metric] - before[metric] == pytest.approx(3.0)


async def test_a_slices_share_is_what_its_users_get_and_no_other_slices_users_see_it() -> None:
    _, cells = simulated_ran()
    before = cells.state()[21]

    await cells.apply(NODE, setting("mmtc_prb_share_percent", 20.0))

    after = cells.state()[21]
    # Both users of the slice wait for more: twice the share is twice the throughput.
    assert before["ue_3_dl_buffer_bytes"] == 3_000_000.0
    assert after["ue_3_dl_throughput_mbps"] == pytest.approx(2 * before["ue_3_dl_throughput_mbps"])
    for number in (1, 2, 4, 5):
        metric = f"ue_{number}_dl_throughput_mbps"
        assert after[metric] == before[metric]


async def test_a_cell_refuses_shares_of_more_than_all_its_blocks() -> None:
    _, cells = simulated_ran()

    refused = await cells.apply(NODE, setting("embb_prb_share_percent", 71.0))
    full = await cells.apply(NODE, setting("embb_prb_share_percent", 70.0))

    assert refused == Acknowledgement(
        accepted=False, message="the slices' shares would be 101 % together; 100 % is all"
    )
    assert full.accepted
    assert sum(cells.state()[21][share] for share in SHARES) == 100.0


@pytest.mark.parametrize(
    ("resource", "value"), [("tx_power_dbm", 30.5), ("tx_power_dbm", -0.5), ("colour", 1.0)]
)
async def test_a_cell_refuses_what_its_hardware_cannot_do(resource: str, value: float) -> None:
    _, cells = simulated_ran()
    before = cells.state()

    assert not (await cells.apply(NODE, setting(resource, value))).accepted
    assert cells.state() == before


@given(
    commands=st.lists(
        st.tuples(st.sampled_from(["tx_power_dbm", *SHARES]), st.integers(-10, 110)), max_size=12
    )
)
async def test_whatever_is_sent_blocks_and_powers_stay_within_what_there_is(
    commands: list[tuple[str, int]],
) -> None:
    _, cells = simulated_ran()
    for resource, value in commands:
        await cells.apply(NODE, setting(resource, float(value)))

    state = cells.state()[21]
    used = sum(state[f"ue_{number}_dl_prbs"] for number in range(1, 7))
    assert sum(state[share] for share in SHARES) <= 100.0
    assert used <= 51 * sum(state[share] for share in SHARES) / 100 + 1e-9
    assert state["prb_use_percent"] == pytest.approx(100 * used / 51)
    assert 0.0 <= state["tx_power_dbm"] <= 30.0


@given(resource=st.sampled_from(["tx_power_dbm", *SHARES]), value=st.integers(0, 30))
async def test_a_prediction_is_what_is_measured_afterwards_and_changes_nothing(
    resource: str, value: int
) -> None:
    _, cells = simulated_ran()
    before = cells.state()

    predicted = await cells.predict(NODE, setting(resource, float(value)))

    assert cells.state() == before
    assert (await cells.apply(NODE, setting(resource, float(value)))).accepted
    assert {reading.metric: reading.value for reading in await cells.read(NODE)} == predicted


async def test_a_user_out_of_reach_has_a_quality_of_0_and_no_scheme() -> None:
    far = User(number=1, rnti=17, slice="embb", distance_m=5000.0)
    cells = SimulatedCells(INVENTORY, users={21: [far]})

    measured = cells.state()[21]

    assert (measured["ue_1_cqi"], measured["ue_1_dl_throughput_mbps"]) == (0.0, 0.0)
    assert "ue_1_mcs" not in measured
    assert "ue_1_bler_ratio" not in measured


def changed(**more: Any) -> Inventory:
    document = INVENTORY.model_dump(mode="json", exclude_defaults=True)
    document["nodes"][0] |= more
    return Inventory.model_validate(document)


def test_a_node_without_a_cell_is_no_base_station() -> None:
    with pytest.raises(DeclarationError, match="node 21 has no cell"):
        SimulatedCells(changed(cell=None))


def test_shares_above_all_blocks_are_refused_at_the_start() -> None:
    with pytest.raises(DeclarationError, match="shares of 120 % together"):
        SimulatedCells(INVENTORY, settings={(21, share): 40.0 for share in SHARES})


def test_a_user_of_a_slice_that_there_is_not_is_refused() -> None:
    stray = User(number=1, rnti=17, slice="gold", distance_m=100.0)

    with pytest.raises(DeclarationError, match="in the slice 'gold'"):
        SimulatedCells(INVENTORY, users={21: [stray]})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"power_resource": "volume"}, "the cell of node 21 names the resource 'volume'"),
        ({"slices": []}, "at least 1 item"),
        ({"slices": [{"name": "a", "resource": "b"}]}, "the slice a of node 21 names"),
        ({"slices": [{"name": "a", "resource": SHARES[0]}] * 2}, "node 21 has two slices 'a'"),
        ({"prbs": 276}, "less than or equal to 275"),
        ({"subcarrier_khz": 20}, "15, 30, 60 or 120"),
    ],
)
def test_a_cell_that_does_not_fit_its_node_is_refused(change: dict[str, Any], said: str) -> None:
    cell = INVENTORY.model_dump(exclude_defaults=True)["nodes"][0]["cell"] | change

    with pytest.raises(ValueError, match=said):
        changed(cell=cell)


async def test_the_commands_of_a_cell_go_through_the_whole_pipeline() -> None:
    inventory, cells = simulated_ran()
    async with Controller(
        inventory, cells, commands=RAN_COMMANDS, poll_period_s=3600.0
    ) as controller:
        controller.add(RanApp())
        louder = await controller.execute(
            "RanApp", "SET_TX_POWER", {"node_id": 21, "tx_power_dbm": 12.5}
        )
        between = await controller.execute(
            "RanApp", "SET_TX_POWER", {"node_id": 21, "tx_power_dbm": 12.3}
        )
        share = {"node_id": 21, "slice": "urllc", "share_percent": 30}
        planned = await controller.execute("RanApp", "SET_PRB_SHARE", share, dry_run=True)

    assert (louder.status, louder.before, louder.read_back) == ("verified", 10.0, 12.5)
    assert (between.code, between.nearest) == ("out_of_limits", 12.5)
    assert planned.predicted_effect is not None
    assert planned.predicted_effect["prb_use_percent"] > cells.state()[21]["prb_use_percent"]
