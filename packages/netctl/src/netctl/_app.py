"""The class that control applications derive from."""

from collections import deque
from collections.abc import Awaitable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeGuard, cast
from uuid import uuid4

from netctl._errors import DeclarationError, InvalidArgumentsError, QueueFullError
from netctl._inventory import Inventory
from netctl._measurements import Measurements, MeasurementsHandler
from netctl._outcome import Outcome
from netctl._plugins import Plugin
from netctl._violation import Violation

__all__ = ["AppPort", "NetworkApp", "QueuedCommand"]

_MOST_QUEUED_COMMANDS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCommand:
    """A command that an app has queued for the end of its cycle."""

    command: str
    arguments: Mapping[str, Any]
    request_id: str


class SendCommand(Protocol):
    """Takes a command through the pipeline at once."""

    async def __call__(self, command: str, arguments: Mapping[str, Any], /) -> Outcome:
        """What becomes of it."""
        ...


class AnnounceCommand(Protocol):
    """Says of a queued command that it is queued."""

    def __call__(self, queued: QueuedCommand, /) -> Outcome:
        """The outcome that can be told so far."""
        ...


class Wake(Protocol):
    """Tells the app's loop that there is something to do."""

    def __call__(self) -> None:
        """Tell it."""
        ...


@dataclass(slots=True, kw_only=True)
class AppPort:
    """What a controller plugs into an app; a reload puts another inventory in."""

    inventory: Inventory
    send: SendCommand
    announce: AnnounceCommand
    wake: Wake
    queued: deque[QueuedCommand] = field(default_factory=deque[QueuedCommand])
    news: dict[int, bool] = field(default_factory=dict[int, bool])
    plugins: Mapping[str, Plugin] = field(default_factory=dict[str, Plugin])


class NetworkApp:
    """A control application: what it reads, what it may set, and what it does about it.

    Derive from it, decorate the class with `@aic_app(name=…)`, and give an instance to
    `Controller.add`. All state lives in the instance; one instance belongs to one controller.
    Class methods are given the instance as `cls`, so that what they keep there is its own.

    Attributes:
        aic_app_id: A number of its own, > 0.
        control_loop_update_time: The period of its loop, in seconds, > 0.
        read_measurements: The metrics that it reads from each node.
        control_functions: The commands that it may send to each node.
        priority: Of the commands that wait for one resource, the highest goes first.
        required_plugins: The names of the controller's plugins that it uses.
    """

    aic_app_id: ClassVar[int]
    control_loop_update_time: ClassVar[float] = 1.0
    read_measurements: ClassVar[Mapping[int, Sequence[str | MeasurementsHandler]]] = {}
    control_functions: ClassVar[Mapping[int, Sequence[str]]] = {}
    priority: ClassVar[int] = 0
    required_plugins: ClassVar[Sequence[str]] = ()

    _port: AppPort | None = None

    def process(self, measurements: Measurements) -> Awaitable[None] | None:
        """Called once each period with fresh measurements; may be async.

        A sync method runs on the event loop: it must not block. An exception ends this cycle
        only; the next one comes later each time.
        """

    def on_outcome(self, outcome: Outcome) -> Awaitable[None] | None:
        """Called with what became of each command that `add_command` queued; may be async."""

    def on_node(self, node_id: int, available: bool) -> Awaitable[None] | None:  # noqa: FBT001  # as process, called with what is
        """Called when a node that the app reads or sets has come or gone; may be async.

        Only drivers that know tell this. It is called before `process`, while the app runs.
        """

    @property
    def plugins(self) -> Mapping[str, Plugin]:
        """The plugins that it requires, by name; connected while its controller is entered.

        Raises:
            DeclarationError: If it was not given to a controller.
        """
        return self._attached().plugins

    def add_command(self, command: tuple[str | Enum, Mapping[str, Any]]) -> Outcome:
        """Queue a command for the end of this cycle: `(NAME, {"node_id": 8, "value": {…}})`.

        Queued is not done: `on_outcome` tells what became of it, under the same `request_id`.

        Raises:
            InvalidArgumentsError: If it has not this form.
            QueueFullError: If a thousand commands are queued already.
        """
        port = self._attached()
        if len(port.queued) >= _MOST_QUEUED_COMMANDS:
            raise QueueFullError(
                f"{len(port.queued)} commands are queued", hint="queue fewer commands in a cycle"
            )
        queued = _read_command(command)
        port.queued.append(queued)
        port.wake()
        return port.announce(queued)

    async def send_command(self, command: str, arguments: Mapping[str, Any]) -> Outcome:
        """Take a command through the pipeline now, and say what became of it.

        Args:
            command: The command's name.
            arguments: Its arguments, `node_id` among them.
        """
        return await self._attached().send(command, arguments)

    @property
    def inventory(self) -> Inventory:
        """The nodes that the app's controller knows."""
        return self._attached().inventory

    def attach(self, port: AppPort) -> None:
        """Plug the app into a controller; `Controller.add` does this.

        Raises:
            DeclarationError: If it is plugged into one already.
        """
        if self._port is not None:
            raise DeclarationError(
                f"{self!r} belongs to a controller already", hint="add another instance"
            )
        self._port = port

    def detach(self) -> None:
        """Unplug the app from its controller; `Controller.remove` does this."""
        self._port = None

    def _attached(self) -> AppPort:
        if self._port is None:
            raise DeclarationError(
                f"{self!r} belongs to no controller", hint="give it to Controller.add first"
            )
        return self._port


def _read_command(command: object) -> QueuedCommand:
    pair = cast("tuple[object, ...]", command) if isinstance(command, tuple) else ()
    name, parts = pair if len(pair) == 2 else (None, None)  # noqa: PLR2004 -- a pair
    if isinstance(name, Enum):
        name = name.name
    if isinstance(name, str) and _is_mapping(parts) and parts.keys() - {"value"} == {"node_id"}:
        value = parts.get("value", {})
        if _is_mapping(value) and "node_id" not in value:
            arguments = deepcopy({"node_id": parts["node_id"], **value})
            return QueuedCommand(command=name, arguments=arguments, request_id=str(uuid4()))
    expected = "(NAME, {'node_id': …, 'value': {…}})"
    raise InvalidArgumentsError(
        [Violation(pointer="", expected=expected, got=command)],
        hint="see NetworkApp.add_command",
    )


def _is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)
