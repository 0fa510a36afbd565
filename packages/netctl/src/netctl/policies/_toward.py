"""The farthest that a resource may be moved toward what was asked."""

import math

from netctl._pipeline import Plan

__all__ = ["farthest_toward"]

_SLACK = 1e-9


def farthest_toward(plan: Plan, reach: float) -> float:
    """The value on the resource's steps, at most so far from where it is, nearest to the target."""
    resource, before, wanted = plan.target.resource, plan.before, plan.target.value
    up = wanted > before
    value = before + math.copysign(max(0.0, reach), wanted - before)
    if resource.step is None:
        return round(value, 9)
    steps = (value - resource.min) / resource.step
    whole = math.floor(steps + _SLACK) if up else math.ceil(steps - _SLACK)
    return round(resource.min + whole * resource.step, 9)
