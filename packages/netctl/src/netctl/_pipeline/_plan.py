"""Stage 6, plan: what a command will change, from what the node says it is set to now."""

from dataclasses import dataclass

from netctl._equipment import Equipment
from netctl._errors import DriverError
from netctl._inventory import Resource
from netctl._measurement_store import MeasurementStore
from netctl._outcome import CommandRequest, Outcome, OutcomeStatus
from netctl._pipeline._limits import Target
from netctl._pipeline._refusal import CommandRefusedError

__all__ = ["Plan", "make_plan", "read_setting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a command will change.

    Attributes:
        request: The command.
        target: What it sets, and to what.
        before: What the resource is set to now.
        reason: Why the value is not the one asked for, if it is not.
    """

    request: CommandRequest
    target: Target
    before: float
    reason: str | None = None

    @property
    def size(self) -> float:
        """How far the resource moves, in its unit."""
        return abs(self.target.value - self.before)

    def outcome(self, status: OutcomeStatus = "planned", change_id: int | None = None) -> Outcome:
        """The plan as an outcome, of a change of that number if it is one: nothing was sent."""
        resource, value = self.target.resource, self.target.value
        return Outcome(
            request=self.request,
            status=status,
            reason=self.reason,
            resource=resource.name,
            unit=resource.unit,
            before=self.before,
            after=value,
            limits_touched=_touched(resource, value),
            change_id=change_id,
        )

    def check_approved(self) -> None:
        """See that what was approved is what would be done now.

        Raises:
            CommandRefusedError: If the resource was set to something else meanwhile.
        """
        approval, resource = self.request.approval, self.target.resource
        if approval is not None and abs(self.before - approval.before) > resource.tolerance:
            raise CommandRefusedError(
                f"{resource.name} was {approval.before!r} {resource.unit} when the change was "
                f"planned, and is {self.before!r} {resource.unit} now",
                code="plan_changed",
                hint="ask for the change again",
            )


def _touched(resource: Resource, value: float) -> tuple[str, ...]:
    lowest = ("min",) if value == resource.min else ()
    return (*lowest, "max") if value == resource.max else lowest


async def make_plan(
    request: CommandRequest,
    target: Target,
    reason: str | None,
    equipment: Equipment,
    store: MeasurementStore,
) -> Plan:
    """The change from what the node says it is set to now.

    Raises:
        DriverError: If the node does not say.
    """
    before = await read_setting(target, equipment, store)
    return Plan(request=request, target=target, before=before, reason=reason)


async def read_setting(target: Target, equipment: Equipment, store: MeasurementStore) -> float:
    """What the resource is set to, fresh from the node."""
    node, metric = target.node, target.resource.read_back_metric
    sequence = await equipment.read(node)
    measurement = store.latest(node.node_id, metric)
    # An older value than from this read would say what was, not what is.
    if measurement.value is None or sequence == 0 or measurement.sequence < sequence:
        raise DriverError(f"node {node.node_id} does not tell its {metric}")
    if measurement.quality != "good":
        raise DriverError(
            f"node {node.node_id} tells a {metric} that is {measurement.age_s:.1f} s old",
            hint="check the node's clock, and how long it keeps a reading",
        )
    return measurement.value
