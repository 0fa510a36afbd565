"""What the functions share: an integral over a series, and constants outside of a domain."""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._errors import DomainError
from tpsa_core._kernels import multiply
from tpsa_core._monomials import MonomialTables


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
