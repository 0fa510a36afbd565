r"""An erbium-doped fibre amplifier (EDFA) in steady state.

The total output power saturates smoothly: with the small-signal gain $G$, the total input power
$P$ and the saturation power $P_s$ (the level that the output approaches, from the data sheet),

$$P_{out} = \frac{G P}{1 + G P / P_s}.$$

That is a gain that falls linearly with the output, $G (1 - P_{out} / P_s)$: the simplest law with
the right limits. A real EDFA follows a transcendental one (Saleh et al., IEEE Photonics Technology
Letters 2, 714, 1990). The photodiodes of an amplifier see signal and noise together, so $P$ and
$P_{out}$ are totals.

The amplifier's own spontaneous emission in a band $B$ is $F h \nu B (g - 1)$ for the noise figure
$F$ and the gain $g$ that the signal gets (ITU-T G.661); it takes its share of the output, hence

$$g = \frac{P_{out} + F h \nu B}{P + F h \nu B}.$$

Below unity gain an amplifier emits no noise of its own here, and $g = P_{out} / P$.
"""

from netctl.optics._decibel import db_to_ratio, dbm_to_mw
from netctl.optics._light import Light

__all__ = ["amplify", "output_power_mw", "saturation_depth"]

_PHOTON_NOISE_MW_PER_GHZ = 6.62607015e-34 * 193.4e12 * 1e9 * 1e3
"""The photon energy at 193.4 THz, as mW of noise in each GHz of band for each unit of gain."""


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
    light: Light, *, gain_db: float, saturation_power_dbm: float, noise_figure_db: float
) -> Light:
    """Light behind an amplifier that is set to a gain in dB."""
    input_mw = light.total_mw
    output_mw = output_power_mw(
        input_mw=input_mw, gain_db=gain_db, saturation_power_dbm=saturation_power_dbm
    )
    noise_mw = db_to_ratio(noise_figure_db) * _PHOTON_NOISE_MW_PER_GHZ * light.bandwidth_ghz
    if output_mw > input_mw:
        signal_gain = (output_mw + noise_mw) / (input_mw + noise_mw)
    else:
        signal_gain = output_mw / input_mw
    signal_mw = light.signal_mw * signal_gain
    return Light(
        signal_mw=signal_mw,
        ase_mw=output_mw - signal_mw,
        channels=light.channels,
        bandwidth_ghz=light.bandwidth_ghz,
    )
