"""The stack machine that computes an expression: numbers stay numbers until they meet a series."""

import cmath
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import e, pi
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tpsa_core._algebra import Algebra, MultivariateTaylorFunction, paired
from tpsa_core._errors import DomainError, ExpressionError, LimitError
from tpsa_core._functions import (
    PAIR_FUNCTIONS,
    SERIES_FUNCTIONS,
    PairFunction,
    SeriesFunction,
    jn,
)
from tpsa_core._monomials import monomial_tables

MAX_INTEGER_POWER = 1_000
_ZERO_HINT = "the value is infinite there"
_COMPLEX_HINT = "write the base as a complex number, such as (-8 + 0j)"

# Other names of the same functions.
FUNCTION_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "arccos": "acos",
        "arccosh": "acosh",
        "arcsin": "asin",
        "arcsinh": "asinh",
        "arctan": "atan",
        "arctanh": "atanh",
        "lgamma": "loggamma",
        "ln": "log",
    }
)

Value: TypeAlias = float | complex | MultivariateTaylorFunction


class Operation(NamedTuple):
    """Something that takes so many values and gives one."""

    arity: int
    compute: Callable[..., Value]


class Step(NamedTuple):
    """One operation, and the column of the text to blame for it."""

    operation: Operation
    column: int


def run_steps(steps: Sequence[Step], algebra: Algebra) -> MultivariateTaylorFunction:
    """The value that is left when all steps are done, as a series.

    Raises:
        DomainError: If an operation has no Taylor series at its operands.
        ExpressionError: If a value is not finite, or a power past the limit.
    """
    stack: list[Value] = []
    with np.errstate(all="ignore"):
        for (arity, compute), column in steps:
            first = len(stack) - arity
            operands = stack[first:]
            del stack[first:]
            stack.append(_computed(compute, operands, column))
    (result,) = stack
    return result if isinstance(result, MultivariateTaylorFunction) else algebra.constant(result)


def _computed(compute: Callable[..., Value], operands: list[Value], column: int) -> Value:
    try:
        value = compute(*operands)
    except DomainError as error:
        raise error.at(column) from error
    except LimitError as error:
        raise ExpressionError(str(error), column=column, hint=error.hint) from error
    except OverflowError as error:
        raise _not_finite(column) from error
    is_series = isinstance(value, MultivariateTaylorFunction)
    if not (np.isfinite(value.coefficients).all() if is_series else cmath.isfinite(value)):
        raise _not_finite(column)
    return value


def _not_finite(column: int) -> ExpressionError:
    hint = "keep all numbers below 1e308; scale the variables if need be"
    return ExpressionError("the value is not a finite number", column=column, hint=hint)


def number(value: complex) -> Operation:
    """The operation that gives a number."""
    return Operation(0, lambda: value if isinstance(value, complex) else float(value))


def variable(algebra: Algebra, position: int, value: complex = 0.0) -> Operation:
    """The operation that gives a variable: its value at the expansion point, plus the distance."""
    if value:
        return Operation(0, lambda: algebra.variable(position) + value)
    return Operation(0, partial(algebra.variable, position))


def _plus(value: Any) -> Value:
    return +value


def _minus(value: Any) -> Value:
    return -value


def _divide(numerator: Any, denominator: Any) -> Value:
    if not isinstance(denominator, MultivariateTaylorFunction) and denominator == 0:
        raise DomainError("division", denominator, "a divisor other than 0", hint=_ZERO_HINT)
    return numerator / denominator


def _power(base: Any, exponent: Any) -> Value:
    if isinstance(exponent, MultivariateTaylorFunction):
        return base**exponent
    if not isinstance(base, MultivariateTaylorFunction):
        return _number_power(base, exponent)
    is_integer = isinstance(exponent, float) and exponent.is_integer()
    if is_integer and abs(exponent) > MAX_INTEGER_POWER:
        message = f"the integer power {exponent:.0f} is beyond ±{MAX_INTEGER_POWER}"
        raise LimitError(message, hint="use exp and log, or a smaller power")
    return base**exponent


def _number_power(base: complex, exponent: complex) -> complex:
    try:
        result = base**exponent
    except ZeroDivisionError as error:
        domain = "a base other than 0 for this exponent"
        raise DomainError("power", base, domain, hint=_ZERO_HINT) from error
    if isinstance(result, complex) and not isinstance(base + exponent, complex):
        domain = "a positive base for an exponent that is no integer"
        raise DomainError("power", base, domain, hint=_COMPLEX_HINT)
    return result


def _apply(function: SeriesFunction, argument: Value) -> Value:
    if isinstance(argument, MultivariateTaylorFunction):
        return argument.mapped(function)
    # A number is a series of order zero; that way it meets the same checks.
    return function(monomial_tables(1, 0), np.array([argument]))[0].item()


def _apply_pair(function: PairFunction, first: Value, second: Value) -> Value:
    if isinstance(first, MultivariateTaylorFunction) or isinstance(
        second, MultivariateTaylorFunction
    ):
        return paired(function, first, second)
    return function(monomial_tables(1, 0), np.array([first]), np.array([second]))[0].item()


def _bessel(order: Value, argument: Value) -> Value:
    if not (isinstance(order, float) and order.is_integer()):
        shown = order.constant if isinstance(order, MultivariateTaylorFunction) else order
        hint = "write it as a number: jn(2, x1)"
        raise DomainError("jn", shown, "an integer as its first argument", hint=hint)
    return _apply(partial(jn, int(order)), argument)


def _functions() -> dict[str, Operation]:
    names = {name: name for name in SERIES_FUNCTIONS} | dict(FUNCTION_ALIASES)
    result = {
        name: Operation(1, partial(_apply, SERIES_FUNCTIONS[target]))
        for name, target in names.items()
    }
    pairs = {name: name for name in PAIR_FUNCTIONS} | {"arctan2": "atan2"}
    result |= {
        name: Operation(2, partial(_apply_pair, PAIR_FUNCTIONS[target]))
        for name, target in pairs.items()
    }
    return {**result, "jn": Operation(2, _bessel), "pow": POWER}


ADD = Operation(2, operator.add)
SUBTRACT = Operation(2, operator.sub)
MULTIPLY = Operation(2, operator.mul)
DIVIDE = Operation(2, _divide)
POWER = Operation(2, _power)
PLUS = Operation(1, _plus)
MINUS = Operation(1, _minus)
FUNCTIONS: Mapping[str, Operation] = MappingProxyType(_functions())
CONSTANTS: Mapping[str, float] = MappingProxyType({"e": e, "pi": pi})
