"""Functions of one series, and quotients.

Roots and powers of real series with a positive constant part are computed as they stand; others
are taken of f/f(0) and multiplied by the constant part that is wanted, whatever its branch.
"""

import numpy as np

from tpsa_core import _native as native
from tpsa_core import _numpy_kernels as twin
from tpsa_core._arrays import Array
from tpsa_core._monomials import MonomialTables
from tpsa_core._native_kernels._blocks import common_kind, from_block, plan_of, to_block


def exponential(tables: MonomialTables, values: Array) -> Array:
    """The exponential of a series."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.exponential(tables, values)
    result = np.empty_like(values)
    native.exp(plan, to_block(plan, values), result)
    return from_block(plan, result)


def quotient(tables: MonomialTables, numerator: Array, denominator: Array) -> Array:
    """The quotient of two series; the denominator's constant part is not zero."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.quotient(tables, numerator, denominator)
    kind = common_kind(numerator, denominator)
    result = np.empty(tables.size, dtype=kind)
    native.divide(plan, to_block(plan, numerator, kind), to_block(plan, denominator, kind), result)
    return from_block(plan, result)


def quotient_integral(
    tables: MonomialTables, constant: complex, numerator: Array, denominator: Array
) -> Array:
    """The series h with E h = numerator / denominator and the given constant part."""
    result = quotient(tables, numerator, denominator)
    result[1:] /= tables.degrees[1:]
    result[0] = constant
    return result


def root(tables: MonomialTables, values: Array, constant: complex) -> Array:
    """The square root of a series that has the given constant part, one of the two roots."""
    plan = plan_of(tables)
    if not plan.has_kernels or not tables.order:
        return twin.root(tables, values, constant)
    result = np.empty_like(values)
    scale, factor = _branch(values, constant)
    native.sqrt(plan, to_block(plan, values / scale), result)
    result *= factor
    result[0] = constant
    return from_block(plan, result)


def power(tables: MonomialTables, values: Array, exponent: complex, constant: complex) -> Array:
    """A series to a constant power, the one with the given constant part."""
    plan = plan_of(tables)
    if not plan.has_kernels or not tables.order or isinstance(exponent, complex):
        return twin.power(tables, values, exponent, constant)
    result = np.empty_like(values)
    scale, factor = _branch(values, constant)
    native.power(plan, to_block(plan, values / scale), exponent, result)
    result *= factor
    result[0] = constant
    return from_block(plan, result)


def _branch(values: Array, constant: complex) -> tuple[complex, complex]:
    """What a series is divided by before its power is taken, and what the power is multiplied by.

    Args:
        values: The coefficients of the series.
        constant: The constant part that its power is to have.
    """
    if not np.iscomplexobj(values) and values[0] > 0 and constant.real > 0:
        return 1.0, 1.0
    return values[0], constant


def wave_pair(
    tables: MonomialTables, values: Array, odd: complex, even: complex, *, sign: int
) -> tuple[Array, Array]:
    """Sine and cosine, or with the sign 1 the hyperbolic pair; `odd` and `even` at the constant."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.wave_pair(tables, values, odd, even, sign=sign)
    sine, cosine = np.empty_like(values), np.empty_like(values)
    compute = native.sine_cosine if sign < 0 else native.hyperbolic
    compute(plan, to_block(plan, values), sine, cosine)
    # The constant part stands first in any order. numpy's own functions, as on numpy.
    sine[0], cosine[0] = odd, even
    return from_block(plan, sine), from_block(plan, cosine)


def tangent(tables: MonomialTables, values: Array, constant: complex, *, sign: int) -> Array:
    """The function with E t = (1 ± t²) · E f, by the addition theorem about its constant part."""
    plan = plan_of(tables)
    if not plan.has_kernels:
        return twin.tangent(tables, values, constant, sign=sign)
    rest = to_block(plan, values).copy()
    rest[0] = 0
    sine, cosine, result = np.empty_like(rest), np.empty_like(rest), np.empty_like(rest)
    compute = native.hyperbolic if sign < 0 else native.sine_cosine
    compute(plan, rest, sine, cosine)
    native.divide(plan, constant * cosine + sine, cosine - sign * constant * sine, result)
    return from_block(plan, result)


def compose_univariate(tables: MonomialTables, coefficients: Array, values: Array) -> Array:
    """The series Σ a_k (f - c)^k, where c is the constant part of f, by Horner's scheme."""
    plan = plan_of(tables)
    (support,) = values[1:].nonzero()
    # A single term has powers that are single terms.
    if not plan.has_kernels or len(support) < 2:  # noqa: PLR2004 -- see above
        return twin.compose_univariate(tables, coefficients, values)
    kind = common_kind(coefficients, values)
    rest = to_block(plan, values, kind).copy()
    rest[0] = 0
    lowest = tables.degree_at(1 + int(support[0]))
    powers = tables.order // lowest
    result, product = np.zeros_like(rest), np.empty_like(rest)
    result[0] = coefficients[powers]
    highest = 0
    for power_left in range(powers - 1, -1, -1):
        order = tables.order - power_left * lowest
        degrees = (0, highest, lowest, tables.order, order)
        native.multiply(plan, result, rest, product, *degrees)
        product[0] += coefficients[power_left]
        result, product, highest = product, result, order
    return from_block(plan, result)
