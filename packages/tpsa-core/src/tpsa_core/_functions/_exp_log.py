"""Exponentials and logarithms: E h = h · E f, and E h = E f / f."""

import numpy as np

from tpsa_core._arrays import Array, euler
from tpsa_core._functions._recurrence import outside
from tpsa_core._kernels import exponential, quotient_integral
from tpsa_core._monomials import MonomialTables

_LOG_EXAMPLE = "log(1 + x) has a series, and so has log of a complex function at -1"


def exp(tables: MonomialTables, values: Array) -> Array:
    """The exponential of a series."""
    return exponential(tables, values)


def expm1(tables: MonomialTables, values: Array) -> Array:
    """The exponential of a series minus one, with all digits for a small constant part."""
    result = exp(tables, values)
    result[0] = np.expm1(values[0])
    return result


def log(tables: MonomialTables, values: Array) -> Array:
    """The natural logarithm of a series, on the principal branch for complex numbers."""
    constant = values[0]
    _check_log("log", constant)
    return quotient_integral(tables, np.log(constant), euler(tables, values), values)


def log1p(tables: MonomialTables, values: Array) -> Array:
    """The natural logarithm of one plus a series, with all digits for a small constant part."""
    shifted = values.copy()
    shifted[0] += 1
    _check_log("log1p", shifted[0], constant=values[0])
    return quotient_integral(tables, np.log1p(values[0]), euler(tables, values), shifted)


def log2(tables: MonomialTables, values: Array) -> Array:
    """The logarithm of a series to the base 2."""
    constant = values[0]
    _check_log("log2", constant)
    weighted = euler(tables, values) / np.log(2.0)
    return quotient_integral(tables, np.log2(constant), weighted, values)


def log10(tables: MonomialTables, values: Array) -> Array:
    """The logarithm of a series to the base 10."""
    constant = values[0]
    _check_log("log10", constant)
    weighted = euler(tables, values) / np.log(10.0)
    return quotient_integral(tables, np.log10(constant), weighted, values)


def _check_log(function: str, argument: complex, *, constant: complex | None = None) -> None:
    """Refuse a constant part where the logarithm of the argument has no series."""
    where = "constant part" if constant is None else "constant part of 1 + f"
    shown = argument if constant is None else constant
    if np.iscomplexobj(argument):
        if argument == 0:
            raise outside(function, shown, f"a {where} other than 0", example=_LOG_EXAMPLE)
    elif not np.real(argument) > 0:
        raise outside(function, shown, f"a positive {where}", example=_LOG_EXAMPLE)
