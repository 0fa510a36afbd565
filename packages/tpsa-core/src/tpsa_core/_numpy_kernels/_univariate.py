"""Any analytic function of one argument, from its Taylor coefficients at the constant part.

Horner's scheme in the part of the series without its constant. What is still to be multiplied k
times by series that start at degree m is needed to order - k·m only, so that the products grow
towards the last one: for a dense series in v variables up to order n they cost 1 + n/(2v + 1)
products in all, half a product more for six variables at order six.
"""

import numpy as np

from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._numpy_kernels._multiply import multiply


def compose_univariate(tables: MonomialTables, coefficients: Array, values: Array) -> Array:
    """The series Σ a_k (f - c)^k, where c is the constant part of f.

    Args:
        tables: The monomials of the series.
        coefficients: The a_k, `(order + 1,)`: the derivatives at c divided by factorials.
        values: The coefficients of f.
    """
    rest = values.copy()
    rest[0] = 0
    (support,) = rest.nonzero()
    if len(support) == 1:
        return _of_one_term(tables, coefficients, int(support[0]), rest)
    lowest = tables.degree_at(int(support[0])) if len(support) else tables.order + 1
    powers = tables.order // lowest
    result = coefficients[powers : powers + 1].astype(np.result_type(values, coefficients))
    for power in range(powers - 1, -1, -1):
        step = tables.truncated(tables.order - power * lowest)
        padded = np.zeros(step.size, dtype=result.dtype)
        padded[: len(result)] = result
        result = multiply(step, padded, rest[: step.size])
        result[0] += coefficients[power]
    full = np.zeros(tables.size, dtype=result.dtype)
    full[: len(result)] = result
    return full


def _of_one_term(tables: MonomialTables, coefficients: Array, place: int, values: Array) -> Array:
    """The same of a series that is one term, whose powers are one term each."""
    term = values[place]
    count = tables.highest_power(place) + 1
    powers = np.arange(count)
    exponents = tables.exponents[place] * powers[:, np.newaxis]
    result = np.zeros(tables.size, dtype=np.result_type(values, coefficients))
    result[tables.places(exponents)] = coefficients[:count] * np.cumprod([1, *[term] * (count - 1)])
    return result
