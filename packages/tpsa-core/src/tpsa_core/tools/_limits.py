"""How much a call may take: checked against an estimate before anything is computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tercet import ErrorDetail, LimitExceededError
from tpsa_core._algebra import Algebra
from tpsa_core.tools._cost import Cost, Estimate, products

__all__ = [
    "MAX_COMPONENTS",
    "MAX_DIMENSION",
    "MAX_ORDER",
    "TaylorLimits",
    "require",
    "tool_algebra",
]

MAX_DIMENSION = 50
MAX_ORDER = 100
MAX_COMPONENTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TaylorLimits:
    """What one call of a Taylor tool may take; a setting of the registry.

    Attributes:
        coefficients: Of one object, in all its components.
        product: Multiplications in one product of two functions; a million takes two to four
            milliseconds on numpy, and less than half of one with the compiled kernels.
        multiplications: In one call, as estimated. Those of the default take ten to
            twenty-five seconds on numpy, and a few with the compiled kernels.
        memory_bytes: In one call, as estimated.
    """

    coefficients: int = 2_000_000
    product: int = 4_000_000
    multiplications: int = 5_000_000_000
    memory_bytes: int = 512 * 1024 * 1024

    def allow(self, cost: Cost) -> bool:
        """Say whether a call may take as much."""
        return (
            cost.coefficients <= self.coefficients
            and cost.product <= self.product
            and cost.multiplications <= self.multiplications
            and cost.memory_bytes <= self.memory_bytes
        )


def require(
    limits: TaylorLimits,
    estimate: Estimate,
    order: int,
    *,
    what: str,
    pointer: str,
    hint: str,
    or_else: str = "ask for less",
    got: Any = None,
) -> Cost:
    """Give the cost; refuse what would take too much, and name the highest order that would not.

    Args:
        limits: What may be taken.
        estimate: What it takes at an order.
        order: The order that is asked for.
        what: What is asked for, for the message.
        pointer: The argument that is to blame.
        hint: What to do with the order that fits, with `{order}` in its place.
        or_else: What else would help.
        got: The value of the argument.

    Raises:
        LimitExceededError: With the estimate and the order.
    """
    cost = estimate(order)
    if limits.allow(cost):
        return cost
    fitting = next((n for n in range(order - 1, -1, -1) if limits.allow(estimate(n))), None)
    raise LimitExceededError(
        f"{what} would take about {_worded(cost)}; allowed are {limits.coefficients} coefficients, "
        f"{limits.product} multiplications in a product and {limits.multiplications} in all, and "
        f"{limits.memory_bytes} bytes",
        hint=f"{'no order would fit' if fitting is None else hint.format(order=fitting)}, "
        f"{'so ' if fitting is None else 'or '}{or_else}",
        details=[
            ErrorDetail(
                pointer=pointer,
                expected="less" if fitting is None else f"an order of at most {fitting}",
                got=got,
                nearest=fitting,
            )
        ],
    )


def tool_algebra(
    limits: TaylorLimits,
    dimension: int,
    order: int,
    *,
    components: int = 1,
    names: Sequence[str] = (),
) -> Algebra:
    """Give the algebra in x1 … xN or the given names, if objects in it may be so large.

    Raises:
        LimitExceededError: If not; it says which order would fit.
    """
    # Before any estimate: of a huge order, the estimate alone would take for ever.
    if dimension > MAX_DIMENSION or order > MAX_ORDER:
        raise LimitExceededError(
            f"there are more than {MAX_DIMENSION} variables, or the order is above {MAX_ORDER}",
            hint=f"use at most {MAX_DIMENSION} variables, and an order up to {MAX_ORDER}",
        )
    require(
        limits,
        products(dimension, components, 1),
        order,
        what=f"{components} components in {dimension} variables at order {order}",
        pointer="/max_order",
        hint="use an order up to {order}",
        or_else="use fewer variables",
        got=order,
    )
    return Algebra(*(names or [dimension]), order=order)


def _worded(cost: Cost) -> str:
    parts = [
        f"{cost.coefficients} coefficients" if cost.coefficients else "",
        f"{cost.products} products" if cost.products > 1 else "",
        f"{cost.multiplications} multiplications",
        f"{cost.memory_bytes} bytes",
    ]
    return ", ".join(part for part in parts if part)
