"""Strategies of arbitration, one of which a controller is given: `Controller(…, arbiter=…)`.

All of them let one command at a time set a resource. They differ in what becomes of the others, and
each tells the loser who won, and why. `Leases` goes with any of them: it is a policy.
"""

from netctl._pipeline import SerialArbiter
from netctl.arbiters._last_write_wins import LastWriteWins
from netctl.arbiters._leases import Lease, Leases
from netctl.arbiters._min_gap import MinGap
from netctl.arbiters._priority_wins import PriorityWins
from netctl.arbiters._reject_conflict import RejectConflict

__all__ = [
    "LastWriteWins",
    "Lease",
    "Leases",
    "MinGap",
    "PriorityWins",
    "RejectConflict",
    "SerialArbiter",
]
