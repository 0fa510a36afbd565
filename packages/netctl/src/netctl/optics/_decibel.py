"""Decibels: ratios in dB, powers in dBm (dB over one milliwatt)."""

import math

__all__ = ["db_to_ratio", "dbm_to_mw", "mw_to_dbm", "ratio_to_db"]


def db_to_ratio(value_db: float) -> float:
    """The power ratio of a gain (or, negative, of a loss) in dB."""
    return 10.0 ** (value_db / 10.0)


def ratio_to_db(ratio: float) -> float:
    """The gain in dB of a power ratio > 0."""
    return 10.0 * math.log10(ratio)


def dbm_to_mw(power_dbm: float) -> float:
    """The power in mW of a level in dBm."""
    return db_to_ratio(power_dbm)


def mw_to_dbm(power_mw: float) -> float:
    """The level in dBm of a power > 0 in mW."""
    return ratio_to_db(power_mw)
