"""How a controller's equipment and store fare: the part of a controller that only looks."""

from netctl._machinery import Machinery

__all__ = ["ControllerHealth"]


class ControllerHealth:
    """What a controller says of its equipment and its store."""

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
