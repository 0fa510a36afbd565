"""What can go wrong, as one tree.

NetctlError
├── DeclarationError (ValueError)       an app, a command or a decorator is declared wrongly
├── InventoryError (ValueError)         an inventory file that cannot be used; every fault at once
├── ScaffoldError (ValueError)          no app can be made of this name, these nodes or this folder
├── UnknownNameError (LookupError)      no app, node, command, resource or operation of that name
├── InvalidStateError (ValueError)      an app state that does not exist
├── InvalidArgumentsError (ValueError)  arguments do not fit a schema; every violation at once
├── NoDataError (LookupError)           a reading that does not exist, or is too old to act on
├── AppNotRunningError (RuntimeError)   the app's loop does not run
├── ChangeStateError (RuntimeError)     a change is past what was asked of it
├── NotPermittedError (PermissionError) who asks may not do this
├── QueueFullError (RuntimeError)       a bounded queue has no room
├── OperationTimeoutError (TimeoutError) an in-loop operation did not end in time; it never will
├── OperationFailedError (RuntimeError) an in-loop operation crashed; the log has the traceback
├── ControllerClosedError (RuntimeError) the controller is not entered
├── ReloadError (RuntimeError)          a reload found no moment to take place; nothing has changed
├── StoreError (OSError)                what must not be lost could not be written down or read
├── PluginError (ConnectionError)       a plugin cannot be connected
└── DriverError (ConnectionError)       equipment could not be read or changed
    └── DriverTimeoutError              equipment did not answer in time

Each carries a `hint`: what to do about it, worded for a person or a model.
"""

from collections.abc import Sequence

from netctl._violation import Violation, join_violations

__all__ = [
    "AppNotRunningError",
    "ChangeStateError",
    "ControllerClosedError",
    "DeclarationError",
    "DriverError",
    "DriverTimeoutError",
    "InvalidArgumentsError",
    "InvalidStateError",
    "InventoryError",
    "NetctlError",
    "NoDataError",
    "NotPermittedError",
    "OperationFailedError",
    "OperationTimeoutError",
    "PluginError",
    "QueueFullError",
    "ReloadError",
    "ScaffoldError",
    "StoreError",
    "UnknownNameError",
]


class NetctlError(Exception):
    """Base of every error of this package.

    Attributes:
        hint: What to do about it, or None.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class DeclarationError(NetctlError, ValueError):
    """An app, a command or a decorator is declared wrongly."""


class UnknownNameError(NetctlError, LookupError):
    """Nothing has that name."""


class InventoryError(NetctlError, ValueError):
    """An inventory file that cannot be used."""


class ScaffoldError(NetctlError, ValueError):
    """No app can be made of this: a name, nodes of an inventory, or a folder that is there."""


class InvalidStateError(NetctlError, ValueError):
    """An app state that does not exist."""


class InvalidArgumentsError(NetctlError, ValueError):
    """Arguments do not fit a schema.

    Attributes:
        violations: Every way in which they do not fit.
    """

    def __init__(self, violations: Sequence[Violation], *, hint: str | None = None) -> None:
        super().__init__(join_violations(violations), hint=hint)
        self.violations = tuple(violations)


class NoDataError(NetctlError, LookupError):
    """A reading that does not exist, or is too old to act on."""


class AppNotRunningError(NetctlError, RuntimeError):
    """The app's loop does not run."""

    def __init__(self, app: str, state: str) -> None:
        super().__init__(
            f"App {app!r} is not running (state: {state}). Start the app first.",
            hint=f"set the state of {app!r} to 'running', then try again",
        )


class ChangeStateError(NetctlError, RuntimeError):
    """A change is past what was asked of it: decided already, or never sent."""


class NotPermittedError(NetctlError, PermissionError):
    """Who asks may not do this, as approving what they asked for themselves."""


class QueueFullError(NetctlError, RuntimeError):
    """A bounded queue has no room."""


class OperationTimeoutError(NetctlError, TimeoutError):
    """An in-loop operation did not end in time, was withdrawn, and never executes later."""


class OperationFailedError(NetctlError, RuntimeError):
    """An in-loop operation crashed; the log has the traceback under the request's id."""


class ControllerClosedError(NetctlError, RuntimeError):
    """The controller is not entered: nothing may touch the equipment."""


class ReloadError(NetctlError, RuntimeError):
    """A reload found no moment in which no call was under way; nothing has changed."""


class StoreError(NetctlError, OSError):
    """What must not be lost could not be written down, or read again."""


class PluginError(NetctlError, ConnectionError):
    """A plugin cannot be connected: the controller does not start."""


class DriverError(NetctlError, ConnectionError):
    """Equipment could not be read or changed."""


class DriverTimeoutError(DriverError):
    """Equipment did not answer in time; what it did meanwhile is not known."""
