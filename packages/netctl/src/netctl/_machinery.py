"""What a controller is made of, put together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from netctl._app import NetworkApp
from netctl._audit import AuditObserver
from netctl._clock import Clock
from netctl._command import CommandSet, CommandSpec
from netctl._command_desk import CommandDesk
from netctl._confirmations import Confirmations
from netctl._driver import Driver
from netctl._equipment import Equipment
from netctl._events import EventBus
from netctl._gate import ReloadGate
from netctl._inventory import Inventory
from netctl._kill_switch import KillSwitch
from netctl._measurement_store import MeasurementStore
from netctl._network_watch import NetworkWatch
from netctl._pipeline import Arbiter, CommandPipeline, Policy, ReadOnlySwitch
from netctl._plugins import Plugin, Plugins
from netctl._poller import Poller, check_period
from netctl._records import Records
from netctl._refused_calls import RefusedCalls
from netctl._roster import AppRoster
from netctl._runtime import AppRuntime
from netctl._store import ControllerStore
from netctl._supervisor import AppSupervisor
from netctl.policies import SlewRate

__all__ = ["Machinery", "assemble", "runtime_of"]


@dataclass(slots=True, kw_only=True)
class Machinery:
    """The parts of one controller; a reload exchanges the inventory, and what depends on it."""

    inventory: Inventory
    commands: CommandSet
    clock: Clock
    events: EventBus
    store: MeasurementStore
    equipment: Equipment
    poller: Poller
    records: Records
    kill_switch: KillSwitch
    pipeline: CommandPipeline
    roster: AppRoster
    supervisor: AppSupervisor
    desk: CommandDesk
    confirmations: Confirmations
    refused_calls: RefusedCalls
    watch: NetworkWatch
    plugins: Plugins
    gate: ReloadGate

    def exchange_inventory(self, inventory: Inventory) -> Callable[[], None]:
        """Have another inventory from now on; returns how to undo this."""
        former, self.inventory = self.inventory, inventory

        def undo() -> None:
            self.inventory = former

        return undo


def runtime_of(
    parts: Machinery, app: NetworkApp, inventory: Inventory, commands: CommandSet
) -> AppRuntime:
    """An app inside a controller of these parts, not yet among its apps.

    Raises:
        DeclarationError: If it does not fit the inventory, the commands or the plugins.
    """
    return AppRuntime(
        app,
        inventory=inventory,
        commands=commands,
        equipment=parts.equipment,
        store=parts.store,
        pipeline=parts.pipeline,
        clock=parts.clock,
        plugins=parts.plugins,
        gate=parts.gate,
    )


def assemble(
    inventory: Inventory,
    driver: Driver,
    *,
    commands: Iterable[CommandSpec],
    clock: Clock,
    poll_period_s: float,
    driver_timeout_s: float,
    stale_after_s: float | None,
    history_length: int,
    arbiter: Arbiter,
    policies: Iterable[Policy],
    audit_observers: Iterable[AuditObserver],
    store: ControllerStore | None,
    restore_states: bool,
    read_only: bool,
    plugins: Iterable[Plugin],
) -> Machinery:
    """The parts of a controller with these options, which `Controller` explains.

    Raises:
        DeclarationError: If a period or a timeout is not above 0, the history has no length, two
            commands or two plugins share a name, or what is given as a plugin is none.
    """
    check_period("poll_period_s", poll_period_s)
    check_period("driver_timeout_s", driver_timeout_s)
    known = CommandSet(commands)
    events = EventBus(clock)
    measured = MeasurementStore(
        inventory,
        clock,
        events,
        stale_after_s=3.0 * poll_period_s if stale_after_s is None else stale_after_s,
        history_length=history_length,
    )
    equipment = Equipment(inventory, driver, measured, clock, timeout_s=driver_timeout_s)
    records = Records(clock, events=events, observers=audit_observers, store=store)
    switch = ReadOnlySwitch(on=read_only)
    pipeline = CommandPipeline(
        inventory=inventory,
        commands=known,
        equipment=equipment,
        store=measured,
        switch=switch,
        policies=(SlewRate(), *policies),
        arbiter=arbiter,
        records=records,
        clock=clock,
    )
    roster = AppRoster()
    desk = CommandDesk(pipeline, records, roster)
    supervisor = AppSupervisor(roster, records, restore_states=restore_states)
    gate = ReloadGate(clock)
    gate.when_open = supervisor.wake
    roster.subscribe(lambda event, app: events.publish("app", lambda: {"app": app, "event": event}))
    return Machinery(
        inventory=inventory,
        commands=known,
        clock=clock,
        events=events,
        store=measured,
        equipment=equipment,
        poller=Poller(equipment, clock, poll_period_s),
        records=records,
        kill_switch=KillSwitch(switch, records),
        pipeline=pipeline,
        roster=roster,
        supervisor=supervisor,
        desk=desk,
        confirmations=Confirmations(desk, known, clock, gate),
        refused_calls=RefusedCalls(pipeline, records),
        watch=NetworkWatch(measured, roster, events),
        plugins=Plugins(plugins),
        gate=gate,
    )
