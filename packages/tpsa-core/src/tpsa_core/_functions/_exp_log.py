"""Exponential and logarithm: E h = h · E f, and E h = E f / f; one product each."""

import numpy as np

from tpsa_core._functions._recurrence import euler, outside, quotient_integral
from tpsa_core._kernel import Array, RunningProduct
from tpsa_core._monomials import MonomialTables

_LOG_EXAMPLE = "log(1 + x) has a series, and so has log of a complex function at -1"


def exp(tables: MonomialTables, values: Array) -> Array:
    """The exponential of a series."""
    result = np.zeros_like(values)
    product = RunningProduct(tables, np.zeros_like(values), euler(tables, values))
    result[0] = np.exp(values[0])
    for degree in range(1, tables.order + 1):
        below = result[tables.block(degree - 1)]
        result[tables.block(degree)] = product.extend(degree - 1, below) / degree
    return result


def log(tables: MonomialTables, values: Array) -> Array:
    """The natural logarithm of a series, on the principal branch for complex numbers."""
    constant = values[0]
    if np.iscomplexobj(values):
        if constant == 0:
            raise outside("log", constant, "a constant part other than 0", example=_LOG_EXAMPLE)
    elif not constant > 0:
        raise outside("log", constant, "a positive constant part", example=_LOG_EXAMPLE)
    return quotient_integral(tables, np.log(constant), euler(tables, values), values)
