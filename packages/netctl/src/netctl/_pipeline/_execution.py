"""Stages 7 and 8: the change on the node, and reading it back."""

from netctl._driver import Setting
from netctl._equipment import Equipment
from netctl._errors import DriverError, DriverTimeoutError
from netctl._measurement_store import MeasurementStore
from netctl._outcome import Outcome
from netctl._pipeline._plan import Plan, read_setting
from netctl._replaced import replaced

__all__ = ["carry_out"]

_LONGEST_MESSAGE = 500


async def carry_out(
    plan: Plan, planned: Outcome, equipment: Equipment, store: MeasurementStore
) -> Outcome:
    """Send the change, then read back what came of it.

    Args:
        plan: What is to change.
        planned: What is said of it so far.
        equipment: The way to the node.
        store: Where what it reads is kept.
    """
    target = plan.target
    setting = Setting(resource=target.resource.name, value=target.value)
    try:
        answer = await equipment.apply(target.node, setting)
    except DriverTimeoutError as error:
        reason = f"{error}; whether it took the change is not known"
        return replaced(planned, status="failed", code="outcome_unknown", reason=reason)
    except DriverError as error:
        reason = f"{error}; it did not confirm the change"
        return replaced(planned, status="failed", code="node_unavailable", reason=reason)
    if not answer.accepted:
        why = answer.message[:_LONGEST_MESSAGE] or "no reason given"
        reason = f"node {target.node.node_id} refuses: {why}"
        return replaced(planned, status="failed", code="refused_by_node", reason=reason)
    try:
        read_back = await read_setting(target, equipment, store)
    except DriverError as error:
        reason = f"the node took the change, but it could not be read back: {error}"
        return replaced(planned, status="applied", code="read_back_unavailable", reason=reason)
    if abs(read_back - target.value) > target.resource.tolerance:
        unit = target.resource.unit
        reason = (
            f"the node took the change, but reads {read_back!r} {unit} "
            f"instead of {target.value!r} {unit}"
        )
        return replaced(
            planned,
            status="applied",
            code="read_back_differs",
            reason=reason,
            read_back=read_back,
        )
    return replaced(planned, status="verified", read_back=read_back)
