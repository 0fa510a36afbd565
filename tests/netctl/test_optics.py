"""The physics against closed forms that are written here anew."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl.optics import (
    Light,
    amplify,
    db_to_ratio,
    dbm_to_mw,
    mw_to_dbm,
    output_power_mw,
    ratio_to_db,
    saturation_depth,
)

gains_db = st.floats(0.0, 35.0)
powers_dbm = st.floats(-40.0, 10.0)
saturations_dbm = st.floats(0.0, 25.0)
# Each step is a handful of roundings of 1.1e-16.
RELATIVE = 1e-12


def light(power_dbm: float, *, osnr_db: float = 40.0, channels: int = 8) -> Light:
    return Light.launched(
        power_dbm=power_dbm, osnr_db=osnr_db, channels=channels, bandwidth_ghz=4000.0
    )


def test_decibels_are_ten_times_the_decimal_logarithm() -> None:
    assert dbm_to_mw(0.0) == 1.0
    assert dbm_to_mw(10.0) == pytest.approx(10.0)
    assert db_to_ratio(3.0) == pytest.approx(1.9952623149688795)
    assert mw_to_dbm(2.0) == pytest.approx(3.010299956639812)
    assert ratio_to_db(0.5) == pytest.approx(-3.010299956639812)


@given(powers_dbm, gains_db, saturations_dbm)
def test_reciprocal_output_power_is_the_sum_of_its_two_limits(
    input_dbm: float, gain_db: float, saturation_dbm: float
) -> None:
    # 1/P_out = 1/(G P) + 1/P_sat: the law in the form in which neither limit is special.
    unsaturated_mw = 10 ** ((input_dbm + gain_db) / 10)
    expected_mw = 1 / (1 / unsaturated_mw + 1 / 10 ** (saturation_dbm / 10))

    output_mw = output_power_mw(
        input_mw=10 ** (input_dbm / 10), gain_db=gain_db, saturation_power_dbm=saturation_dbm
    )

    assert output_mw == pytest.approx(expected_mw, rel=RELATIVE)


@given(powers_dbm, gains_db, saturations_dbm)
def test_saturation_depth_of_an_output_is_what_made_it(
    input_dbm: float, gain_db: float, saturation_dbm: float
) -> None:
    output_mw = output_power_mw(
        input_mw=dbm_to_mw(input_dbm), gain_db=gain_db, saturation_power_dbm=saturation_dbm
    )
    depth = 10 ** ((input_dbm + gain_db - saturation_dbm) / 10)

    found = saturation_depth(output_mw=output_mw, saturation_power_dbm=saturation_dbm)

    # The output keeps only 1/depth of itself as news about how deep it is.
    assert found == pytest.approx(depth, rel=RELATIVE * (1 + depth))


@pytest.mark.parametrize("output_mw", [-1.0, 10.0, 11.0])
def test_no_gain_explains_an_output_at_or_above_saturation(output_mw: float) -> None:
    with pytest.raises(ValueError, match=r"is not below 10\.0 dBm"):
        saturation_depth(output_mw=output_mw, saturation_power_dbm=10.0)


def test_launched_light_has_the_power_and_osnr_asked_for() -> None:
    launched = light(-3.0, osnr_db=38.0)

    assert launched.total_dbm == pytest.approx(-3.0, rel=RELATIVE)
    assert launched.osnr_db == pytest.approx(38.0, rel=RELATIVE)


@given(powers_dbm, st.floats(0.0, 40.0))
def test_a_loss_lowers_the_power_and_keeps_the_osnr(power_dbm: float, loss_db: float) -> None:
    behind = light(power_dbm).attenuated(loss_db)

    assert behind.total_dbm == pytest.approx(power_dbm - loss_db, abs=1e-9)
    assert behind.osnr_db == pytest.approx(40.0, rel=RELATIVE)


@given(powers_dbm, gains_db)
def test_an_amplifiers_total_output_follows_the_saturation_law(
    input_dbm: float, gain_db: float
) -> None:
    incoming = light(input_dbm)

    outgoing = amplify(incoming, gain_db=gain_db, saturation_power_dbm=17.0, noise_figure_db=5.0)

    assert outgoing.total_mw == pytest.approx(
        output_power_mw(input_mw=incoming.total_mw, gain_db=gain_db, saturation_power_dbm=17.0),
        rel=RELATIVE,
    )
    assert outgoing.signal_mw > 0
    assert outgoing.ase_mw > 0


def test_an_amplifier_adds_the_noise_of_its_noise_figure() -> None:
    # The textbook rule for one amplifier with clean input at high gain, in 0.1 nm at 1550 nm:
    # OSNR = P_channel - NF + 58 dB, P in dBm. (58 dB is -10 log10 of h·nu·12.5 GHz in mW.)
    incoming = light(-12.0, osnr_db=90.0)
    channel_dbm = -12.0 - 10 * math.log10(8)

    outgoing = amplify(incoming, gain_db=30.0, saturation_power_dbm=40.0, noise_figure_db=5.0)

    assert outgoing.osnr_db == pytest.approx(channel_dbm - 5.0 + 57.95, abs=0.05)


def test_noise_to_signal_ratios_of_a_chain_add_up() -> None:
    # Each amplifier adds F h nu B_ref (1 - 1/g) over its own channel input power; losses add none.
    photon_mw = 6.62607015e-34 * 193.4e12 * 12.5e9 * 1e3
    passing = light(-4.0, osnr_db=45.0)
    ratio = 10 ** (-4.5)
    for gain_db, loss_db, noise_figure_db in [
        (18.0, 17.0, 5.5),
        (17.0, 20.0, 5.0),
        (22.0, 5.0, 6.0),
    ]:
        before_mw = passing.signal_mw
        passing = amplify(
            passing,
            gain_db=gain_db,
            saturation_power_dbm=17.0,
            noise_figure_db=noise_figure_db,
        )
        gain = passing.signal_mw / before_mw
        ratio += 10 ** (noise_figure_db / 10) * photon_mw * (1 - 1 / gain) / (before_mw / 8)
        passing = passing.attenuated(loss_db)

    assert passing.osnr_db == pytest.approx(-10 * math.log10(ratio), rel=RELATIVE)


def test_an_amplifier_below_unity_gain_adds_no_noise() -> None:
    incoming = light(10.0)

    outgoing = amplify(incoming, gain_db=0.0, saturation_power_dbm=0.0, noise_figure_db=5.0)

    assert outgoing.total_mw < incoming.total_mw
    assert outgoing.osnr_db == pytest.approx(incoming.osnr_db, rel=RELATIVE)
