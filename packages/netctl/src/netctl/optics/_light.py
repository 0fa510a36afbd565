"""Light on a fibre: the channels together, and the amplifiers' noise beneath them."""

from dataclasses import dataclass, replace

from netctl.optics._decibel import db_to_ratio, mw_to_dbm, ratio_to_db

__all__ = ["REFERENCE_BANDWIDTH_GHZ", "Light"]

REFERENCE_BANDWIDTH_GHZ = 12.5
"""The bandwidth that OSNR is quoted in: 0.1 nm at 1550 nm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """A comb of equal channels over amplified spontaneous emission (ASE) that is flat in its band.

    Attributes:
        signal_mw: Power of all channels together, in mW, > 0.
        ase_mw: Power of the ASE in the whole band, in mW, >= 0.
        channels: Number of channels that share the signal power.
        bandwidth_ghz: Width of the band that the ASE fills, in GHz.
    """

    signal_mw: float
    ase_mw: float
    channels: int
    bandwidth_ghz: float

    @classmethod
    def launched(
        cls, *, power_dbm: float, osnr_db: float, channels: int, bandwidth_ghz: float
    ) -> "Light":
        """The light of a transmitter with a total power and an OSNR of its own."""
        total_mw = db_to_ratio(power_dbm)
        ase_per_signal = bandwidth_ghz / (channels * REFERENCE_BANDWIDTH_GHZ * db_to_ratio(osnr_db))
        signal_mw = total_mw / (1.0 + ase_per_signal)
        return cls(
            signal_mw=signal_mw,
            ase_mw=total_mw - signal_mw,
            channels=channels,
            bandwidth_ghz=bandwidth_ghz,
        )

    @property
    def total_mw(self) -> float:
        """What a photodiode sees: signal and ASE, in mW."""
        return self.signal_mw + self.ase_mw

    @property
    def total_dbm(self) -> float:
        """What a photodiode sees: signal and ASE, in dBm."""
        return mw_to_dbm(self.total_mw)

    @property
    def osnr_db(self) -> float:
        """One channel's power over the ASE in the reference bandwidth, in dB."""
        ase_reference_mw = self.ase_mw * REFERENCE_BANDWIDTH_GHZ / self.bandwidth_ghz
        return ratio_to_db(self.signal_mw / self.channels / ase_reference_mw)

    def attenuated(self, loss_db: float) -> "Light":
        """The same light behind a loss in dB; a loss keeps the OSNR."""
        ratio = db_to_ratio(-loss_db)
        return replace(self, signal_mw=self.signal_mw * ratio, ase_mw=self.ase_mw * ratio)
