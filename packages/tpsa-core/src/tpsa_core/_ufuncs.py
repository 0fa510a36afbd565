"""Which of numpy's functions a series understands, and what they mean for it."""

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core._functions import (
    PAIR_FUNCTIONS,
    SERIES_FUNCTIONS,
    PairFunction,
    SeriesFunction,
)


def _square(value: Any) -> Any:
    return value * value


def _quotient(numerator: Any, denominator: Any) -> Any:
    return numerator / denominator


# numpy's functions of one argument that have a recurrence.
SERIES_UFUNCS: Mapping[np.ufunc, SeriesFunction] = MappingProxyType(
    {
        np.absolute: SERIES_FUNCTIONS["abs"],
        np.arccos: SERIES_FUNCTIONS["acos"],
        np.arccosh: SERIES_FUNCTIONS["acosh"],
        np.arcsin: SERIES_FUNCTIONS["asin"],
        np.arcsinh: SERIES_FUNCTIONS["asinh"],
        np.arctan: SERIES_FUNCTIONS["atan"],
        np.arctanh: SERIES_FUNCTIONS["atanh"],
        np.cbrt: SERIES_FUNCTIONS["cbrt"],
        np.cos: SERIES_FUNCTIONS["cos"],
        np.cosh: SERIES_FUNCTIONS["cosh"],
        np.exp: SERIES_FUNCTIONS["exp"],
        np.expm1: SERIES_FUNCTIONS["expm1"],
        np.log: SERIES_FUNCTIONS["log"],
        np.log10: SERIES_FUNCTIONS["log10"],
        np.log1p: SERIES_FUNCTIONS["log1p"],
        np.log2: SERIES_FUNCTIONS["log2"],
        np.reciprocal: SERIES_FUNCTIONS["reciprocal"],
        np.sin: SERIES_FUNCTIONS["sin"],
        np.sinh: SERIES_FUNCTIONS["sinh"],
        np.sqrt: SERIES_FUNCTIONS["sqrt"],
        np.tan: SERIES_FUNCTIONS["tan"],
        np.tanh: SERIES_FUNCTIONS["tanh"],
    }
)

# numpy's functions of two arguments that have a recurrence.
PAIR_UFUNCS: Mapping[np.ufunc, PairFunction] = MappingProxyType(
    {np.arctan2: PAIR_FUNCTIONS["atan2"], np.hypot: PAIR_FUNCTIONS["hypot"]}
)

# numpy's functions that are operators.
OPERATOR_UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = MappingProxyType(
    {
        np.add: operator.add,
        np.conjugate: operator.methodcaller("conjugate"),
        np.equal: operator.eq,
        np.float_power: pow,
        np.multiply: operator.mul,
        np.negative: operator.neg,
        np.not_equal: operator.ne,
        np.positive: operator.pos,
        np.power: pow,
        np.square: _square,
        np.subtract: operator.sub,
        np.true_divide: _quotient,
    }
)


def boxed(value: object) -> npt.NDArray[np.object_]:
    """An array of objects: a series becomes an array of no dimension that holds it."""
    if isinstance(value, np.ndarray):
        return np.array(value, dtype=np.object_)
    box = np.empty((), dtype=object)
    box[()] = value
    return box
