r"""An erbium-doped fibre amplifier (EDFA) in steady state.

The total output power saturates smoothly: with the small-signal gain $G$, the total input power
$P$ and the saturation power $P_s$ (the level that the output approaches, from the data sheet),

$$P_{out} = \frac{G P}{1 + G P / P_s}.$$

That is a gain that falls linearly with the output, $G (1 - P_{out} / P_s)$: the simplest law with
the right limits. A real EDFA follows a transcendental one (Saleh et al., IEEE Photonics Technology
Letters 2, 714, 1990). The photodiodes of an amplifier see signal and noise together, so $P$ and
$P_{out}$ are totals.

The gain is a line in decibels over frequency: with the tilt $\tau$ (dB from the band's lower edge
to its upper one), a slot at $x$ in $[-1/2, 1/2]$ of the band has $g_x = g\,10^{\tau x/10}$.

The amplifier's own spontaneous emission in a slot of the width $B$ follows from the definition of
the noise figure $F$ (IEC 61291-1: $F = N / (g h \nu B) + 1/g$):

$$N_x = h \nu B \max(F g_x - 1, 0).$$

It takes its share of the output, which fixes $g$: $\sum_x (P_x g_x + N_x) = P_{out}$.
"""

from collections.abc import Sequence

from netctl.optics._decibel import db_to_ratio, dbm_to_mw
from netctl.optics._light import Light

__all__ = ["amplify", "output_power_mw", "saturation_depth"]

_PHOTON_NOISE_MW_PER_GHZ = 6.62607015e-34 * 193.4e12 * 1e9 * 1e3
"""The photon energy at 193.4 THz, as mW of noise in each GHz of band."""


def output_power_mw(*, input_mw: float, gain_db: float, saturation_power_dbm: float) -> float:
    """The total output power in mW of a total input power in mW."""
    unsaturated_mw = db_to_ratio(gain_db) * input_mw
    return unsaturated_mw / (1.0 + unsaturated_mw / dbm_to_mw(saturation_power_dbm))


def saturation_depth(*, output_mw: float, saturation_power_dbm: float) -> float:
    r"""How deep an amplifier is in saturation: $G P / P_s$, from its output power alone.

    Args:
        output_mw: Total output power in mW.
        saturation_power_dbm: The level that the output approaches, in dBm.

    Raises:
        ValueError: If the output power is not below the saturation power: no gain explains it.
    """
    share = output_mw / dbm_to_mw(saturation_power_dbm)
    if not 0.0 <= share < 1.0:
        raise ValueError(f"an output of {output_mw!r} mW is not below {saturation_power_dbm!r} dBm")
    return share / (1.0 - share)


def amplify(
    light: Light,
    *,
    gain_db: float,
    saturation_power_dbm: float,
    noise_figure_db: float,
    tilt_db: float = 0.0,
) -> Light:
    """Light behind an amplifier that is set to a gain in dB.

    Args:
        light: What enters it.
        gain_db: Small-signal gain of the total power.
        saturation_power_dbm: The total output power that it approaches.
        noise_figure_db: Its noise figure, >= 0 dB.
        tilt_db: How much more gain the band's upper edge gets than its lower one.
    """
    inputs_mw = [
        signal + ase + nli
        for signal, ase, nli in zip(light.signals_mw, light.ases_mw, light.nlis_mw, strict=True)
    ]
    output_mw = output_power_mw(
        input_mw=sum(inputs_mw), gain_db=gain_db, saturation_power_dbm=saturation_power_dbm
    )
    factor = db_to_ratio(noise_figure_db)
    photon_mw = _PHOTON_NOISE_MW_PER_GHZ * light.slot_ghz
    shape = _shape(light.channels, tilt_db)
    gains = _gains(inputs_mw, shape, output_mw, factor, photon_mw)
    return Light(
        tuple([power * gain for power, gain in zip(light.signals_mw, gains, strict=True)]),
        tuple(
            [
                # What it passes on, and what it emits itself.
                power * gain + photon_mw * max(factor * gain - 1.0, 0.0)
                for power, gain in zip(light.ases_mw, gains, strict=True)
            ]
        ),
        tuple([power * gain for power, gain in zip(light.nlis_mw, gains, strict=True)]),
        light.bandwidth_ghz,
    )


def _gains(
    inputs_mw: Sequence[float],
    shape: tuple[float, ...],
    output_mw: float,
    factor: float,
    photon_mw: float,
) -> tuple[float, ...]:
    """The gain of each slot with which what is amplified and the noise are the total output."""
    carried_mw = sum([power * part for power, part in zip(inputs_mw, shape, strict=True)])
    # A slot with little gain emits nothing; which ones those are depends on the gain.
    emitting = shape
    while True:
        noise_mw = factor * photon_mw * sum(emitting)
        gain = (output_mw + photon_mw * len(emitting)) / (carried_mw + noise_mw)
        least = 1.0 / (factor * gain)
        still = tuple([part for part in emitting if part >= least])
        if len(still) == len(emitting):
            return tuple([gain * part for part in shape])
        emitting = still


def _shape(channels: int, tilt_db: float) -> tuple[float, ...]:
    """The gain of each slot over that of the band's middle."""
    if tilt_db == 0.0:
        return (1.0,) * channels
    places = [(slot + 0.5) / channels - 0.5 for slot in range(channels)]
    return tuple([db_to_ratio(tilt_db * place) for place in places])
