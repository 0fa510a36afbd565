"""The operator's rules, ready to be given to a controller: `Controller(…, policies=[…])`.

Each is a frozen value, applies to the commands that its `where` matches, and refuses with a code, a
reason, and where there is one the nearest acceptable value. Rules add up: every one has to agree.
"""

from netctl.policies._approval import NeedApproval
from netctl.policies._blast_radius import BlastRadius
from netctl.policies._forbid import Forbid
from netctl.policies._maintenance import MaintenanceWindow, WeeklyWindow
from netctl.policies._rate_limit import RateLimit
from netctl.policies._require_role import RequireRole
from netctl.policies._slew_rate import SlewRate
from netctl.policies._where import EVERYWHERE, Where

__all__ = [
    "EVERYWHERE",
    "BlastRadius",
    "Forbid",
    "MaintenanceWindow",
    "NeedApproval",
    "RateLimit",
    "RequireRole",
    "SlewRate",
    "WeeklyWindow",
    "Where",
]
