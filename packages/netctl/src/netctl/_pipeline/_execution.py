"""Stages 6 to 8: the plan, the change on the node, and reading it back."""

from dataclasses import dataclass, replace

from netctl._driver import Change
from netctl._equipment import Equipment
from netctl._errors import DriverError, DriverTimeoutError
from netctl._measurement_store import MeasurementStore
from netctl._outcome import CommandRequest, Outcome
from netctl._pipeline._limits import Target

__all__ = ["Plan", "carry_out", "make_plan"]


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

    def outcome(self) -> Outcome:
        """The plan as an outcome: nothing was sent."""
        resource = self.target.resource
        return Outcome(
            request=self.request,
            status="planned",
            reason=self.reason,
            resource=resource.name,
            unit=resource.unit,
            before=self.before,
            after=self.target.value,
        )


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
    before = await _read_setting(target, equipment, store)
    return Plan(request=request, target=target, before=before, reason=reason)


async def carry_out(plan: Plan, equipment: Equipment, store: MeasurementStore) -> Outcome:
    """Send the change, then read back what came of it."""
    target, planned = plan.target, plan.outcome()
    change = Change(resource=target.resource.name, value=target.value)
    try:
        answer = await equipment.apply(target.node, change)
    except DriverTimeoutError as error:
        reason = f"{error}; whether it took the change is not known"
        return replace(planned, status="failed", code="outcome_unknown", reason=reason)
    except DriverError as error:
        reason = f"{error}; it did not confirm the change"
        return replace(planned, status="failed", code="node_unavailable", reason=reason)
    if not answer.accepted:
        reason = f"node {target.node.node_id} refuses: {answer.message or 'no reason given'}"
        return replace(planned, status="failed", code="refused_by_node", reason=reason)
    try:
        read_back = await _read_setting(target, equipment, store)
    except DriverError as error:
        reason = f"the node took the change, but it could not be read back: {error}"
        return replace(planned, status="applied", code="read_back_unavailable", reason=reason)
    if abs(read_back - target.value) > target.resource.tolerance:
        unit = target.resource.unit
        reason = (
            f"the node took the change, but reads {read_back!r} {unit} "
            f"instead of {target.value!r} {unit}"
        )
        return replace(
            planned,
            status="applied",
            code="read_back_differs",
            reason=reason,
            read_back=read_back,
        )
    return replace(planned, status="confirmed", read_back=read_back)


async def _read_setting(target: Target, equipment: Equipment, store: MeasurementStore) -> float:
    """What the resource is set to, fresh from the node."""
    node, metric = target.node, target.resource.read_back_metric
    sequence = store.sequence(node.node_id)
    await equipment.read(node)
    measurement = store.latest(node.node_id, metric)
    # An older value than from this read would say what was, not what is.
    if measurement.value is None or measurement.sequence <= sequence:
        raise DriverError(f"node {node.node_id} does not tell its {metric}")
    return measurement.value
