"""Control applications for network equipment, with commands that are safe by construction.

An app declares what it reads and what it may set; a `Controller` runs apps on equipment. Every
command, whatever its origin, passes one pipeline, and every outcome is true when it is said.
"""

from netctl._app import NetworkApp
from netctl._app_loop import AppState, AppStatus, StateChange
from netctl._audit import AuditEntry, AuditObserver, AuditRecord, AuditTrail, broken_link
from netctl._change import Change, Confirmation
from netctl._changes import Changes
from netctl._clock import Clock, SystemClock
from netctl._command import CommandSet, CommandSpec, ResourceChoice
from netctl._controller import Controller
from netctl._declaration import AppDeclaration, OperationDeclaration
from netctl._decorators import agent_controlled, aic_app, command_validator
from netctl._driver import (
    Acknowledgement,
    Driver,
    FollowingDriver,
    NetworkListener,
    PredictingDriver,
    Reading,
    Setting,
    WatchingDriver,
)
from netctl._errors import (
    AppNotRunningError,
    ChangeStateError,
    ControllerClosedError,
    DeclarationError,
    DriverError,
    DriverTimeoutError,
    InvalidArgumentsError,
    InvalidStateError,
    InventoryError,
    NetctlError,
    NoDataError,
    NotPermittedError,
    OperationFailedError,
    OperationTimeoutError,
    PluginError,
    QueueFullError,
    ReloadError,
    ScaffoldError,
    StoreError,
    UnknownNameError,
)
from netctl._events import Event, EventBus, EventKind, EventListener
from netctl._installed import InstalledApps, installed_apps, installed_plugins
from netctl._inventory import (
    AmplifierStage,
    Attenuator,
    Cell,
    Inventory,
    Link,
    Node,
    Resource,
    Slice,
)
from netctl._inventory_file import load_inventory, write_inventory
from netctl._measurements import Measurement, Measurements, MeasurementsHandler, Sample
from netctl._operations import OperationReply
from netctl._optical_commands import OPTICAL_COMMANDS, SET_GAIN, SET_TILT, SET_VOA
from netctl._outcome import CommandRequest, Origin, Outcome, OutcomeCode, OutcomeStatus
from netctl._pipeline import (
    ApprovalNeededError,
    Arbiter,
    CommandRefusedError,
    Ledger,
    Plan,
    Policy,
    SerialArbiter,
    Target,
)
from netctl._plugins import Plugin
from netctl._ran_commands import RAN_COMMANDS, SET_PRB_SHARE, SET_TX_POWER
from netctl._refused_calls import RefusedCall
from netctl._reload import ReloadReport
from netctl._roster import AppListener
from netctl._store import Batch, ControllerStore, Saved
from netctl._translation import CommandHandler, Translation
from netctl._verdict import Accept, Modify, Reject
from netctl._violation import Violation
from netctl.drivers import SimulatedLine

__all__ = [
    "OPTICAL_COMMANDS",
    "RAN_COMMANDS",
    "SET_GAIN",
    "SET_PRB_SHARE",
    "SET_TILT",
    "SET_TX_POWER",
    "SET_VOA",
    "Accept",
    "Acknowledgement",
    "AmplifierStage",
    "AppDeclaration",
    "AppListener",
    "AppNotRunningError",
    "AppState",
    "AppStatus",
    "ApprovalNeededError",
    "Arbiter",
    "Attenuator",
    "AuditEntry",
    "AuditObserver",
    "AuditRecord",
    "AuditTrail",
    "Batch",
    "Cell",
    "Change",
    "ChangeStateError",
    "Changes",
    "Clock",
    "CommandHandler",
    "CommandRefusedError",
    "CommandRequest",
    "CommandSet",
    "CommandSpec",
    "Confirmation",
    "Controller",
    "ControllerClosedError",
    "ControllerStore",
    "DeclarationError",
    "Driver",
    "DriverError",
    "DriverTimeoutError",
    "Event",
    "EventBus",
    "EventKind",
    "EventListener",
    "FollowingDriver",
    "InstalledApps",
    "InvalidArgumentsError",
    "InvalidStateError",
    "Inventory",
    "InventoryError",
    "Ledger",
    "Link",
    "Measurement",
    "Measurements",
    "MeasurementsHandler",
    "Modify",
    "NetctlError",
    "NetworkApp",
    "NetworkListener",
    "NoDataError",
    "Node",
    "NotPermittedError",
    "OperationDeclaration",
    "OperationFailedError",
    "OperationReply",
    "OperationTimeoutError",
    "Origin",
    "Outcome",
    "OutcomeCode",
    "OutcomeStatus",
    "Plan",
    "Plugin",
    "PluginError",
    "Policy",
    "PredictingDriver",
    "QueueFullError",
    "Reading",
    "RefusedCall",
    "Reject",
    "ReloadError",
    "ReloadReport",
    "Resource",
    "ResourceChoice",
    "Sample",
    "Saved",
    "ScaffoldError",
    "SerialArbiter",
    "Setting",
    "SimulatedLine",
    "Slice",
    "StateChange",
    "StoreError",
    "SystemClock",
    "Target",
    "Translation",
    "UnknownNameError",
    "Violation",
    "WatchingDriver",
    "agent_controlled",
    "aic_app",
    "broken_link",
    "command_validator",
    "installed_apps",
    "installed_plugins",
    "load_inventory",
    "write_inventory",
]
