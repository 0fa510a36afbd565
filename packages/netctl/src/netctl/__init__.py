"""Control applications for network equipment, with commands that are safe by construction.

An app declares what it reads and what it may set; a `Controller` runs apps on equipment. Every
command, whatever its origin, passes one pipeline, and every outcome is true when it is said.
"""

from netctl._app import NetworkApp
from netctl._app_loop import AppState, AppStatus
from netctl._audit import AuditObserver, AuditRecord, AuditTrail
from netctl._clock import Clock, SystemClock
from netctl._command import CommandSet, CommandSpec, ResourceChoice
from netctl._controller import Controller, StateChange
from netctl._declaration import AppDeclaration, OperationDeclaration
from netctl._decorators import agent_controlled, aic_app, command_validator
from netctl._driver import Acknowledgement, Change, Driver, Reading
from netctl._errors import (
    AppNotRunningError,
    ControllerClosedError,
    DeclarationError,
    DriverError,
    DriverTimeoutError,
    InvalidArgumentsError,
    InvalidStateError,
    NetctlError,
    NoDataError,
    OperationFailedError,
    OperationTimeoutError,
    QueueFullError,
    UnknownNameError,
)
from netctl._inventory import AmplifierStage, Inventory, Link, Node, Resource
from netctl._measurements import Measurement, Measurements, MeasurementsHandler
from netctl._operations import OperationReply
from netctl._optical_commands import OPTICAL_COMMANDS, SET_GAIN
from netctl._outcome import CommandRequest, Origin, Outcome, OutcomeCode, OutcomeStatus
from netctl._pipeline import Arbiter, CommandRefusedError, Policy, SerialArbiter, Target
from netctl._roster import AppListener
from netctl._verdict import Accept, Modify, Reject
from netctl._violation import Violation
from netctl.drivers import SimulatedLine

__all__ = [
    "OPTICAL_COMMANDS",
    "SET_GAIN",
    "Accept",
    "Acknowledgement",
    "AmplifierStage",
    "AppDeclaration",
    "AppListener",
    "AppNotRunningError",
    "AppState",
    "AppStatus",
    "Arbiter",
    "AuditObserver",
    "AuditRecord",
    "AuditTrail",
    "Change",
    "Clock",
    "CommandRefusedError",
    "CommandRequest",
    "CommandSet",
    "CommandSpec",
    "Controller",
    "ControllerClosedError",
    "DeclarationError",
    "Driver",
    "DriverError",
    "DriverTimeoutError",
    "InvalidArgumentsError",
    "InvalidStateError",
    "Inventory",
    "Link",
    "Measurement",
    "Measurements",
    "MeasurementsHandler",
    "Modify",
    "NetctlError",
    "NetworkApp",
    "NoDataError",
    "Node",
    "OperationDeclaration",
    "OperationFailedError",
    "OperationReply",
    "OperationTimeoutError",
    "Origin",
    "Outcome",
    "OutcomeCode",
    "OutcomeStatus",
    "Policy",
    "QueueFullError",
    "Reading",
    "Reject",
    "Resource",
    "ResourceChoice",
    "SerialArbiter",
    "SimulatedLine",
    "StateChange",
    "SystemClock",
    "Target",
    "UnknownNameError",
    "Violation",
    "agent_controlled",
    "aic_app",
    "command_validator",
]
