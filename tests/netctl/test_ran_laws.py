"""The laws of a cell: numbers of the standard, closed forms by hand, and what must never break."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl.ran import (
    BUFFER_BYTES,
    CQI_EFFICIENCIES,
    GAP_DB,
    MCS_EFFICIENCIES,
    Carrier,
    Request,
    adapt,
    path_loss_db,
    place_users,
    serve,
    share_out,
    threshold_db,
)

# The efficiencies as the tables of TS 38.214 print them.
PRINTED_CQI = [
    *(0.1523, 0.2344, 0.3770, 0.6016, 0.8770, 1.1758, 1.4766, 1.9141, 2.4063, 2.7305),
    *(3.3223, 3.9023, 4.5234, 5.1152, 5.5547),
]
PRINTED_MCS = [
    *(0.2344, 0.3066, 0.3770, 0.4902, 0.6016, 0.7402, 0.8770, 1.0273, 1.1758, 1.3262),
    *(1.3281, 1.4766, 1.6953, 1.9141, 2.1602, 2.4063, 2.5703),
    *(2.5664, 2.7305, 3.0293, 3.3223, 3.6094, 3.9023, 4.2129, 4.5234, 4.8164, 5.1152),
    *(5.3320, 5.5547),
]
TWENTY_MHZ = Carrier(frequency_ghz=3.5, prbs=51, subcarrier_khz=30)
SNR_DB = st.floats(-20.0, 45.0)


def test_the_efficiencies_are_those_that_the_standard_prints() -> None:
    assert [round(bits, 4) for bits in CQI_EFFICIENCIES] == pytest.approx(PRINTED_CQI, abs=1e-4)
    assert [round(bits, 4) for bits in MCS_EFFICIENCIES] == pytest.approx(PRINTED_MCS, abs=1e-4)


@pytest.mark.parametrize(
    ("distance_m", "carrier_ghz", "loss_db"),
    [
        # In sight and near: 32.4 + 21 * 2 + 20 * log10(3.5).
        (100.0, 3.5, 85.281),
        (10.0, 1.0, 53.4),
        (1.0, 1.0, 53.4),
        # Beyond the break point at 210.1 m: 32.4 + 40 * 3 + 10.881 - 9.5 * log10(210.1² + 8.5²).
        (1000.0, 3.5, 119.145),
    ],
)
def test_the_path_loss_is_that_of_the_street_canyon(
    distance_m: float, carrier_ghz: float, loss_db: float
) -> None:
    assert path_loss_db(distance_m=distance_m, carrier_ghz=carrier_ghz) == pytest.approx(
        loss_db, abs=2e-3
    )


def test_the_noise_of_twenty_megahertz_is_thermal_noise_and_the_receivers_own() -> None:
    # 51 blocks of 12 subcarriers of 30 kHz are 18.36 MHz; kT at 290 K is -173.975 dBm/Hz.
    assert TWENTY_MHZ.bandwidth_hz == 18.36e6
    assert TWENTY_MHZ.noise_dbm(7.0) == pytest.approx(-173.975 + 72.639 + 7.0, abs=1e-3)


@pytest.mark.parametrize("cqi", range(1, 16))
def test_a_cqi_begins_at_shannons_bound_and_the_gap(cqi: int) -> None:
    bound_db = 10 * math.log10(2 ** PRINTED_CQI[cqi - 1] - 1) + GAP_DB

    assert threshold_db(CQI_EFFICIENCIES[cqi - 1]) == pytest.approx(bound_db, abs=2e-3)
    assert adapt(bound_db + 0.01).cqi == cqi
    assert adapt(bound_db - 0.01).cqi == cqi - 1


def test_one_block_in_ten_fails_at_the_threshold_and_ten_times_less_each_decibel_above() -> None:
    top_db = threshold_db(MCS_EFFICIENCIES[28])

    at, above = adapt(top_db + 1.0), adapt(top_db + 2.0)

    assert (at.mcs, above.mcs) == (28, 28)
    assert at.bler_ratio == pytest.approx(0.01)
    assert above.bler_ratio == pytest.approx(0.001)
    assert above.bits == pytest.approx(5.5547 * 0.999, abs=1e-3)


def test_a_user_out_of_reach_is_sent_nothing_and_one_at_the_edge_the_lowest() -> None:
    out, edge = adapt(threshold_db(CQI_EFFICIENCIES[0]) - 0.1), adapt(-6.0)

    assert (out.cqi, out.mcs, out.bler_ratio, out.bits) == (0, None, None, 0.0)
    assert (edge.cqi, edge.mcs) == (1, 0)
    # 0.1 * 10^(threshold - SNR), with the threshold of MCS 0 at -4.535 dB.
    assert edge.bler_ratio == 1.0
    assert adapt(-4.9).bler_ratio == pytest.approx(0.1 * 10**0.365, rel=2e-3)


def test_one_block_delivers_what_the_standards_formula_says() -> None:
    link = adapt(40.0)

    # 12 subcarriers * 28 symbols a ms * 5.5547 bits * (1 - 0.14), TS 38.306.
    assert TWENTY_MHZ.prb_mbps(link) == pytest.approx(12 * 28e3 * 5.5547 * 0.86 / 1e6, rel=1e-5)


@given(low=SNR_DB, more=st.floats(0.0, 20.0))
def test_more_signal_never_delivers_less(low: float, more: float) -> None:
    weak, strong = adapt(low), adapt(low + more)

    assert weak.bits <= strong.bits
    assert weak.cqi <= strong.cqi
    if weak.bler_ratio is not None:
        assert 0.0 <= weak.bler_ratio <= 1.0


NEEDS = st.lists(st.floats(0.0, 1e6) | st.just(math.inf), max_size=8)


@given(total=st.floats(0.0, 1e6), needs=NEEDS)
def test_nobody_gets_more_than_they_need_and_nothing_is_lost(
    total: float, needs: list[float]
) -> None:
    shares = share_out(total, needs)

    assert all(0.0 <= share <= need for share, need in zip(shares, needs, strict=True))
    assert math.fsum(shares) == pytest.approx(min(total, sum(needs)), rel=1e-9, abs=1e-9)


@given(total=st.floats(0.0, 1e6), more=st.floats(0.0, 1e6), needs=NEEDS)
def test_more_to_share_never_makes_a_share_smaller(
    total: float, more: float, needs: list[float]
) -> None:
    before, after = share_out(total, needs), share_out(total + more, needs)

    assert all(a <= b * (1 + 1e-9) + 1e-9 for a, b in zip(before, after, strict=True))


def test_what_one_does_not_need_is_shared_by_the_others() -> None:
    assert share_out(12.0, [1.0, math.inf, 5.0, math.inf]) == pytest.approx(
        [1.0, 11 / 3, 11 / 3, 11 / 3]
    )
    assert share_out(12.0, [1.0, 2.0]) == [1.0, 2.0]


REQUESTS = st.lists(
    st.builds(
        Request,
        slice=st.sampled_from(["a", "b"]),
        snr_db=SNR_DB,
        offered_mbps=st.floats(0.0, 100.0) | st.just(math.inf),
    ),
    min_size=1,
    max_size=6,
)
PRBS = st.floats(0.0, 25.0)


@given(requests=REQUESTS, a=PRBS, b=PRBS)
def test_slices_never_use_more_blocks_than_they_have(
    requests: list[Request], a: float, b: float
) -> None:
    services = serve(TWENTY_MHZ, {"a": a, "b": b}, requests)

    for name, prbs in (("a", a), ("b", b)):
        used = [s.prbs for s, r in zip(services, requests, strict=True) if r.slice == name]
        assert math.fsum(used) <= prbs + 1e-9
    for request, service in zip(requests, services, strict=True):
        assert 0.0 <= service.throughput_mbps <= request.offered_mbps
        assert 0.0 <= service.buffer_bytes <= BUFFER_BYTES


@given(requests=REQUESTS, a=PRBS, b=PRBS, more=st.floats(0.0, 20.0))
def test_more_blocks_for_a_slice_give_none_of_its_users_less_and_leave_the_others_alone(
    requests: list[Request], a: float, b: float, more: float
) -> None:
    before = serve(TWENTY_MHZ, {"a": a, "b": b}, requests)
    after = serve(TWENTY_MHZ, {"a": a + more, "b": b}, requests)

    for request, less, got in zip(requests, before, after, strict=True):
        if request.slice == "b":
            assert got == less
        assert less.throughput_mbps <= got.throughput_mbps * (1 + 1e-9) + 1e-9


def louder(requests: list[Request], more_db: float) -> list[Request]:
    return [
        Request(slice=r.slice, snr_db=r.snr_db + more_db, offered_mbps=r.offered_mbps)
        for r in requests
    ]


@given(requests=REQUESTS, a=PRBS, b=PRBS, more_db=st.floats(0.0, 20.0))
def test_more_power_gives_no_user_less_while_nobody_comes_into_reach(
    requests: list[Request], a: float, b: float, more_db: float
) -> None:
    requests = [r for r in requests if adapt(r.snr_db).bits > 0.0]
    before = serve(TWENTY_MHZ, {"a": a, "b": b}, requests)
    after = serve(TWENTY_MHZ, {"a": a, "b": b}, louder(requests, more_db))

    for less, got in zip(before, after, strict=True):
        assert less.throughput_mbps <= got.throughput_mbps * (1 + 1e-9) + 1e-9


def test_a_user_who_comes_into_reach_takes_its_part_from_its_slice() -> None:
    near = Request(slice="a", snr_db=0.0, offered_mbps=math.inf)
    far = Request(slice="a", snr_db=-6.0, offered_mbps=math.inf)

    before = serve(TWENTY_MHZ, {"a": 10.0}, [near, far])
    after = serve(TWENTY_MHZ, {"a": 10.0}, louder([near, far], 2.0))

    assert [service.prbs for service in before] == [10.0, 0.0]
    assert [service.prbs for service in after] == [5.0, 5.0]


def test_a_queue_is_that_of_packets_that_come_at_random() -> None:
    rate_mbps = TWENTY_MHZ.prb_mbps(adapt(40.0))
    half, full = (
        serve(
            TWENTY_MHZ,
            {"a": 10.0},
            [Request(slice="a", snr_db=40.0, offered_mbps=load * 10.0 * rate_mbps)],
        )[0]
        for load in (0.75, 1.0)
    )

    # 1500 bytes * 0.75 / (1 - 0.75).
    assert half.buffer_bytes == pytest.approx(4500.0)
    assert half.prbs == pytest.approx(7.5)
    assert full.buffer_bytes == 3_000_000.0


def test_users_stand_where_the_seed_says_in_slices_by_turns() -> None:
    users = place_users(["a", "b"], count=5, seed=3)

    assert users == place_users(["a", "b"], count=5, seed=3)
    assert users != place_users(["a", "b"], count=5, seed=4)
    assert [user.slice for user in users] == ["a", "b", "a", "b", "a"]
    assert [user.rnti for user in users] == [17921, 17922, 17923, 17924, 17925]
    assert all(35.0 <= user.distance_m <= 400.0 for user in users)
