"""Light on a fibre: a comb of channels, each with the noise in its slot of the band."""

from collections.abc import Sequence
from dataclasses import dataclass

from netctl.optics._decibel import db_to_ratio, mw_to_dbm, ratio_to_db

__all__ = ["REFERENCE_BANDWIDTH_GHZ", "Light"]

REFERENCE_BANDWIDTH_GHZ = 12.5
"""The bandwidth that OSNR is quoted in: 0.1 nm at 1550 nm."""


@dataclass(frozen=True, slots=True)
class Light:
    """A comb of channels, spread evenly over a band, in ascending frequency.

    The band is cut into a slot for each channel. The amplified spontaneous emission (ASE) and the
    nonlinear interference (NLI) in a slot are flat.

    Attributes:
        signals_mw: Power of each channel, in mW, > 0.
        ases_mw: Power of the ASE in each slot, in mW, >= 0.
        nlis_mw: Power of the NLI in each slot, in mW, >= 0.
        bandwidth_ghz: Width of the band, in GHz.
    """

    signals_mw: tuple[float, ...]
    ases_mw: tuple[float, ...]
    nlis_mw: tuple[float, ...]
    bandwidth_ghz: float

    @classmethod
    def launched(
        cls, *, power_dbm: float, osnr_db: float, channels: int, bandwidth_ghz: float
    ) -> "Light":
        """The light of equal transmitters with a total power and an OSNR of their own."""
        total_mw = db_to_ratio(power_dbm)
        slot_ghz = bandwidth_ghz / channels
        ase_per_signal = slot_ghz / (REFERENCE_BANDWIDTH_GHZ * db_to_ratio(osnr_db))
        signal_mw = total_mw / (1.0 + ase_per_signal) / channels
        return cls(
            signals_mw=(signal_mw,) * channels,
            ases_mw=(signal_mw * ase_per_signal,) * channels,
            nlis_mw=(0.0,) * channels,
            bandwidth_ghz=bandwidth_ghz,
        )

    @property
    def channels(self) -> int:
        """How many channels there are."""
        return len(self.signals_mw)

    @property
    def slot_ghz(self) -> float:
        """Width of a channel's slot, in GHz."""
        return self.bandwidth_ghz / len(self.signals_mw)

    @property
    def total_mw(self) -> float:
        """What a photodiode sees, in mW."""
        return sum(self.signals_mw) + sum(self.ases_mw) + sum(self.nlis_mw)

    @property
    def total_dbm(self) -> float:
        """What a photodiode sees, in dBm."""
        return mw_to_dbm(self.total_mw)

    @property
    def osnr_db(self) -> float:
        """OSNR of the worst channel, in dB; infinite without ASE."""
        return self._worst(self.ases_mw)

    @property
    def gsnr_db(self) -> float:
        """Generalised OSNR, with the NLI as noise too, of the worst channel, in dB."""
        noises_mw = [ase + nli for ase, nli in zip(self.ases_mw, self.nlis_mw, strict=True)]
        return self._worst(noises_mw)

    def channel_dbm(self, channel: int) -> float:
        """Power of a channel, counted from 0, in dBm."""
        return mw_to_dbm(self.signals_mw[channel])

    def channel_osnr_db(self, channel: int) -> float:
        """A channel's power over the ASE in the reference bandwidth, in dB."""
        return self._over(self.signals_mw[channel], self.ases_mw[channel])

    def channel_gsnr_db(self, channel: int) -> float:
        """A channel's power over the ASE and the NLI in the reference bandwidth, in dB."""
        return self._over(self.signals_mw[channel], self.ases_mw[channel] + self.nlis_mw[channel])

    def attenuated(self, loss_db: float) -> "Light":
        """The same light behind a loss in dB; a loss keeps the OSNR."""
        if loss_db == 0.0:
            return self
        ratio = db_to_ratio(-loss_db)
        return self.scaled((ratio,) * len(self.signals_mw))

    def scaled(self, ratios: tuple[float, ...]) -> "Light":
        """The same light with a power ratio for each slot; this keeps every channel's OSNR."""
        return Light(
            tuple([power * ratio for power, ratio in zip(self.signals_mw, ratios, strict=True)]),
            tuple([power * ratio for power, ratio in zip(self.ases_mw, ratios, strict=True)]),
            tuple([power * ratio for power, ratio in zip(self.nlis_mw, ratios, strict=True)]),
            self.bandwidth_ghz,
        )

    def _worst(self, noises_mw: Sequence[float]) -> float:
        # The logarithm rises with the ratio: one of the least is the least of all.
        ratios = [
            signal / noise
            for signal, noise in zip(self.signals_mw, noises_mw, strict=True)
            if noise != 0.0
        ]
        if not ratios:
            return float("inf")
        return ratio_to_db(min(ratios) * self.slot_ghz / REFERENCE_BANDWIDTH_GHZ)

    def _over(self, signal_mw: float, noise_mw: float) -> float:
        if noise_mw == 0.0:
            return float("inf")
        return ratio_to_db(signal_mw / noise_mw * self.slot_ghz / REFERENCE_BANDWIDTH_GHZ)
