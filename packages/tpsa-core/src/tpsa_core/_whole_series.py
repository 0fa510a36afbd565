"""What the compiled kernels compute of a whole series, its coefficients left where they are.

Only real series inside the domain go this way: the arrays' way knows all branches and messages.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from tpsa_core._backend import NATIVE
from tpsa_core._functions import SERIES_FUNCTIONS, sincos

# The kinds of constant parts, as the compiled check of a series knows them.
_FINITE, _POSITIVE, _NONZERO = range(3)


class _WholeFunction(NamedTuple):
    """A function of a series, and for which constant parts."""

    takes: int
    compute: Callable[[Any], Any]


def _part(pair: Callable[[Any], tuple[Any, Any]], place: int, series: Any) -> Any:
    return pair(series)[place]


def _table() -> Mapping[Callable[..., Any], _WholeFunction]:
    if NATIVE is None:
        return {}
    native = NATIVE
    functions = {
        "exp": _WholeFunction(_FINITE, native.series_exp),
        "log": _WholeFunction(_POSITIVE, native.series_log),
        "sqrt": _WholeFunction(_POSITIVE, native.series_sqrt),
        "reciprocal": _WholeFunction(_NONZERO, native.series_reciprocal),
        "sin": _WholeFunction(_FINITE, partial(_part, native.series_sine_cosine, 0)),
        "cos": _WholeFunction(_FINITE, partial(_part, native.series_sine_cosine, 1)),
        "sinh": _WholeFunction(_FINITE, partial(_part, native.series_hyperbolic, 0)),
        "cosh": _WholeFunction(_FINITE, partial(_part, native.series_hyperbolic, 1)),
    }
    table = {SERIES_FUNCTIONS[name]: function for name, function in functions.items()}
    return {**table, sincos: _WholeFunction(_FINITE, native.series_sine_cosine)}


_WHOLE_FUNCTIONS = _table()


def whole_result(function: Callable[..., Any], series: Any) -> Any | None:
    """What the compiled function for one of arrays gives of a series, or None if none applies."""
    whole = _WHOLE_FUNCTIONS.get(function)
    if whole is None or NATIVE is None:
        return None
    takes, compute = whole
    return compute(series) if NATIVE.is_plain(series, takes) else None


def whole_power(series: Any, exponent: complex) -> Any | None:
    """The compiled power of a series with a positive constant part to a real exponent."""
    if NATIVE is None or isinstance(exponent, complex) or not NATIVE.is_plain(series, _POSITIVE):
        return None
    return NATIVE.series_power(series, exponent)


def whole_derivative(series: Any, variable: int) -> Any | None:
    """The compiled derivative of a series that is valid to order one at least.

    None, too, if the valid order does not say which terms of it are known.
    """
    return None if NATIVE is None else NATIVE.series_derivative(series, variable)


def whole_antiderivative(series: Any, variable: int) -> Any | None:
    """The compiled antiderivative of a series whose valid order says which terms are known."""
    return None if NATIVE is None else NATIVE.series_antiderivative(series, variable)
