r"""The loss between a base station in a street and a user in sight of it.

The street canyon of 3GPP TR 38.901 (UMi, line of sight, table 7.4.1-1), with the distance $d$ in m,
the carrier $f$ in GHz, and antennas at 10 m and 1.5 m:

$$L = 32.4 + 21 \log_{10} d + 20 \log_{10} f$$

up to the break point $d_b = 4 \cdot 9 \cdot 0.5 \cdot f / c$, where the ray that the ground
reflects begins to count, and beyond it

$$L = 32.4 + 40 \log_{10} d + 20 \log_{10} f - 9.5 \log_{10} (d_b^2 + 8.5^2).$$

The table compares the break point with the distance along the ground; here it is the one through
the air, which is 0.4 m longer at 100 m.
"""

import math

__all__ = ["path_loss_db"]

_NEAREST_M = 10.0
_HEIGHT_DIFFERENCE_M = 8.5
_BREAK_POINT_M_PER_GHZ = 4.0 * 9.0 * 0.5 * 1e9 / 299_792_458.0


def path_loss_db(*, distance_m: float, carrier_ghz: float) -> float:
    """The loss in dB.

    Args:
        distance_m: From antenna to antenna; the model begins at 10 m, less counts as 10 m.
        carrier_ghz: The carrier's frequency, 0.5 to 100 GHz.
    """
    distance_m = max(distance_m, _NEAREST_M)
    break_point_m = _BREAK_POINT_M_PER_GHZ * carrier_ghz
    free_db = 32.4 + 20.0 * math.log10(carrier_ghz)
    if distance_m <= break_point_m:
        return free_db + 21.0 * math.log10(distance_m)
    bent_db = 9.5 * math.log10(break_point_m**2 + _HEIGHT_DIFFERENCE_M**2)
    return free_db + 40.0 * math.log10(distance_m) - bent_db
