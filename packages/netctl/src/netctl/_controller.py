"""The controller: owns apps, equipment, readings and the one way of every command."""

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.abc import TaskGroup

from netctl._app import NetworkApp
from netctl._app_loop import StateChange
from netctl._audit import AuditObserver
from netctl._changes import Changes
from netctl._clock import Clock, SystemClock
from netctl._command import CommandSpec, handled_command
from netctl._command_desk import EVERY_ROLE, Caller
from netctl._driver import Driver
from netctl._errors import ControllerClosedError, ReloadError
from netctl._health import ControllerHealth
from netctl._inventory import Inventory
from netctl._machinery import assemble, runtime_of
from netctl._measurements import Measurement, Sample
from netctl._operations import OperationReply
from netctl._optical_commands import OPTICAL_COMMANDS
from netctl._outcome import Origin, Outcome
from netctl._pipeline import Arbiter, Policy, SerialArbiter
from netctl._plugins import Plugin
from netctl._refused_calls import RefusedCall
from netctl._reload import DriverMaker, Reloader, ReloadReport
from netctl._roster import AppListener
from netctl._store import ControllerStore
from netctl._translation import CommandHandler

__all__ = ["Controller"]


class Controller(ControllerHealth):
    """Runs control applications on equipment.

    Enter it (`async with`) to start polling and the apps' loops. Several fit in one process.

    Args:
        inventory: The nodes, with limits.
        driver: Speaks to them.
        commands: What can be asked of nodes.
        clock: Tells time; a test's own makes every period and timeout its own.
        poll_period_s: How often each node is read.
        driver_timeout_s: How long a node may take to answer.
        stale_after_s: Age from which a reading is stale; None: three poll periods.
        history_length: How many samples of each node are remembered.
        arbiter: Decides who may set a resource, and when.
        policies: The operator's own rules for commands.
        audit_observers: Told of each command and what became of it.
        store: Keeps changes, approvals, the audit trail and states; None: memory.
        restore_states: Whether apps go on in the states that the store knows.
        read_only: Whether the kill switch is on from the start; if the store says so, it is.
        plugins: Services for the apps that require them; connected while it is entered.

    Raises:
        DeclarationError: If a period or a timeout is not above 0, the history has no length, two
            commands or two plugins share a name, or what is given as a plugin is none.
    """

    def __init__(
        self,
        inventory: Inventory,
        driver: Driver,
        *,
        commands: Iterable[CommandSpec] = OPTICAL_COMMANDS,
        clock: Clock | None = None,
        poll_period_s: float = 1.0,
        driver_timeout_s: float = 5.0,
        stale_after_s: float | None = None,
        history_length: int = 500,
        arbiter: Arbiter | None = None,
        policies: Iterable[Policy] = (),
        audit_observers: Iterable[AuditObserver] = (),
        store: ControllerStore | None = None,
        restore_states: bool = False,
        read_only: bool = False,
        plugins: Iterable[Plugin] = (),
    ) -> None:
        self._parts = assemble(
            inventory,
            driver,
            commands=commands,
            clock=clock or SystemClock(),
            poll_period_s=poll_period_s,
            driver_timeout_s=driver_timeout_s,
            stale_after_s=stale_after_s,
            history_length=history_length,
            arbiter=arbiter or SerialArbiter(),
            policies=policies,
            audit_observers=audit_observers,
            store=store,
            restore_states=restore_states,
            read_only=read_only,
            plugins=plugins,
        )
        parts = self._parts
        self._changes = Changes(parts.desk, parts.commands, parts.clock, parts.gate, self._entered)
        self._group: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        if self._group is not None:
            raise ControllerClosedError("the controller is entered already", hint="enter it once")
        saved = await self._parts.records.load()
        if saved is not None:
            self._parts.kill_switch.restore(on=saved.read_only)
        await self._parts.plugins.connect()
        group = anyio.create_task_group()
        await group.__aenter__()
        self._group, self._entered_at_s = group, self._parts.clock.monotonic()
        self._parts.poller.enter(group, self._parts.inventory.node_ids)
        group.start_soon(self._parts.confirmations.run)
        group.start_soon(self._parts.equipment.watch, self._parts.watch)
        self._parts.supervisor.enter(group, {} if saved is None else saved.states)
        return self

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        group, self._group, self._entered_at_s = self._entered(), None, None
        self._parts.supervisor.leave()
        self._parts.poller.leave()
        group.cancel_scope.cancel()
        try:
            if isinstance(exception, anyio.get_cancelled_exc_class()):
                return await group.__aexit__(exception_type, exception, traceback)
            # The group would wrap the body's own exception; it shall leave as it is.
            await group.__aexit__(None, None, None)
            return None
        finally:
            # After the apps, which used them to their end.
            await self._parts.plugins.disconnect()

    # --- apps ------------------------------------------------------------------------------

    def add(self, app: NetworkApp) -> None:
        """Take an app in; it is stopped until its state is set.

        Raises:
            DeclarationError: If it does not fit the inventory, the commands, the plugins or the
                other apps.
            ReloadError: If a reload is just exchanging the apps.
        """
        parts = self._parts
        self._check_not_alone()
        parts.supervisor.add(runtime_of(parts, app, parts.inventory, parts.commands))

    async def remove(self, app: str) -> None:
        """Stop an app for good and let it go.

        Raises:
            UnknownNameError: If there is none of that name.
        """
        async with self._parts.gate.passage():
            await self._parts.roster.remove(app)

    def subscribe(
        self, listener: AppListener, *, reloaded: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Tell a listener of each app that comes or goes; returns how to end this.

        A listener that raises keeps an app from being added.

        Args:
            listener: Told of each app.
            reloaded: Told once instead of a whole reload, when all of it is exchanged; one that
                raises has the reload undone, and is told again.
        """
        return self._parts.roster.subscribe(listener, reloaded=reloaded)

    async def reload(
        self,
        inventory: Inventory,
        driver: DriverMaker | None = None,
        *,
        apps: Iterable[NetworkApp] | None = None,
        commands: Iterable[CommandSpec] | None = None,
        subject: str = "local",
        source: str | None = None,
        timeout_s: float = 10.0,
    ) -> ReloadReport:
        """Go on with another inventory, driver, apps or commands, and drop no call.

        Everything is checked first. Then calls that come wait, those that are under way end, and
        all is exchanged at once. Whatever goes wrong until then, everything stays as it was.

        Args:
            inventory: The nodes that there shall be.
            driver: Given the driver, gives the one from now on; None: it stays.
            apps: The apps that there shall be; one of a class that is there already stays the one
                that is there, with its state. None: those that are there.
            commands: What can be asked of nodes; None: what can be asked now.
            subject: Who reloads, for the audit trail.
            source: What is reloaded, as a file, for the audit trail.
            timeout_s: How long calls that are under way may take to end.

        Raises:
            DeclarationError: If any of it does not fit the rest.
            ReloadError: If calls did not end in time, or this is called inside one.
            StoreError: If it cannot be written down.
            ControllerClosedError: If the controller is not entered.
        """
        self._entered()
        return await Reloader(self._parts).reload(
            inventory,
            driver,
            apps=apps,
            commands=commands,
            subject=subject,
            source=source,
            timeout_s=timeout_s,
            check_entered=self._entered,
        )

    # --- states ----------------------------------------------------------------------------

    async def set_state(self, app: str, state: str, *, subject: str = "local") -> StateChange:
        """Set an app running, paused or stopped.

        When this returns for any state but running, the app does nothing any more.

        Raises:
            UnknownNameError: If there is no app of that name.
            InvalidStateError: If there is no such state.
            StoreError: If it cannot be written down; an app that was to halt has halted.
            ControllerClosedError: If the controller is not entered.
        """
        self._entered()
        return await self._parts.supervisor.set_state(app, state, subject)

    # --- commands --------------------------------------------------------------------------

    async def execute(
        self,
        app: str,
        command: str,
        arguments: Mapping[str, Any],
        *,
        dry_run: bool = False,
        origin: Origin = "python",
        subject: str = "local",
        roles: frozenset[str] = EVERY_ROLE,
        idempotency_key: str | None = None,
        confirm_within_s: float | None = None,
    ) -> Outcome:
        """Take a command through the pipeline, in an app's name.

        Args:
            app: The app; its validator is asked, and only its nodes and commands are allowed.
            command: The command's name.
            arguments: Its arguments, `node_id` among them.
            dry_run: Whether to stop at the plan.
            origin: Where it comes from.
            subject: Who asks.
            roles: What who asks may do, for policies; `"*"` is everything.
            idempotency_key: A name that the subject gives: what has it is executed once, and
                answered again. It is kept with the last 10 000 changes; refusals and dry runs
                are not kept.
            confirm_within_s: How long it stays unless it is confirmed, 1 to 86 400 s from when it
                was sent (`changes.confirm`); None: it is permanent.

        Raises:
            UnknownNameError: If there is no app of that name.
            InvalidArgumentsError: If the key is no text of 1 to 128 characters, or the time not so.
            ControllerClosedError: If the controller is not entered.
        """
        async with self._parts.gate.passage():
            self._entered()
            await self._changes.expire()
            return await self._parts.desk.execute(
                app,
                command,
                arguments,
                caller=Caller(subject=subject, origin=origin, roles=roles),
                dry_run=dry_run,
                idempotency_key=idempotency_key,
                confirm_within_s=confirm_within_s,
            )

    async def note_refused_call(self, call: RefusedCall) -> None:
        """Put a call on record whose arguments do not fit what its face asks for.

        While the controller is not entered, nothing can be changed, and nothing is on record.
        """
        if self._group is not None:
            await self._parts.refused_calls.note(call)

    @property
    def changes(self) -> Changes:
        """The accepted commands: to list, to undo, to approve or reject."""
        return self._changes

    async def set_read_only(self, on: bool, *, subject: str = "local") -> None:  # noqa: FBT001  # a switch has two positions
        """Refuse every change from now on, also those that wait; dry runs go on. Or end this."""
        await self._parts.kill_switch.set(on=on, subject=subject)

    def register_command(
        self, name: str, handler: CommandHandler, schema: Mapping[str, Any] | None = None
    ) -> None:
        """Know one more command, which a handler translates: `handler(node_id, arguments)`.

        It answers the resource, by name or alias, and its value, as `{"booster_gain": 15.0}` or
        that in JSON. Limits, policies and reading back are those of the resource.

        Raises:
            DeclarationError: If there is one of its name, or the schema is none.
            ReloadError: If a reload is just exchanging the commands.
        """
        self._check_not_alone()
        self._parts.commands.add(handled_command(name, handler, schema))

    # --- operations ------------------------------------------------------------------------

    async def call_operation(
        self,
        app: str,
        operation: str,
        arguments: Mapping[str, Any],
        *,
        timeout_s: float | None = None,
    ) -> OperationReply:
        """Have an app execute one of its operations in its loop, and wait for the answer.

        Args:
            app: The app; it must run.
            operation: The operation's name.
            arguments: Its arguments.
            timeout_s: How long to wait; None: three periods of the app and 5 s.

        Raises:
            UnknownNameError: If there is no app or operation of that name.
            InvalidArgumentsError: If the arguments do not fit; nothing was queued.
            AppNotRunningError: If the app does not run, or stops running meanwhile.
            OperationTimeoutError: If it did not end in time; it never executes later.
            OperationFailedError: If it crashed.
            QueueFullError: If too many calls wait already.
            ControllerClosedError: If the controller is not entered.
        """
        async with self._parts.gate.passage():
            runtime = self._parts.roster.get(app)
            self._entered()
            return await runtime.call(operation, arguments, timeout_s=timeout_s)

    # --- measurements ----------------------------------------------------------------------

    async def measurements(
        self, app: str, node_id: int | None = None
    ) -> dict[int, dict[str, Measurement]]:
        """What an app reads, read anew from the nodes first, by node and metric.

        Args:
            app: The app.
            node_id: Only this one of its nodes; None: all of them.

        Raises:
            UnknownNameError: If there is no app of that name, or it does not read that node.
            ControllerClosedError: If the controller is not entered.
        """
        async with self._parts.gate.passage():
            runtime = self._parts.roster.get(app)
            self._entered()
            return await runtime.measurements(node_id)

    def record_many(self, samples: Iterable[Sample]) -> int:
        """Take in what nodes measured, pushed by whoever has it, and say how many samples told.

        Every value is checked; what is malformed, or of an unknown node or metric, is left out and
        counted in `refused_readings`. It takes some 5 µs for each sample of ten metrics, during
        which nothing else runs: give some hundred at once.
        """
        return self._parts.store.record_many(samples)

    # --- inside ----------------------------------------------------------------------------

    def _entered(self) -> TaskGroup:
        if self._group is None:
            raise ControllerClosedError(
                "the controller is not entered", hint="use it inside 'async with controller:'"
            )
        return self._group

    def _check_not_alone(self) -> None:
        if self._parts.gate.alone:
            raise ReloadError(
                "the network is being reloaded", hint="try again when that is done, in a moment"
            )
