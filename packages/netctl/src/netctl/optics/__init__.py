"""The physics of an amplified optical line, as plain functions of plain values."""

from netctl.optics._amplifier import amplify, output_power_mw, saturation_depth
from netctl.optics._decibel import db_to_ratio, dbm_to_mw, mw_to_dbm, ratio_to_db
from netctl.optics._fibre import STANDARD_FIBRE, Fibre
from netctl.optics._light import REFERENCE_BANDWIDTH_GHZ, Light

__all__ = [
    "REFERENCE_BANDWIDTH_GHZ",
    "STANDARD_FIBRE",
    "Fibre",
    "Light",
    "amplify",
    "db_to_ratio",
    "dbm_to_mw",
    "mw_to_dbm",
    "output_power_mw",
    "ratio_to_db",
    "saturation_depth",
]
