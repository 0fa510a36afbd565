"""What a controller has, and how that fares: the part of a controller that only looks."""

from netctl._app_loop import AppStatus
from netctl._audit import AuditTrail
from netctl._command import CommandSet
from netctl._declaration import AppDeclaration
from netctl._events import EventBus
from netctl._inventory import Inventory
from netctl._machinery import Machinery
from netctl._measurements import Measurement

__all__ = ["ControllerHealth"]


class ControllerHealth:
    """What a controller says of its apps, its nodes, its equipment and its store."""

    _parts: Machinery
    _entered_at_s: float | None = None
    """When the controller was entered, on its clock; None: it is not entered."""

    @property
    def refused_readings(self) -> int:
        """How many readings were malformed and left out."""
        return self._parts.store.refused

    @property
    def failed_reads(self) -> dict[int, int]:
        """How often each node could not be read, so far."""
        return self._parts.equipment.failures

    @property
    def silent_nodes(self) -> tuple[int, ...]:
        """The nodes that have told nothing fresh though they were asked; none until entered."""
        entered_at_s = self._entered_at_s
        return () if entered_at_s is None else self._parts.store.silent(entered_at_s)

    @property
    def unhealthy_plugins(self) -> tuple[str, ...]:
        """The plugins that do not work now, or cannot say; none until entered."""
        return () if self._entered_at_s is None else self._parts.plugins.unhealthy

    @property
    def overdue_changes(self) -> tuple[int, ...]:
        """The changes that nobody confirmed in time, and that could not be taken back so far."""
        return self._parts.confirmations.overdue

    @property
    def read_only(self) -> bool:
        """Whether every change is refused."""
        return self._parts.kill_switch.on

    @property
    def store_fault(self) -> str | None:
        """Why the store could not be written to last; None: it could, or there is none."""
        return self._parts.records.fault

    @property
    def apps(self) -> tuple[AppDeclaration, ...]:
        """What each app declares, in the order in which they were added."""
        return tuple(runtime.declaration for runtime in self._parts.roster)

    def app(self, name: str) -> AppDeclaration:
        """What an app declares.

        Raises:
            UnknownNameError: If there is none of that name.
        """
        return self._parts.roster.get(name).declaration

    def status(self, app: str) -> AppStatus:
        """How an app is.

        Raises:
            UnknownNameError: If there is none of that name.
        """
        return self._parts.roster.get(app).loop.status

    @property
    def commands(self) -> CommandSet:
        """What can be asked of nodes."""
        return self._parts.commands

    @property
    def inventory(self) -> Inventory:
        """The nodes."""
        return self._parts.inventory

    @property
    def events(self) -> EventBus:
        """What happens, as it happens: samples, outcomes, states, nodes, apps and reloads."""
        return self._parts.events

    @property
    def audit(self) -> AuditTrail:
        """The last commands and what became of them."""
        return self._parts.records.trail

    def last(self, node_id: int, metric: str) -> Measurement:
        """The last reading of a metric, whenever it came; nothing is read anew.

        Raises:
            UnknownNameError: If there is no such node.
        """
        return self._parts.store.latest(self._parts.inventory.node(node_id).node_id, metric)

    def history(self, node_id: int, metric: str) -> tuple[Measurement, ...]:
        """The remembered readings of a metric, oldest first.

        Raises:
            UnknownNameError: If there is no such node.
        """
        return self._parts.store.history(self._parts.inventory.node(node_id).node_id, metric)
