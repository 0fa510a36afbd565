"""Which of numpy's functions a series understands, and what they mean for it."""

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from tpsa_core._functions import SERIES_FUNCTIONS, SeriesFunction


def _square(value: Any) -> Any:
    return value * value


def _quotient(numerator: Any, denominator: Any) -> Any:
    return numerator / denominator


# numpy's functions of one argument that have a recurrence.
SERIES_UFUNCS: Mapping[np.ufunc, SeriesFunction] = MappingProxyType(
    {
        np.arccos: SERIES_FUNCTIONS["acos"],
        np.arcsin: SERIES_FUNCTIONS["asin"],
        np.arctan: SERIES_FUNCTIONS["atan"],
        np.cos: SERIES_FUNCTIONS["cos"],
        np.cosh: SERIES_FUNCTIONS["cosh"],
        np.exp: SERIES_FUNCTIONS["exp"],
        np.log: SERIES_FUNCTIONS["log"],
        np.reciprocal: SERIES_FUNCTIONS["reciprocal"],
        np.sin: SERIES_FUNCTIONS["sin"],
        np.sinh: SERIES_FUNCTIONS["sinh"],
        np.sqrt: SERIES_FUNCTIONS["sqrt"],
        np.tan: SERIES_FUNCTIONS["tan"],
        np.tanh: SERIES_FUNCTIONS["tanh"],
    }
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
