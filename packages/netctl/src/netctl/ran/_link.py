r"""Link adaptation: from the signal-to-noise ratio to what a resource element carries.

The modulations and code rates are those of 3GPP TS 38.214, tables 5.2.2.1-2 (channel quality, CQI)
and 5.1.3.1-1 (modulation and coding, MCS). From which ratio on a receiver can use one of them is
not for a standard to say: here it is Shannon's bound less a gap, so that the efficiency $\eta$
needs $\text{SNR} \ge \Gamma (2^\eta - 1)$. At that threshold one block in ten fails, which is where
the standard's CQI is defined; each dB above it makes that ten times less.

The scheduler takes, of the MCS above their thresholds, the one that delivers most, so that more
power never delivers less. A user with a CQI and no MCS above its threshold gets the lowest one.
"""

import math
from dataclasses import dataclass

__all__ = ["CQI_EFFICIENCIES", "GAP_DB", "MCS_EFFICIENCIES", "Link", "adapt", "threshold_db"]

GAP_DB = 3.0
"""How much more signal a receiver needs than Shannon's bound: Γ, in dB."""

_TARGET_BLER = 0.1

# Bits of a symbol, and code rates times 1024.
_CQI = (
    (2, (78, 120, 193, 308, 449, 602)),
    (4, (378, 490, 616)),
    (6, (466, 567, 666, 772, 873, 948)),
)
_MCS = (
    (2, (120, 157, 193, 251, 308, 379, 449, 526, 602, 679)),
    (4, (340, 378, 434, 490, 553, 616, 658)),
    (6, (438, 466, 517, 567, 616, 666, 719, 772, 822, 873, 910, 948)),
)


def threshold_db(efficiency: float) -> float:
    """The signal-to-noise ratio in dB from which on an efficiency > 0 can be used."""
    return GAP_DB + 10.0 * math.log10(2.0**efficiency - 1.0)


def _efficiencies(table: tuple[tuple[int, tuple[int, ...]], ...]) -> tuple[float, ...]:
    return tuple(bits * rate / 1024.0 for bits, rates in table for rate in rates)


CQI_EFFICIENCIES = _efficiencies(_CQI)
"""Bits of a resource element for the CQI 1 to 15."""

MCS_EFFICIENCIES = _efficiencies(_MCS)
"""Bits of a resource element for the MCS 0 to 28."""

_CQI_THRESHOLDS_DB = tuple(map(threshold_db, CQI_EFFICIENCIES))
_MCS_THRESHOLDS_DB = tuple(map(threshold_db, MCS_EFFICIENCIES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What a radio link carries.

    Attributes:
        cqi: The channel quality that the user reports, 0 (out of reach) to 15.
        mcs: The modulation and coding that the scheduler takes, 0 to 28; None: it sends nothing.
        bler_ratio: The share of blocks that fail, 0 to 1; None: none are sent.
        bits: What a resource element delivers, in bits, failures left out.
    """

    cqi: int
    mcs: int | None
    bler_ratio: float | None
    bits: float


def adapt(snr_db: float) -> Link:
    """What a link of a signal-to-noise ratio in dB carries."""
    cqi = sum(threshold <= snr_db for threshold in _CQI_THRESHOLDS_DB)
    if cqi == 0:
        return Link(cqi=0, mcs=None, bler_ratio=None, bits=0.0)
    usable = [mcs for mcs, threshold in enumerate(_MCS_THRESHOLDS_DB) if threshold <= snr_db]
    return max((_sent(cqi, mcs, snr_db) for mcs in usable or [0]), key=lambda link: link.bits)


def _sent(cqi: int, mcs: int, snr_db: float) -> Link:
    bler = min(1.0, _TARGET_BLER * 10.0 ** (_MCS_THRESHOLDS_DB[mcs] - snr_db))
    return Link(cqi=cqi, mcs=mcs, bler_ratio=bler, bits=MCS_EFFICIENCIES[mcs] * (1.0 - bler))
