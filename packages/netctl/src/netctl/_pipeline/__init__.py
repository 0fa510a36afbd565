"""The one way of every command: schema, limits, validator, policy, arbitration, plan, driver."""

from netctl._pipeline._arbitration import Arbiter, Contest, SerialArbiter
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._ledger import HourlyUse, Ledger
from netctl._pipeline._limits import Target
from netctl._pipeline._pipeline import CommandPipeline
from netctl._pipeline._plan import Plan
from netctl._pipeline._policy import Policy, ReadOnlySwitch
from netctl._pipeline._refusal import ApprovalNeededError, CommandRefusedError

__all__ = [
    "ApprovalNeededError",
    "Arbiter",
    "CommandPipeline",
    "CommandRefusedError",
    "Contest",
    "HourlyUse",
    "Issuer",
    "Ledger",
    "Plan",
    "Policy",
    "ReadOnlySwitch",
    "SerialArbiter",
    "Target",
]
