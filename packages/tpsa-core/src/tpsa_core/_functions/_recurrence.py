"""What the recurrences share: solving h' = f'/s degree by degree, squares that grow, constants.

With the Euler operator E, which multiplies the terms of degree k by k, the chain rule reads
E h = F'(f) · E f. Comparing terms of one degree gives h_k from lower degrees only, for all
monomials of the degree at once. (Neidinger, "Directions for computing truncated multivariate
Taylor series", Mathematics of Computation 74, 2005.)
"""

import numpy as np

from tpsa_core._errors import DomainError
from tpsa_core._kernel import Array, RunningProduct, multiply
from tpsa_core._monomials import MonomialTables


def euler(tables: MonomialTables, values: Array) -> Array:
    """The terms of every degree k times k."""
    return values * tables.degrees


def empty(tables: MonomialTables, *operands: Array | complex) -> Array:
    """Zeros of the type that the operands have together."""
    return np.zeros(tables.size, dtype=np.result_type(np.float64, *operands))


def quotient_integral(
    tables: MonomialTables, constant: complex, numerator: Array, denominator: Array
) -> Array:
    """The series h with E h = numerator / denominator and the given constant part.

    Args:
        tables: The monomials of all series.
        constant: The constant part of h.
        numerator: A series without a constant part.
        denominator: A series with a constant part other than zero.
    """
    result = empty(tables, numerator, denominator)
    product = RunningProduct(tables, np.zeros_like(result), denominator)
    result[0] = constant
    known = result[1:1]
    for degree in range(1, tables.order + 1):
        block = tables.block(degree)
        weighted = numerator[block] / denominator[0]
        if degree > 1:
            weighted = weighted - known / denominator[0]
        result[block] = weighted / degree
        known = product.extend(degree, weighted)
    return result


def integral(tables: MonomialTables, constant: complex, slope: Array, values: Array) -> Array:
    """The series h with E h = slope · E f and the given constant part; one product."""
    result = multiply(tables, slope, euler(tables, values))
    result[1:] /= tables.degrees[1:]
    result[0] = constant
    return result


def outside(function: str, constant: complex, domain: str, *, example: str) -> DomainError:
    """The error for a constant part outside a function's domain.

    Args:
        function: The function's name.
        constant: The constant part.
        domain: Where the function has a series, in words.
        example: An argument inside the domain, or the function that serves instead.
    """
    # A numpy scalar would show its type.
    return DomainError(
        function,
        np.asarray(constant).item(),
        domain,
        hint=f"the series is taken about the point where all variables are zero; {example}",
    )


def real_constant(function: str, values: Array) -> float:
    """The constant part of a series, for functions that are known at real numbers only.

    Raises:
        DomainError: If it is not real, or not finite.
    """
    constant = values[0]
    if not np.isfinite(constant):
        raise outside(function, constant, "a finite constant part", example="look for inf and nan")
    if constant.imag:
        example = "other coefficients may be complex"
        raise outside(function, constant, "a real constant part", example=example)
    return float(constant.real)
