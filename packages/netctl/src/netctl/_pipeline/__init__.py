"""The one way of every command: schema, limits, validator, policy, arbitration, plan, driver."""

from netctl._pipeline._arbitration import Arbiter, SerialArbiter
from netctl._pipeline._issuer import Issuer
from netctl._pipeline._limits import Target
from netctl._pipeline._pipeline import CommandPipeline
from netctl._pipeline._policy import Policy, ReadOnlySwitch
from netctl._pipeline._refusal import CommandRefusedError

__all__ = [
    "Arbiter",
    "CommandPipeline",
    "CommandRefusedError",
    "Issuer",
    "Policy",
    "ReadOnlySwitch",
    "SerialArbiter",
    "Target",
]
