"""Puts other nodes, limits, drivers, commands and apps into a running controller, whole or not."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import anyio

from netctl._app import NetworkApp
from netctl._app_fit import AppFit
from netctl._command import CommandSet, CommandSpec
from netctl._declaration import declaration_of
from netctl._driver import Driver, FollowingDriver
from netctl._inventory import Inventory
from netctl._log import get_logger
from netctl._machinery import Machinery, runtime_of
from netctl._poller import check_period
from netctl._roster import check_distinct
from netctl._runtime import AppRuntime

__all__ = ["DriverMaker", "ReloadReport", "Reloader"]

_log = get_logger("netctl.reload")
_MOST_NAMED = 20

DriverMaker = Callable[[Driver], Driver]
"""Given the driver of before, gives the one from now on; called while nobody uses either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadReport:
    """What a reload changed.

    Attributes:
        changed: Whether it changed anything, be it links or commands.
        nodes_added: The nodes that came.
        nodes_removed: The nodes that went.
        nodes_changed: The nodes that remain, of which the inventory says something else.
        apps_added: The apps that came.
        apps_removed: The apps that went.
        apps_changed: The apps in whose place another one of their name came.
    """

    changed: bool
    nodes_added: tuple[int, ...]
    nodes_removed: tuple[int, ...]
    nodes_changed: tuple[int, ...]
    apps_added: tuple[str, ...]
    apps_removed: tuple[str, ...]
    apps_changed: tuple[str, ...]

    def __str__(self) -> str:
        """The same in words."""
        parts = [
            f"{what.replace('_', ' ')}: {_some(names)}"
            for what, names in self.to_dict().items()
            if names
        ]
        return "; ".join(parts) or "the same nodes and apps"

    def to_dict(self) -> dict[str, list[Any]]:
        """What came, went and changed, as one JSON object."""
        facts = asdict(self)
        del facts["changed"]
        return {what: list(names) for what, names in facts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What there shall be, checked; nothing of it is there yet.

    Attributes:
        inventory: The nodes.
        commands: What can be asked of them.
        runtimes: The apps, by name: those that stay, and new ones.
        fits: How those that stay fit the inventory, by name.
        report: In what it differs from what there is.
    """

    inventory: Inventory
    commands: CommandSet
    runtimes: dict[str, AppRuntime]
    fits: dict[str, AppFit]
    report: ReloadReport

    @property
    def new(self) -> list[AppRuntime]:
        """The apps that are not there yet."""
        return [runtime for name, runtime in self.runtimes.items() if name not in self.fits]


class Reloader:
    """Reloads one controller.

    Args:
        parts: What the controller is made of.
    """

    def __init__(self, parts: Machinery) -> None:
        self._parts = parts

    async def reload(
        self,
        inventory: Inventory,
        driver: DriverMaker | None,
        *,
        apps: Iterable[NetworkApp] | None,
        commands: Iterable[CommandSpec] | None,
        subject: str,
        source: str | None,
        timeout_s: float,
        check_entered: Callable[[], object],
    ) -> ReloadReport:
        """As `Controller.reload`."""
        check_period("timeout_s", timeout_s)
        given = None if apps is None else tuple(apps)
        specs = None if commands is None else tuple(commands)
        found = self._found()
        plan = self._plan(inventory, given, specs)
        if driver is None and not plan.report.changed:
            return plan.report
        async with self._parts.gate.closed_for(timeout_s):
            check_entered()
            # Apps may have come and gone while this waited, and another reload may have done it.
            if self._found() != found:
                plan = self._plan(inventory, given, specs)
            if driver is None and not plan.report.changed:
                return plan.report
            # Half of it would be worse than none: it is bounded by the apps' farewells.
            with anyio.CancelScope(shield=True):
                await self._carry_out(plan, driver, {"subject": subject, "source": source})
        return plan.report

    def _found(self) -> tuple[object, ...]:
        """What a plan depends on: while that is the same, so is the plan."""
        parts = self._parts
        return parts.inventory, parts.commands.specs, tuple(parts.roster)

    def _plan(
        self,
        inventory: Inventory,
        apps: Sequence[NetworkApp] | None,
        specs: Sequence[CommandSpec] | None,
    ) -> _Plan:
        """What there shall be, checked whole.

        Raises:
            DeclarationError: If any of it does not fit.
        """
        parts = self._parts
        commands = parts.commands if specs is None else CommandSet(specs)
        runtimes: dict[str, AppRuntime] = {}
        fits: dict[str, AppFit] = {}
        for app in (runtime.app for runtime in parts.roster) if apps is None else apps:
            declaration = declaration_of(app)
            check_distinct(declaration, (other.declaration for other in runtimes.values()))
            current = parts.roster.find(declaration.name)
            if current is not None and current.is_of(app):
                fits[declaration.name] = current.fitted(inventory, commands)
                runtimes[declaration.name] = current
            else:
                runtimes[declaration.name] = runtime_of(parts, app, inventory, commands)
        return _Plan(
            inventory=inventory,
            commands=commands,
            runtimes=runtimes,
            fits=fits,
            report=_report(parts, inventory, commands, runtimes, fits),
        )

    async def _carry_out(
        self, plan: _Plan, driver: DriverMaker | None, who: dict[str, Any]
    ) -> None:
        """Exchange everything and write it down, or leave everything as it was."""
        parts, undos = self._parts, list[Callable[[], object]]()
        former = {runtime.declaration.name: runtime for runtime in parts.roster}
        said = {"status": "reloaded", "reason": str(plan.report)}
        try:
            self._exchange(plan, driver, former, undos)
            parts.roster.tell_reloaded()
            await parts.records.note_reload({**who, **said, **plan.report.to_dict()})
        except BaseException:
            self._undo(undos)
            raise
        _log.info("network reloaded", **who, **plan.report.to_dict())
        await self._settle(plan, former)

    def _exchange(
        self,
        plan: _Plan,
        driver: DriverMaker | None,
        former: dict[str, AppRuntime],
        undos: list[Callable[[], object]],
    ) -> None:
        """Put everything in its place, in one go: nobody sees a part of it."""
        parts, current, nodes = self._parts, self._parts.equipment.driver, self._parts.inventory
        made = current if driver is None else driver(current)
        for runtime in plan.new:
            # Before all else: it is the only step that an app or another controller may refuse.
            runtime.attach()
            undos.append(runtime.detach)
            before = former.get(runtime.declaration.name)
            parts.supervisor.prepare(runtime, before)
            if before is not None:
                # Who halts it before this is written down halts the one that goes on.
                undos.append(partial(parts.supervisor.prepare, before, runtime))
        undos.append(parts.exchange_inventory(plan.inventory))
        undos.append(parts.commands.exchange(plan.commands))
        undos.append(parts.store.exchange(plan.inventory))
        undos.append(parts.equipment.exchange(plan.inventory, made))
        undos.append(parts.pipeline.exchange(plan.inventory))
        undos.extend(plan.runtimes[name].refit(fit) for name, fit in plan.fits.items())
        undos.append(parts.roster.exchange(plan.runtimes))
        parts.poller.follow(plan.inventory.node_ids)
        undos.append(lambda: parts.poller.follow(nodes.node_ids))

    def _undo(self, undos: Sequence[Callable[[], object]]) -> None:
        """Leave everything as it was; what is raised in the end is why it failed first."""
        for undo in (*reversed(undos), self._parts.roster.tell_reloaded):
            try:
                undo()
            # An app that is let go of is foreign code, and so is a listener.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("reload not undone")

    async def _settle(self, plan: _Plan, former: dict[str, AppRuntime]) -> None:
        """Let go of what went, start what came, and tell everybody."""
        parts = self._parts
        for name, runtime in former.items():
            if plan.runtimes.get(name) is runtime:
                continue
            try:
                await runtime.close()
            # An app is foreign code: the others shall not wait for the one that went.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("app not let go of", app=name)
        parts.supervisor.start(plan.new)
        driver = parts.equipment.driver
        if isinstance(driver, FollowingDriver):
            try:
                driver.follow(plan.inventory)
            # So is a driver: whatever it raises, the rest holds.
            except Exception:  # noqa: BLE001 -- see above
                _log.exception("driver failed", what="follow")
        report = plan.report
        parts.events.publish("network", lambda: {"event": "reloaded", **report.to_dict()})
        parts.roster.tell_changes(
            gone=(*report.apps_removed, *report.apps_changed),
            come=(*report.apps_changed, *report.apps_added),
        )


def _report(
    parts: Machinery,
    inventory: Inventory,
    commands: CommandSet,
    runtimes: dict[str, AppRuntime],
    kept: dict[str, AppFit],
) -> ReloadReport:
    before, after = set(parts.inventory.node_ids), set(inventory.node_ids)
    apps = [runtime.declaration.name for runtime in parts.roster]
    same_apps = len(apps) == len(runtimes) == len(kept)
    return ReloadReport(
        changed=not same_apps
        or inventory != parts.inventory
        or commands.specs != parts.commands.specs,
        nodes_added=tuple(sorted(after - before)),
        nodes_removed=tuple(sorted(before - after)),
        nodes_changed=tuple(
            node_id
            for node_id in sorted(before & after)
            if inventory.node(node_id) != parts.inventory.node(node_id)
        ),
        apps_added=tuple(name for name in runtimes if name not in apps),
        apps_removed=tuple(name for name in apps if name not in runtimes),
        apps_changed=tuple(name for name in apps if name in runtimes and name not in kept),
    )


def _some(names: Sequence[Any]) -> str:
    shown = ", ".join(map(str, names[:_MOST_NAMED]))
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
