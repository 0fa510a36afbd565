"""A carrier: its grid of resources, the noise in it, and what a part of it delivers."""

import math
from dataclasses import dataclass

from netctl.ran._link import Link

__all__ = ["Carrier"]

_SUBCARRIERS = 12
_SYMBOLS_PER_MS_AT_15_KHZ = 14
_NOISE_DBM_PER_HZ = 10.0 * math.log10(1.380649e-23 * 290.0 * 1e3)
"""Thermal noise at 290 K."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A carrier of one cell; both directions have one of this size.

    Attributes:
        frequency_ghz: Where it is.
        prbs: How many physical resource blocks (PRB) of 12 subcarriers it has.
        subcarrier_khz: The spacing of its subcarriers: 15, 30, 60 or 120.
        overhead_ratio: The share of it that control and reference signals take, 0 to 1.
    """

    frequency_ghz: float
    prbs: int
    subcarrier_khz: int
    overhead_ratio: float = 0.14

    @property
    def bandwidth_hz(self) -> float:
        """The band that its PRBs fill."""
        return self.prbs * _SUBCARRIERS * self.subcarrier_khz * 1e3

    def noise_dbm(self, noise_figure_db: float) -> float:
        """The noise of a receiver in the whole band, in dBm."""
        return _NOISE_DBM_PER_HZ + 10.0 * math.log10(self.bandwidth_hz) + noise_figure_db

    def prb_mbps(self, link: Link) -> float:
        """What one PRB delivers over a link all the time, in Mb/s (TS 38.306, 4.1.2, one layer)."""
        symbols_per_s = _SYMBOLS_PER_MS_AT_15_KHZ * 1e3 * self.subcarrier_khz / 15.0
        return _SUBCARRIERS * symbols_per_s * link.bits * (1.0 - self.overhead_ratio) * 1e-6
