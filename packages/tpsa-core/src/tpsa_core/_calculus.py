"""Derivative, antiderivative, fixed variables and a shift of the origin, on coefficient arrays.

Arrays are `(..., size)`: the last axis runs over the monomials of the tables.
"""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables


def derivative(tables: MonomialTables, values: Array, variable: int) -> Array:
    """The derivative with respect to one variable.

    Zero where it is not known: in the top degree, and where the variable has its highest power.
    """
    result = np.zeros_like(values)
    sources, targets = tables.moves(variable)
    powers = tables.exponents[sources, variable] + 1.0
    result[..., sources] = values[..., targets] * powers
    return result


def antiderivative(tables: MonomialTables, values: Array, variable: int) -> Array:
    """The integral over one variable from zero; what exceeds the orders is cut off."""
    result = np.zeros_like(values)
    sources, targets = tables.moves(variable)
    powers = tables.exponents[sources, variable] + 1.0
    result[..., targets] = values[..., sources] / powers
    return result


def weighted(tables: MonomialTables, values: Array, variable: int, weights: Array) -> Array:
    """The series without one variable, whose powers are replaced by numbers.

    Args:
        tables: The monomials of the series.
        values: Their coefficients, `(..., size)`.
        variable: The position of the variable.
        weights: What stands for its powers, `(order + 1,)`.
    """
    powers = tables.exponents[:, variable]
    remaining = tables.exponents.copy()
    remaining[:, variable] = 0
    # A power past the largest number must not turn a term that is not there into nan.
    terms = np.zeros(values.shape, dtype=np.result_type(values, weights))
    np.multiply(values, weights[powers], out=terms, where=values != 0)
    result = np.zeros_like(terms)
    np.add.at(np.moveaxis(result, -1, 0), tables.places(remaining), np.moveaxis(terms, -1, 0))
    return result


def shifted(tables: MonomialTables, values: Array, origin: Array) -> Array:
    """The polynomials `p(origin + x)` as polynomials in x, exact up to rounding.

    Args:
        tables: The monomials of the polynomials.
        values: Their coefficients, `(..., size)`.
        origin: The new origin, `(dimension,)`.
    """
    for variable, step in enumerate(origin):
        if step == 0:
            continue
        # Taylor's formula along one variable: the derivatives at the old origin times powers.
        term = values.astype(np.result_type(values, origin))
        values = term.copy()
        for power in range(1, tables.order + 1):
            term = derivative(tables, term, variable) * (step / power)
            values = values + term
    return values
