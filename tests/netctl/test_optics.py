"""The physics against closed forms that are written here anew."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netctl.optics import (
    STANDARD_FIBRE,
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
    assert min(outgoing.signals_mw) > 0
    assert min(outgoing.ases_mw) > 0


def test_an_amplifier_adds_the_noise_of_its_noise_figure() -> None:
    # The textbook rule for one amplifier with clean input at high gain, in 0.1 nm at 1550 nm:
    # OSNR = P_channel - NF + 58 dB, P in dBm. (58 dB is -10 log10 of h·nu·12.5 GHz in mW.)
    incoming = light(-12.0, osnr_db=90.0)
    channel_dbm = -12.0 - 10 * math.log10(8)

    outgoing = amplify(incoming, gain_db=30.0, saturation_power_dbm=40.0, noise_figure_db=5.0)

    assert outgoing.osnr_db == pytest.approx(channel_dbm - 5.0 + 57.95, abs=0.05)


def test_noise_to_signal_ratios_of_a_chain_add_up() -> None:
    # Each amplifier adds h nu B_ref (F - 1/g) over its own channel input power; losses add none.
    photon_mw = 6.62607015e-34 * 193.4e12 * 12.5e9 * 1e3
    passing = light(-4.0, osnr_db=45.0)
    ratio = 10 ** (-4.5)
    for gain_db, loss_db, noise_figure_db in [
        (18.0, 17.0, 5.5),
        (17.0, 20.0, 5.0),
        (22.0, 5.0, 6.0),
    ]:
        before_mw = passing.signals_mw[0]
        passing = amplify(
            passing,
            gain_db=gain_db,
            saturation_power_dbm=17.0,
            noise_figure_db=noise_figure_db,
        )
        gain = passing.signals_mw[0] / before_mw
        ratio += photon_mw * (10 ** (noise_figure_db / 10) - 1 / gain) / before_mw
        passing = passing.attenuated(loss_db)

    assert passing.osnr_db == pytest.approx(-10 * math.log10(ratio), rel=RELATIVE)


def test_an_amplifier_below_unity_gain_adds_no_noise() -> None:
    incoming = light(10.0)

    outgoing = amplify(incoming, gain_db=0.0, saturation_power_dbm=0.0, noise_figure_db=5.0)

    assert outgoing.total_mw < incoming.total_mw
    assert outgoing.osnr_db == pytest.approx(incoming.osnr_db, rel=RELATIVE)


@given(powers_dbm, gains_db, st.floats(0.0, 12.0), st.floats(-6.0, 6.0))
def test_every_slots_noise_is_that_of_the_definition_of_the_noise_figure(
    input_dbm: float, gain_db: float, noise_figure_db: float, tilt_db: float
) -> None:
    # IEC 61291-1: F = N / (g h nu B) + 1 / g, where there is noise at all.
    photon_mw = 6.62607015e-34 * 193.4e12 * 500e9 * 1e3
    factor = 10 ** (noise_figure_db / 10)
    incoming = light(input_dbm)

    outgoing = amplify(
        incoming,
        gain_db=gain_db,
        saturation_power_dbm=17.0,
        noise_figure_db=noise_figure_db,
        tilt_db=tilt_db,
    )

    for before, after, ase_before, ase_after in zip(
        incoming.signals_mw, outgoing.signals_mw, incoming.ases_mw, outgoing.ases_mw, strict=True
    ):
        gain = after / before
        expected = max(photon_mw * (factor * gain - 1), 0.0)
        # A difference of two larger numbers.
        assert ase_after - ase_before * gain == pytest.approx(expected, abs=1e-11 * ase_after)
    assert outgoing.total_mw == pytest.approx(
        output_power_mw(input_mw=incoming.total_mw, gain_db=gain_db, saturation_power_dbm=17.0),
        rel=RELATIVE,
    )


@given(st.floats(-6.0, 6.0), st.integers(2, 96))
def test_a_tilt_is_a_straight_line_in_decibels_over_the_band(tilt_db: float, channels: int) -> None:
    incoming = light(-10.0, channels=channels)

    outgoing = amplify(
        incoming, gain_db=20.0, saturation_power_dbm=17.0, noise_figure_db=5.0, tilt_db=tilt_db
    )

    gains_db = [
        outgoing.channel_dbm(channel) - incoming.channel_dbm(channel) for channel in range(channels)
    ]
    # The outermost channels are half a slot inside the band's edges.
    assert gains_db[-1] - gains_db[0] == pytest.approx(tilt_db * (1 - 1 / channels), abs=1e-9)
    middle = gains_db[0] + (gains_db[-1] - gains_db[0]) / (channels - 1)
    assert gains_db[1] == pytest.approx(middle, abs=1e-9)


def test_light_without_noise_has_an_infinite_osnr_and_a_loss_leaves_it_so() -> None:
    clean = Light((1.0, 2.0), (0.0, 0.0), (0.0, 0.0), 100.0)

    weaker = amplify(
        clean.attenuated(3.0), gain_db=0.0, saturation_power_dbm=-20.0, noise_figure_db=3.0
    )

    assert clean.osnr_db == weaker.osnr_db == weaker.gsnr_db == math.inf


def test_one_channel_is_attenuated_alone() -> None:
    before = light(0.0)
    after = before.scaled((1.0,) * 7 + (0.1,))

    assert after.channel_dbm(7) == pytest.approx(before.channel_dbm(7) - 10.0)
    assert after.channel_dbm(6) == before.channel_dbm(6)
    assert after.channel_osnr_db(7) == pytest.approx(before.channel_osnr_db(7), rel=RELATIVE)


# --- fibre -----------------------------------------------------------------------------------


def comb(channel_dbm: float, *, channels: int = 80, slot_ghz: float = 50.0) -> Light:
    channel_mw = 10 ** (channel_dbm / 10)
    zeros = (0.0,) * channels
    return Light((channel_mw,) * channels, zeros, zeros, channels * slot_ghz)


def interference_ratio(light: Light) -> float:
    return light.nlis_mw[0] / (light.signals_mw[0] + light.nlis_mw[0])


def test_a_span_interferes_as_the_closed_form_says() -> None:
    # Poggiolini 2014, eq. 11, in SI units: 80 km of standard fibre, 80 channels of 1 mW in 4 THz.
    alpha = 0.2 / (10 / math.log(10)) / 1e3
    effective_m = (1 - math.exp(-alpha * 80e3)) / alpha
    gamma, beta = 1.3e-3, 21.7e-27
    density = 1e-3 / 50e9
    walk = beta / alpha
    nli = (
        (8 / 27)
        * gamma**2
        * density**3
        * effective_m**2
        * math.asinh(math.pi**2 / 2 * walk * (4e12) ** 2)
        / (math.pi * walk)
    )

    passed = STANDARD_FIBRE.passed(comb(0.0), length_km=80.0, loss_db=17.0)

    assert interference_ratio(passed) == pytest.approx(nli / density, rel=1e-9)
    assert passed.total_dbm == pytest.approx(comb(0.0).total_dbm - 17.0, rel=RELATIVE)
    assert passed.gsnr_db < passed.osnr_db == math.inf


@given(st.floats(-10.0, 3.0))
def test_interference_grows_with_the_cube_of_the_power(channel_dbm: float) -> None:
    one, more = (
        STANDARD_FIBRE.passed(comb(power_dbm), length_km=80.0, loss_db=16.0)
        for power_dbm in (channel_dbm, channel_dbm + 1.0)
    )

    # Over the channel's own power, it grows by two decibels for each.
    assert interference_ratio(more) / interference_ratio(one) == pytest.approx(10**0.2, rel=1e-9)


def test_there_is_a_best_launch_power_and_it_makes_twice_as_much_ase_as_interference() -> None:
    # d/dP of (A + k P^3) / P is zero at A = 2 k P^3.
    def span(channel_dbm: float) -> Light:
        passed = STANDARD_FIBRE.passed(comb(channel_dbm), length_km=80.0, loss_db=16.0)
        return amplify(passed, gain_db=16.0, saturation_power_dbm=60.0, noise_figure_db=5.0)

    powers_dbm = [-6.0 + 0.01 * step for step in range(1200)]
    best = max(powers_dbm, key=lambda power_dbm: span(power_dbm).gsnr_db)

    assert span(best).ases_mw[40] == pytest.approx(2 * span(best).nlis_mw[40], rel=0.02)


def test_more_power_than_the_model_bears_leaves_a_channel_and_makes_no_power() -> None:
    passed = STANDARD_FIBRE.passed(comb(40.0), length_km=80.0, loss_db=0.0)

    assert passed.total_mw == pytest.approx(comb(40.0).total_mw)
    assert min(passed.signals_mw) == pytest.approx(5e3)
