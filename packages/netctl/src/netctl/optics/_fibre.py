r"""A span of fibre: its loss, and the interference that its nonlinearity makes.

The incoherent Gaussian-noise model in its closed form for a flat spectrum (Poggiolini et al., IEEE
Journal of Lightwave Technology 32, 694, 2014, eq. 11): a channel of the spectral density $G$ gets
an interference of the density

$$G_{NLI} = \frac{8}{27} \gamma^2 L_{eff}^2 G^3
  \frac{\operatorname{asinh}(\frac{\pi^2}{2} |\beta_2| L_a B^2)}{\pi |\beta_2| L_a},$$

with the band $B$, the power loss per length $\alpha$, $L_a = 1/\alpha$ and
$L_{eff} = (1 - e^{-\alpha L}) / \alpha$. The comb is taken as a spectrum that fills its band. The
interference is power that the channel loses; beyond half of it, where the model holds no longer,
nothing is added.
"""

import math
from dataclasses import dataclass

from netctl.optics._light import Light

__all__ = ["STANDARD_FIBRE", "Fibre"]

_NEPER_PER_DB = math.log(10.0) / 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fibre:
    """A sort of fibre.

    Attributes:
        loss_db_per_km: Its loss.
        dispersion_ps2_per_km: The magnitude of its group velocity dispersion, > 0.
        nonlinearity_per_w_km: Its nonlinear coefficient.
    """

    loss_db_per_km: float
    dispersion_ps2_per_km: float
    nonlinearity_per_w_km: float

    def passed(self, light: Light, *, length_km: float, loss_db: float) -> Light:
        """Light behind a span with a total loss in dB, its connectors' included.

        Args:
            light: What enters it.
            length_km: How long the fibre is; 0: nothing but the loss.
            loss_db: What the span takes in all.
        """
        if length_km == 0.0:
            return light.attenuated(loss_db)
        share = self._interference(length_km, light.bandwidth_ghz)
        slot_thz = light.slot_ghz * 1e-3
        made_mw = [
            # Watts per THz, cubed.
            min(share * (signal * 1e-3 / slot_thz) ** 3 * slot_thz * 1e3, signal / 2.0)
            for signal in light.signals_mw
        ]
        interfered = Light(
            tuple([signal - nli for signal, nli in zip(light.signals_mw, made_mw, strict=True)]),
            light.ases_mw,
            tuple([old + nli for old, nli in zip(light.nlis_mw, made_mw, strict=True)]),
            light.bandwidth_ghz,
        )
        return interfered.attenuated(loss_db)

    def _interference(self, length_km: float, bandwidth_ghz: float) -> float:
        """The density that a density of one W/THz gets, in W/THz."""
        alpha = self.loss_db_per_km * _NEPER_PER_DB
        asymptotic_km = 1.0 / alpha
        effective_km = -math.expm1(-alpha * length_km) / alpha
        # ps² THz² = 1.
        walk = self.dispersion_ps2_per_km * asymptotic_km
        growth = math.asinh(math.pi**2 / 2.0 * walk * (bandwidth_ghz * 1e-3) ** 2)
        strength = (self.nonlinearity_per_w_km * effective_km) ** 2
        return 8.0 / 27.0 * strength * growth / (math.pi * walk)


STANDARD_FIBRE = Fibre(loss_db_per_km=0.2, dispersion_ps2_per_km=21.7, nonlinearity_per_w_km=1.3)
"""Standard single-mode fibre (ITU-T G.652) at 1550 nm."""
