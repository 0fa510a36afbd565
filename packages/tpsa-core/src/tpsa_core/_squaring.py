"""Integer powers by repeated squaring."""

from collections.abc import Callable
from typing import TypeVar

from tpsa_core._errors import LimitError

# Integers up to here are exact as floats, too; a higher power takes more than a hundred products.
MAX_POWER = 2**53

ValueT = TypeVar("ValueT")


def raised(value: ValueT, exponent: int, product: Callable[[ValueT, ValueT], ValueT]) -> ValueT:
    """A value to an integer power from 1, with about two products for every bit.

    Raises:
        LimitError: If the power is above 2**53.
    """
    if exponent > MAX_POWER:
        message = f"an integer power beyond ±{MAX_POWER}"
        raise LimitError(message, hint="use a smaller power, or exp and log")
    result: ValueT | None = None
    factor = value
    remaining = exponent
    while True:
        if remaining & 1:
            result = factor if result is None else product(result, factor)
        remaining >>= 1
        if not remaining:
            break
        factor = product(factor, factor)
    return factor if result is None else result
